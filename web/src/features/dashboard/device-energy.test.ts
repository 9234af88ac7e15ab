import { expect, it } from 'vitest';
import { createFormat } from '../../lib/format.ts';
import { costIn, deviceCurrencies, devicesByEnergy, searchDevices } from './device-energy.ts';
import { deviceOf } from './test-figures.ts';

const device = (deviceName: string, energyImportedKwh: number, energyExportedKwh = 0, currency = 'EUR') => ({
  ...deviceOf({ deviceId: deviceName, siteName: 'Werk Süd', energyImportedKwh, energyExportedKwh }),
  costs: [{ currency, energyCost: 2 }],
});
const devices = [device('PV', 0, 8, 'CHF'), device('Idle', 0), device('Lathe', 5), device('Main', 9)];

it('devices by energy: most import first, exporters too, those without energy left out', () => {
  expect(devicesByEnergy(devices, createFormat('en-GB').compare).map(({ deviceName }) => deviceName)).toEqual([
    'Main',
    'Lathe',
    'PV',
  ]);
});

it('each currency of a device stands for itself', () => {
  expect(deviceCurrencies(devices)).toEqual(['CHF', 'EUR']);
  expect([costIn(device('a', 1), 'EUR'), costIn(device('a', 1), 'CHF')]).toEqual([2, null]);
});

it('a search finds devices by all words in name or site, in any case', () => {
  expect(searchDevices(devices, 'süd LAT').map(({ deviceName }) => deviceName)).toEqual(['Lathe']);
  expect(searchDevices(devices, '  ')).toHaveLength(4);
  expect(searchDevices(devices, 'nord')).toEqual([]);
});
