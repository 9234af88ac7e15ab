import { describe, expect, it } from 'vitest';
import { loadCurveSeries } from './load-curve.ts';

const members = [
  { number: 1, seriesId: 'a', seriesName: 'Site A' },
  { number: 2, seriesId: 'a', seriesName: 'Site A' },
  { number: 3, seriesId: 'b', seriesName: 'Site B' },
];

describe('decisions 3: load curve', () => {
  it('adds the devices of a series up and says null where none of them measured', () => {
    const points = [
      { deviceNumber: 1, bucket: 0, averagePowerKw: 1 },
      { deviceNumber: 2, bucket: 0, averagePowerKw: 2 },
      { deviceNumber: 2, bucket: 2, averagePowerKw: -4 },
      { deviceNumber: 3, bucket: 1, averagePowerKw: 0 },
    ];
    expect(loadCurveSeries(members, points, 3)).toEqual([
      { id: 'a', name: 'Site A', averagePowerKw: [3, null, -4] },
      { id: 'b', name: 'Site B', averagePowerKw: [null, 0, null] },
    ]);
  });

  it('has a series of nulls for a device without samples', () => {
    expect(loadCurveSeries(members.slice(0, 1), [], 2)).toEqual([
      { id: 'a', name: 'Site A', averagePowerKw: [null, null] },
    ]);
  });
});
