import { describe, expect, it } from 'vitest';
import type { UsualLoad } from '../../../../shared/usual.ts';
import { comparedRanges } from '../../lib/compared-ranges.ts';
import { costAtPace, hasUsual, paceOf, tooNewIn, usualBucketOf, usualData, usualDifference } from './usual.ts';

const hourMs = 3_600_000;
const energy = (medianKwh: number, weekCount = 8) => ({ lowKwh: 0, medianKwh, highKwh: 2 * medianKwh, weekCount });
const usual = (changes: Partial<UsualLoad> = {}): UsualLoad => ({
  from: '2026-06-14T00:00:00Z',
  to: '2026-06-15T00:00:00Z',
  fromDate: '2026-06-14',
  toDate: '2026-06-15',
  bucket: 'hour',
  times: ['2026-06-14T00:00:00Z', '2026-06-14T01:00:00Z'],
  lowPowerKw: [1, 2],
  medianPowerKw: [3, 4],
  highPowerKw: [5, 6],
  weekCounts: [8, 2],
  energy: energy(200),
  energyUntil: energy(50),
  devicesWithoutUsual: [],
  ...changes,
});
const taken = (energyImportedKwh: number, newKwh = 5) => ({
  energyImportedKwh,
  devices: [{ deviceId: 'new', energyImportedKwh: newKwh }],
});

const at = (time: string) => Date.parse(`2026-06-14T${time}Z`);
const day = { fromMs: at('00:00:00'), toMs: at('00:00:00') + 24 * hourMs };
function paceAt(time: string, of: UsualLoad | null, current = taken(60)): number | null {
  const ranges = comparedRanges(day, 'UTC', at(time));
  return ranges === null ? null : paceOf({ ranges, usual: of, current });
}

it('a band takes three weeks at least; fewer are none', () => {
  const range = { fromMs: Date.parse('2026-06-14T00:00:00Z'), toMs: Date.parse('2026-06-15T00:00:00Z') };
  const { series } = usualData(usual(), 'UTC', range, 'Usual');
  expect(series).toEqual([{ id: 'usual', name: 'Usual', values: [3, null], lows: [1, null], highs: [5, null] }]);
});

it('what is usual is told for 35 days, of a week by quarter-hour, whatever the clocks do', () => {
  const days = (count: number) => ({ fromMs: 0, toMs: count * 24 * hourMs + hourMs });
  expect([1, 7, 8, 35].map((count) => usualBucketOf(days(count)))).toEqual(['15min', '15min', 'hour', 'hour']);
  expect([35, 36].map((count) => hasUsual(days(count)))).toEqual([true, false]);
});

describe('how far off the usual energy is', () => {
  it('of a running range it is the part that is over, of another the whole', () => {
    expect(usualDifference(usual(), taken(60), false)).toEqual({ share: expect.closeTo(0.2), weekCount: 8 });
    expect(usualDifference(usual(), taken(150), true)?.share).toBeCloseTo(-0.25);
  });

  it('less than half a percent is as usual', () => {
    expect(usualDifference(usual(), taken(200.9), true)?.share).toBe(0);
  });

  it('a device that is too new to be usual counts on neither side', () => {
    expect(usualDifference(usual({ devicesWithoutUsual: ['new'] }), taken(55), false)?.share).toBe(0);
  });

  it('where new devices took more than a tenth, the others say nothing of all: neither how far off it is nor its pace', () => {
    const withNew = usual({ devicesWithoutUsual: ['new'] });
    expect(tooNewIn(withNew, taken(60, 6))).toEqual({ count: 1, isMuch: false });
    expect(tooNewIn(withNew, taken(60, 6.1))).toEqual({ count: 1, isMuch: true });
    expect(usualDifference(withNew, taken(60, 6.1), false)).toBeNull();
    // Half of its time is over, and a quarter of what is usual.
    expect(paceAt('12:00:00', withNew, taken(60, 6))).toBe(0.25);
    expect(paceAt('12:00:00', withNew, taken(60, 6.1))).toBe(0.5);
  });

  it('fewer than four weeks, or nothing that is usual, say nothing', () => {
    for (const energyUntil of [null, energy(50, 3), energy(0)])
      expect(usualDifference(usual({ energyUntil }), taken(60), false)).toBeNull();
  });
});

describe('the pace of a running range (docs/energy.md)', () => {
  it('is the share of the energy that a usual range has behind it by now, else that of its time', () => {
    expect(paceAt('12:00:00', usual())).toBe(0.25);
    expect(paceAt('12:00:00', usual({ energyUntil: energy(50, 3) }))).toBe(0.5);
    expect(paceAt('12:00:00', null)).toBe(0.5);
  });

  it('says nothing in the first twentieth', () => {
    expect(paceAt('01:00:00', null)).toBeNull();
    expect(paceAt('12:00:00', usual({ energyUntil: energy(9) }))).toBeNull();
  });

  /** A range that has come so far, of which nothing is usual. */
  const after = (share: number) => {
    const ranges = comparedRanges(day, 'UTC', day.fromMs + share * 24 * hourMs);
    if (ranges === null) throw new Error('It has not begun.');
    return { ranges, usual: null, current: taken(60) };
  };

  it('the cost takes the energy at that pace, the fixed charge by time alone, and VAT on both', () => {
    const soFar = { currency: 'EUR', energyCost: 10, fixedCharge: 0.5, vat: 2.1, total: 12.6 };
    const whole = { currency: 'EUR', energyCost: 10, fixedCharge: 1, vat: 2.2, total: 13.2 };
    expect(costAtPace(soFar, whole, after(0.25), true)).toBeCloseTo((40 + 1) * 1.2);
    const nothing = { ...whole, energyCost: 0, fixedCharge: 0, vat: 0 };
    expect(costAtPace(nothing, nothing, after(0.5), true)).toBe(0);
    expect(costAtPace(soFar, whole, after(0.04), true)).toBeNull();
  });

  it('one of several currencies goes by the time of its own sites where these have other days, which their fixed charge tells', () => {
    const soFar = { currency: 'INR', energyCost: 9, fixedCharge: 90, vat: 0, total: 99 };
    const whole = { ...soFar, fixedCharge: 100, total: 109 };
    expect(costAtPace(soFar, whole, after(0.3), false)).toBeCloseTo(110);
    // About the same days: what is usual then tells more.
    const usually = { ...after(0.85), usual: usual({ energyUntil: energy(120) }) };
    expect(costAtPace(soFar, whole, usually, false)).toBeCloseTo(9 / 0.6 + 100);
  });

  it('a fixed charge of a few cents tells no time: rounded, it would be off by a quarter', () => {
    const soFar = { currency: 'CHF', energyCost: 11.6, fixedCharge: 0.01, vat: 0, total: 11.61 };
    const whole = { ...soFar, fixedCharge: 0.13, total: 11.73 };
    expect(costAtPace(soFar, whole, after(0.0967), false)).toBeCloseTo(120.1, 0);
  });
});
