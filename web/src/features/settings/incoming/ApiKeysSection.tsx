import { Button, TextInput } from '@mantine/core';
import { IconKey, IconPlus, IconCircleCheck, IconMoodEmpty } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { type ApiKey, apiKeyCreate, type CreatedApiKey } from '../../../../../shared/accounts.ts';
import { useCreates } from '../../../lib/mutations.ts';
import { useWhenBack } from '../../../entities/rows-without-device.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { Age } from '../../../ui/Age.tsx';
import { ConfirmByName } from '../../../ui/ConfirmByName.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { ListTable } from '../../../ui/ListTable.tsx';
import type { Column } from '../../../ui/ResponsiveTable.tsx';
import { RowsSkeleton } from '../../../ui/Skeletons.tsx';
import { instantOf } from '../../../ui/sorted-rows.ts';
import { CreatedKey } from './CreatedKey.tsx';
import { apiKeysQuery } from '../../../entities/api-keys.ts';
import { useRevokeApiKey, useCreateApiKey } from './api-keys-query.ts';
import classes from '../section.module.css';
import { DialogForm, useDialog } from '../../../ui/DialogForm.tsx';
import { useRecordForm } from '../../../ui/use-record-form.ts';
import type { Arrival, KeyDeliveries as Deliveries } from '../../../../../shared/arrivals.ts';
import { Figure, Figures } from '../../../ui/Figures.tsx';
import { Meter, Verdict } from './ArrivalCells.tsx';
import { arrivalName, keyDeliveriesQuery } from './arrivals-query.ts';
import { useDisplayZone } from '../../../lib/current-user.ts';

/** The keys with which gateways deliver measurements. */
export function ApiKeysSection() {
  const t = useTranslations('settings.apiKeys');
  const title = useTranslations('sections')('apiKeys');
  const keys = useQuery(apiKeysQuery);
  const [isCreating, setIsCreating] = useState(false);
  useCreates(() => setIsCreating(true));
  const created = useDialog<CreatedApiKey>();
  const revoking = useDialog<ApiKey>();
  const shown = useDialog<ApiKey>();
  const tIncoming = useTranslations('settings.incoming.key');
  const keyOf = (id: string | null) => keys.data?.find((each) => each.id === id);
  useWhenBack(
    ({ apiKeyId }) => keyOf(apiKeyId) !== undefined,
    ({ apiKeyId }) => {
      const key = keyOf(apiKeyId);
      if (key === undefined) return;
      // The dialog returns the focus to it.
      document.getElementById(buttonId(key))?.focus();
      shown.open(key);
    },
  );
  const newButton = (
    <Button leftSection={<IconPlus size={16} stroke={2} aria-hidden />} onClick={() => setIsCreating(true)}>
      {t('new')}
    </Button>
  );

  return (
    <Panel flush title={title} description={t('description')} actions={newButton}>
      <Loaded queries={[keys]} skeleton={<RowsSkeleton rows={3} isInset />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState icon={<IconKey size={22} stroke={1.75} />} title={t('emptyTitle')}>
              {t('emptyText')}
            </EmptyState>
          ) : (
            <KeyTable keys={data} onShow={shown.open} onRevoke={revoking.open} />
          )
        }
      </Loaded>
      <Dialog opened={isCreating} onClose={() => setIsCreating(false)} title={t('new')}>
        <ApiKeyForm
          onCreated={(key) => {
            setIsCreating(false);
            created.open(key);
          }}
          onCancel={() => setIsCreating(false)}
        />
      </Dialog>
      <Dialog
        opened={created.isOpen}
        onClose={created.close}
        size="lg"
        isFirm
        title={t('createdTitle', { name: created.subject?.name ?? '' })}
      >
        {created.subject !== null && <CreatedKey apiKey={created.subject} onDone={created.close} />}
      </Dialog>
      <Dialog
        opened={shown.isOpen}
        onClose={shown.close}
        size="lg"
        title={tIncoming('title', { name: shown.subject?.name ?? '' })}
      >
        {shown.subject !== null && <KeyDeliveries id={shown.subject.id} />}
      </Dialog>
      {revoking.subject !== null && (
        <RevokeDialog apiKey={revoking.subject} opened={revoking.isOpen} onClose={revoking.close} />
      )}
    </Panel>
  );
}

const buttonId = ({ id }: ApiKey) => `deliveries-${id}`;

interface KeyTableProps {
  keys: readonly ApiKey[];
  onShow: (key: ApiKey) => void;
  onRevoke: (key: ApiKey) => void;
}

function KeyTable({ keys, onShow, onRevoke }: KeyTableProps) {
  const tIncoming = useTranslations('settings.incoming.key');
  const tTerms = useTranslations('terms');
  const t = useTranslations('settings.apiKeys');
  const tSection = useTranslations('sections');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const zone = useDisplayZone();
  const columns: Column<ApiKey>[] = [
    {
      id: 'name',
      header: tCommon('name'),
      kind: 'name',
      sortBy: ({ name }) => name,
      renderCell: ({ name }) => <span className={classes.name}>{name}</span>,
    },
    {
      id: 'created',
      header: t('columns.created'),
      sortBy: ({ createdAt }) => instantOf(createdAt),
      renderCell: ({ createdAt }) => (
        <time dateTime={createdAt} title={format.dateTime(createdAt, zone)}>
          {format.date(createdAt, zone)}
        </time>
      ),
    },
    {
      id: 'lastUsed',
      header: t('columns.lastUsed'),
      sortBy: ({ lastUsedAt }) => instantOf(lastUsedAt),
      renderCell: ({ lastUsedAt }) =>
        lastUsedAt === null ? <span className={classes.dimmed}>{tTerms('never')}</span> : <Age at={lastUsedAt} />,
    },
    {
      id: 'actions',
      header: tCommon('actions'),
      kind: 'actions',
      renderCell: (key) => (
        <span className={classes.buttons}>
          <Button
            id={buttonId(key)}
            variant="subtle"
            size="compact-sm"
            aria-label={tIncoming('openNamed', { name: key.name })}
            onClick={() => onShow(key)}
          >
            {tIncoming('deliveries')}
          </Button>
          <Button
            variant="subtle"
            color="red"
            size="compact-sm"
            aria-label={format.labelled(t('revoke'), key.name)}
            onClick={() => onRevoke(key)}
          >
            {t('revoke')}
          </Button>
        </span>
      ),
    },
  ];
  return (
    <ListTable
      label={tSection('apiKeys')}
      columns={columns}
      rows={keys}
      rowKey={({ id }) => id}
      textOf={({ name }) => name}
    />
  );
}

function RevokeDialog({ apiKey, opened, onClose }: { apiKey: ApiKey; opened: boolean; onClose: () => void }) {
  const t = useTranslations('settings.apiKeys');
  const revoke = useRevokeApiKey();
  return (
    <ConfirmByName
      opened={opened}
      title={t('revokeTitle')}
      name={apiKey.name}
      confirmLabel={t('revoke')}
      onConfirm={() => revoke.mutateAsync(apiKey)}
      done={t('revoked', { name: apiKey.name })}
      onClose={onClose}
    >
      {t('revokeText')}
    </ConfirmByName>
  );
}

interface ApiKeyFormProps {
  onCreated: (key: CreatedApiKey) => void;
  onCancel: () => void;
}

function ApiKeyForm({ onCreated, onCancel }: ApiKeyFormProps) {
  const t = useTranslations('settings.apiKeys');
  const tCommon = useTranslations('common');
  const create = useCreateApiKey();
  const { text, dialog } = useRecordForm({
    seen: null,
    initialValues: { name: '' },
    schema: apiKeyCreate,
    labels: { name: { label: tCommon('name') } },
    save: ({ name }) => create.mutateAsync(name),
    said: () => null,
    onSaved: onCreated,
    onCancel,
    createLabel: t('create'),
  });

  return (
    <DialogForm {...dialog}>
      <TextInput {...text('name')} data-autofocus description={t('nameHint')} />
    </DialogForm>
  );
}

/** What arrived with a key within a day, and what was rejected. */
function KeyDeliveries({ id }: { id: string }) {
  const t = useTranslations('settings.incoming.key');
  const deliveries = useQuery(keyDeliveriesQuery(id));
  return (
    <Loaded queries={[deliveries]} skeleton={<RowsSkeleton rows={4} />}>
      {(data) => (
        <>
          <p className={classes.dimmed}>{t('period')}</p>
          <Counts {...data} />
          <Problems {...data} apiKeyId={id} />
        </>
      )}
    </Loaded>
  );
}

function Counts({ deliveries, accepted, duplicates, rejected }: Deliveries) {
  const t = useTranslations('settings.incoming.key');
  const format = useFormat();
  return (
    <Figures>
      <Figure label={t('deliveries')}>{format.integer(deliveries)}</Figure>
      <Figure label={t('accepted')}>{format.integer(accepted - duplicates)}</Figure>
      <Figure label={t('known')}>{format.integer(duplicates)}</Figure>
      <Figure label={t('rejected')}>{format.integer(rejected)}</Figure>
    </Figures>
  );
}

function Problems({ deliveries, problems, apiKeyId }: Deliveries & { apiKeyId: string }) {
  const t = useTranslations('settings.incoming');
  const tTerms = useTranslations('terms');
  if (problems.length === 0) {
    return deliveries === 0 ? (
      <EmptyState icon={<IconMoodEmpty size={22} stroke={1.75} />} title={t('key.nothingTitle')}>
        {t('key.nothingText')}
      </EmptyState>
    ) : (
      <EmptyState icon={<IconCircleCheck size={22} stroke={1.75} />} title={t('key.noneTitle')}>
        {t('key.noneText')}
      </EmptyState>
    );
  }
  const columns: Column<Arrival>[] = [
    {
      id: 'meter',
      header: t('columns.meter'),
      kind: 'name',
      sortBy: arrivalName,
      renderCell: (arrival) => <Meter arrival={arrival} />,
    },
    {
      id: 'verdict',
      header: tTerms('verdict'),
      renderCell: (arrival) => <Verdict arrival={arrival} apiKeyId={apiKeyId} />,
    },
    {
      id: 'arrived',
      header: t('columns.arrived'),
      sortBy: ({ receivedAt }) => instantOf(receivedAt),
      renderCell: ({ receivedAt }) => <Age at={receivedAt} />,
    },
  ];
  return (
    <section>
      <h3 className={classes.subheading}>{t('key.problems')}</h3>
      <p className={classes.dimmed}>{t('key.problemsHint')}</p>
      <ListTable
        label={t('key.problems')}
        columns={columns}
        rows={problems}
        rowKey={({ externalId, field }) => `${field} ${externalId}`}
        textOf={arrivalName}
        searchLabel={t('search')}
      />
    </section>
  );
}
