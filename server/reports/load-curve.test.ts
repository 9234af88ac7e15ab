import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyEnergy } from '../energy/energy.rules.ts';
import { createLoadCurve, type CurveMember, type CurveSeries, membersBy, wholesFirst } from './load-curve.rules.ts';
import { Reading } from '../base/quantities.ts';
import { addReadings, emptyStatistics } from '../energy/statistics.rules.ts';

/** Three buckets of a device: its energy, and its power in kW if it measured any. */
function bucketsOf(powers: readonly (number | null)[], energies: readonly number[]) {
  const [energy, statistics] = [emptyEnergy(3), emptyStatistics(3)];
  for (const [at, kw] of powers.entries()) {
    if (kw === null) continue;
    addReadings(statistics, [Reading.of({ timeMicros: 0, activePowerKw: kw * 1e6 })], () => at);
  }
  energy.importedKwh.set(energies);
  return { energy, statistics };
}

const buckets = new Map([
  [1, bucketsOf([2, null, null], [0.5, 0.25, 0])],
  [2, bucketsOf([3, null, 1], [0, 0, 0.125])],
]);

function loadCurveSeries(members: readonly CurveMember[]) {
  const curve = createLoadCurve(members, 3);
  for (const [deviceNumber, own] of buckets) curve.addDevice(deviceNumber, own);
  return curve.series;
}

describe('decisions 3: load curve', () => {
  it('the devices of a series add up; null if nothing is known', () => {
    const members = [1, 2].map((number) => ({ number, seriesId: 'site', seriesName: 'Site' }));
    expect(loadCurveSeries(members)).toEqual([
      { id: 'site', name: 'Site', averagePowerKw: [5, null, 1], energyImportedKwh: [0.5, 0.25, 0.125] },
    ]);
  });

  it('one series each, in the order of the members; a device without data is all null', () => {
    const members = [3, 1].map((number) => ({ number, seriesId: String(number), seriesName: `Device ${number}` }));
    expect(loadCurveSeries(members)).toEqual([
      { id: '3', name: 'Device 3', averagePowerKw: [null, null, null], energyImportedKwh: [null, null, null] },
      { id: '1', name: 'Device 1', averagePowerKw: [2, null, null], energyImportedKwh: [0.5, 0.25, null] },
    ]);
  });
});

describe('the devices of a curve', () => {
  const site = { siteId: 's', siteName: 'Site', endUse: null };
  const devices = [
    { number: 0, id: 'a', name: 'Meter a', ...site, countedIn: null },
    { number: 1, id: 'b', name: 'Meter b', ...site, countedIn: 'a' },
  ];

  it('include sub-meters by device, but not in a sum that includes their main meter', () => {
    expect(membersBy('device', devices).map(({ seriesId }) => seriesId)).toEqual(['a', 'b']);
    expect(membersBy('site', devices)).toEqual([{ number: 0, seriesId: 's', seriesName: 'Site' }]);
    expect(membersBy('total', devices)).toEqual([{ number: 0, seriesId: 'total', seriesName: 'Total' }]);
    expect(membersBy('total', devices, new Set(['a']))).toEqual([
      { number: 0, seriesId: 'apart', seriesName: 'New devices' },
    ]);
  });
});

describe('by end use (docs/energy.md)', () => {
  const place = { siteId: 's', siteName: 'Site' };
  /** Devices by name, each with the one that includes it. */
  const listOf = (of: Record<string, readonly [endUse: string | null, countedIn?: string]>) =>
    Object.entries(of).map(([id, [endUse, countedIn = null]], number) => ({
      ...place,
      number,
      id,
      name: id,
      endUse,
      countedIn,
    }));
  const shown = (of: Parameters<typeof listOf>[0]) => {
    const devices = listOf(of);
    return membersBy('endUse', devices).map(({ number, seriesName, within }) =>
      [seriesName, devices[number]?.id, within === undefined ? [] : devices[within]?.id].flat(),
    );
  };

  it('spellings that differ in case are one series, named by the first; devices without end use are last', () => {
    expect(shown({ a: [null], b: ['Lighting'], c: ['IT'], d: ['LIGHTING'], e: ['cooling'] })).toEqual([
      ['cooling', 'e'],
      ['IT', 'c'],
      ['Lighting', 'b'],
      ['Lighting', 'd'],
      ['No end use', 'a'],
    ]);
    expect(membersBy('endUse', listOf({ a: ['Total'], b: [null] })).map(({ seriesId }) => seriesId)).toEqual([
      'endUse:total',
      'endUse:',
    ]);
  });

  it('a sub-meter with an end use of its own is subtracted from its main meter; one without, or with the same, stays in it', () => {
    expect(
      shown({
        main: [null],
        lights: ['Lighting', 'main'],
        chiller: ['Cooling', 'main'],
        pump: ['cooling', 'chiller'],
        tower: [null, 'chiller'],
        fan: ['Ventilation', 'tower'],
        plain: [null, 'main'],
      }),
    ).toEqual([
      ['Cooling', 'chiller', 'main'],
      ['Lighting', 'lights', 'main'],
      ['Ventilation', 'fan', 'chiller'],
      ['No end use', 'main'],
    ]);
  });

  it('if the main meter is silent its sub-meters do not count; if they are silent it keeps their energy', () => {
    const members: CurveMember[] = [
      { number: 1, seriesId: 'main', seriesName: 'Main' },
      { number: 2, seriesId: 'part', seriesName: 'Part', within: 1 },
    ];
    expect(loadCurveSeries(members)).toEqual([
      { id: 'main', name: 'Main', averagePowerKw: [-1, null, null], energyImportedKwh: [0.5, 0.25, null] },
      { id: 'part', name: 'Part', averagePowerKw: [3, null, null], energyImportedKwh: [0, null, null] },
    ]);
  });

  it('the series add up to the total, for any tree, end uses and gaps', () => {
    const kw = fc.option(fc.integer({ min: -20, max: 20 }), { freq: 3 });
    const one = fc.record({
      endUse: fc.option(fc.constantFrom('Lighting', 'lighting', 'IT', 'Production')),
      above: fc.nat(),
      powers: fc.tuple(kw, kw, kw),
      energies: fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9)),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 8 }), (list) => {
        // Listed in any order: a device may come before or after the one that includes it.
        const devices = list.map(({ endUse, above }, number) => ({
          ...place,
          number: list.length - 1 - number,
          id: String(number),
          name: '',
          endUse,
          countedIn: above % (number + 1) === number ? null : String(above % (number + 1)),
        }));
        const seriesBy = (groupBy: 'endUse' | 'total', listed: typeof devices) => {
          const members = membersBy(groupBy, devices);
          const curve = createLoadCurve(members, 3);
          for (const { id, number } of wholesFirst(listed, members)) {
            const { powers = [], energies = [] } = list[Number(id)] ?? {};
            curve.addDevice(number, bucketsOf(powers, energies));
          }
          return curve.series;
        };
        const sumOf = (series: readonly CurveSeries[]) =>
          (['averagePowerKw', 'energyImportedKwh'] as const).map((column) =>
            [0, 1, 2].map((at) => {
              const known = series.flatMap((own) => own[column][at] ?? []);
              return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
            }),
          );
        const series = seriesBy('endUse', devices);
        expect(sumOf(series)).toEqual(sumOf(seriesBy('total', devices)));
        expect(seriesBy('endUse', devices.toReversed())).toEqual(series);
      }),
    );
  });
});
