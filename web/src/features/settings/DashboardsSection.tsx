import { Menu, Select, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowDown, IconArrowUp, IconLayoutGrid, IconPencil } from '@tabler/icons-react';
import { useQuery, useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import {
  type EmbeddedDashboard,
  embeddedDashboard,
  embeddedDashboardUpdate,
  type EmbeddedDashboardWrite,
} from '../../../../shared/embedded-dashboards.ts';
import {
  dashboardToolQuery,
  embeddedDashboardsQuery,
  embeddedDashboardsPath,
  type ExistingDashboard,
  existingDashboardsQuery,
} from '../../entities/embedded-dashboards.ts';
import { useRenew, useDelete } from '../../lib/mutations.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { RecordPanel } from '../../ui/RecordPanel.tsx';
import { type Column, ResponsiveTable } from '../../ui/ResponsiveTable.tsx';
import { DeleteItem, RowMenu } from '../../ui/RowMenu.tsx';
import classes from './section.module.css';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { embeddedDashboardVersion } from '../../../../shared/versions.ts';
import { fetchJson } from '../../lib/http.ts';
import { readFromList, urlUnder, useSaveRecord } from '../../lib/records.ts';

const useRenewDashboards = () => useRenew(embeddedDashboardsQuery.queryKey);

const put = (id: string, json: EmbeddedDashboardWrite, ifMatch: string | undefined) =>
  fetchJson(`${embeddedDashboardsPath}/${id}`, embeddedDashboard, { method: 'PUT', json, ifMatch });

function useFields() {
  const t = useTranslations('settings.dashboards');
  return { title: { label: t('title') }, description: { label: t('text') }, path: { label: t('path') } };
}

const useSaveEmbeddedDashboard = () =>
  useSaveRecord<EmbeddedDashboardWrite, EmbeddedDashboard>({
    urlOf: urlUnder(embeddedDashboardsPath),
    answer: embeddedDashboard,
    versionOf: embeddedDashboardVersion,
    read: readFromList(embeddedDashboardsPath, embeddedDashboard),
    fields: useFields(),
    renew: useRenewDashboards(),
  });

/** Numbers the entries in this order. Only entries with a new position are written. */
function useOrderEmbeddedDashboards() {
  return useMutation({
    mutationFn: async (inOrder: readonly EmbeddedDashboard[]) => {
      for (const [index, dashboard] of inOrder.entries()) {
        const sortOrder = (index + 1) * 10;
        if (sortOrder === dashboard.sortOrder) continue;
        await put(dashboard.id, { ...dashboard, sortOrder }, `"${embeddedDashboardVersion(dashboard)}"`);
      }
    },
    onSettled: useRenewDashboards(),
  });
}

/** The dashboards in the menu of the page Dashboards, and their order. */
export function DashboardsSection() {
  const t = useTranslations('settings.dashboards');
  const tMenu = useTranslations('dashboards');
  const prefix = useQuery(dashboardToolQuery).data?.path;
  const existing = useQuery({ ...existingDashboardsQuery(prefix ?? ''), enabled: prefix !== undefined }).data;
  return (
    <RecordPanel
      title={useTranslations('sections')('dashboards')}
      description={t('description')}
      t={t}
      icon={<IconLayoutGrid size={22} stroke={1.75} />}
      records={useQuery(embeddedDashboardsQuery)}
      nameOf={({ title }) => title}
      remove={useDelete<EmbeddedDashboard>(embeddedDashboardsPath, embeddedDashboardVersion, useRenewDashboards())}
      removed={(name) => tMenu('removedFromMenu', { name })}
      renderForm={(one, close) =>
        prefix !== undefined && <DashboardForm dashboard={one} prefix={prefix} existing={existing} onDone={close} />
      }
    >
      {(dashboards, { edit, remove }) => <DashboardTable dashboards={dashboards} onEdit={edit} onDelete={remove} />}
    </RecordPanel>
  );
}

interface DashboardTableProps {
  dashboards: readonly EmbeddedDashboard[];
  onEdit: (dashboard: EmbeddedDashboard) => void;
  onDelete: (dashboard: EmbeddedDashboard) => void;
}

function DashboardTable({ dashboards, onEdit, onDelete }: DashboardTableProps) {
  const t = useTranslations('settings.dashboards');
  const tTerms = useTranslations('terms');
  const tCommon = useTranslations('common');
  const errorText = useErrorText();
  const order = useOrderEmbeddedDashboards();
  const move = (from: number, by: -1 | 1) => {
    const moved = dashboards[from];
    if (moved === undefined || order.isPending) return;
    order.mutate(dashboards.toSpliced(from, 1).toSpliced(from + by, 0, moved), {
      onError: (error) => notifications.show({ color: 'red', message: t('failed', { reason: errorText(error) }) }),
    });
  };
  const columns: Column<EmbeddedDashboard>[] = [
    {
      id: 'title',
      header: t('title'),
      kind: 'name',
      renderCell: ({ title, description }) => (
        <>
          <div className={classes.name}>{title}</div>
          <div className={classes.dimmed}>{description}</div>
        </>
      ),
    },
    { id: 'path', header: t('path'), renderCell: ({ path }) => <code>{path}</code> },
    {
      id: 'actions',
      header: tCommon('actions'),
      kind: 'actions',
      renderCell: (dashboard) => {
        const at = dashboards.indexOf(dashboard);
        return (
          <RowMenu label={tTerms('actionsFor', { name: dashboard.title })}>
            <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={() => onEdit(dashboard)}>
              {tCommon('edit')}
            </Menu.Item>
            {at > 0 && (
              <Menu.Item leftSection={<IconArrowUp size={16} stroke={1.75} />} onClick={() => move(at, -1)}>
                {t('up')}
              </Menu.Item>
            )}
            {at < dashboards.length - 1 && (
              <Menu.Item leftSection={<IconArrowDown size={16} stroke={1.75} />} onClick={() => move(at, 1)}>
                {t('down')}
              </Menu.Item>
            )}
            <DeleteItem onClick={() => onDelete(dashboard)}>{t('delete')}</DeleteItem>
          </RowMenu>
        );
      },
    },
  ];
  return <ResponsiveTable label={t('description')} columns={columns} rows={dashboards} rowKey={({ id }) => id} />;
}

interface DashboardFormProps {
  /** Null adds a new one. */
  dashboard: EmbeddedDashboard | null;
  /** The common prefix of all paths. */
  prefix: string;
  /** The dashboards of the tool. Undefined if the tool does not list them; then the user types a path. */
  existing: readonly ExistingDashboard[] | undefined;
  onDone: () => void;
}

/** Adds a dashboard to the menu, or changes one. */
function DashboardForm({ dashboard, prefix, existing, onDone }: DashboardFormProps) {
  const t = useTranslations('settings.dashboards');
  const tAll = useTranslations();
  const save = useSaveEmbeddedDashboard();
  const { form, text, choice, dialog } = useRecordForm({
    seen: dashboard,
    initialValues: {
      title: dashboard?.title ?? '',
      path: dashboard?.path ?? '',
      description: dashboard?.description ?? '',
    },
    schema: embeddedDashboardUpdate,
    check: ({ path }) => (path.trim().startsWith(prefix) ? {} : { path: t('pathMissing', { prefix }) }),
    labels: useFields(),
    save: (values, seen) => save.mutateAsync({ seen, values }),
    said: ({ title: name }) =>
      dashboard === null ? tAll('dashboards.addedToMenu', { name }) : tAll('terms.saved', { name }),
    onSaved: onDone,
    onCancel: onDone,
    createLabel: tAll('common.add'),
  });

  const pathOf = ({ name }: ExistingDashboard) => `${prefix}/dashboards/${name}`;
  const options = existing?.map((one) => ({ value: pathOf(one), label: one.title })) ?? [];
  const seen = dashboard?.path;
  const isListed = seen === undefined || options.some(({ value }) => value === seen);
  const pick = (path: string | null) => {
    const picked = existing?.find((one) => pathOf(one) === path);
    if (path === null || picked === undefined) return;
    const { title, description = '' } = picked;
    form.setValues({
      path,
      ...(dashboard === null && { title: title.slice(0, 100), description: description.slice(0, 500) }),
    });
  };
  return (
    <DialogForm {...dialog}>
      {existing === undefined ? (
        <TextInput {...text('path')} description={t('pathHint', { prefix })} spellCheck={false} data-autofocus />
      ) : (
        <Select
          {...choice('path')}
          label={t('pick')}
          data={isListed ? options : [{ value: seen, label: seen }, ...options]}
          allowDeselect={false}
          searchable
          data-autofocus
          onChange={pick}
        />
      )}
      <TextInput {...text('title')} />
      <Textarea {...text('description')} description={t('textHint')} autosize minRows={2} />
    </DialogForm>
  );
}
