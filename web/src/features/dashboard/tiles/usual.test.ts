import { QueryClient } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { UsualLoad } from '../../../../../shared/dashboard.ts';
import { comparedRanges } from '../../../lib/compared-ranges.ts';
import { comparisonQuery, summaryQuery, usualQuery } from '../queries.ts';
import {
  costAtPace,
  type Costs,
  hasBand,
  hasUsual,
  paceOf,
  tooNewIn,
  usualBucketOf,
  usualData,
  usualDifference,
} from './usual.ts';

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
  until: '2026-06-14T12:00:00Z',
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

it('a band takes four weeks at least, as the sentence does; fewer are none', () => {
  const range = { fromMs: Date.parse('2026-06-14T00:00:00Z'), toMs: Date.parse('2026-06-15T00:00:00Z') };
  const { series } = usualData(usual({ weekCounts: [4, 3] }), 'UTC', range, 'Typical');
  expect(series).toEqual([{ id: 'usual', name: 'Typical', values: [3, null], lows: [1, null], highs: [5, null] }]);
  expect(hasBand(usual({ weekCounts: [4, 3] }))).toBe(true);
  expect(hasBand(usual({ weekCounts: [3, 3] }))).toBe(false);
  expect(hasBand(usual({ medianPowerKw: [null, null] }))).toBe(false);
});

it('what is usual is told for 35 days, of a week by quarter-hour, whatever the clocks do', () => {
  const days = (count: number) => ({ fromMs: 0, toMs: count * 24 * hourMs + hourMs });
  expect([1, 7, 8, 35].map((count) => usualBucketOf(days(count)))).toEqual(['15min', '15min', 'hour', 'hour']);
  expect([35, 36].map((count) => hasUsual(days(count)))).toEqual([true, false]);
});

describe('how far off the usual energy is', () => {
  it('of a running range it is the part that is over, of another the whole', () => {
    expect(usualDifference(usual(), taken(60), false)).toEqual({
      share: expect.closeTo(0.2),
      weekCount: 8,
      verdict: 'normal',
    });
    expect(usualDifference(usual(), taken(150), true)?.share).toBeCloseTo(-0.25);
  });

  it('within the band of the weeks it is normal, and near its median where all weeks are alike', () => {
    const verdictOf = (kwh: number, [lowKwh, highKwh]: readonly [number, number]) =>
      usualDifference(usual({ energy: { lowKwh, medianKwh: 200, highKwh, weekCount: 8 } }), taken(kwh), true)?.verdict;
    expect([150, 151, 259, 260].map((kwh) => verdictOf(kwh, [151, 259]))).toEqual(['low', 'normal', 'normal', 'high']);
    expect([189, 191, 209, 211].map((kwh) => verdictOf(kwh, [200, 200]))).toEqual(['low', 'normal', 'normal', 'high']);
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
    // Half of its time is over, and a quarter of its usual energy.
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

  /** A range that has elapsed so far, without usual consumption. */
  const after = (share: number) => {
    const ranges = comparedRanges(day, 'UTC', day.fromMs + share * 24 * hourMs);
    if (ranges === null) throw new Error('It has not begun.');
    return { ranges, usual: null, current: taken(60) };
  };

  /** The cost of a currency so far and in the whole range, and the elapsed and total days. */
  const costs = (
    currency: string,
    energyCost: number,
    [chargeSoFar, charge]: readonly [number, number],
    [daysSoFar, days]: readonly [number, number],
    vatShare = 0,
  ) =>
    ([chargeSoFar, charge] as const).map((fixedCharge, at) => {
      const vat = (energyCost + fixedCharge) * vatShare;
      return {
        costs: [{ currency, energyCost, fixedCharge, vat, total: energyCost + fixedCharge + vat }],
        tariffDays: [{ currency, days: at === 0 ? daysSoFar : days }],
        unpricedEnergyKwh: 0,
      };
    });
  const together = (...all: Costs[]): Costs => ({
    costs: all.flatMap((one) => one.costs),
    tariffDays: all.flatMap((one) => one.tariffDays),
    unpricedEnergyKwh: 0,
  });
  const none: Costs = { costs: [], tariffDays: [], unpricedEnergyKwh: 0 };

  it('the cost takes the energy at that pace, the fixed charge by time alone, and VAT on both', () => {
    const [soFar = none, whole = none] = costs('EUR', 10, [0.25, 1], [0.25, 1], 0.2);
    expect(costAtPace('EUR', soFar, whole, after(0.25))).toBeCloseTo((40 + 1) * 1.2);
    expect(costAtPace('EUR', soFar, whole, after(0.04))).toBeNull();
    const [nothing = none] = costs('EUR', 0, [0, 0], [0, 0]);
    expect(costAtPace('EUR', nothing, nothing, after(0.5))).toBe(0);
    expect(costAtPace('EUR', none, none, after(0.5))).toBeNull();
  });

  it('one of several currencies goes by the days of its own sites where these have come further, whatever its charge is', () => {
    const [euroSoFar = none, euro = none] = costs('EUR', 10, [1, 3], [0.3, 1]);
    // Charges of cents, of whole yen and of thousandths, and one that rises within the range.
    for (const [currency, charges] of [
      ['INR', [90, 100]],
      ['CHF', [0.01, 0.01]],
      ['JPY', [0, 1]],
      ['KWD', [0.001, 0.004]],
      ['GBP', [1, 400]],
    ] as const) {
      const [soFar = none, whole = none] = costs(currency, 9, charges, [0.9, 1]);
      const total = costAtPace(currency, together(euroSoFar, soFar), together(euro, whole), after(0.3));
      expect(total).toBeCloseTo(10 + charges[1]);
    }
    // About the same days: then usual consumption is more accurate.
    const usually = { ...after(0.85), usual: usual({ energyUntil: energy(120) }) };
    const [nearSoFar = none, near = none] = costs('EUR', 10, [1, 3], [0.85, 1]);
    const [soFar = none, whole = none] = costs('INR', 9, [90, 100], [0.9, 1]);
    expect(costAtPace('INR', together(nearSoFar, soFar), together(near, whole), usually)).toBeCloseTo(9 / 0.6 + 100);
  });

  it('one that is as far as the clock of the page, but not as far as all sites together, goes by its own days', () => {
    const [euroSoFar = none, euro = none] = costs('EUR', 10, [0, 0], [2, 2]);
    const [soFar = none, whole = none] = costs('USD', 10, [0, 2], [0.75, 1]);
    // The usual consumption of all sites, most of which have finished the range.
    const mostly = { ...after(0.75), usual: usual({ energyUntil: energy(177) }) };
    expect(costAtPace('USD', together(euroSoFar, soFar), together(euro, whole), mostly)).toBeCloseTo(10 / 0.75 + 2);
  });

  it('of a tariff that began or ended within the range the energy is that of its own days', () => {
    const began = costs('EUR', 2, [1, 16], [1, 16]).map((one) => ({ ...one, unpricedEnergyKwh: 700 }));
    expect(costAtPace('EUR', began[0] ?? none, began[1] ?? none, after(0.5))).toBeCloseTo(2 * 16 + 16);
    const [euro = none] = costs('EUR', 5, [14, 14], [14, 14]);
    const [francSoFar = none, franc = none] = costs('CHF', 2, [1, 16], [1, 16]);
    expect(costAtPace('EUR', together(euro, francSoFar), together(euro, franc), after(0.5))).toBeCloseTo(19);
  });
});

describe('the comparison', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** The requests that it makes while none is answered, without those whose answers are given. */
  async function requestsWith(count: number, answers: readonly (readonly [readonly unknown[], object])[] = []) {
    vi.useFakeTimers({ now: at('12:00:30') });
    const asked: string[] = [];
    vi.stubGlobal('fetch', (path: string) => {
      asked.push(path);
      return new Promise(() => undefined);
    });
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
    for (const [key, answer] of answers) client.setQueryData([...key], answer);
    void client.prefetchQuery(comparisonQuery({}, 'UTC', false));
    await vi.waitFor(() => expect(asked).toHaveLength(count));
    return asked.map((path) => decodeURIComponent(path.replace('/api/dashboard/', '')));
  }

  it('requests what is usual together with the summary', async () => {
    const range = 'fromDate=2026-06-14&toDate=2026-06-15';
    expect(await requestsWith(2)).toEqual([`summary?${range}`, `usual?${range}&bucket=15min`]);
  });

  it('ends both sides where usual consumption ends, although the summary is newer', async () => {
    const summary = { arrivedUntil: '2026-06-14T11:45:00Z', to: '2026-06-15T00:00:00Z' };
    const answers = [
      [summaryQuery({}, 'UTC').queryKey, summary],
      [usualQuery({}, 'UTC').queryKey, usual({ until: '2026-06-14T11:30:00Z' })],
    ] as const;
    expect(await requestsWith(2, answers)).toEqual([
      'summary?fromDate=2026-06-13&toDate=2026-06-14&until=2026-06-13T11:30:00.000Z',
      'summary?fromDate=2026-06-14&toDate=2026-06-15&until=2026-06-14T11:30:00.000Z',
    ]);
  });

  it('requests again what is usual if the clock of the browser is behind', async () => {
    const [later, end] = ['2026-06-14T12:20:00Z', '2026-06-15T00:00:00Z'];
    const answers = [
      [summaryQuery({}, 'UTC').queryKey, { arrivedUntil: later, to: end }],
      [usualQuery({}, 'UTC').queryKey, usual({ until: later })],
    ] as const;
    expect(await requestsWith(3, answers)).toContain(
      'usual?fromDate=2026-06-14&toDate=2026-06-15&until=2026-06-14T12:00:00.000Z&bucket=15min',
    );
  });
});
