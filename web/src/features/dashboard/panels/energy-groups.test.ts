import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  linesByEndUse,
  linesBySite,
  type EnergyLine,
  knownKwh,
  costIn,
  deviceCurrencies,
  devicesByEnergy,
  searchDevices,
} from './energy-groups.ts';
import { deviceOf } from '../test-figures.ts';
import { createFormat } from '../../../../../shared/format.ts';

interface Given {
  endUse?: string | null;
  countedIn?: string | null;
  site?: string;
  imported: number;
  exported?: number;
}

const build = (given: Record<string, Given>) => ({
  listed: Object.entries(given).map(([id, { endUse = null }]) => ({ id, endUse })),
  devices: Object.entries(given).map(([id, { countedIn = null, site = 'Works', imported, exported = 0 }]) => ({
    ...deviceOf({
      deviceId: id,
      siteId: site,
      siteName: site,
      countedIn,
      energyImportedKwh: imported,
      energyExportedKwh: exported,
    }),
    costs: [{ currency: 'EUR', energyCost: imported / 4 }],
  })),
});

const told = (lines: readonly EnergyLine[]) =>
  lines.map((line) => [
    line.deviceName,
    line.energyImportedKwh,
    line.energyExportedKwh,
    line.costs[0]?.energyCost,
    line.deviceIds.join(),
  ]);

it('a line of which no device was measured says so; one that was measured in any hour is known', () => {
  const { devices } = build({ one: { imported: 0 }, other: { imported: 0 }, third: { imported: 0, site: 'Depot' } });
  const hours = [0, 2, 0];
  const lines = linesBySite(devices.map((device, at) => ({ ...device, measuredHours: hours[at] ?? 0 })));
  expect(lines.map((line) => knownKwh(line, line.energyImportedKwh))).toEqual([0, null]);
});

it('by site the devices that add up are one line; their sub-meters count in them', () => {
  const { devices } = build({
    main: { imported: 100 },
    lights: { imported: 30, countedIn: 'main' },
    second: { imported: 5 },
    depot: { imported: 7, exported: 2, site: 'Depot' },
  });
  expect(told(linesBySite(devices))).toEqual([
    ['Works', 105, 0, 26.25, 'main,second'],
    ['Depot', 7, 2, 1.75, 'depot'],
  ]);
});

it('by end use a sub-meter with one of its own is taken from the meter above, energy and cost alike; the rest has that of the meter or none', () => {
  const { devices, listed } = build({
    main: { imported: 100 },
    lights: { imported: 30, countedIn: 'main', endUse: 'Lighting' },
    chiller: { imported: 40, countedIn: 'main', endUse: 'Cooling' },
    pump: { imported: 12, countedIn: 'chiller', endUse: 'cooling' },
    fan: { imported: 8, countedIn: 'pump', endUse: 'Ventilation' },
    plain: { imported: 6, countedIn: 'main' },
  });
  expect(told(linesByEndUse(devices, listed, 'No end use'))).toEqual([
    ['No end use', 30, 0, 7.5, 'main'],
    ['Lighting', 30, 0, 7.5, 'lights'],
    ['Cooling', 32, 0, 8, 'chiller'],
    ['Ventilation', 8, 0, 2, 'fan'],
  ]);
});

it('what a sub-meter feeds in and its main meter does not, the rest of that one has taken', () => {
  const { devices, listed } = build({
    main: { imported: 50 },
    roof: { imported: 0, exported: 5, countedIn: 'main', endUse: 'Generation' },
  });
  expect(told(linesByEndUse(devices, listed, 'No end use'))).toEqual([
    ['No end use', 55, 0, 12.5, 'main'],
    ['Generation', 0, 5, 0, 'roof'],
  ]);
});

it('the lines by end use add up to the energy of the devices that add up, whatever the tree', () => {
  const one = fc.record({
    endUse: fc.option(fc.constantFrom('Lighting', 'lighting', 'IT')),
    above: fc.nat(),
    imported: fc.nat(50),
    exported: fc.nat(9),
  });
  const net = (lines: readonly { energyImportedKwh: number; energyExportedKwh: number }[]) =>
    lines.reduce((sum, line) => sum + line.energyImportedKwh - line.energyExportedKwh, 0);
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 8 }), (list) => {
      const { devices, listed } = build(
        Object.fromEntries(
          list.map(({ above, ...given }, at) => [
            `d${at}`,
            { ...given, countedIn: above % (at + 1) === at ? null : `d${above % (at + 1)}` },
          ]),
        ),
      );
      expect(net(linesByEndUse(devices, listed, ''))).toBe(net(linesBySite(devices)));
    }),
  );
});

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
