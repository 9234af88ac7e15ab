import { describe, expect, it } from 'vitest';
import type { BucketedRow, RawMeasurementRow } from '../../../../shared/measurements.ts';
import type { SeriesAnswer } from './queries.ts';
import { measuredQuantities } from './raw-columns.ts';
import { readMeasurementsSearch } from './search.ts';
import {
  seriesData,
  autoEnergyBucket,
  energyData,
  partsOfOthers,
  possibleEnergyBuckets,
  totalOf,
} from './series-data.ts';
import { byName, quantitiesWith } from '../../../../shared/quantities.ts';

/** A bucket of one reading that measured nothing, except for the given values. */
const row = (time: string, values: Partial<BucketedRow>): BucketedRow => ({
  time,
  samples: 1,
  activePowerKw: null,
  activePowerKwMin: null,
  activePowerKwMax: null,
  ...byName(quantitiesWith('mean', 'factor'), () => null),
  energyImportedKwh: 0,
  energyExportedKwh: 0,
  ...values,
});

const [one, two] = ['01a1fcaf-0564-7267-9ec0-556a9a4f8b78', '01a1fcaf-0568-7ace-840d-1e6613ebcaa2'];

describe('the URL of a view', () => {
  it('contains customer, devices, quantity, bucket and range', () => {
    const search = {
      customer: one,
      devices: `${one},${two}`,
      quantity: 'voltageV',
      bucket: 'hour',
      range: 'yesterday',
      tz: 'Asia/Seoul',
    };
    expect(readMeasurementsSearch(search)).toEqual(search);
    expect(readMeasurementsSearch({ devices: 'all' })).toEqual({ devices: 'all', range: 'last24h' });
    expect(readMeasurementsSearch({ range: 'today' })).toEqual({ range: 'today' });
  });

  it('opens with the valid parameters', () => {
    const search = {
      customer: 'acme',
      devices: `${one},nonsense,${one}`,
      quantity: 'colour',
      bucket: '7min',
      range: 'soon',
    };
    expect(readMeasurementsSearch(search)).toEqual({ range: 'unknown', devices: one });
    expect(readMeasurementsSearch({ devices: 'nonsense', quantity: 3 })).toEqual({ range: 'last24h' });
  });

  it('leaves the default quantity out', () => {
    expect(readMeasurementsSearch({ quantity: 'activePowerKw' })).toEqual({ range: 'last24h' });
  });
});

const [ten, eleven, twelve] = ['2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z', '2026-03-01T12:00:00Z'];
const answer = (deviceId: string, rows: BucketedRow[]): SeriesAnswer => ({
  deviceId,
  range: { fromMs: Date.parse(ten), toMs: Date.parse('2026-03-01T13:00:00Z') },
  isCalendar: false,
  bucket: 'hour',
  rows,
});

describe('the series of several devices', () => {
  it('cover the union of their buckets, null if one has none', () => {
    const data = seriesData(
      [
        answer('a', [row(ten, { voltageV: 1 }), row(twelve, { voltageV: 3 })]),
        answer('b', [row(eleven, { voltageV: 5 })]),
      ],
      'voltageV',
      'UTC',
      (id) => id,
    );
    expect(data.startsMs).toEqual([ten, eleven, twelve].map((time) => Date.parse(time)));
    expect(data.series.map(({ values }) => values)).toEqual([
      [1, null, 3],
      [null, 5, null],
    ]);
    expect(data.series[0]).not.toHaveProperty('lows');
  });

  it('have the band of active power', () => {
    const power = row(ten, { activePowerKw: 2, activePowerKwMin: 1, activePowerKwMax: 4 });
    const [series] = seriesData([answer('a', [power])], 'activePowerKw', 'UTC', (id) => id).series;
    expect(series).toEqual({ id: 'a', name: 'a', values: [2], lows: [1], highs: [4] });
  });

  it('leave out a device that did not measure the quantity', () => {
    const data = seriesData([answer('a', [row(ten, { activePowerKw: 2 })])], 'frequencyHz', 'UTC', (id) => id);
    expect(data.series).toEqual([]);
  });
});

describe('the columns of the readings', () => {
  const reading = (values: Partial<RawMeasurementRow>): RawMeasurementRow => ({
    deviceName: '',
    siteName: null,
    ...row(ten, {}),
    activePowerKw: 1,
    energyImportedKwh: null,
    energyExportedKwh: null,
    ...values,
  });
  const page = (...rows: RawMeasurementRow[]) => ({ totalCount: rows.length, limit: 200, offset: 0, rows });

  it('are the quantities that any row has, in the order of the wire', () => {
    const pages = [page(reading({ energyImportedKwh: 5 })), page(reading({ voltageV: 230 }))];
    expect(measuredQuantities(pages, ['activePowerKw'])).toEqual(['activePowerKw', 'voltageV', 'energyImportedKwh']);
  });

  it('stay once they have appeared', () => {
    const known = ['activePowerKw', 'voltageV'] as const;
    expect(measuredQuantities([page(reading({}))], known)).toBe(known);
  });
});

const energyRow = (time: string, energyImportedKwh: number, energyExportedKwh = 0) =>
  row(time, { energyImportedKwh, energyExportedKwh });
const at = (text: string) => Date.parse(text);
const energyAnswer = (deviceId: string, rows: BucketedRow[], isCalendar = true): SeriesAnswer => ({
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
  it('adds up the days of each month, whatever its length', () => {
    const rows = [
      energyRow('2026-02-28T23:00:00Z', 1.25),
      // The day of 23 hours.
      energyRow('2026-03-28T23:00:00Z', 2.5),
      energyRow('2026-03-30T22:00:00Z', 4),
      energyRow('2026-03-31T22:00:00Z', 8),
    ];
    const data = energyData([energyAnswer('a', rows)], { ...berlin, bucket: 'month' });
    expect(data.series).toEqual([{ id: 'a', name: 'A', values: [7.75, 8] }]);
    expect(data.startsMs).toEqual([at('2026-02-28T23:00:00Z'), at('2026-03-31T22:00:00Z')]);
    expect(data.endsMs).toEqual([at('2026-03-31T22:00:00Z'), at('2026-04-30T22:00:00Z')]);
  });

  it('puts the days of sites in other zones at their date', () => {
    const zoneOf = (id: string) => (id === 'a' ? 'Europe/Berlin' : 'America/New_York');
    const answers = [
      energyAnswer('a', [energyRow('2026-03-09T23:00:00Z', 1)]),
      energyAnswer('b', [energyRow('2026-03-10T04:00:00Z', 2)]),
    ];
    const data = energyData(answers, { ...berlin, zoneOf, bucket: 'day' });
    expect(data.startsMs).toEqual([at('2026-03-09T23:00:00Z')]);
    expect(data.series.map(({ values }) => values)).toEqual([[1], [2]]);
  });

  it('leaves out devices without energy in that direction, and shows nothing if nothing is known', () => {
    const rows = [energyRow('2026-03-01T10:00:00Z', 0, 3), energyRow('2026-03-01T10:15:00Z', 0, 0)];
    const answers = [energyAnswer('a', rows), energyAnswer('b', [energyRow('2026-03-01T10:30:00Z', 5)])];
    const data = energyData(answers, { ...berlin, quantity: 'energyExported', bucket: '15min' });
    expect(data.series).toEqual([{ id: 'a', name: 'A', values: [3, 0] }]);
    const both = energyData(
      [energyAnswer('a', rows.slice(0, 1)), energyAnswer('b', [energyRow('2026-03-01T10:30:00Z', 5, 1)])],
      {
        ...berlin,
        quantity: 'energyExported',
        bucket: '15min',
      },
    );
    expect(both.series.map(({ values }) => values)).toEqual([
      [3, null],
      [null, 1],
    ]);
  });

  it('cuts the first and the last interval at the range, except days of calendars', () => {
    const cut = { fromMs: at('2026-03-01T10:20:00Z'), toMs: at('2026-03-01T11:40:00Z') };
    const rows = [energyRow('2026-03-01T10:00:00Z', 1), energyRow('2026-03-01T11:00:00Z', 2)];
    const data = energyData([{ ...energyAnswer('a', rows, false), range: cut }], { ...berlin, bucket: 'hour' });
    expect([data.startsMs[0], data.endsMs[1]]).toEqual([cut.fromMs, cut.toMs]);
  });
});

describe('the total under the bars', () => {
  it('counts sub-meters in their main meter, even with a hidden one between them', () => {
    const parentOf = new Map([
      ['main', null],
      ['between', 'main'],
      ['sub', 'between'],
      ['other', null],
    ]);
    expect(partsOfOthers(['main', 'sub', 'other'], parentOf)).toEqual(new Set(['sub']));
    expect(partsOfOthers(['sub', 'other'], parentOf)).toEqual(new Set());
    const data = energyData(
      ['main', 'sub', 'other'].map((id) => energyAnswer(id, [energyRow('2026-03-01T10:00:00Z', 2)])),
      { ...berlin, bucket: '15min' },
    );
    expect(totalOf(data, (id) => id !== 'sub')).toBe(4);
  });

  it('stops at a circle of parents, which a fleet may have received', () => {
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
  ] as const)('of %i days is chosen so that the bars are distinguishable', (count, bucket) => {
    expect(autoEnergyBucket(days(count))).toBe(bucket);
  });

  it('is never so fine that the bars cannot be drawn', () => {
    expect(possibleEnergyBuckets(days(31))).toEqual(['15min', 'hour', 'day', 'month']);
    expect(possibleEnergyBuckets(days(365))).toEqual(['day', 'month']);
    expect(possibleEnergyBuckets(days(36_500))).toEqual(['month']);
  });
});
