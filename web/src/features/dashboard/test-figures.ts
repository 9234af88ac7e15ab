import type { CostLine, DashboardSummary } from '../../../../shared/dashboard.ts';

type Device = DashboardSummary['devices'][number];

/** A device of a summary that measured nothing for a day, except for the given values. */
export const deviceOf = (given: Partial<Device>): Device => ({
  deviceId: 'd',
  deviceName: given.deviceId ?? 'd',
  siteId: 's',
  siteName: 's',
  parentDeviceId: given.countedIn ?? null,
  countedIn: null,
  notSubMeteredKwh: null,
  energyImportedKwh: 0,
  energyExportedKwh: 0,
  estimatedEnergyKwh: 0,
  averagePowerKw: null,
  peakPowerKw: null,
  peakAt: null,
  currentPowerKw: null,
  lastMeasuredAt: null,
  measuredHours: 24,
  costs: [],
  ...given,
});

/** A line of ten kilowatt-hours by day, except for the given values. */
export const costLineOf = (given: Partial<CostLine>): CostLine => ({
  kind: 'energy',
  group: null,
  siteId: 's1',
  siteName: 'North',
  tariffId: 't1',
  tariffName: 'Grid',
  currency: 'EUR',
  name: 'Day',
  ratePerKwh: 0.3,
  energyKwh: 10,
  interpolatedKwh: 0,
  days: null,
  vatPercent: null,
  cost: 3,
  ...given,
});
