import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import { comparedRanges, endOf, farthestMs } from '../../../lib/compared-ranges.ts';
import type { TimeRange } from '../../../lib/time-range.ts';

const hourMs = 3_600_000;

/** Whether anything was measured in the range of a summary. */
export const hasReadings = ({ devices }: Pick<DashboardSummary, 'devices'>): boolean =>
  devices.some(
    ({ averagePowerKw, energyImportedKwh, energyExportedKwh }) =>
      averagePowerKw !== null || energyImportedKwh !== 0 || energyExportedKwh !== 0,
  );

interface MeasuredSide {
  range: TimeRange;
  devices: readonly Pick<
    DashboardSummary['devices'][number],
    'deviceId' | 'countedIn' | 'energyImportedKwh' | 'energyExportedKwh' | 'measuredHours' | 'costs'
  >[];
}

/**
 * The share of one side's energy that the other side measured too. Each device counts with the share of time in which its
 * energy is known on the other side; a new device counts with none. 1 if nothing was measured.
 */
export function measuredToo(own: MeasuredSide, other: MeasuredSide): number {
  const partOf = ({ range }: MeasuredSide, hours: number) => (hours * hourMs) / (range.toMs - range.fromMs);
  const hoursThen = new Map(other.devices.map(({ deviceId, measuredHours }) => [deviceId, measuredHours]));
  let [all, too] = [0, 0];
  for (const { deviceId, countedIn, energyImportedKwh, energyExportedKwh, measuredHours } of own.devices) {
    const kwh = energyImportedKwh + energyExportedKwh;
    if (countedIn !== null || kwh === 0) continue;
    all += kwh;
    const part = measuredHours === 0 ? 1 : partOf(other, hoursThen.get(deviceId) ?? 0) / partOf(own, measuredHours);
    too += kwh * Math.min(1, part);
  }
  return all === 0 ? 1 : too / all;
}

/** If the share is lower than this, the two sides cover different meters or times. */
const minMeasured = 0.9;

/**
 * The side of a comparison that lacks much of the energy of the other side, and the share that it has. Null if neither side
 * does.
 */
export function partlyMeasured(
  current: MeasuredSide,
  previous: MeasuredSide,
): { lacking: 'previous' | 'current'; share: number } | null {
  const sides = [
    { lacking: 'previous', share: measuredToo(current, previous) },
    { lacking: 'current', share: measuredToo(previous, current) },
  ] as const;
  const [worst] = sides.toSorted((a, b) => a.share - b.share);
  return worst !== undefined && worst.share < minMeasured ? worst : null;
}

/**
 * Whether the devices with cost in a currency measured nearly all of a part of a range. If devices were added within it, its
 * pace would mean nothing. At a site further west, less of its days is over than the page's time zone shows.
 */
export function isMeasured({ range, devices }: MeasuredSide, currency: string): boolean {
  const lengthMs = range.toMs - range.fromMs;
  let [all, measured] = [0, 0];
  for (const { countedIn, energyImportedKwh, energyExportedKwh, measuredHours, costs } of devices) {
    if (countedIn !== null || !costs.some((cost) => cost.currency === currency)) continue;
    const kwh = energyImportedKwh + energyExportedKwh;
    all += kwh;
    measured += kwh * Math.min(1, (measuredHours * hourMs + farthestMs) / lengthMs);
  }
  return measured >= minMeasured * all;
}

/**
 * True while the range is running at any site. The page's time zone decides until the summary arrives. Compares whole minutes.
 */
export function runs(
  range: TimeRange,
  summary: Pick<DashboardSummary, 'to'> | null,
  timeZone: string,
  nowMs: number,
): boolean {
  return (
    comparedRanges(range, timeZone, nowMs, summary === null ? range.toMs : endOf(range, summary))?.isWhole === false
  );
}
