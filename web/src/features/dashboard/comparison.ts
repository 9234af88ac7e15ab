import type { DashboardSummary } from '../../../../shared/dashboard.ts';
import type { TimeRange } from '../../lib/time-range.ts';
import type { Comparison } from './queries.ts';

/** Whether anything was measured in the range of a summary. */
export const hasReadings = ({ devices }: Pick<DashboardSummary, 'devices'>): boolean =>
  devices.some(
    ({ averagePowerKw, energyImportedKwh, energyExportedKwh }) =>
      averagePowerKw !== null || energyImportedKwh !== 0 || energyExportedKwh !== 0,
  );

interface AskedComparison {
  data: Comparison | null | undefined;
  isError: boolean;
}

/** Whether a range has begun and is not over at all of its sites; until the comparison tells, by the clock of the page. */
export function runs({ fromMs, toMs }: TimeRange, { data, isError }: AskedComparison, nowMs: number): boolean {
  if (isError) return false;
  if (data) return data.soFar !== null;
  return data === undefined && fromMs < nowMs && toMs - nowMs > 60_000;
}
