import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../../shared/comparison.ts';
import { toLocalText } from '../../../../shared/time.ts';
import type { TimeRange } from '../../lib/time-range.ts';
import {
  compareBucket,
  comparedCosts,
  comparedData,
  comparedParts,
  comparedSums,
  isPartlyMeasured,
  isPartlyPriced,
  largestOf,
  compareWire,
  workbookWire,
} from './compared-data.ts';
import { readCompareSearch, sidesOf, withOtherChoice, withOtherRange } from './search.ts';

const zone = 'Europe/Berlin';
const nowMs = Date.parse('2026-11-18T12:00:00Z');
const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const shown = ({ fromMs, toMs }: TimeRange) => [toLocalText(fromMs, zone), toLocalText(toMs, zone)];

it('a row of cost names its currency if there are several, on either side', () => {
  const euros = { currency: 'EUR', total: 2 };
  expect(comparedCosts([euros], [euros])).toEqual([{ currency: 'EUR', total: 2, otherTotal: 2, mark: '' }]);
  expect(comparedCosts([euros], [{ currency: 'CHF', total: 1 }])).toEqual([
    { currency: 'CHF', total: null, otherTotal: 1, mark: ' (CHF)' },
    { currency: 'EUR', total: 2, otherTotal: null, mark: ' (EUR)' },
  ]);
});

describe('the sides in the URL', () => {
  it('default to the previous range', () => {
    const { range, otherRange } = sidesOf({ range: 'this-week' }, zone, nowMs);
    expect([shown(range)[0], shown(otherRange)[0]]).toEqual(['2026-11-16T00:00', '2026-11-09T00:00']);
  });

  it('have the same range if the other side has other devices, and the same devices if it has another range', () => {
    const devices = sidesOf(withOtherChoice({ range: 'last-week' }, { sites: id }), zone, nowMs);
    expect(devices.otherRange).toEqual(devices.range);
    expect(devices.otherChoice).toEqual({ sites: id });
    const ranges = sidesOf(withOtherRange({ devices: id }, { range: 'last-month' }), zone, nowMs);
    expect(ranges.otherChoice).toEqual({ devices: id });
    expect(shown(ranges.otherRange)[0]).toBe('2026-10-01T00:00');
  });

  it('are restored from the URL; unknown parameters are dropped, and an unknown range is reported', () => {
    const search = {
      range: 'last-week',
      otherFrom: '2025-11-10',
      otherTo: '2025-11-16',
      otherDevices: id,
      align: 'weekday',
      zoom: '2026-11-10T06:00:00Z..2026-11-11T12:00:00Z',
    };
    expect(readCompareSearch(search)).toEqual(search);
    expect(readCompareSearch({ ...withOtherRange({}, {}) })).toEqual({ otherRange: 'today' });
    expect(
      readCompareSearch({ otherRange: 'x', otherFrom: 'y', otherTo: 3, otherSites: '"', align: 'moon', zoom: 'x..y' }),
    ).toEqual({ otherRange: 'unknown', otherSites: '00000000-0000-0000-0000-000000000000' });
    const { otherRange } = sidesOf({ range: 'this-week', otherRange: 'unknown' }, zone, nowMs);
    expect(shown(otherRange)[0]).toBe('2026-11-09T00:00');
  });
});

it('the workbook of a running range has the rows of the chart, and the cost of the part that the page shows', () => {
  const [to, arrivedUntil] = ['2026-11-22T23:00:00Z', '2026-11-18T11:45:00Z'];
  const wire = workbookWire({ range: 'this-week' }, zone, nowMs, { to, arrivedUntil });
  const cost = compareWire({ range: 'this-week' }, zone, nowMs, 'cost', Date.parse(arrivedUntil), { to });
  expect(wire).toEqual({
    ...compareWire({ range: 'this-week' }, zone, nowMs),
    costUntil: cost.until,
    otherCostUntil: cost.otherUntil,
  });
  expect(wire.costUntil).toBe('2026-11-18T11:45:00.000Z');
  expect(workbookWire({ range: 'last-week' }, zone, nowMs, { to: '2026-11-15T23:00:00Z', arrivedUntil })).toEqual(
    compareWire({ range: 'last-week' }, zone, nowMs),
  );
});

const answer = (
  rows: readonly [day: number, minute: number, own: number | null, other: number | null][],
): Comparison => ({
  from: '2026-10-24T22:00:00Z',
  to: '2026-10-25T23:00:00Z',
  fromDate: null,
  toDate: null,
  other: { from: '', to: '', fromDate: null, toDate: null },
  bucket: 'hour',
  align: 'day',
  timeZone: zone,
  otherTimeZone: zone,
  days: rows.map(([day]) => day),
  minutes: rows.map(([, minute]) => minute),
  times: rows.map(([day, minute, own]) => (own === null ? null : `own ${day} ${minute}`)),
  otherTimes: rows.map(([day, minute, , other]) => (other === null ? null : `other ${day} ${minute}`)),
  arrivedUntil: '2026-03-10T00:00:00Z',
  running: rows.map(() => false),
  late: rows.map(() => false),
  energyImportedKwh: rows.map(([, , own]) => own),
  otherEnergyImportedKwh: rows.map(([, , , other]) => other),
  averagePowerKw: rows.map(([, , own]) => own),
  otherAveragePowerKw: rows.map(([, , , other]) => other),
  totals: { energyImportedKwh: 0, otherEnergyImportedKwh: 0 },
  common: { rowCount: 0, energyImportedKwh: 0, otherEnergyImportedKwh: 0 },
  costs: [],
  otherCosts: [],
  tariffDays: [],
  otherTariffDays: [],
  unpricedEnergyKwh: 0,
  otherUnpricedEnergyKwh: 0,
});

describe('no percentage is shown if', () => {
  const day = { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z', fromDate: null, toDate: null };
  const tariffDays = (days: number) => [{ currency: 'EUR', days }];
  const priced = (own: number, unpriced: number, other: number, otherUnpriced: number): Comparison => ({
    ...answer([]),
    ...day,
    other: day,
    tariffDays: tariffDays(own),
    otherTariffDays: tariffDays(other),
    unpricedEnergyKwh: unpriced,
    otherUnpricedEnergyKwh: otherUnpriced,
    totals: { energyImportedKwh: 1000, otherEnergyImportedKwh: 1000 },
  });

  it('the tariff of the same devices ended within a range, but not if another site never had one', () => {
    expect(isPartlyPriced(priced(11, 600, 30, 0), true, 'EUR')).toBe(true);
    expect(isPartlyPriced(priced(30, 600, 30, 580), true, 'EUR')).toBe(false);
    expect(isPartlyPriced(priced(30, 0, 30, 0), true, 'EUR')).toBe(false);
    expect(isPartlyPriced(priced(11, 600, 30, 0), true, 'CHF')).toBe(false);
  });

  it('much more of one side has no price, for other devices and any number of sites', () => {
    expect(isPartlyPriced(priced(30, 600, 60, 0), false, 'EUR')).toBe(true);
    expect(isPartlyPriced(priced(30, 0, 600, 0), false, 'EUR')).toBe(false);
    expect(isPartlyPriced(priced(30, 30, 600, 0), false, 'EUR')).toBe(false);
  });

  it('one side has much energy where the other has no data; rows of one range only, running and future ones do not count', () => {
    const [came, toCome] = ['2026-03-09T23:00:00Z', '2026-03-10T00:00:00Z'];
    const side = (rows: Parameters<typeof answer>[0], more: Partial<Comparison> = {}): Comparison => {
      const times = rows.map(() => came);
      const totals = { energyImportedKwh: 100, otherEnergyImportedKwh: 100 };
      return { ...answer(rows), times, otherTimes: times, totals, ...more };
    };
    const lacking: Parameters<typeof answer>[0] = [
      [0, 0, 50, null],
      [1, 0, 50, 50],
    ];
    expect(isPartlyMeasured(side(lacking))).toBe(true);
    expect(isPartlyMeasured(side([[0, 0, null, 11]]))).toBe(true);
    expect(isPartlyMeasured(side([[0, 0, 9, null]]))).toBe(false);
    expect(isPartlyMeasured(side(lacking, { otherTimes: [null, came] }))).toBe(false);
    expect(isPartlyMeasured(side(lacking, { running: [true, false] }))).toBe(false);
    expect(isPartlyMeasured(side(lacking, { times: [toCome, came] })), 'the rest of today').toBe(false);
  });
});

describe('the energy of both sides', () => {
  const sums = (compared: Comparison) =>
    comparedSums(compared).map(({ id, energyKwh, otherEnergyKwh, waitsFor }) => [
      id,
      energyKwh,
      otherEnergyKwh,
      waitsFor,
    ]);
  const rows = answer([
    [0, 0, 4, 3],
    [1, 0, 1, 5],
    [2, 0, null, 6],
  ]);
  const added = {
    totals: { energyImportedKwh: 5, otherEnergyImportedKwh: 14 },
    common: { rowCount: 1, energyImportedKwh: 4, otherEnergyImportedKwh: 3 },
  };

  it('is compared up to the same time; each total is also shown', () => {
    expect(sums({ ...rows, ...added, running: [false, true, false] })).toEqual([
      ['soFar', 4, 3, undefined],
      ['all', 5, 14, 'end'],
    ]);
    expect(sums({ ...rows, ...added })).toEqual([
      ['common', 4, 3, undefined],
      ['all', 5, 14, null],
    ]);
  });

  it('is unknown if nothing of a side is known, such as a week that has not begun', () => {
    const totals = { energyImportedKwh: 0, otherEnergyImportedKwh: 6 };
    expect(sums({ ...answer([[0, 0, null, 6]]), totals })).toEqual([
      ['common', null, null, undefined],
      ['all', null, 6, null],
    ]);
  });
});

it('differences have the unit of the largest of them, which may be far smaller than the compared values', () => {
  const rows = [
    { energyKwh: 250_000, otherEnergyKwh: 249_995 },
    { energyKwh: 100_000, otherEnergyKwh: 251_000, waitsFor: 'end' as const },
    { energyKwh: null, otherEnergyKwh: 240_000 },
  ];
  expect(largestOf(rows)).toEqual({ kwh: 251_000, changeKwh: 5 });
});

describe('the requests', () => {
  it('ask for the costs of the same part of both if a range is running; the curve is whole', () => {
    const asked = compareWire({ range: 'this-week' }, zone, nowMs, 'cost');
    expect([asked.fromDate, asked.toDate, asked.until]).toEqual([
      '2026-11-16',
      '2026-11-23',
      '2026-11-18T12:00:00.000Z',
    ]);
    expect([asked.otherFromDate, asked.otherUntil]).toEqual(['2026-11-09', '2026-11-11T12:00:00.000Z']);
    const whole = compareWire({ range: 'this-week' }, zone, nowMs);
    expect([whole.until, whole.otherUntil, whole.timeZone]).toEqual([undefined, undefined, zone]);
    expect(compareWire({ range: 'last-week' }, zone, nowMs, 'cost').until).toBeUndefined();
    // Up to the latest readings; a week without any, up to now.
    const arrived = (untilMs: number) => compareWire({ range: 'this-week' }, zone, nowMs, 'cost', untilMs);
    expect(arrived(nowMs - 900_000).until).toBe(new Date(nowMs - 900_000).toISOString());
    expect(arrived(nowMs - 8 * 86_400_000)).toEqual(asked);
  });
});

const first = Date.parse('2026-10-25T00:00:00Z');

describe('both sides on one axis', () => {
  it('the repeated autumn hour shares its place: buckets ascend and do not overlap', () => {
    const data = comparedData(
      answer([
        [0, 60, 1, 1],
        [0, 120, 2, 2],
        [0, 120, 3, null],
        [0, 180, 4, 4],
      ]),
      first,
      ['a', 'b'],
    );
    expect(data.startsMs.map((start) => (start - first) / 60_000)).toEqual([60, 120, 150, 180]);
    expect(data.endsMs.map((end) => (end - first) / 60_000)).toEqual([120, 150, 180, 240]);
    expect(data.series.map(({ name, values, isBehind }) => [name, values[2], isBehind])).toEqual([
      ['a', 3, undefined],
      ['b', null, true],
    ]);
  });

  it('a table has days, or the hours of two days; values that one side lacks stay unknown', () => {
    const days = comparedParts(
      answer([
        [-1, 0, null, 5],
        [0, 0, 1, 2],
        [0, 60, 3, null],
        [1, 0, 4, 4],
      ]),
    );
    expect(days.map((part) => [part.energyKwh, part.otherEnergyKwh])).toEqual([
      [null, 5],
      [4, 2],
      [4, 4],
    ]);
    const hours = comparedParts(
      answer([
        [0, 120, 2, 2],
        [0, 120, 3, null],
        [0, 180, null, 1],
      ]),
    );
    // docs/energy.md: the hour that occurred a second time is a row of one range only.
    expect(hours.map((part) => [part.energyKwh, part.otherEnergyKwh])).toEqual([
      [2, 2],
      [3, null],
      [null, 1],
    ]);
    const quarters = comparedParts(
      answer([
        [0, 120, 1, 1],
        [0, 135, 1, 1],
        [0, 120, 5, null],
        [0, 135, 5, null],
      ]),
    );
    expect(quarters.map((part) => [part.energyKwh, part.otherEnergyKwh])).toEqual([
      [2, 2],
      [10, null],
    ]);
    const halfPast = comparedParts({
      ...answer([
        [0, 105, 2, 2],
        [0, 120, 3, 3],
        [0, 135, 1, 4],
      ]),
      running: [false, false, true],
    });
    expect(halfPast.map(({ waitsFor }) => waitsFor)).toEqual([null, 'end']);
  });

  it('a completed range without its last readings is not shown as running', () => {
    const rows = answer([
      [0, 0, 1, 1],
      [0, 45, 1, 1],
      [0, 60, 1, 1],
      [0, 120, 1, 1],
      [0, 135, 1, 1],
    ]);
    const late = comparedParts({
      ...rows,
      running: [false, true, true, true, true],
      late: [false, true, true, true, false],
    });
    expect(late.map(({ waitsFor }) => waitsFor)).toEqual(['readings', 'readings', 'end']);
    const sums = comparedSums({
      ...rows,
      running: [false, false, true, true, true],
      late: rows.running.map(() => true),
    });
    expect(sums.map(({ id, waitsFor }) => [id, waitsFor])).toEqual([
      ['soFar', undefined],
      ['all', 'readings'],
    ]);
  });

  it('shorter ranges have finer buckets, by the longer of the two', () => {
    const days = (count: number) => ({ fromMs: 0, toMs: count * 86_400_000 });
    expect([
      compareBucket(days(1), days(1)),
      compareBucket(days(1), days(7)),
      compareBucket(days(366), days(7)),
    ]).toEqual(['15min', 'hour', 'day']);
  });
});
