import type { Device, DeviceWrite, DeviceWithSite } from '../../../../shared/sites.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { devicesQuery } from '../../lib/devices.ts';
import { sitesQuery } from '../../lib/sites.ts';
import type { RecordFields } from '../../lib/records.ts';
import { typedNumber, writeDecimal } from '../../lib/decimal.ts';
import { inTreeOrder } from '../../../../shared/reports.ts';

/** The names of a device's fields, and their values as text. */
export function useDeviceFields(): RecordFields<DeviceWrite> {
  const t = useTranslations('sites.device');
  const tAll = useTranslations();
  const client = useQueryClient();
  const siteOf = (wanted: string) =>
    client.getQueryData(sitesQuery.queryKey)?.find(({ id }) => id === wanted)?.name ?? wanted;
  const deviceOf = (wanted: string | null) =>
    client.getQueryData(devicesQuery.queryKey)?.find(({ id }) => id === wanted)?.name ?? wanted ?? '';
  return {
    name: { label: tAll('common.name') },
    externalId: { label: tAll('terms.externalId') },
    siteId: { label: tAll('terms.site'), text: ({ siteId }) => siteOf(siteId) },
    isActive: { label: tAll('terms.active') },
    energySource: { label: t('energySource'), text: (of) => t(`sources.${of.energySource}`) },
    ratedPowerKw: { label: t('ratedPowerKw') },
    registerMaxKwh: { label: t('registerMaxKwh') },
    expectedIntervalSeconds: { label: t('expectedIntervalSeconds') },
    parentDeviceId: { label: t('parent'), text: ({ parentDeviceId }) => deviceOf(parentDeviceId) },
    endUse: { label: t('endUse') },
  };
}

type NumberField = 'ratedPowerKw' | 'registerMaxKwh' | 'expectedIntervalSeconds';
/** The entries in the form of a device; numbers as typed. */
export type DeviceValues = Omit<DeviceWrite, NumberField | 'endUse'> & Record<NumberField | 'endUse', string>;

/** Fills the form from a device, or for a new device of the site. `separator` comes before decimals. */
export function valuesOf(device: Device | null, siteId: string, separator: string): DeviceValues {
  const write = (value: number | null | undefined) =>
    value === null || value === undefined ? '' : writeDecimal(value, separator);
  return {
    siteId: device?.siteId ?? siteId,
    name: device?.name ?? '',
    externalId: device?.externalId ?? '',
    isActive: device?.isActive ?? true,
    energySource: device?.energySource ?? 'auto',
    ratedPowerKw: write(device?.ratedPowerKw),
    registerMaxKwh: write(device?.registerMaxKwh),
    expectedIntervalSeconds: write(device?.expectedIntervalSeconds),
    parentDeviceId: device?.parentDeviceId ?? null,
    endUse: device?.endUse ?? '',
  };
}

/** The request to the portal. A text that is no number is NaN. */
export const toDeviceWrite = (values: DeviceValues, separator: string): DeviceWrite => ({
  ...values,
  ratedPowerKw: typedNumber(values.ratedPowerKw, separator),
  registerMaxKwh: typedNumber(values.registerMaxKwh, separator),
  expectedIntervalSeconds: typedNumber(values.expectedIntervalSeconds, separator),
  endUse: values.endUse.trim() || null,
});

/**
 * The devices of a site that can be the main meter of a device (null: a new one): all except the device itself and its
 * sub-meters.
 */
export function parentChoices<Device extends Pick<DeviceWithSite, 'id' | 'siteId' | 'parentDeviceId'>>(
  devices: readonly Device[],
  siteId: string,
  deviceId: string | null,
): Device[] {
  const ofSite = devices.filter((one) => one.siteId === siteId);
  const above = (one: Device) => (one.id === deviceId ? 'itself' : one.parentDeviceId);
  return inTreeOrder(ofSite, (one) => [one.id, above(one)]).map(({ device }) => device);
}

type Placed = Pick<DeviceWithSite, 'id' | 'parentDeviceId'>;

/** The other devices in the trees of the chosen ones, because a tree can only move as a whole. */
export function othersOfTrees<Device extends Placed>(
  devices: readonly Device[],
  chosen: ReadonlySet<string>,
): Device[] {
  const known = new Map(devices.map((device) => [device.id, device]));
  const rootOf = (device: Device): Device => {
    const parent = known.get(device.parentDeviceId ?? '');
    return parent === undefined ? device : rootOf(parent);
  };
  const roots = new Set(devices.filter(({ id }) => chosen.has(id)).map(rootOf));
  return devices.filter((device) => !chosen.has(device.id) && roots.has(rootOf(device)));
}
