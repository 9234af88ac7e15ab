import type { DashboardSummary, LoadCurve } from '../../../../../shared/dashboard.ts';
import type { DeviceWithSite, Site } from '../../../../../shared/sites.ts';
import type { DeviceChoice } from '../../../lib/device-choice.ts';
import { toLocalText } from '../../../../../shared/time.ts';
import { calendarDates, type TimeRange } from '../../../lib/time-range.ts';

/** The power of a device at a moment. */
export interface Drawn {
  device: DeviceWithSite;
  /** The device whose power includes that of this device. */
  whole: string | null;
  powerKw: number;
}

/**
 * The devices whose range contains the moment, and the query for these devices. For whole days each site has its own range, so
 * the moment may be in the range of only some sites.
 */
export function countedAt(
  { fromMs }: TimeRange,
  range: TimeRange,
  timeZone: string,
  { choice, devices, sites }: { choice: DeviceChoice; devices: readonly DeviceWithSite[]; sites: readonly Site[] },
): { choice: DeviceChoice; devices: readonly DeviceWithSite[] } {
  const dates = calendarDates(range, timeZone);
  if (dates === null || !Number.isFinite(fromMs)) return { choice, devices };
  const isIn = (zone: string) => {
    const date = toLocalText(fromMs, zone).slice(0, 'YYYY-MM-DD'.length);
    return dates.fromDate <= date && date < dates.toDate;
  };
  const outside = new Set(sites.filter((site) => !isIn(site.timeZone)).map(({ id }) => id));
  const counted = devices.filter(({ siteId }) => !outside.has(siteId));
  if (counted.length === 0 || counted.length === devices.length) return { choice, devices };
  return { choice: { devices: counted.map(({ id }) => id).join(',') }, devices: counted };
}

type Series = LoadCurve['series'][number];

/**
 * The power of a series at a moment, kW. For a quarter-hour it is the demand, which follows from energy (energy-and-cost.md 6),
 * so that the parts of a peak add up to the peak. For an hour it is the mean power, as in the heatmap. So it is for export,
 * which has no demand.
 */
export function drawnPower(series: Series | undefined, bucket: LoadCurve['bucket']): number | null {
  const [energyKwh = null] = series?.energyImportedKwh ?? [];
  const known = series?.averagePowerKw.filter((value) => value !== null) ?? [];
  const mean = known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  const isDemand = bucket === '15min' && energyKwh !== null && (energyKwh > 0 || mean === null || mean >= 0);
  return isDemand ? energyKwh * 4 : mean;
}

/** Whether the total counts import only, so that devices in the list that export do not reduce it. This is true for demand. */
export const leavesOutFeedIn = (bucket: LoadCurve['bucket'], totalKw: number | null, all: readonly Drawn[]): boolean =>
  bucket === '15min' && (totalKw ?? 0) > 0 && all.some(({ powerKw }) => powerKw < 0);

type Placed = Pick<DashboardSummary['devices'][number], 'deviceId' | 'deviceName' | 'countedIn'>;

/** The devices with a value, highest power first; `placed` has the tree of meters. */
export function drawnBy(
  { series, bucket }: LoadCurve,
  devices: readonly DeviceWithSite[],
  placed: readonly Placed[],
): Drawn[] {
  const byId = new Map(devices.map((device) => [device.id, device]));
  const names = new Map(placed.map(({ deviceId, deviceName }) => [deviceId, deviceName]));
  const wholes = new Map(placed.map(({ deviceId, countedIn }) => [deviceId, names.get(countedIn ?? '') ?? null]));
  return series
    .flatMap((one): Drawn[] => {
      const [device, powerKw] = [byId.get(one.id), drawnPower(one, bucket)];
      return device === undefined || powerKw === null ? [] : [{ device, whole: wholes.get(one.id) ?? null, powerKw }];
    })
    .toSorted((a, b) => b.powerKw - a.powerKw);
}
