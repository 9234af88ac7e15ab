import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconMail, IconPencil, IconPower, IconSend } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { mailTest } from '../../../../shared/notifications.ts';
import type { ReportSubscription } from '../../../../shared/report-subscriptions.ts';
import { reportSubscriptionVersion } from '../../../../shared/versions.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { fetchJson } from '../../lib/http.ts';
import { useDelete, useRenew } from '../../lib/mutations.ts';
import { ListTable } from '../../ui/ListTable.tsx';
import { RecordPanel } from '../../ui/RecordPanel.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { DeleteItem, RowMenu } from '../../ui/RowMenu.tsx';
import { useSwitch } from '../../ui/use-record-form.ts';
import { subscriptionsPath, subscriptionsQuery } from './queries.ts';
import { SubscriptionForm, useSaveSubscription } from './SubscriptionForm.tsx';

/** Who gets which report by mail. */
export function SubscriptionsPanel() {
  const t = useTranslations('reportMails');
  const renew = useRenew(subscriptionsQuery.queryKey);
  return (
    <RecordPanel
      title={t('subscriptions')}
      description={t('subscriptionsHint')}
      t={t}
      icon={<IconMail size={22} stroke={1.75} />}
      records={useQuery(subscriptionsQuery)}
      nameOf={({ name }) => name}
      remove={useDelete<ReportSubscription>(subscriptionsPath, reportSubscriptionVersion, renew)}
      renderForm={(one, close) => <SubscriptionForm subscription={one} onDone={close} />}
    >
      {(all, { edit, remove }) => <SubscriptionTable subscriptions={all} onEdit={edit} onDelete={remove} />}
    </RecordPanel>
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
  const send = useTest();
  const toggle = useSwitch(useSaveSubscription());
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

/** Sends a report to oneself. */
function useTest() {
  const t = useTranslations('reportMails');
  const tMail = useTranslations('settings.mail');
  const tTerms = useTranslations('terms');
  const errorText = useErrorText();
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
    onError: (error) => notifications.show({ color: 'red', message: tTerms('failed', { reason: errorText(error) }) }),
  });
  return (one: ReportSubscription) => test.mutate(one);
}
