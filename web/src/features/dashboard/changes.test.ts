import { expect, it } from 'vitest';
import type { DashboardSummary } from '../../../../shared/dashboard.ts';
import { deviceChanges } from './changes.ts';

const device = (deviceId: string, energyImportedKwh: number): DashboardSummary['devices'][number] => ({
  deviceId,
  deviceName: deviceId,
  siteId: 's',
  siteName: 's',
  parentDeviceId: null,
  countedIn: null,
  notSubMeteredKwh: null,
  energyImportedKwh,
  energyExportedKwh: 0,
  estimatedEnergyKwh: 0,
  averagePowerKw: null,
  peakPowerKw: null,
  peakAt: null,
  currentPowerKw: null,
  lastMeasuredAt: null,
  costs: [],
});

it('the devices that changed most come first, up or down; one that is new has no share, one that did not change is left out', () => {
  const current = { devices: [device('same', 5), device('up', 131), device('down', 20), device('new', 7)] };
  const previous = { devices: [device('same', 5), device('up', 100), device('down', 80), device('gone', 9)] };
  const found = deviceChanges(current, previous);
  expect(found.map((one) => [one.device.deviceId, one.differenceKwh, one.share])).toEqual([
    ['down', -60, -0.75],
    ['up', 31, 0.31],
    ['new', 7, null],
  ]);
});
