import { Button, Menu, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowDown, IconArrowUp, IconLayoutGrid, IconPencil, IconPlus } from '@tabler/icons-react';
import { useQuery, useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import {
  type EmbeddedDashboard,
  embeddedDashboard,
  type EmbeddedDashboardWrite,
} from '../../../../shared/embedded-dashboards.ts';
import {
  dashboardToolQuery,
  embeddedDashboardsQuery,
  embeddedDashboardsPath,
} from '../../entities/embedded-dashboards.ts';
import { useCreates, useRenew, useDelete } from '../../lib/mutations.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { ConfirmByName } from '../../ui/ConfirmByName.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { type Column, ResponsiveTable } from '../../ui/ResponsiveTable.tsx';
import { DeleteItem, RowMenu } from '../../ui/RowMenu.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import classes from './section.module.css';
import { useForm } from '@mantine/form';
import { TheirsKept, saveOver } from '../../lib/edit-conflict.ts';
import { DialogForm, useDialog, useFormRefusal } from '../../ui/DialogForm.tsx';
import { z } from 'zod';
import { embeddedDashboardVersion } from '../../../../shared/versions.ts';
import { fetchJson } from '../../lib/http.ts';
const useRenewDashboards = () => useRenew(embeddedDashboardsQuery.queryKey);

const put = (id: string, json: EmbeddedDashboardWrite, ifMatch: string | undefined) =>
  fetchJson(`${embeddedDashboardsPath}/${id}`, embeddedDashboard, { method: 'PUT', json, ifMatch });

/** Over the one that was seen; null adds one. */
function useSaveEmbeddedDashboard() {
  const t = useTranslations('settings.dashboards');
  return useMutation({
    mutationFn: ({ seen, values }: { seen: EmbeddedDashboard | null; values: EmbeddedDashboardWrite }) =>
      saveOver({
        seen,
        versionOf: embeddedDashboardVersion,
        write: (ifMatch) =>
          seen === null
            ? fetchJson(embeddedDashboardsPath, embeddedDashboard, { method: 'POST', json: values })
            : put(seen.id, values, ifMatch),
        read: async () =>
          (await fetchJson(embeddedDashboardsPath, z.array(embeddedDashboard))).find(({ id }) => id === seen?.id),
        describe: (theirs) => [
          { label: t('title'), mine: values.title.trim(), theirs: theirs.title },
          { label: t('text'), mine: values.description?.trim() ?? '', theirs: theirs.description },
          { label: t('path'), mine: values.path.trim(), theirs: theirs.path },
        ],
      }),
    onSettled: useRenewDashboards(),
  });
}

/** Numbers all in this order; only those that have another place are written. */
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

const useDeleteEmbeddedDashboard = () =>
  useDelete<EmbeddedDashboard>(embeddedDashboardsPath, embeddedDashboardVersion, useRenewDashboards());

/** Which dashboards the page Dashboards offers, and in which order. */
export function DashboardsSection() {
  const t = useTranslations('settings.dashboards');
  const title = useTranslations('settings.sections')('dashboards');
  const dashboards = useQuery(embeddedDashboardsQuery);
  const prefix = useQuery(dashboardToolQuery).data?.path;
  const editing = useDialog<EmbeddedDashboard | null>();
  useCreates(() => editing.open(null));
  const deleting = useDialog<EmbeddedDashboard>();
  const newButton = (
    <Button leftSection={<IconPlus size={16} stroke={2} aria-hidden />} onClick={() => editing.open(null)}>
      {t('new')}
    </Button>
  );
  return (
    <Panel flush title={title} description={t('description')} actions={newButton}>
      <Loaded queries={[dashboards]} skeleton={<RowsSkeleton rows={4} isInset />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState icon={<IconLayoutGrid size={22} stroke={1.75} />} title={t('emptyTitle')}>
              {t('emptyText')}
            </EmptyState>
          ) : (
            <DashboardTable dashboards={data} onEdit={editing.open} onDelete={deleting.open} />
          )
        }
      </Loaded>
      <Dialog opened={editing.isOpen} onClose={editing.close} title={t(editing.subject === null ? 'new' : 'edit')}>
        {prefix !== undefined && <DashboardForm dashboard={editing.subject} prefix={prefix} onDone={editing.close} />}
      </Dialog>
      {deleting.subject !== null && (
        <DeleteDialog dashboard={deleting.subject} opened={deleting.isOpen} onClose={deleting.close} />
      )}
    </Panel>
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

interface DeleteDialogProps {
  dashboard: EmbeddedDashboard;
  opened: boolean;
  onClose: () => void;
}

function DeleteDialog({ dashboard, opened, onClose }: DeleteDialogProps) {
  const t = useTranslations('settings.dashboards');
  const remove = useDeleteEmbeddedDashboard();
  const { title: name } = dashboard;
  return (
    <ConfirmByName
      opened={opened}
      title={t('delete')}
      name={name}
      onConfirm={() => remove.mutateAsync(dashboard)}
      done={t('deleted', { name })}
      onClose={onClose}
    >
      {t('deleteText')}
    </ConfirmByName>
  );
}

interface DashboardFormProps {
  /** Null adds a new one. */
  dashboard: EmbeddedDashboard | null;
  /** The path under which all of them lie. */
  prefix: string;
  onDone: () => void;
}

/** Adds a dashboard to the menu, or changes one. */
function DashboardForm({ dashboard, prefix, onDone }: DashboardFormProps) {
  const t = useTranslations('settings.dashboards');
  const tAll = useTranslations();
  const save = useSaveEmbeddedDashboard();
  const form = useForm({
    initialValues: {
      title: dashboard?.title ?? '',
      description: dashboard?.description ?? '',
      path: dashboard?.path ?? `${prefix}/dashboards/`,
    },
    validate: {
      title: (title) => (title.trim() === '' ? tAll('errors.required') : null),
      path: (path) => (path.trim().startsWith(prefix) ? null : t('pathMissing', { prefix })),
    },
  });
  const refusal = useFormRefusal(form, ['title', 'description', 'path']);
  const submit = refusal.onSubmit((values) =>
    save.mutate(
      { seen: dashboard, values },
      {
        onSuccess: ({ title: name }) => {
          notifications.show({
            color: 'green',
            message: dashboard === null ? t('added', { name }) : tAll('terms.saved', { name }),
          });
          onDone();
        },
        onError: (error) => (error instanceof TheirsKept ? onDone() : refusal.show(error)),
      },
    ),
  );

  return (
    <DialogForm
      onSubmit={submit}
      refusal={refusal.text}
      submitLabel={tAll(dashboard === null ? 'common.add' : 'common.saveChanges')}
      isPending={save.isPending}
      onCancel={onDone}
    >
      <TextInput
        {...form.getInputProps('title')}
        data-autofocus
        label={t('title')}
        maxLength={100}
        autoComplete="off"
      />
      <TextInput
        {...form.getInputProps('path')}
        label={t('path')}
        description={t('pathHint', { prefix })}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
      />
      <Textarea
        {...form.getInputProps('description')}
        label={t('text')}
        description={t('textHint')}
        maxLength={500}
        autosize
        minRows={2}
      />
    </DialogForm>
  );
}
