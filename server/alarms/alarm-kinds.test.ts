import { describe, expect, test } from 'vitest';
import { forecastDemand, judgeFigure, withoutSubMeters } from './alarm-kinds.rules.ts';

const minute = 60_000;

describe('the demand forecast of a quarter-hour', () => {
  test('is what was measured, and for the rest the power of the last minutes', () => {
    expect(forecastDemand([{ mean: 10, recent: 40, lastMs: 5 * minute }], 0)).toBeCloseTo(10 / 3 + (40 * 2) / 3);
    expect(forecastDemand([{ mean: 10, recent: 40, lastMs: 15 * minute }], 0)).toBe(10);
  });

  test('is the sum of the devices; before the first reading of the quarter-hour it is that of the last minutes', () => {
    const devices = [
      { mean: null, recent: 4, lastMs: -minute },
      { mean: 6, recent: 6, lastMs: minute },
    ];
    expect(forecastDemand(devices, 0)).toBeCloseTo(10);
  });

  test('is not known without devices or readings', () => {
    expect(forecastDemand([], 0)).toBeNull();
    expect(forecastDemand([{ mean: null, recent: null, lastMs: 0 }], 0)).toBeNull();
  });
});

test('a figure is good only once it has fallen by the hysteresis, and unclear if it is not known', () => {
  const verdicts = [100.1, 100, 97, 95, null].map((value) => judgeFigure(value, 100, 0)[0]?.verdict);
  expect(verdicts).toEqual(['bad', 'unclear', 'unclear', 'good', 'unclear']);
});

test('a sub-meter is left out if a main meter above it is there, also through one that is not', () => {
  const all = [
    { id: 'main', parentDeviceId: null },
    { id: 'part', parentDeviceId: 'main' },
    { id: 'fridge', parentDeviceId: 'part' },
  ];
  const idsOf = (...ids: string[]) =>
    withoutSubMeters(
      all.filter(({ id }) => ids.includes(id)),
      all,
    ).map(({ id }) => id);
  expect(idsOf('main', 'part', 'fridge')).toEqual(['main']);
  expect(idsOf('main', 'fridge')).toEqual(['main']);
  expect(idsOf('part', 'fridge')).toEqual(['part']);
  expect(idsOf('fridge')).toEqual(['fridge']);
});
