import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowDown, IconArrowUp, IconLayoutGrid, IconPencil, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { EmbeddedDashboard } from '../../../../shared/embedded-dashboards.ts';
import { dashboardToolQuery, embeddedDashboardsQuery } from '../../lib/embedded-dashboards.ts';
import { useCreates } from '../../lib/creates.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { ConfirmByName } from '../../ui/ConfirmByName.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { type Column, ResponsiveTable } from '../../ui/ResponsiveTable.tsx';
import { DeleteItem, RowMenu } from '../../ui/RowMenu.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { DashboardForm } from './DashboardForm.tsx';
import { useDeleteEmbeddedDashboard, useOrderEmbeddedDashboards } from './dashboards-query.ts';
import classes from './section.module.css';

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
      <Loaded query={dashboards} skeleton={<RowsSkeleton rows={4} isInset />}>
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
