import { describe, expect, it } from 'vitest';
import type { BucketedRow, RawMeasurementRow } from '../../../../shared/measurements.ts';
import type { SeriesAnswer } from './queries.ts';
import { measuredQuantities } from './raw-columns.ts';
import { readMeasurementsSearch } from './search.ts';
import { seriesData } from './series-data.ts';
import { bucketedRowAt as row } from './test-rows.ts';

const [one, two] = ['01a1fcaf-0564-7267-9ec0-556a9a4f8b78', '01a1fcaf-0568-7ace-840d-1e6613ebcaa2'];

describe('the address of a view', () => {
  it('carries customer, devices, quantity, bucket and range', () => {
    const search = {
      customer: one,
      devices: `${one},${two}`,
      quantity: 'voltageV',
      bucket: 'hour',
      range: 'yesterday',
      tz: 'Asia/Seoul',
    };
    expect(readMeasurementsSearch(search)).toEqual(search);
    expect(readMeasurementsSearch({ devices: 'all' })).toEqual({ devices: 'all' });
  });

  it('opens with what is understood of it', () => {
    const search = {
      customer: 'acme',
      devices: `${one},nonsense,${one}`,
      quantity: 'colour',
      bucket: '7min',
      range: 'soon',
    };
    expect(readMeasurementsSearch(search)).toEqual({ range: 'unknown', devices: one });
    expect(readMeasurementsSearch({ devices: 'nonsense', quantity: 3 })).toEqual({});
  });

  it('leaves the default quantity out', () => {
    expect(readMeasurementsSearch({ quantity: 'activePowerKw' })).toEqual({});
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
  it('stand on the union of their buckets, null where one has none', () => {
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

  it('are the quantities that some row has, in the order of the wire', () => {
    const pages = [page(reading({ energyImportedKwh: 5 })), page(reading({ voltageV: 230 }))];
    expect(measuredQuantities(pages, ['activePowerKw'])).toEqual(['activePowerKw', 'voltageV', 'energyImportedKwh']);
  });

  it('stay once they are there', () => {
    const known = ['activePowerKw', 'voltageV'] as const;
    expect(measuredQuantities([page(reading({}))], known)).toBe(known);
  });
});
