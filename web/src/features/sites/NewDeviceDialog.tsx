import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { Device, Site } from '../../../../shared/sites.ts';
import { useBackToRows } from '../../lib/rows-without-device.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { DeviceForm } from './DeviceForm.tsx';

interface NewDeviceDialogProps {
  /** Under which it sends already; none where no device is to be created. */
  externalId: string | undefined;
  sites: readonly Site[];
}

/** Creates the device that the address names: it sends already, and its rows are rejected. Then leads back to them. */
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
