import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { listDayChecksums } from '../../server/energy/day-checksums.sql.ts';
import { type DayChecksum, reconcileResult } from '../../shared/push.ts';
import { createAdminApp, createTestApp, type TestApp } from '../support/app.ts';
import { copyToFleet, createCustomer } from '../support/fleet.ts';
import { hostileReadingsFrom } from '../support/hostile-readings.ts';
import { openMeters, usualRules } from '../support/meters.ts';

const start = Date.parse('2026-03-28T00:00:00Z') * 1000;
const days = { fromDate: '2026-03-28', toDate: '2026-04-03' };
const range = { fromMicros: start, toMicros: start + 6 * 86_400_000_000 };
const unknownId = '018f4ad0-0000-7000-8000-00000000ffff';

let client: TestApp;
let fleet: TestApp;
let deviceIds: string[];
let tokens: string[];
let customers: string[];

beforeAll(async () => {
  const options = { now: () => range.toMicros / 1000 };
  [client, fleet] = await Promise.all([createTestApp(options), createAdminApp(options)]);
  const meters = await openMeters(client);
  deviceIds = [];
  for (const [at, readings] of fc.sample(hostileReadingsFrom(start), { numRuns: 6, seed: 3 }).entries()) {
    const { id, externalId } = await meters.create(usualRules);
    const silence = {
      timeMicros: start + 5 * 86_400_000_000 + at,
      activePowerKw: 1,
      importedKwh: 1,
      exportedKwh: null,
    };
    await meters.deliver(externalId, [...readings, silence]);
    deviceIds.push(id);
  }
  const made = [await createCustomer(fleet, 'first'), await createCustomer(fleet, 'second')];
  [customers, tokens] = [made.map(({ id }) => id), made.map(({ token }) => token)];
  for (const id of customers) await copyToFleet(client, fleet, id, '2026-04-02T00:00:00Z');
}, 120_000);
afterAll(() => Promise.all([client.close(), fleet.close()]));

const ask = (payload: object, token = tokens[0]) =>
  fleet.app.inject({
    method: 'POST',
    url: '/api/fleet/reconcile',
    payload,
    headers: token === undefined ? {} : { 'x-customer-token': token },
  });
async function checksums(): Promise<DayChecksum[]> {
  const answer = await ask({ ...days, deviceIds: [...deviceIds, unknownId] });
  expect(answer.statusCode, answer.body).toBe(200);
  return reconcileResult.parse(answer.json()).days;
}
const ofFirst = (text: string, ...values: unknown[]) => fleet.database.query({ text }, [customers[0], ...values]);

it('the same rows have the same counts and checksums on both sides, in any time zone and date style', async () => {
  const own = await listDayChecksums(client.database, deviceIds, range);
  expect(own.length).toBeGreaterThan(deviceIds.length);
  expect(own.map(({ day }) => day)).toContain('2026-03-29');
  const odd = await client.database.session(async (session) => {
    await session.query({ text: `SET TimeZone = 'Asia/Kathmandu'; SET DateStyle = 'German'` });
    return listDayChecksums(session, deviceIds, range);
  });
  expect(odd).toEqual(own);
  expect(await checksums()).toEqual(own);
});

it('a checksum is that of the text that the API document describes', async () => {
  const [deviceId = ''] = deviceIds;
  const found = (await checksums()).find((one) => one.deviceId === deviceId && one.day === '2026-04-02');
  const text = `${start + 5 * 86_400_000_000},1000000,,,,,,1000000,`;
  expect(found).toMatchObject({ count: 1, checksum: createHash('md5').update(text).digest('hex') });
});

it('a row that is missing or differs in one quantity, even by null, shows only in its day', async () => {
  const before = await checksums();
  const [deviceId = ''] = deviceIds;
  const number = `(SELECT number FROM fleet.devices WHERE customer_id = $1 AND id = $2)`;
  const at = `customer_id = $1 AND device_number = ${number} AND time = '2026-04-02T00:00:00Z'`;
  for (const change of [
    `UPDATE fleet.measurements SET energy_imported_milliwatthours = 1000001 WHERE ${at}`,
    `UPDATE fleet.measurements SET energy_imported_milliwatthours = NULL, energy_exported_milliwatthours = 1000000 WHERE ${at}`,
    `DELETE FROM fleet.measurements WHERE ${at}`,
  ]) {
    await ofFirst(change, deviceId);
    const after = await checksums();
    const isSame = (one: DayChecksum) =>
      before.some(
        ({ checksum, deviceId: id, day }) => id === one.deviceId && day === one.day && checksum === one.checksum,
      );
    const changed = [...after.filter((one) => !isSame(one)), ...before.slice(after.length)];
    expect(changed).toHaveLength(1);
  }
  // The other customer has the same devices, and still has the row.
  const others = reconcileResult.parse((await ask({ ...days, deviceIds }, tokens[1])).json()).days;
  expect(others).toEqual(before);
});

test.each<[string, object, RegExp]>([
  [
    'too many days of devices',
    { fromDate: '2020-01-01', toDate: '2026-01-01' },
    /^deviceIds: 6 devices .* more than 1000/,
  ],
  ['all days that there are', { fromDate: '0001-01-01', toDate: '9999-12-31' }, /^deviceIds: 6 devices/],
  ['a billion days', { fromDate: '0001-01-01', toDate: '+2739909-01-01' }, /^toDate: must be a date/],
  ['a date that there is not', { fromDate: '2026-02-30' }, /^fromDate/],
  ['an empty range', { toDate: '2026-03-28' }, /^toDate must be after fromDate/],
  ['no devices', { deviceIds: [] }, /^deviceIds/],
  ['an id that is none', { deviceIds: ['x'] }, /^deviceIds/],
])('%s: 400 that names the field', async (_, change, message) => {
  const answer = await ask({ ...days, deviceIds, ...change });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ error: expect.stringMatching(message) });
});

it('the maximum number of devices fits into a body', async () => {
  const many = Array.from({ length: 500 }, () => crypto.randomUUID());
  const answer = await ask({ fromDate: '2026-04-01', toDate: '2026-04-03', deviceIds: many });
  expect(answer.json()).toEqual({ days: [] });
});

it('one comparison of a customer at a time, another waits, a third is 429 with Retry-After; other customers go on', async () => {
  const holding = fleet.database.transaction(async (tx) => {
    await tx.query({ text: 'LOCK TABLE fleet.measurements IN ACCESS EXCLUSIVE MODE' });
    const asked = { ...days, deviceIds };
    const own = [ask(asked), ask(asked), ask(asked)];
    const refused = await Promise.race(own);
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('10');
    expect(refused.json<{ error: string }>().error).toMatch(/Too many comparisons/);
    return [...own, ask(asked, tokens[1])];
  });
  const answers = await Promise.all(await holding);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 200, 429]);
  expect(answers.at(-1)?.statusCode).toBe(200);
});

it('a comparison may take as long as a person waits, so that a customer with endless rows does not block those of others', async () => {
  const connectionString = fleet.config.database.connectionString ?? '';
  await using hasty = await createAdminApp({ connectionString, share: { statementMs: 300, lockMs: 300 } });
  await fleet.database.transaction(async (tx) => {
    await tx.query({ text: 'LOCK TABLE fleet.measurements IN ACCESS EXCLUSIVE MODE' });
    const headers = { 'x-customer-token': tokens[0] };
    const payload = { ...days, deviceIds };
    const answer = await hasty.app.inject({ method: 'POST', url: '/api/fleet/reconcile', payload, headers });
    expect(answer.statusCode).toBe(503);
  });
});

it('without the token of an active customer: 401, before the body is read', async () => {
  for (const token of [undefined, '', 'x', 'f'.repeat(64)]) {
    const answer = await fleet.app.inject({
      method: 'POST',
      url: '/api/fleet/reconcile',
      payload: 'no JSON',
      headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { 'x-customer-token': token }) },
    });
    expect(answer.statusCode).toBe(401);
  }
  const headers = await fleet.signIn();
  const url = `/api/admin/customers/${customers[1]}`;
  await fleet.app.inject({ method: 'PUT', url, headers, payload: { name: 'Second', isActive: false } });
  expect((await ask({ ...days, deviceIds }, tokens[1])).statusCode).toBe(401);
});
