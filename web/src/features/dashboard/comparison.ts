import type { DashboardSummary } from '../../../../shared/dashboard.ts';

/** Whether anything was measured in the range of a summary. */
export const hasReadings = ({ devices }: Pick<DashboardSummary, 'devices'>): boolean =>
  devices.some(
    ({ averagePowerKw, energyImportedKwh, energyExportedKwh }) =>
      averagePowerKw !== null || energyImportedKwh !== 0 || energyExportedKwh !== 0,
  );
