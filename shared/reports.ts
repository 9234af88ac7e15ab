import { z } from 'zod';
import { text } from './primitives.ts';

/** Rows of a raw export: used when between 1 and the maximum, otherwise the default (measurement rule 5). */
export const rowCap = { default: 100_000, max: 250_000 } as const;

/** Rows of a load profile; a workbook cannot hold many more. */
export const maxProfileRows = 1_000_000;

/** The series of a load profile: each device, or the sum of each site, in which sub-meters count once. */
export const profileGroup = z.enum(['device', 'site']);
export type ProfileGroup = z.infer<typeof profileGroup>;

export const exportFormat = z.enum(['xlsx', 'csv', 'ndjson']);
export type ExportFormat = z.infer<typeof exportFormat>;

/** Headers of a raw export that state, before the first row, how many rows the file will have, and how many match. */
export const exportHeaders = { rowCount: 'x-export-row-count', totalCount: 'x-export-total-count' } as const;

/** A month or a year of a report. Nothing was measured before 2000, and later centuries need no report. */
export const reportPeriod = z
  .string()
  .regex(/^20\d\d(?:-(?:0[1-9]|1[0-2]))?$/, 'mustBeReportPeriod')
  .meta({ example: '2026-03' });

export const maxRemarkLength = 2_000;

/** `/api/report/remark`: a remark on a report; empty without one. */
export const reportRemark = z.object({ remark: text(0, maxRemarkLength) });
export type ReportRemark = z.infer<typeof reportRemark>;

/** The fields of a device of `GET /api/dashboard/summary` that determine its place in the tree. */
export interface PlacedDevice {
  deviceId: string;
  countedIn: string | null;
}

/** Each device below its main meter, a level deeper; the others in their order. `placeOf` returns the ids of both. */
export function inTreeOrder<Device>(
  devices: readonly Device[],
  placeOf: (device: Device) => readonly [id: string, above: string | null],
): { device: Device; level: number }[] {
  const below = Map.groupBy(devices, (device) => placeOf(device)[1]);
  const walk = (above: string | null, level: number): { device: Device; level: number }[] =>
    (below.get(above) ?? []).flatMap((device) => [{ device, level }, ...walk(placeOf(device)[0], level + 1)]);
  return walk(null, 0);
}

/** The place of a device of a summary. */
export const placeOf = ({ deviceId, countedIn }: PlacedDevice) => [deviceId, countedIn] as const;

/** Whether a device is included in another one of the list, so that not all of them add up. */
export const hasTree = (devices: readonly Pick<PlacedDevice, 'countedIn'>[]): boolean =>
  devices.some(({ countedIn }) => countedIn !== null);
