import type { Device, DeviceWrite } from '../../../../shared/sites.ts';

/** The same limits as in the wire contract. */
export const limits = { ratedPowerKw: 1e9, registerMaxKwh: 1e12, expectedIntervalSeconds: 86_400 } as const;

/** A number field: a number, or the text that is none (yet); '' is empty. */
export type NumberEntry = number | string;

/** What the form of a device holds. */
export interface DeviceValues {
  siteId: string;
  name: string;
  externalId: string;
  isActive: boolean;
  energySource: DeviceWrite['energySource'];
  ratedPowerKw: NumberEntry;
  registerMaxKwh: NumberEntry;
  expectedIntervalSeconds: NumberEntry;
}

export function valuesOf(device: Device | null, siteId: string): DeviceValues {
  return {
    siteId: device?.siteId ?? siteId,
    name: device?.name ?? '',
    externalId: device?.externalId ?? '',
    isActive: device?.isActive ?? true,
    energySource: device?.energySource ?? 'auto',
    ratedPowerKw: device?.ratedPowerKw ?? '',
    registerMaxKwh: device?.registerMaxKwh ?? '',
    expectedIntervalSeconds: device?.expectedIntervalSeconds ?? '',
  };
}

/** Null for an empty field, undefined for what is no number. */
export function readNumber(entry: NumberEntry): number | null | undefined {
  if (typeof entry === 'string' && entry.trim() === '') return null;
  const value = Number(entry);
  return Number.isFinite(value) ? value : undefined;
}

/** Whether the field is empty or holds a number above zero that is not more than `max`. */
export function isAboveZero(entry: NumberEntry, max: number): boolean {
  const value = readNumber(entry);
  return value === null || (value !== undefined && value > 0 && value <= max);
}

export function isWholeSeconds(entry: NumberEntry): boolean {
  const value = readNumber(entry);
  return isAboveZero(entry, limits.expectedIntervalSeconds) && (value === null || Number.isInteger(value));
}

/** What is sent to the portal; the numbers have been checked. */
export function toDeviceWrite(values: DeviceValues): DeviceWrite {
  return {
    ...values,
    ratedPowerKw: readNumber(values.ratedPowerKw) ?? null,
    registerMaxKwh: readNumber(values.registerMaxKwh) ?? null,
    expectedIntervalSeconds: readNumber(values.expectedIntervalSeconds) ?? null,
  };
}
