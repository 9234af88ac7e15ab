import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import classes from './Dialog.module.css';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  size?: 'sm' | 'md' | 'lg';
  /** Only its own buttons close it: what it shows is not to be had again. */
  isFirm?: boolean;
  children: ReactNode;
}

const widths = { sm: 400, md: 480, lg: 640 } as const;

/** A dialog over the page. A click beside it never closes it, because that would lose what was typed. */
export function Dialog({ opened, onClose, title, size = 'md', isFirm = false, children }: DialogProps) {
  const t = useTranslations('common');
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={widths[size]}
      closeOnClickOutside={false}
      closeOnEscape={!isFirm}
      withCloseButton={!isFirm}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ title: classes.title, header: classes.header, body: classes.body }}
    >
      {children}
    </Modal>
  );
}

interface DialogButtonsProps {
  submitLabel: string;
  isPending: boolean;
  isDisabled?: boolean;
  color?: string;
  onCancel: () => void;
}

/** The last line of a form in a dialog. */
export function DialogButtons({ submitLabel, isPending, isDisabled = false, color, onCancel }: DialogButtonsProps) {
  const t = useTranslations('common');
  return (
    <Group justify="flex-end" gap="xs" mt="xs">
      <Button variant="default" onClick={onCancel}>
        {t('cancel')}
      </Button>
      <Button type="submit" loading={isPending} disabled={isDisabled} {...(color === undefined ? {} : { color })}>
        {submitLabel}
      </Button>
    </Group>
  );
}
