import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './RowMenu.module.css';

/** The actions for one row of a list. `label` names the row: "Actions for Plant 1". */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Menu position="bottom-end" width="max-content" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon className="screen-only" variant="subtle" color="gray" size={32} aria-label={label}>
          <IconDots size={18} stroke={1.75} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

/** The item of a menu that deletes something. */
export function DeleteItem({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Menu.Item className={classes.delete} leftSection={<IconTrash size={16} stroke={1.75} />} onClick={onClick}>
      {children}
    </Menu.Item>
  );
}
