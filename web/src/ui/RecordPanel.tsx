import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useCreates, type useDelete } from '../lib/mutations.ts';
import { ConfirmByName } from './ConfirmByName.tsx';
import { Dialog } from './Dialog.tsx';
import { useDialog } from './DialogForm.tsx';
import { EmptyState } from './EmptyState.tsx';
import { Loaded } from './Loaded.tsx';
import { Panel } from './Panel.tsx';
import { RowsSkeleton } from './Skeletons.tsx';

interface RecordPanelProps<Item extends { id: string }> {
  title: string;
  description: string;
  /** The texts of the kind of records. */
  t: (key: 'new' | 'edit' | 'delete' | 'deleteText' | 'emptyTitle' | 'emptyText') => string;
  /** Shown while there are no records. */
  icon: ReactNode;
  records: UseQueryResult<readonly Item[]>;
  nameOf: (item: Item) => string;
  remove: ReturnType<typeof useDelete<Item>>;
  /** The message after a deletion. */
  removed?: (name: string) => string;
  size?: 'md' | 'lg';
  /** The form of a record; null for a new one. */
  renderForm: (item: Item | null, close: () => void) => ReactNode;
  children: (
    items: readonly Item[],
    actions: { edit: (item: Item) => void; remove: (item: Item) => void },
  ) => ReactNode;
}

/** The records of one kind: their list, the form for one of them, and the question before one is deleted. */
export function RecordPanel<Item extends { id: string }>(props: RecordPanelProps<Item>) {
  const { title, description, t, icon, records, nameOf, remove, size = 'md', renderForm, children } = props;
  const tTerms = useTranslations('terms');
  const editing = useDialog<Item | null>();
  const deleting = useDialog<Item>();
  const { subject } = deleting;
  const { removed = (name) => tTerms('deleted', { name }) } = props;
  useCreates(() => editing.open(null));
  return (
    <Panel
      flush
      title={title}
      description={description}
      actions={
        <Button leftSection={<IconPlus size={16} stroke={2} aria-hidden />} onClick={() => editing.open(null)}>
          {t('new')}
        </Button>
      }
    >
      <Loaded queries={[records]} skeleton={<RowsSkeleton rows={3} isInset />}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={icon} title={t('emptyTitle')}>
              {t('emptyText')}
            </EmptyState>
          ) : (
            children(items, { edit: editing.open, remove: deleting.open })
          )
        }
      </Loaded>
      <Dialog
        opened={editing.isOpen}
        onClose={editing.close}
        size={size}
        title={t(editing.subject === null ? 'new' : 'edit')}
      >
        {renderForm(editing.subject, editing.close)}
      </Dialog>
      {subject !== null && (
        <ConfirmByName
          opened={deleting.isOpen}
          title={t('delete')}
          name={nameOf(subject)}
          onConfirm={() => remove.mutateAsync(subject)}
          done={removed(nameOf(subject))}
          onClose={deleting.close}
        >
          {t('deleteText')}
        </ConfirmByName>
      )}
    </Panel>
  );
}
