import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconMail, IconPencil, IconPlus, IconPower, IconSend } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { mailTest } from '../../../../shared/notifications.ts';
import type { ReportSubscription } from '../../../../shared/report-subscriptions.ts';
import { reportSubscriptionVersion } from '../../../../shared/versions.ts';
import { TheirsKept } from '../../lib/edit-conflict.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { fetchJson } from '../../lib/http.ts';
import { useDelete, useRenew } from '../../lib/mutations.ts';
import { ConfirmByName } from '../../ui/ConfirmByName.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useDialog } from '../../ui/DialogForm.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ListTable } from '../../ui/ListTable.tsx';
import { Panel } from '../../ui/Panel.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { DeleteItem, RowMenu } from '../../ui/RowMenu.tsx';
import { subscriptionsPath, subscriptionsQuery } from './queries.ts';
import { SubscriptionForm, useSaveSubscription } from './SubscriptionForm.tsx';

/** Who gets which report by mail. */
export function SubscriptionsPanel({ subscriptions }: { subscriptions: readonly ReportSubscription[] }) {
  const t = useTranslations('reportMails');
  const editing = useDialog<ReportSubscription | null>();
  const deleting = useDialog<ReportSubscription>();
  const remove = useDelete<ReportSubscription>(
    subscriptionsPath,
    reportSubscriptionVersion,
    useRenew(subscriptionsQuery.queryKey),
  );
  const tTerms = useTranslations('terms');
  return (
    <Panel
      flush
      title={t('subscriptions')}
      description={t('subscriptionsHint')}
      actions={
        <Button leftSection={<IconPlus size={16} stroke={2} aria-hidden />} onClick={() => editing.open(null)}>
          {t('new')}
        </Button>
      }
    >
      {subscriptions.length === 0 ? (
        <EmptyState icon={<IconMail size={22} stroke={1.75} />} title={t('none')}>
          {t('noneHint')}
        </EmptyState>
      ) : (
        <SubscriptionTable subscriptions={subscriptions} onEdit={editing.open} onDelete={deleting.open} />
      )}
      <Dialog opened={editing.isOpen} onClose={editing.close} title={t(editing.subject === null ? 'new' : 'edit')}>
        <SubscriptionForm subscription={editing.subject} onDone={editing.close} />
      </Dialog>
      {deleting.subject !== null && (
        <ConfirmByName
          opened={deleting.isOpen}
          title={t('delete')}
          name={deleting.subject.name}
          onConfirm={() => (deleting.subject === null ? Promise.resolve() : remove.mutateAsync(deleting.subject))}
          done={tTerms('deleted', { name: deleting.subject.name })}
          onClose={deleting.close}
        >
          {t('deleteText')}
        </ConfirmByName>
      )}
    </Panel>
  );
}

interface SubscriptionTableProps {
  subscriptions: readonly ReportSubscription[];
  onEdit: (one: ReportSubscription) => void;
  onDelete: (one: ReportSubscription) => void;
}

function SubscriptionTable({ subscriptions, onEdit, onDelete }: SubscriptionTableProps) {
  const t = useTranslations('reportMails');
  const tAll = useTranslations();
  const { send, toggle } = useActions();
  const columns: Column<ReportSubscription>[] = [
    {
      id: 'name',
      header: tAll('common.name'),
      kind: 'name',
      sortBy: ({ name }) => name,
      renderCell: ({ name, period }) => (
        <>
          {name}
          <span className="detail">{t(`periods.${period}`)}</span>
        </>
      ),
    },
    {
      id: 'recipients',
      header: t('recipients'),
      renderCell: ({ recipients }) => t('recipientCount', { count: recipients.length }),
    },
    {
      id: 'state',
      header: tAll('terms.state'),
      renderCell: ({ isActive }) => tAll(isActive ? 'terms.active' : 'alarmRules.inactive'),
    },
    {
      id: 'actions',
      header: tAll('common.actions'),
      kind: 'actions',
      renderCell: (one) => (
        <RowMenu label={tAll('terms.actionsFor', { name: one.name })}>
          <Menu.Item leftSection={<IconSend size={16} stroke={1.75} />} onClick={() => send(one)}>
            {t('sendNow')}
          </Menu.Item>
          <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={() => onEdit(one)}>
            {tAll('common.edit')}
          </Menu.Item>
          <Menu.Item leftSection={<IconPower size={16} stroke={1.75} />} onClick={() => toggle(one)}>
            {tAll(one.isActive ? 'terms.switchOff' : 'terms.switchOn')}
          </Menu.Item>
          <DeleteItem onClick={() => onDelete(one)}>{t('delete')}</DeleteItem>
        </RowMenu>
      ),
    },
  ];
  return (
    <ListTable
      label={t('subscriptions')}
      columns={columns}
      rows={subscriptions}
      rowKey={({ id }) => id}
      textOf={({ name }) => name}
    />
  );
}

/** Sends a report to oneself, and switches one on or off. */
function useActions() {
  const t = useTranslations('reportMails');
  const tMail = useTranslations('settings.mail');
  const tTerms = useTranslations('terms');
  const errorText = useErrorText();
  const save = useSaveSubscription();
  const onError = (error: unknown) => {
    if (error instanceof TheirsKept) return;
    notifications.show({ color: 'red', message: tTerms('failed', { reason: errorText(error) }) });
  };
  const test = useMutation({
    mutationFn: ({ id }: ReportSubscription) =>
      fetchJson(`${subscriptionsPath}/${id}/test`, mailTest, { method: 'POST' }),
    onMutate: () => notifications.show({ message: t('sending') }),
    onSuccess: ({ isSent, to, error }) =>
      notifications.show(
        isSent
          ? { color: 'green', message: tMail('sent', { to }) }
          : { color: 'red', message: tMail('notSent', { to, reason: error ?? '' }) },
      ),
    onError,
  });
  return {
    send: (one: ReportSubscription) => test.mutate(one),
    toggle: (one: ReportSubscription) =>
      save.mutate({ seen: one, values: { ...one, isActive: !one.isActive } }, { onError }),
  };
}
