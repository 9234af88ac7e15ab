import { describe, expect, test } from 'vitest';
import { describeAlarm } from './alarm-text.rules.ts';
import { demandTimes, forecastDemand, judgeFigure, judgeQuality, withoutSubMeters } from './alarm-kinds.rules.ts';

const minute = 60_000;

describe('the demand forecast of a quarter-hour', () => {
  const power = (kw: number | null) => (kw === null ? { sum: 0, count: 0 } : { sum: kw * 2e6, count: 2 });
  const device = (running: number | null, recent: number | null, lastMs: number) => ({
    running: power(running),
    recent: power(recent),
    lastMs,
  });

  test('is what was measured, and for the rest the power of the last minutes', () => {
    expect(forecastDemand([device(10, 40, 5 * minute)], 0)).toBeCloseTo(10 / 3 + (40 * 2) / 3);
    expect(forecastDemand([device(10, 40, 15 * minute)], 0)).toBe(10);
  });

  test('is the sum of the devices; before the first reading of the quarter-hour it uses the last minutes', () => {
    expect(forecastDemand([device(null, 4, -minute), device(6, 6, minute)], 0)).toBeCloseTo(10);
  });

  test('is unknown without devices or readings', () => {
    expect(forecastDemand([], 0)).toBeNull();
    expect(forecastDemand([device(null, null, 0)], 0)).toBeNull();
  });

  test('at the end of a quarter-hour it is that of the whole one', () => {
    expect(demandTimes(15 * minute)).toEqual({ slotMs: 0, recentMs: 12 * minute });
    expect(demandTimes(16 * minute)).toEqual({ slotMs: 15 * minute, recentMs: 13 * minute });
  });
});

describe('the data quality of the last day, by the readings up to then', () => {
  const [slot, day] = [900_000_000, 86_400_000_000];
  const rules = {
    energySource: 'auto',
    ratedPowerKw: null,
    registerMaxKwh: null,
    expectedIntervalSeconds: 900,
  } as const;
  const states = Array.from({ length: 192 }, () => 'interpolated' as const).fill('interpolated');
  const judge = (hours: number, own: object, anomalies: ('interpolated' | 'reset')[] = []) =>
    judgeQuality(
      { states, firstSlot: 0, flags: [], device: { lastMicros: 3 * day, rules }, ...own },
      { missingPercent: 10, anomalies },
      [hours * 3_600_000],
    ).map(({ verdict, valueAt, unit }) => [verdict, valueAt(0), unit])[0];
  const gap = { kind: 'interpolated', timeMicros: 30 * 4 * slot, untilMicros: 40 * 4 * slot };

  test('a gap is missing while it goes on, and interpolated once a reading ends it', () => {
    expect(judge(30.5, { flags: [gap] })).toEqual(['good', 0, null]);
    expect(judge(36, { flags: [gap] })).toEqual(['bad', (100 * 23) / 96, '%']);
    expect(judge(40, { flags: [gap] })).toEqual(['good', 0, null]);
    expect(judge(40, { flags: [gap] }, ['interpolated'])).toEqual(['bad', 1, null]);
    expect(judge(39, { flags: [gap], states: [] }, ['interpolated'])).toEqual(['bad', (100 * 35) / 96, '%']);
  });

  test('an anomaly counts for a day, once the readings of an hour have confirmed it', () => {
    const reset = { kind: 'reset', timeMicros: 30 * 4 * slot, untilMicros: null };
    const at = [30.75, 31, 54, 55].map((hours) => judge(hours, { flags: [reset] }, ['reset'])?.[0]);
    expect(at).toEqual(['good', 'bad', 'bad', 'good']);
  });

  test('the time after the last reading counts once it is longer than a gap', () => {
    expect(judge(30, { device: { lastMicros: 29.5 * 4 * slot, rules } })).toEqual(['good', 0, null]);
    expect(judge(33, { device: { lastMicros: 29 * 4 * slot, rules } })).toEqual(['bad', (100 * 15) / 96, '%']);
  });
});

test('a value is good only once it has fallen by the hysteresis, and unclear if unknown', () => {
  const verdicts = [100.1, 100, 97, 95, null].map((value) => judgeFigure(value, 100, 0)[0]?.verdict);
  expect(verdicts).toEqual(['bad', 'unclear', 'unclear', 'good', 'unclear']);
});

test('a sub-meter is left out if one of its main meters is chosen, also through a level that is not', () => {
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

test('mails and webhooks write a figure as the page does, with ordinary spaces', () => {
  const texts = { limit: '{subject}: {figure}' };
  const inGerman = (value: number, unit: string | null) =>
    describeAlarm({ kind: 'limit', ruleName: '', subjectName: 'A', value, unit }, { language: 'de', texts });
  expect(inGerman(1_234.5678, 'kW')).toBe('A: 1.234,568 kW');
  expect(inGerman(1_200, 'EUR')).toBe('A: 1.200,00 €');
  expect(inGerman(7.25, '%')).toBe('A: 7,3 %');
  const offline = { kind: 'offline', ruleName: '', subjectName: 'A', value: 930, unit: 's' };
  expect(describeAlarm(offline)).toBe('A: no reading for 16 min');
});
