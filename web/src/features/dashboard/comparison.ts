import type { DashboardSummary } from '../../../../shared/dashboard.ts';
import { comparedRanges, endOf } from '../../lib/compared-ranges.ts';
import type { TimeRange } from '../../lib/time-range.ts';

/** Whether anything was measured in the range of a summary. */
export const hasReadings = ({ devices }: Pick<DashboardSummary, 'devices'>): boolean =>
  devices.some(
    ({ averagePowerKw, energyImportedKwh, energyExportedKwh }) =>
      averagePowerKw !== null || energyImportedKwh !== 0 || energyExportedKwh !== 0,
  );

/** Whether a range has begun, by whole minutes, and is not over at all of its sites. */
export function runs(
  range: TimeRange,
  summary: Pick<DashboardSummary, 'to'>,
  timeZone: string,
  nowMs: number,
): boolean {
  return comparedRanges(range, timeZone, nowMs, endOf(range, summary))?.isWhole === false;
}
