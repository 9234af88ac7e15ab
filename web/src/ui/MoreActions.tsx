import { ActionIcon, Popover, Stack } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';

/** Buttons of a page's head that have no room beside its title. What one of them does goes on while they are hidden. */
export function MoreActions({ children }: { children: ReactNode }) {
  const t = useTranslations('common');
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <Popover position="bottom-end" trapFocus returnFocus keepMounted={wasOpened} onOpen={() => setWasOpened(true)}>
      <Popover.Target>
        <ActionIcon variant="default" size={44} aria-label={t('moreActions')}>
          <IconDots size={18} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">{children}</Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
