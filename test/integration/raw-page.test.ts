import { beforeAll, describe, expect, it } from 'vitest';
import { rawMeasurementsPage } from '../../shared/measurements.ts';
import type { TestApp } from '../support/app.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { materializeAll } from '../support/energy-rollup.ts';
import { createDevice, createSite } from '../support/sites.ts';

const start = Date.parse('2026-02-26T09:07:00Z');
const minute = 60_000;
const count = 3;

const portal = appOfFile();
let session: { app: TestApp['app']; headers: { cookie: string } };
const devices: string[] = [];
/** Every row, newest first, sorted by device within a time: all pages together. */
let expected: { time: string; deviceName: string; activePowerKw: number }[] = [];

async function deliver(rows: readonly { at: number; device: number }[]) {
  const payload = rows.map(({ at, device }) => ({
    externalId: `meter-${device}`,
    time: new Date(start + at * minute).toISOString(),
    activePowerKw: (at * 7 + device) % 100,
  }));
  const answer = await portal.app.inject({
    method: 'POST',
    url: '/api/ingest/measurements',
    payload,
    headers: session.headers,
  });
  expect(answer.json()).toMatchObject({ accepted: rows.length });
}

async function page(query: Record<string, string | number>) {
  const url = '/api/measurements/raw';
  const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const answer = await portal.app.inject({ method: 'GET', url, query: texts, headers: session.headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return rawMeasurementsPage.parse(answer.json());
}

const within = (from: string, to: string, names: readonly string[]) =>
  expected.filter((row) => row.time >= from && row.time < to && names.includes(row.deviceName));
const shown = (rows: readonly { time: string; deviceName: string; activePowerKw: number | null }[]) =>
  rows.map(({ time, deviceName, activePowerKw }) => ({ time, deviceName, activePowerKw }));

beforeAll(async () => {
  session = { app: portal.app, headers: await portal.signIn() };
  const site = await createSite(session);
  for (let device = 0; device < count; device += 1) {
    devices.push(await createDevice(session, site, { externalId: `meter-${device}`, name: `Meter ${device}` }));
  }
  // Across the end of a month: each meter at its own interval, one of them silent for a day and a half.
  const rows = Array.from({ length: 4 * 1440 }, (_, at) => at).flatMap((at) =>
    Array.from({ length: count }, (_, device) => ({ at, device })).filter(
      ({ device }) => at % (device * 4 + 1) === 0 && !(device === 0 && at > 1000 && at < 3100),
    ),
  );
  const half = rows.filter((_, index) => index % 2 === 0);
  await deliver(half);
  const { rows: numbers } = await portal.database.query<{ number: number }>({
    text: 'SELECT number FROM monitoring.devices',
  });
  await materializeAll(
    portal.database,
    numbers.map(({ number }) => number),
  );
  // The other half is not materialized: late rows everywhere.
  await deliver(rows.filter((_, index) => index % 2 === 1));
  expected = rows
    .map(({ at, device }) => ({
      time: new Date(start + at * minute).toISOString().replace('.000Z', 'Z'),
      deviceName: `Meter ${device}`,
      activePowerKw: (at * 7 + device) % 100,
    }))
    .toSorted((a, b) => (a.time === b.time ? a.deviceName.localeCompare(b.deviceName) : a.time < b.time ? 1 : -1));
}, 60_000);

describe('GET /api/measurements/raw counts in the slots (specification, rule 4)', () => {
  const whole = { from: '2026-02-01T00:00:00Z', to: '2026-04-01T00:00:00Z' };

  it('totalCount is exact, and every page has the right rows, whether or not slots are materialized', async () => {
    const first = await page({ ...whole, limit: 1 });
    expect(first.totalCount).toBe(expected.length);
    for (const offset of [0, 1, 999, 1440, 3333, expected.length - 500, expected.length - 1]) {
      const { rows, totalCount } = await page({ ...whole, limit: 500, offset });
      expect(totalCount).toBe(expected.length);
      expect(shown(rows)).toEqual(expected.slice(offset, offset + 500));
    }
    expect((await page({ ...whole, offset: expected.length })).rows).toEqual([]);
  });

  it.each([
    ['a range that cuts a quarter-hour at both ends', '2026-02-26T11:03:00Z', '2026-03-01T02:58:00Z'],
    ['a range within a quarter-hour', '2026-02-27T10:16:00Z', '2026-02-27T10:29:00Z'],
    ['a range over the edge of a day that has no whole quarter-hour', '2026-02-26T23:58:00Z', '2026-02-27T00:09:00Z'],
    ['a range of whole days', '2026-02-27T00:00:00Z', '2026-03-01T00:00:00Z'],
    ['a range that ends before the first reading', '2026-02-01T00:00:00Z', '2026-02-26T09:07:00Z'],
  ])('%s', async (_, from, to) => {
    const own = within(from, to, ['Meter 0', 'Meter 1', 'Meter 2']);
    for (const offset of [0, 3, Math.floor(own.length / 2)]) {
      const { rows, totalCount } = await page({ from, to, limit: 50, offset });
      expect(totalCount).toBe(own.length);
      expect(shown(rows)).toEqual(own.slice(offset, offset + 50));
    }
  });

  it('some devices', async () => {
    const own = within(whole.from, whole.to, ['Meter 1', 'Meter 2']);
    const deviceIds = `${devices[1]},${devices[2]}`;
    const { rows, totalCount } = await page({ ...whole, deviceIds, limit: 100, offset: 700 });
    expect(totalCount).toBe(own.length);
    expect(shown(rows)).toEqual(own.slice(700, 800));
  });
});
