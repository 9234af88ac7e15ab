import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useDialogFocus } from './use-dialog-focus.ts';
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
  const inside = useDialogFocus(opened);
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={widths[size]}
      centered
      closeOnClickOutside={false}
      closeOnEscape={!isFirm}
      returnFocus={false}
      classNames={{ content: classes.content }}
    >
      <Modal.Overlay backgroundOpacity={0.4} blur={2} />
      <Modal.Content radius="lg">
        {/* A div, because the header element of a dialog would be taken for that of the page. */}
        <div ref={inside} className={classes.header}>
          <Modal.Title className={classes.title}>{title}</Modal.Title>
          {!isFirm && <Modal.CloseButton aria-label={t('close')} />}
        </div>
        <Modal.Body className={classes.body}>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
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
