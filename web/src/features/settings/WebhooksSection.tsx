import { Alert, Button, Menu, Switch, TextInput } from '@mantine/core';
import { IconPencil, IconSend, IconWebhook } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import {
  createdWebhook,
  type Webhook,
  webhook,
  webhookTest,
  webhookWrite,
  type WebhookWrite,
} from '../../../../shared/alarms.ts';
import { webhookVersion } from '../../../../shared/versions.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { fetchJson } from '../../lib/http.ts';
import { useDelete, useRenew } from '../../lib/mutations.ts';
import { readFromList, urlUnder, useSaveRecord } from '../../lib/records.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogForm, FormError, useDialog } from '../../ui/DialogForm.tsx';
import { ListTable } from '../../ui/ListTable.tsx';
import { RecordPanel } from '../../ui/RecordPanel.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { DeleteItem, RowMenu } from '../../ui/RowMenu.tsx';
import { ShownOnce } from '../../ui/ShownOnce.tsx';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { FailedMessages } from './MailSection.tsx';
import { webhooksPath, webhooksQuery } from './webhooks-query.ts';
import classes from './section.module.css';

/** Other systems that receive alarms. */
export function WebhooksSection() {
  const t = useTranslations('settings.webhooks');
  const testing = useDialog<Webhook>();
  const [created, setCreated] = useState<{ name: string; secret: string } | null>(null);
  return (
    <>
      <RecordPanel
        title={useTranslations('sections')('webhooks')}
        description={t('description')}
        t={t}
        icon={<IconWebhook size={22} stroke={1.75} />}
        records={useQuery(webhooksQuery)}
        nameOf={({ name }) => name}
        remove={useDelete<Webhook>(webhooksPath, webhookVersion, useRenew(webhooksQuery.queryKey))}
        renderForm={(hook, close) => <WebhookForm hook={hook} onCreated={setCreated} onDone={close} />}
      >
        {(webhooks, { edit, remove }) => (
          <WebhookTable webhooks={webhooks} onEdit={edit} onTest={testing.open} onDelete={remove} />
        )}
      </RecordPanel>
      <FailedMessages isOfWebhooks />
      <Dialog
        opened={created !== null}
        onClose={() => setCreated(null)}
        isFirm
        title={t('createdTitle', { name: created?.name ?? '' })}
      >
        {created !== null && (
          <ShownOnce
            secret={created.secret}
            label={t('secret')}
            copyLabel={t('copySecret')}
            warning={t('shownOnce')}
            notCopied={t('notCopied')}
            onDone={() => setCreated(null)}
          >
            {() => <p className={classes.dimmed}>{t('secretHint')}</p>}
          </ShownOnce>
        )}
      </Dialog>
      <Dialog
        opened={testing.isOpen}
        onClose={testing.close}
        title={t('testOf', { name: testing.subject?.name ?? '' })}
      >
        {testing.subject !== null && <WebhookTest key={testing.subject.id} hook={testing.subject} />}
      </Dialog>
    </>
  );
}

interface WebhookTableProps {
  webhooks: readonly Webhook[];
  onEdit: (hook: Webhook) => void;
  onTest: (hook: Webhook) => void;
  onDelete: (hook: Webhook) => void;
}

function WebhookTable({ webhooks, onEdit, onTest, onDelete }: WebhookTableProps) {
  const t = useTranslations('settings.webhooks');
  const tAll = useTranslations();
  const columns: Column<Webhook>[] = [
    {
      id: 'name',
      header: tAll('common.name'),
      kind: 'name',
      sortBy: ({ name }) => name,
      renderCell: ({ name, url }) => (
        <>
          <div className={classes.name}>{name}</div>
          <div className={`${classes.dimmed} ${classes.wrapping}`}>{url}</div>
        </>
      ),
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
      renderCell: (hook) => (
        <RowMenu label={tAll('terms.actionsFor', { name: hook.name })}>
          <Menu.Item leftSection={<IconSend size={16} stroke={1.75} />} onClick={() => onTest(hook)}>
            {t('test')}
          </Menu.Item>
          <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={() => onEdit(hook)}>
            {tAll('common.edit')}
          </Menu.Item>
          <DeleteItem onClick={() => onDelete(hook)}>{t('delete')}</DeleteItem>
        </RowMenu>
      ),
    },
  ];
  return (
    <ListTable
      label={tAll('sections.webhooks')}
      columns={columns}
      rows={webhooks}
      rowKey={({ id }) => id}
      textOf={({ name, url }) => `${name} ${url}`}
    />
  );
}

interface WebhookFormProps {
  /** Null creates a new one. */
  hook: Webhook | null;
  onCreated: (created: { name: string; secret: string }) => void;
  onDone: () => void;
}

function WebhookForm({ hook, onCreated, onDone }: WebhookFormProps) {
  const t = useTranslations('settings.webhooks');
  const tAll = useTranslations();
  const renew = useRenew(webhooksQuery.queryKey);
  const fields = {
    name: { label: tAll('common.name') },
    url: { label: t('url') },
    isActive: { label: tAll('terms.active') },
  };
  const save = useSaveRecord<WebhookWrite, Webhook>({
    urlOf: urlUnder(webhooksPath),
    answer: webhook,
    versionOf: webhookVersion,
    read: readFromList(webhooksPath, webhook),
    fields,
    renew,
  });
  const { text, toggle, dialog } = useRecordForm({
    seen: hook,
    initialValues: { name: hook?.name ?? '', url: hook?.url ?? 'https://', isActive: hook?.isActive ?? true },
    schema: webhookWrite,
    labels: fields,
    problems: { url: () => t('urlInvalid') },
    save: async (values, seen) => {
      if (seen !== null) return save.mutateAsync({ seen, values });
      const created = await fetchJson(webhooksPath, createdWebhook, { method: 'POST', json: values });
      void renew();
      onCreated({ name: created.webhook.name, secret: created.secret });
      return created.webhook;
    },
    said: ({ name }) => (hook === null ? null : tAll('terms.saved', { name })),
    onSaved: onDone,
    onCancel: onDone,
    createLabel: tAll('common.create'),
  });
  return (
    <DialogForm {...dialog}>
      <TextInput {...text('name')} data-autofocus />
      <TextInput {...text('url')} type="url" spellCheck={false} description={t('urlHint')} />
      <Switch {...toggle('isActive')} description={t('isActiveHint')} />
    </DialogForm>
  );
}

/** Posts a test event and shows the answer. */
function WebhookTest({ hook }: { hook: Webhook }) {
  const t = useTranslations('settings.webhooks');
  const errorText = useErrorText();
  const test = useMutation({
    mutationFn: () => fetchJson(`${webhooksPath}/${hook.id}/test`, webhookTest, { method: 'POST' }),
  });
  return (
    <>
      <p className={classes.dimmed}>{t('testText')}</p>
      <Button
        data-sends
        variant="default"
        my="md"
        leftSection={<IconSend size={16} stroke={1.75} aria-hidden />}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        {t('test')}
      </Button>
      <FormError>{test.error && errorText(test.error)}</FormError>
      {test.data?.isDelivered === false && <FormError>{t('notAccepted', { reason: test.data.error ?? '' })}</FormError>}
      {test.data?.isDelivered === true && (
        <Alert color="green" role="status">
          {t('accepted')}
        </Alert>
      )}
    </>
  );
}
