import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Device, SiteWithDevices, Site } from '../../../../shared/sites.ts';
import { ConfirmByName } from '../../ui/ConfirmByName.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useDialog } from '../../ui/DialogForm.tsx';
import { DeviceForm } from './DeviceForm.tsx';
import { readingCountQuery, useDeleteDevice } from './queries.ts';
import classes from './Places.module.css';
import { useNavigate } from '@tanstack/react-router';
import { useBackToRows } from '../../entities/rows-without-device.ts';

/** The device to edit (null means a new one), and the device to delete. */
export function useDeviceDialogs() {
  return { editing: useDialog<Device | null>(), deleting: useDialog<Device>() };
}

type DeviceDialogsProps = ReturnType<typeof useDeviceDialogs> & {
  site: SiteWithDevices;
  /** Leaves the page of the device before it is deleted. */
  leave?: () => Promise<unknown>;
};

export function DeviceDialogs({ site, editing, deleting, leave }: DeviceDialogsProps) {
  const t = useTranslations('sites.device');
  const remove = useDeleteDevice(leave);
  const device = deleting.subject;
  const hasReadings = device !== null && device.lastMeasuredAt !== null;
  return (
    <>
      <Dialog
        opened={editing.isOpen}
        onClose={editing.close}
        size="lg"
        title={t(editing.subject === null ? 'new' : 'edit')}
      >
        <DeviceForm device={editing.subject} siteId={site.id} onDone={editing.close} />
      </Dialog>
      {device !== null && (
        <ConfirmByName
          opened={deleting.isOpen}
          title={t('delete')}
          name={device.name}
          confirmLabel={t(hasReadings ? 'deleteAll' : 'delete')}
          onConfirm={() => remove.mutateAsync({ seen: device, withMeasurements: hasReadings })}
          done={t('deleted', { name: device.name })}
          onClose={deleting.close}
        >
          {hasReadings ? <LostReadings deviceId={device.id} /> : t('deleteText')}
        </ConfirmByName>
      )}
    </>
  );
}

/** The data that is lost with the device. If the count is unavailable, the rest is shown without it. */
function LostReadings({ deviceId }: { deviceId: string }) {
  const t = useTranslations('sites.device');
  const count = useQuery(readingCountQuery(deviceId));
  return (
    <>
      {count.isPending ? (
        <Skeleton height={18} width="75%" my={2} />
      ) : (
        <strong>{t(count.data === undefined ? 'lostUncounted' : 'lost', { count: count.data ?? 0 })}</strong>
      )}
      <p className={classes.lost}>{t('deleteAllText')}</p>
    </>
  );
}

interface NewDeviceDialogProps {
  /** The external ID under which the device already sends. Undefined if no device is to be created. */
  externalId: string | undefined;
  sites: readonly Site[];
}

/** Creates the device that the URL names: it already sends, and its rows are rejected. Then leads back to these rows. */
export function NewDeviceDialog({ externalId, sites }: NewDeviceDialogProps) {
  const t = useTranslations('sites.device');
  const navigate = useNavigate();
  const backToRows = useBackToRows();
  const [only] = sites;
  if (only === undefined) return null;
  const leave = (created: Device | null) => {
    if (backToRows(created?.externalId ?? null)) return;
    void navigate({ to: '/sites', search: {}, replace: true });
  };
  return (
    <Dialog opened={externalId !== undefined} onClose={() => leave(null)} size="lg" title={t('new')}>
      <DeviceForm
        key={externalId}
        device={null}
        siteId={sites.length === 1 ? only.id : ''}
        externalId={externalId ?? ''}
        onDone={leave}
      />
    </Dialog>
  );
}
