import { describe, expect, it } from 'vitest';
import type { BucketedRow } from '../../../../shared/measurements.ts';
import { autoEnergyBucket, energyData, partsOfOthers, possibleEnergyBuckets, totalOf } from './energy-data.ts';
import type { SeriesAnswer } from './queries.ts';
import { bucketedRowAt } from './test-rows.ts';

const row = (time: string, energyImportedKwh: number, energyExportedKwh = 0) =>
  bucketedRowAt(time, { energyImportedKwh, energyExportedKwh });
const at = (text: string) => Date.parse(text);
const answer = (deviceId: string, rows: BucketedRow[], isCalendar = true): SeriesAnswer => ({
  deviceId,
  range: { fromMs: at('2026-02-28T23:00:00Z'), toMs: at('2026-04-30T22:00:00Z') },
  isCalendar,
  bucket: 'day',
  rows,
});
const berlin = {
  quantity: 'energyImported',
  timeZone: 'Europe/Berlin',
  zoneOf: () => 'Europe/Berlin',
  nameOf: (id: string) => id.toUpperCase(),
} as const;

describe('energy by interval', () => {
  it('adds the days of each month up, however long they are', () => {
    const rows = [
      row('2026-02-28T23:00:00Z', 1.25),
      // The day of 23 hours.
      row('2026-03-28T23:00:00Z', 2.5),
      row('2026-03-30T22:00:00Z', 4),
      row('2026-03-31T22:00:00Z', 8),
    ];
    const data = energyData([answer('a', rows)], { ...berlin, bucket: 'month' });
    expect(data.series).toEqual([{ id: 'a', name: 'A', values: [7.75, 8] }]);
    expect(data.startsMs).toEqual([at('2026-02-28T23:00:00Z'), at('2026-03-31T22:00:00Z')]);
    expect(data.endsMs).toEqual([at('2026-03-31T22:00:00Z'), at('2026-04-30T22:00:00Z')]);
  });

  it('puts the days of sites with other clocks at their date', () => {
    const zoneOf = (id: string) => (id === 'a' ? 'Europe/Berlin' : 'America/New_York');
    const answers = [answer('a', [row('2026-03-09T23:00:00Z', 1)]), answer('b', [row('2026-03-10T04:00:00Z', 2)])];
    const data = energyData(answers, { ...berlin, zoneOf, bucket: 'day' });
    expect(data.startsMs).toEqual([at('2026-03-09T23:00:00Z')]);
    expect(data.series.map(({ values }) => values)).toEqual([[1], [2]]);
  });

  it('leaves out who has none in that direction, and tells nothing where nothing is known', () => {
    const rows = [row('2026-03-01T10:00:00Z', 0, 3), row('2026-03-01T10:15:00Z', 0, 0)];
    const answers = [answer('a', rows), answer('b', [row('2026-03-01T10:30:00Z', 5)])];
    const data = energyData(answers, { ...berlin, quantity: 'energyExported', bucket: '15min' });
    expect(data.series).toEqual([{ id: 'a', name: 'A', values: [3, 0] }]);
    const both = energyData([answer('a', rows.slice(0, 1)), answer('b', [row('2026-03-01T10:30:00Z', 5, 1)])], {
      ...berlin,
      quantity: 'energyExported',
      bucket: '15min',
    });
    expect(both.series.map(({ values }) => values)).toEqual([
      [3, null],
      [null, 1],
    ]);
  });

  it('cuts the first and the last interval where the range does, but for days of calendars', () => {
    const cut = { fromMs: at('2026-03-01T10:20:00Z'), toMs: at('2026-03-01T11:40:00Z') };
    const rows = [row('2026-03-01T10:00:00Z', 1), row('2026-03-01T11:00:00Z', 2)];
    const data = energyData([{ ...answer('a', rows, false), range: cut }], { ...berlin, bucket: 'hour' });
    expect([data.startsMs[0], data.endsMs[1]]).toEqual([cut.fromMs, cut.toMs]);
  });
});

describe('the total under the bars', () => {
  it('counts sub-meters in their main meter, also with one between them that is not shown', () => {
    const parentOf = new Map([
      ['main', null],
      ['between', 'main'],
      ['sub', 'between'],
      ['other', null],
    ]);
    expect(partsOfOthers(['main', 'sub', 'other'], parentOf)).toEqual(new Set(['sub']));
    expect(partsOfOthers(['sub', 'other'], parentOf)).toEqual(new Set());
    const data = energyData(
      ['main', 'sub', 'other'].map((id) => answer(id, [row('2026-03-01T10:00:00Z', 2)])),
      { ...berlin, bucket: '15min' },
    );
    expect(totalOf(data, (id) => id !== 'sub')).toBe(4);
  });

  it('ends with a circle of parents, which a fleet may have sent', () => {
    const circle = new Map([
      ['a', 'b'],
      ['b', 'a'],
    ]);
    expect(partsOfOthers(['a'], circle)).toEqual(new Set());
  });
});

describe('the interval', () => {
  const days = (count: number) => ({ fromMs: 0, toMs: count * 86_400_000 });

  it.each([
    [1, '15min'],
    [7, 'hour'],
    [31, 'day'],
    [365, 'month'],
  ] as const)('of %i days is chosen so that the bars can be told apart', (count, bucket) => {
    expect(autoEnergyBucket(days(count))).toBe(bucket);
  });

  it('is never so fine that the bars cannot be drawn', () => {
    expect(possibleEnergyBuckets(days(31))).toEqual(['15min', 'hour', 'day', 'month']);
    expect(possibleEnergyBuckets(days(365))).toEqual(['day', 'month']);
    expect(possibleEnergyBuckets(days(36_500))).toEqual(['month']);
  });
});
