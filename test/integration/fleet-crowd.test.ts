import { beforeAll, expect, test } from 'vitest';
import { customerDetail, type PagedList } from '../../shared/fleet.ts';
import { adminAppOfFile } from '../support/app-of-file.ts';
import { createCustomer } from '../support/fleet.ts';

const count = 20_000;
const idOf = (kind: number, n: number) => `018f4ad0-0000-7000-800${kind}-${String(n).padStart(12, '0')}`;

const fleet = adminAppOfFile();
let admin: { cookie: string };
let customer: { id: string; token: string };

beforeAll(async () => {
  admin = await fleet.signIn();
  // The planner's statistics then say that customers have few rows.
  for (let at = 0; at < 20; at += 1) {
    const small = await create(`small-${at}`);
    for (const [type, records] of sets)
      expect((await push(type, records.slice(at * 10, at * 10 + 10), small)).statusCode).toBe(200);
  }
  await fleet.database.query({ text: 'ANALYZE' });
  customer = await create('crowded');
});

const create = (code: string) => createCustomer(fleet, code, { headers: admin });

const push = (type: string, records: readonly object[], { token } = customer) =>
  fleet.app.inject({
    method: 'POST',
    url: '/api/fleet/ingest',
    headers: { 'content-type': 'application/json', 'x-customer-token': token, 'x-batch-type': type },
    payload: JSON.stringify(records),
  });

/** The answer to a request, and its duration in seconds. */
async function timed<T>(work: () => PromiseLike<T>): Promise<[T, number]> {
  const asked = performance.now();
  return [await work(), (performance.now() - asked) / 1000];
}

const towns = Array.from({ length: 2_000 }, (_, n) => ({ id: idOf(1, n), name: `Town ${n}`, timeZone: 'UTC' }));
const sites = Array.from({ length: count }, (_, n) => ({
  id: idOf(2, n),
  name: `Site ${n}`,
  municipalityId: idOf(1, n % towns.length),
}));
const devices = Array.from({ length: count }, (_, n) => ({
  id: idOf(3, n),
  siteId: idOf(2, n),
  name: `Device ${n}`,
  externalId: `d${n}`,
  isActive: true,
}));
const tariffs = towns.map(({ id }, n) => ({
  id: idOf(4, n),
  municipalityId: id,
  name: `Tariff ${n}`,
  currency: 'EUR',
  isActive: true,
  effectiveFrom: '2026-01-01',
  effectiveTo: null,
  defaultRatePerKwh: 0.3,
  fixedChargePerMonth: 10,
  vatPercent: 20,
  exportRatePerKwh: null,
  periods: [{ id: idOf(5, n), name: 'Day', daysOfWeek: 127, startTime: '06:00', endTime: '22:00', ratePerKwh: 0.4 }],
}));
const sets: readonly (readonly [type: string, records: readonly object[]])[] = [
  ['municipalities', towns],
  ['sites', sites],
  ['devices', devices],
  ['tariffs', tariffs],
];

test('rows with the same name have one order, so that each is on one page', async () => {
  const twins = await create('twins');
  const same = [6, 4, 5, 1, 3, 2];
  const ids = (kind: number) => same.toSorted().map((n) => idOf(kind, n));
  // Numbers in external ids are compared as numbers, so "01" and "1" are equal.
  const pushed: Record<string, readonly object[]> = {
    municipalities: same.map((n) => ({ id: idOf(1, n), name: 'Town', timeZone: 'UTC' })),
    sites: same.map((n) => ({ id: idOf(2, n), name: 'Site', municipalityId: idOf(1, n) })),
    devices: same.map((n) => ({
      id: idOf(3, n),
      siteId: idOf(2, n),
      name: 'Device',
      externalId: '1'.padStart(n, '0'),
    })),
  };
  for (const [type, records] of Object.entries(pushed))
    expect((await push(type, records, twins)).json()).toMatchObject({ accepted: same.length });
  const url = `/api/fleet/customers/${twins.id}/detail`;
  const detail = customerDetail.parse((await fleet.app.inject({ url, headers: admin })).json());
  expect(detail.municipalities.map(({ id }) => id)).toEqual(ids(1));
  expect(detail.sites.map(({ id }) => id)).toEqual(ids(2));
  expect(detail.devices.map(({ id }) => id)).toEqual(ids(3));
});

test('the largest full sets are stored in seconds, repeatedly, and records missing from the next are removed', async () => {
  for (const [type, records] of sets) {
    for (let round = 0; round < 2; round += 1) {
      const [answer, seconds] = await timed(() => push(type, records));
      expect(answer.json()).toEqual({ accepted: records.length, rejected: 0, errors: [] });
      expect(seconds).toBeLessThan(15);
    }
  }
  expect((await push('sites', sites.slice(1))).statusCode).toBe(200);
});

test('a customer of maximum size delays nobody: dashboard and its own page answer in seconds', async () => {
  const other = await create('other');
  const rows = Array.from({ length: count }, (_, n) => ({
    deviceId: idOf(3, n),
    time: '2026-03-10T10:00:00Z',
    activePowerKw: 1,
  }));
  expect((await push('measurements', rows)).statusCode).toBe(200);
  const [dashboard, seconds] = await timed(() => fleet.app.inject({ url: '/api/fleet/dashboard', headers: admin }));
  const listed = dashboard.json<{ customers: { id: string }[] }>().customers;
  // Customers that have never sent come first.
  expect(listed[0]?.id).toBe(other.id);
  expect(listed.find(({ id }) => id === customer.id)).toMatchObject({ deviceCount: count, siteCount: count - 1 });
  expect(seconds).toBeLessThan(15);
  const url = `/api/fleet/customers/${customer.id}`;
  const [detail, detailSeconds] = await timed(() => fleet.app.inject({ url: `${url}/detail`, headers: admin }));
  const counts = { sites: count - 1, devices: count, municipalities: towns.length, tariffs: tariffs.length };
  expect(detail.json()).toMatchObject({
    counts,
    sites: { length: 2_000 },
    devices: { length: 2_000 },
    municipalities: { length: 2_000 },
    tariffs: { length: 500 },
    measurements: { length: 50 },
  });
  expect(detailSeconds).toBeLessThan(15);
  // In one piece it was 30 MB, and 52 with four periods in each tariff.
  expect(detail.rawPayload.length).toBeLessThan(4e6);
  const pages = await Promise.all(
    [1, 2, 10, 11].map(async (page) =>
      customerDetail.parse((await fleet.app.inject({ url: `${url}/detail?page=${page}`, headers: admin })).json()),
    ),
  );
  const idsOf = (list: PagedList) => pages.flatMap((page) => page[list].map(({ id }) => id));
  expect(pages.map(({ sites: listed }) => listed.length)).toEqual([2_000, 2_000, 1_999, 0]);
  expect(new Set(idsOf('sites')).size).toBe(5_999);
  expect(new Set(idsOf('devices')).size).toBe(6_000);
  expect(pages.map((page) => page.tariffs.length)).toEqual([500, 500, 0, 0]);
  // By name, with 2 before 10.
  expect(pages[1]?.devices[0]?.name).toBe('Device 2000');
  // They took 30 s and more when the planner assumed that the new customer is as small as the others.
  for (const [list, length] of [
    ['sites', count - 1],
    ['sites/devices', count],
  ] as const) {
    const [answer, listSeconds] = await timed(() => fleet.app.inject({ url: `${url}/${list}`, headers: admin }));
    expect(answer.json()).toHaveLength(length);
    expect(listSeconds).toBeLessThan(15);
  }
});
