import { describe, expect, it } from 'vitest';
import { emptyEnergy } from './energy.ts';
import { createLoadCurve, type CurveMember, membersBy } from './load-curve.ts';
import { addReading, emptyStatistics } from './statistics.ts';

/** Three buckets of a device: its power in kW where it measured, and its energy. */
function bucketsOf(powers: readonly (number | null)[], energies: readonly number[]) {
  const [energy, statistics] = [emptyEnergy(3), emptyStatistics(3)];
  const nothing = { reactivePower: null, apparentPower: null, powerFactor: null, voltage: null, frequency: null };
  for (const [at, kw] of powers.entries()) {
    const registers = { energyImported: null, energyExported: null };
    if (kw !== null) addReading(statistics, at, { timeMicros: 0, activePower: kw * 1e6, ...nothing, ...registers });
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
  it('the devices of a series add up; null where nothing is known', () => {
    const members = [1, 2].map((number) => ({ number, seriesId: 'site', seriesName: 'Site' }));
    expect(loadCurveSeries(members)).toEqual([
      { id: 'site', name: 'Site', averagePowerKw: [5, null, 1], energyImportedKwh: [0.5, 0.25, 0.125] },
    ]);
  });

  it('a series each, in the order of the members; a device without anything is all null', () => {
    const members = [3, 1].map((number) => ({ number, seriesId: String(number), seriesName: `Device ${number}` }));
    expect(loadCurveSeries(members)).toEqual([
      { id: '3', name: 'Device 3', averagePowerKw: [null, null, null], energyImportedKwh: [null, null, null] },
      { id: '1', name: 'Device 1', averagePowerKw: [2, null, null], energyImportedKwh: [0.5, 0.25, null] },
    ]);
  });
});

describe('the devices of a curve', () => {
  const site = { siteId: 's', siteName: 'Site' };
  const devices = [
    { number: 0, id: 'a', name: 'Meter a', ...site, countedIn: null },
    { number: 1, id: 'b', name: 'Meter b', ...site, countedIn: 'a' },
  ];

  it('have a sub-meter by device, and in no sum that has its main meter', () => {
    expect(membersBy('device', devices).map(({ seriesId }) => seriesId)).toEqual(['a', 'b']);
    expect(membersBy('site', devices)).toEqual([{ number: 0, seriesId: 's', seriesName: 'Site' }]);
    expect(membersBy('total', devices)).toEqual([{ number: 0, seriesId: 'total', seriesName: 'Total' }]);
  });
});
