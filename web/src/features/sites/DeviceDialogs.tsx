import { notifications } from '@mantine/notifications';
import { useTranslations } from 'use-intl';
import type { Device, SiteWithDevices } from '../../../../shared/sites.ts';
import { ConfirmByName } from '../../ui/ConfirmByName.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { DeviceForm } from './DeviceForm.tsx';
import { useDeleteDevice } from './mutations.ts';

/** Which device is being edited (null: a new one) and which is about to be deleted. */
export function useDeviceDialogs() {
  return { editing: useDialog<Device | null>(), deleting: useDialog<Device>() };
}

type DeviceDialogsProps = ReturnType<typeof useDeviceDialogs> & {
  site: SiteWithDevices;
  /** Leaves a page of the device before it is gone. */
  leave?: () => Promise<unknown>;
};

export function DeviceDialogs({ site, editing, deleting, leave }: DeviceDialogsProps) {
  const t = useTranslations('sites.device');
  const remove = useDeleteDevice(leave);
  const device = deleting.subject;
  const confirmDelete = async ({ id, name }: Device) => {
    await remove.mutateAsync(id);
    notifications.show({ color: 'green', message: t('deleted', { name }) });
  };
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
          confirmLabel={t('delete')}
          onConfirm={() => confirmDelete(device)}
          onClose={deleting.close}
        >
          {t('deleteText')}
        </ConfirmByName>
      )}
    </>
  );
}
