import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconMailOff, IconSend } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { type FailedMessage, mailState, mailTest } from '../../../../shared/notifications.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { fetchJson } from '../../lib/http.ts';
import { Age } from '../../ui/Age.tsx';
import { FormError } from '../../ui/DialogForm.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ListTable } from '../../ui/ListTable.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Panel } from '../../ui/Panel.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import { StatusChip } from '../../ui/StatusChip.tsx';
import classes from './section.module.css';

const path = '/api/admin/mail';

/** `GET /api/admin/mail`, refreshed from time to time, because failed messages are sent again. */
const mailQuery = queryOptions({
  queryKey: ['mail'],
  queryFn: ({ signal }) => fetchJson(path, mailState, { signal }),
  refetchInterval: 30_000,
});

/** Whether mail works, and which messages failed. */
export function MailSection() {
  const t = useTranslations('settings.mail');
  const title = useTranslations('sections')('mail');
  const mail = useQuery(mailQuery);
  return (
    <Stack gap="lg">
      <Panel title={title} description={t('description')}>
        <Loaded queries={[mail]} skeleton={<RowsSkeleton rows={2} />}>
          {({ from }) =>
            from === null ? (
              <EmptyState icon={<IconMailOff size={22} stroke={1.75} />} title={t('offTitle')}>
                {t('offText')}
              </EmptyState>
            ) : (
              <MailTest from={from} />
            )
          }
        </Loaded>
      </Panel>
      <FailedMessages />
    </Stack>
  );
}

/** The mails and deliveries whose last attempt failed. */
export function FailedMessages({ isOfWebhooks = false }: { isOfWebhooks?: boolean }) {
  const t = useTranslations('settings.mail');
  const mail = useQuery(mailQuery);
  return (
    <Panel flush title={t('failed')} description={t('failedText')}>
      <Loaded queries={[mail]} skeleton={<RowsSkeleton rows={3} isInset />}>
        {({ failedMessages }) => {
          const messages = failedMessages.filter(({ purpose }) => !isOfWebhooks || purpose === 'webhook');
          return messages.length === 0 ? (
            <EmptyState icon={<IconCircleCheck size={22} stroke={1.75} />} title={t('noneFailed')}>
              {t('noneFailedText')}
            </EmptyState>
          ) : (
            <FailedTable messages={messages} />
          );
        }}
      </Loaded>
    </Panel>
  );
}

function MailTest({ from }: { from: string }) {
  const t = useTranslations('settings.mail');
  const errorText = useErrorText();
  const test = useMutation({ mutationFn: () => fetchJson(`${path}/test`, mailTest, { method: 'POST' }) });
  return (
    <Stack gap="md" align="start">
      <Text>{t('from', { from })}</Text>
      <Button
        data-sends
        variant="default"
        leftSection={<IconSend size={16} stroke={1.75} aria-hidden />}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        {t('test')}
      </Button>
      <FormError>{test.error && errorText(test.error)}</FormError>
      {test.data?.isSent === false && (
        <FormError>{t('notSent', { to: test.data.to, reason: test.data.error ?? '' })}</FormError>
      )}
      {test.data?.isSent === true && (
        <Alert color="green" role="status">
          {t('sent', { to: test.data.to })}
        </Alert>
      )}
    </Stack>
  );
}

function FailedTable({ messages }: { messages: readonly FailedMessage[] }) {
  const t = useTranslations('settings.mail');
  const tTerms = useTranslations('terms');
  const columns: Column<FailedMessage>[] = [
    {
      id: 'recipient',
      header: t('recipient'),
      kind: 'name',
      renderCell: ({ recipient }) => <span className={classes.name}>{recipient}</span>,
    },
    { id: 'purpose', header: t('purpose'), renderCell: ({ purpose }) => t(`purposes.${purpose}`) },
    { id: 'created', header: t('created'), renderCell: ({ createdAt }) => <Age at={createdAt} /> },
    {
      id: 'state',
      header: tTerms('state'),
      renderCell: ({ isGivenUp }) => (
        <StatusChip tone={isGivenUp ? 'bad' : 'warn'}>{t(isGivenUp ? 'givenUp' : 'repeated')}</StatusChip>
      ),
    },
    { id: 'error', header: t('error'), renderCell: ({ error }) => <span className={classes.wrapping}>{error}</span> },
  ];
  return (
    <ListTable
      label={t('failed')}
      columns={columns}
      rows={messages}
      rowKey={({ id }) => id}
      textOf={({ recipient, error }) => `${recipient} ${error}`}
    />
  );
}
