import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadCurve } from '../../shared/dashboard.ts';
import { bucketedRow, rawMeasurementsPage } from '../../shared/measurements.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice, createSite } from '../support/sites.ts';

const portal = appOfFile();
let admin = { cookie: '' };
const devices = { berlin: '', second: '', kolkata: '', chicago: '' };

const get = (path: string, query: Record<string, string>) =>
  portal.app.inject({ method: 'GET', url: path, query, headers: admin });
const raw = async (query: Record<string, string>) => {
  const answer = await get('/api/measurements/raw', { ...june, ...query });
  expect(answer.statusCode).toBe(200);
  return rawMeasurementsPage.parse(answer.json());
};
const bucketed = async (query: Record<string, string>) => {
  const answer = await get('/api/measurements', query);
  expect(answer.statusCode, answer.body).toBe(200);
  return z.array(bucketedRow).parse(answer.json());
};
const errorOf = async (path: string, query: Record<string, string>) => {
  const answer = await get(path, query);
  return [answer.statusCode, answer.json<{ error: string }>().error] as const;
};

const june = { from: '2026-06-01T00:00:00Z', to: '2026-06-02T00:00:00Z' };
const at = (minute: number) => new Date(Date.UTC(2026, 5, 1) + minute * 60_000).toISOString();

beforeAll(async () => {
  admin = await portal.signIn();
  const session = { app: portal.app, headers: admin };
  const berlin = await createSite(session, { name: 'Berlin', timeZone: 'Europe/Berlin' });
  const kolkata = await createSite(session, { name: 'Kolkata', timeZone: 'Asia/Kolkata' });
  const chicago = await createSite(session, { name: 'Chicago', timeZone: 'America/Chicago' });
  devices.berlin = await createDevice(session, berlin, { externalId: 'b-1', name: 'Main' });
  devices.second = await createDevice(session, berlin, { externalId: 'b-2', name: 'Second' });
  devices.kolkata = await createDevice(session, kolkata, { externalId: 'k-1' });
  devices.chicago = await createDevice(session, chicago, { externalId: 'c-1' });
  const rows = [
    ...Array.from({ length: 1440 }, (_, minute) => ({
      externalId: 'b-1',
      time: at(minute),
      activePowerKw: minute / 100,
    })),
    ...Array.from({ length: 600 }, (_, minute) => ({
      externalId: 'b-2',
      time: at(minute),
      activePowerKw: -1,
      voltageV: 230,
    })),
  ];
  const delivered = await portal.app.inject({
    method: 'POST',
    url: '/api/ingest/measurements',
    payload: rows,
    headers: admin,
  });
  expect(delivered.json()).toMatchObject({ accepted: 2040, rejected: 0 });
});

const ingest = async (rows: object[]) => {
  const answer = await portal.app.inject({
    method: 'POST',
    url: '/api/ingest/measurements',
    payload: rows,
    headers: admin,
  });
  expect(answer.json()).toMatchObject({ accepted: rows.length });
};

describe('measurement rules 2 and 3: ranges and device ids', () => {
  it.each(['/api/measurements', '/api/measurements/raw'])(
    'Rule 2, %s: to not after from is 400 and says so',
    async (path) => {
      const query = { deviceId: devices.berlin, bucket: 'hour', from: june.to };
      expect(await errorOf(path, { ...query, to: june.from })).toEqual([
        400,
        expect.stringContaining('to must be after from'),
      ]);
      expect(await errorOf(path, { ...query, to: june.to })).toEqual([
        400,
        expect.stringContaining('to must be after from'),
      ]);
    },
  );

  it.each([
    ['from', { to: june.to }],
    ['to', { from: june.from }],
    ['from', { from: '2026-06-01T00:00:00', to: june.to }],
    ['to', { from: june.from, to: 'tomorrow' }],
    ['from', { from: '', to: june.to }],
  ])('a missing or unreadable %s is 400 and named', async (field, query) => {
    expect(await errorOf('/api/measurements/raw', query)).toEqual([
      400,
      expect.stringMatching(new RegExp(`^${field} is `)),
    ]);
  });

  it('a plus sign that arrives as a space is still an offset', async () => {
    expect(await raw({ from: '2026-06-01T02:00:00 02:00' })).toMatchObject({ totalCount: 2040 });
  });

  it('Rule 3: an item that is not a GUID is 400 and named', async () => {
    const [status, error] = await errorOf('/api/measurements/raw', {
      ...june,
      deviceIds: `${devices.berlin}, nonsense ,`,
    });
    expect(status).toBe(400);
    expect(error).toContain('"nonsense"');
  });

  it('Rule 3: empty or absent means all devices; items are trimmed, empty ones dropped; unknown ids match nothing', async () => {
    expect((await raw({})).totalCount).toBe(2040);
    expect((await raw({ deviceIds: '' })).totalCount).toBe(2040);
    expect((await raw({ deviceIds: ' , ,' })).totalCount).toBe(2040);
    expect((await raw({ deviceIds: ` ${devices.second.toUpperCase()} ,, ` })).totalCount).toBe(600);
    expect((await raw({ deviceIds: `${devices.second},${devices.second}` })).totalCount).toBe(600);
    expect((await raw({ deviceIds: '00000000-0000-0000-0000-000000000000' })).totalCount).toBe(0);
  });
});

describe('measurement rule 4: raw pages', () => {
  it.each([
    ['1', 1],
    ['1000', 1000],
    ['0', 200],
    ['1001', 200],
    ['-5', 200],
    ['10.5', 200],
    ['abc', 200],
    ['', 200],
  ])('limit %j counts as %d', async (limit, used) => {
    const page = await raw({ limit });
    expect([page.limit, page.rows.length]).toEqual([used, used]);
  });

  it('limit and offset default to 200 and 0', async () => {
    expect(await raw({})).toMatchObject({ limit: 200, offset: 0, totalCount: 2040 });
  });

  it.each([
    ['7', 7],
    ['0', 0],
    ['-1', 0],
    ['x', 0],
  ])('offset %j counts as %d', async (offset, used) => {
    expect((await raw({ offset })).offset).toBe(used);
  });

  it('newest first, in a stable order; all pages together are all rows, each once', async () => {
    const rows = [];
    for (let offset = 0; offset < 2040; offset += 170) {
      rows.push(...(await raw({ offset: String(offset), limit: '170' })).rows);
    }
    const keys = rows.map((row) => `${row.time} ${row.deviceName}`);
    expect(new Set(keys).size).toBe(2040);
    expect(rows.map((row) => row.time)).toEqual(
      rows
        .map((row) => row.time)
        .toSorted()
        .toReversed(),
    );
    expect(rows.slice(0, 170)).toEqual((await raw({ limit: '170' })).rows);
  });

  it('the last page ends with the oldest row, and a page past the end has only the count', async () => {
    expect((await raw({ offset: '2039' })).rows.map((row) => [row.time, row.deviceName])).toEqual([
      ['2026-06-01T00:00:00Z', 'Second'],
    ]);
    expect(await raw({ offset: '2040' })).toMatchObject({ totalCount: 2040, rows: [] });
    expect(await raw({ offset: '99999999999999999999' })).toMatchObject({ rows: [] });
  });

  it('the range is half-open', async () => {
    expect(await raw({ from: at(10), to: at(11), deviceIds: devices.berlin })).toMatchObject({
      totalCount: 1,
      rows: [{ time: '2026-06-01T00:10:00Z' }],
    });
  });

  it('a row has the names of its device and site', async () => {
    const page = await raw({ deviceIds: devices.second, limit: '1' });
    expect(page.rows[0]).toEqual({
      time: '2026-06-01T09:59:00Z',
      deviceName: 'Second',
      siteName: 'Berlin',
      activePowerKw: -1,
      reactivePowerKvar: null,
      apparentPowerKva: null,
      powerFactor: null,
      voltageV: 230,
      frequencyHz: null,
      energyImportedKwh: null,
      energyExportedKwh: null,
    });
  });
});

describe('GET /api/measurements: buckets', () => {
  it('Rule 1: another bucket is 400 and lists the valid ones', async () => {
    for (const bucket of ['week', '', 'HOUR']) {
      expect(await errorOf('/api/measurements', { ...june, deviceId: devices.berlin, bucket })).toEqual([
        400,
        expect.stringContaining('bucket must be one of minute, 5min, 15min, hour, day'),
      ]);
    }
  });

  it('Rule 1 is checked before a missing range', async () => {
    expect(await errorOf('/api/measurements', { bucket: 'week' })).toEqual([
      400,
      expect.stringContaining('bucket must be one of'),
    ]);
  });

  it.each(['minute', 'day'])('the years 1 and 9999 by %s are ranges like any other', async (bucket) => {
    const query = { deviceId: devices.berlin, bucket };
    expect(await bucketed({ ...query, from: '0001-01-01T00:00:00Z', to: '0001-01-02T00:00:00Z' })).toEqual([]);
    expect(await bucketed({ ...query, from: '9999-12-31T00:00:00Z', to: '9999-12-31T23:59:59Z' })).toEqual([]);
    expect((await raw({ from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59.999999Z' })).totalCount).toBeGreaterThan(
      2039,
    );
  });

  it('a year that four digits cannot write is 400', async () => {
    expect(await errorOf('/api/measurements/raw', { ...june, from: '0000-01-01T00:00:00Z' })).toEqual([
      400,
      expect.stringMatching(/^from is /),
    ]);
    expect(await errorOf('/api/measurements/raw', { ...june, to: '9999-12-31T23:59:59-14:00' })).toEqual([
      400,
      expect.stringMatching(/^to is /),
    ]);
  });

  it('an average has no noise digit', async () => {
    const powers = [2.1, 2.2, 2.2, 2.2, 2.3, 2.3];
    await ingest(
      powers.map((activePowerKw, minute) => ({
        externalId: 'k-1',
        time: `2026-04-01T00:0${minute}:00Z`,
        activePowerKw,
      })),
    );
    const [row] = await bucketed({
      from: '2026-04-01T00:00:00Z',
      to: '2026-04-01T00:30:00Z',
      deviceId: devices.kolkata,
      bucket: '15min',
    });
    expect(row?.activePowerKw).toBe(13.3 / 6);
  });

  it('a missing deviceId is 400, an invalid or unknown one 404', async () => {
    const query = { ...june, bucket: 'hour' };
    expect((await errorOf('/api/measurements', query))[0]).toBe(400);
    expect((await errorOf('/api/measurements', { ...query, deviceId: 'x' }))[0]).toBe(404);
    expect(
      (await errorOf('/api/measurements', { ...query, deviceId: '00000000-0000-0000-0000-000000000000' }))[0],
    ).toBe(404);
  });

  it('averages, minimum, maximum, samples and energy of each bucket', async () => {
    const rows = await bucketed({ ...june, deviceId: devices.berlin, bucket: 'hour' });
    expect(rows).toHaveLength(24);
    expect(rows[2]).toMatchObject({
      time: '2026-06-01T02:00:00Z',
      samples: 60,
      activePowerKw: 1.495,
      activePowerKwMin: 1.2,
      activePowerKwMax: 1.79,
      voltageV: null,
      // The power rises evenly from 1.2 to 1.8 kW.
      energyImportedKwh: 1.5,
    });
  });

  it.each([
    ['minute', 1440],
    ['5min', 288],
    ['15min', 96],
    ['hour', 24],
    ['day', 2],
  ])('bucket %s', async (bucket, count) => {
    const rows = await bucketed({ ...june, deviceId: devices.berlin, bucket });
    expect(rows).toHaveLength(count);
    expect(rows.reduce((sum, row) => sum + row.samples, 0)).toBe(1440);
  });

  it('a bucket that the range cuts counts only the part inside, and keeps its start', async () => {
    const [first] = await bucketed({ from: at(7), to: at(20), deviceId: devices.berlin, bucket: '15min' });
    expect(first).toMatchObject({ time: '2026-06-01T00:00:00Z', samples: 8, activePowerKwMin: 0.07 });
  });

  it('buckets without a sample are left out', async () => {
    expect(await bucketed({ ...june, deviceId: devices.second, bucket: 'hour' })).toHaveLength(10);
    expect(await bucketed({ ...june, deviceId: devices.kolkata, bucket: 'minute' })).toEqual([]);
  });

  it.each(['minute', '5min', '15min', 'hour', 'day'])('a device without readings has none by %s', async (bucket) => {
    const session = { app: portal.app, headers: admin };
    const siteId = await createSite(session);
    const deviceId = await createDevice(session, siteId, { externalId: `new-${bucket}` });
    const range = { from: june.from, to: at(60), bucket };
    expect(await bucketed({ ...range, deviceId })).toEqual([]);
    const answer = await get('/api/dashboard/load-curve', { ...range, deviceIds: deviceId, groupBy: 'total' });
    expect(answer.statusCode, answer.body).toBe(200);
    const { series } = loadCurve.parse(answer.json());
    expect(
      series.flatMap(({ averagePowerKw, energyImportedKwh }) => [...averagePowerKw, ...energyImportedKwh]),
    ).toEqual(Array(2 * (series[0]?.averagePowerKw.length ?? 0)).fill(null));
  });

  it('day is the local day of the site, with its clock changes; hour starts at half past in UTC in a half-hour zone', async () => {
    const hours = Array.from({ length: 49 }, (_, hour) =>
      new Date(Date.UTC(2026, 2, 7, 6) + hour * 3.6e6).toISOString(),
    );
    await ingest(hours.map((time) => ({ externalId: 'c-1', time, activePowerKw: 1 })));
    const days = await bucketed({
      from: '2026-03-07T00:00:00Z',
      to: '2026-03-10T00:00:00Z',
      deviceId: devices.chicago,
      bucket: 'day',
    });
    expect(days.map((day) => [day.time, day.samples])).toEqual([
      ['2026-03-07T06:00:00Z', 24],
      ['2026-03-08T06:00:00Z', 23],
      ['2026-03-09T05:00:00Z', 2],
    ]);
    await ingest([at(29), at(30)].map((time) => ({ externalId: 'k-1', time, activePowerKw: 1 })));
    const local = await bucketed({ ...june, deviceId: devices.kolkata, bucket: 'hour' });
    expect(local.map((hour) => [hour.time, hour.samples])).toEqual([
      ['2026-05-31T23:30:00Z', 1],
      ['2026-06-01T00:30:00Z', 1],
    ]);
  });

  it('power factor comes from the sums of P and Q, with Q from P and the power factor if only those were sent', async () => {
    await ingest([
      { externalId: 'k-1', time: '2026-05-01T00:00:00Z', activePowerKw: 3, reactivePowerKvar: 4 },
      { externalId: 'k-1', time: '2026-05-01T00:01:00Z', activePowerKw: 9, powerFactor: 0.9 },
      { externalId: 'k-1', time: '2026-05-01T00:02:00Z', activePowerKw: 100 },
    ]);
    const [row] = await bucketed({
      from: '2026-05-01T00:00:00Z',
      to: '2026-05-01T01:00:00Z',
      deviceId: devices.kolkata,
      bucket: 'hour',
    });
    const reactive = 4 + 10 * Math.sqrt(1 - 0.81);
    expect(row?.powerFactor).toBeCloseTo(12 / Math.hypot(12, reactive), 9);
  });

  it('more than 50,000 buckets: 400 that names the next coarser one', async () => {
    const query = { deviceId: devices.berlin, from: '2026-01-01T00:00:00Z', to: '2026-02-05T00:00:00Z' };
    expect(await errorOf('/api/measurements', { ...query, bucket: 'minute' })).toEqual([
      400,
      expect.stringContaining('bucket 5min'),
    ]);
    expect(await bucketed({ ...query, bucket: '5min' })).toEqual([]);
    // 34 days, 17 hours and 20 minutes are 50,000 minutes.
    expect(await bucketed({ ...query, to: '2026-02-04T17:20:00Z', bucket: 'minute' })).toEqual([]);
    expect(await errorOf('/api/measurements', { ...query, to: '2026-02-04T17:21:00Z', bucket: 'minute' })).toEqual([
      400,
      expect.stringContaining('50001 buckets'),
    ]);
    expect(await errorOf('/api/measurements', { ...query, from: '1800-01-01T00:00:00Z', bucket: 'day' })).toEqual([
      400,
      expect.stringContaining('shorter range'),
    ]);
  });
});

describe('many readings are read in parts', () => {
  const from = Date.UTC(2026, 6, 1);
  const instant = (second: number) => new Date(from + second * 1000).toISOString();

  it('a range by minute equals its hours by minute', async () => {
    const id = await createDevice(
      { app: portal.app, headers: admin },
      await createSite({ app: portal.app, headers: admin }, { name: 'Lab' }),
      { externalId: 'seconds' },
    );
    const rows = Array.from({ length: 3 * 10_800 }, (_, second) => ({
      externalId: 'seconds',
      time: instant(second),
      activePowerKw: second % 97,
      energyImportedKwh: second / 50,
    }));
    for (let at = 0; at < rows.length; at += 10_800) {
      const payload = rows.slice(at, at + 10_800);
      const url = '/api/ingest/measurements';
      expect((await portal.app.inject({ method: 'POST', url, payload, headers: admin })).statusCode).toBe(200);
    }
    const asked = { deviceId: id, bucket: 'minute' };
    const ofHour = (hour: number) => bucketed({ ...asked, from: instant(hour * 3600), to: instant((hour + 1) * 3600) });
    const byHour = (await Promise.all(Array.from({ length: 9 }, (_, hour) => ofHour(hour)))).flat();
    expect(await bucketed({ ...asked, from: instant(0), to: instant(9 * 3600) })).toEqual(byHour);
  });
});
