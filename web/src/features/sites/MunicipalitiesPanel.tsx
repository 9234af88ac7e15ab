import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPencil, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Municipality, Site } from '../../../../shared/sites.ts';
import { useFormat } from '../../lib/use-format.ts';
import { ConfirmByName } from '../../ui/ConfirmByName.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { ResponsiveTable, type Column } from '../../ui/ResponsiveTable.tsx';
import { DeleteItem, RowMenu } from '../../ui/RowMenu.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { LocalTime } from './LocalTime.tsx';
import { MunicipalityForm } from './MunicipalityForm.tsx';
import { useDeleteMunicipality } from './mutations.ts';
import { municipalitiesQuery } from './queries.ts';
import classes from './SitesPage.module.css';

/** The municipalities, which administrators name, move to another time zone and delete. */
export function MunicipalitiesPanel({ sites }: { sites: readonly Site[] }) {
  const t = useTranslations('sites');
  const municipalities = useQuery(municipalitiesQuery);
  const editing = useDialog<Municipality | null>();
  const deleting = useDialog<Municipality>();
  const remove = useDeleteMunicipality();
  const sitesIn = (municipality: Municipality) =>
    sites.filter(({ municipalityId }) => municipalityId === municipality.id).length;

  const confirmDelete = async (municipality: Municipality) => {
    await remove.mutateAsync(municipality.id);
    notifications.show({ color: 'green', message: t('municipality.deleted', { name: municipality.name }) });
  };

  return (
    <Panel
      flush
      title={t('municipality.title')}
      description={t('municipality.description')}
      actions={
        <Button
          variant="default"
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
          onClick={() => editing.open(null)}
        >
          {t('municipality.new')}
        </Button>
      }
    >
      {municipalities.data !== undefined ? (
        <MunicipalityTable
          municipalities={municipalities.data}
          sitesIn={sitesIn}
          onEdit={editing.open}
          onDelete={deleting.open}
        />
      ) : municipalities.isError ? (
        <ErrorState compact error={municipalities.error} onRetry={() => void municipalities.refetch()} />
      ) : (
        <div className={classes.inset}>
          <RowsSkeleton rows={2} />
        </div>
      )}
      <Dialog
        opened={editing.isOpen}
        onClose={editing.close}
        title={t(editing.subject === null ? 'municipality.new' : 'municipality.edit')}
      >
        <MunicipalityForm municipality={editing.subject} onDone={editing.close} />
      </Dialog>
      {deleting.subject !== null && (
        <DeleteMunicipalityDialog
          municipality={deleting.subject}
          siteCount={sitesIn(deleting.subject)}
          opened={deleting.isOpen}
          onConfirm={confirmDelete}
          onClose={deleting.close}
        />
      )}
    </Panel>
  );
}

interface MunicipalityTableProps {
  municipalities: readonly Municipality[];
  sitesIn: (municipality: Municipality) => number;
  onEdit: (municipality: Municipality) => void;
  onDelete: (municipality: Municipality) => void;
}

function MunicipalityTable({ municipalities, sitesIn, onEdit, onDelete }: MunicipalityTableProps) {
  const t = useTranslations('sites');
  const tCommon = useTranslations('common');
  const format = useFormat();
  if (municipalities.length === 0) return <p className={classes.none}>{t('municipality.none')}</p>;

  const columns: Column<Municipality>[] = [
    {
      id: 'name',
      header: t('columns.municipality'),
      kind: 'name',
      renderCell: ({ name }) => <span className={classes.name}>{name}</span>,
    },
    {
      id: 'sites',
      header: t('columns.sites'),
      align: 'end',
      renderCell: (municipality) => <span className="figures">{format.integer(sitesIn(municipality))}</span>,
    },
    { id: 'time', header: t('columns.localTime'), renderCell: ({ timeZone }) => <LocalTime timeZone={timeZone} /> },
    {
      id: 'actions',
      header: tCommon('actions'),
      kind: 'actions',
      renderCell: (municipality) => (
        <RowMenu label={t('actionsFor', { name: municipality.name })}>
          <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={() => onEdit(municipality)}>
            {tCommon('edit')}
          </Menu.Item>
          <DeleteItem onClick={() => onDelete(municipality)}>{tCommon('delete')}</DeleteItem>
        </RowMenu>
      ),
    },
  ];
  return (
    <ResponsiveTable label={t('municipality.title')} columns={columns} rows={municipalities} rowKey={({ id }) => id} />
  );
}

interface DeleteMunicipalityDialogProps {
  municipality: Municipality;
  siteCount: number;
  opened: boolean;
  onConfirm: (municipality: Municipality) => Promise<void>;
  onClose: () => void;
}

function DeleteMunicipalityDialog(props: DeleteMunicipalityDialogProps) {
  const { municipality, siteCount, opened, onConfirm, onClose } = props;
  const t = useTranslations('sites.municipality');
  return (
    <ConfirmByName
      opened={opened}
      title={t('delete')}
      name={municipality.name}
      confirmLabel={t('delete')}
      onConfirm={() => onConfirm(municipality)}
      onClose={onClose}
    >
      {siteCount > 0 ? t('hasSites', { count: siteCount }) : t('deleteText')}
    </ConfirmByName>
  );
}
