import type { LoadCurve } from '../../../../shared/dashboard.ts';
import type { DeviceWithSite } from '../../../../shared/sites.ts';

/** What a device drew at a moment. */
export interface Drawn {
  device: DeviceWithSite;
  powerKw: number;
}

/** The mean of what is known of a series, kW. */
export function meanPower(series: LoadCurve['series'][number] | undefined): number | null {
  const known = series?.averagePowerKw.filter((value) => value !== null) ?? [];
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** The devices that have a value, those that draw most first. */
export function drawnBy(series: LoadCurve['series'], devices: readonly DeviceWithSite[]): Drawn[] {
  const byId = new Map(devices.map((device) => [device.id, device]));
  return series
    .flatMap((one): Drawn[] => {
      const [device, powerKw] = [byId.get(one.id), meanPower(one)];
      return device === undefined || powerKw === null ? [] : [{ device, powerKw }];
    })
    .toSorted((a, b) => b.powerKw - a.powerKw);
}
