import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clearDeletedCustomers } from '../../server/fleet/fleet-maintenance.ts';
import type { CustomerDetail } from '../../shared/fleet.ts';
import { createUser } from '../support/accounts.ts';
import { createAdminApp, createTestApp } from '../support/app.ts';
import { adminAppOfFile } from '../support/app-of-file.ts';
import { createCustomer } from '../support/fleet.ts';
import { createDevice, createSite } from '../support/sites.ts';

const start = Date.parse('2026-03-10T10:00:00Z');
const id = (n: number) => `018f4ad0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const minute = (n: number) => new Date(start - 3_600_000 + n * 60_000).toISOString();

let nowMs = start;
const fleet = adminAppOfFile({ now: () => nowMs, environment: { FleetIngest__MaxBatchesPerMinute: '1000' } });
let admin: { cookie: string };
let customer: Pushing;
let made = 0;

interface Pushing {
  id: string;
  token: string;
}
interface Answer {
  accepted: number;
  rejected: number;
  errors: { index: number; id: string | null; reason: string }[];
}

beforeAll(async () => {
  admin = await fleet.signIn();
});
beforeEach(async () => {
  nowMs = start;
  customer = await create();
});

const create = () => createCustomer(fleet, `customer-${(made += 1)}`, { headers: admin });

async function push(rows: unknown, { by = customer, type = 'measurements', to = fleet, headers = {} } = {}) {
  return to.app.inject({
    method: 'POST',
    url: '/api/fleet/ingest',
    headers: { 'content-type': 'application/json', 'x-customer-token': by.token, 'x-batch-type': type, ...headers },
    payload: Buffer.isBuffer(rows) || typeof rows === 'string' ? rows : JSON.stringify(rows),
  });
}

const query = async <Row extends object>(text: string, values: unknown[] = [customer.id]) =>
  (await fleet.database.query<Row>({ text }, values)).rows;
const row = (device: number, at: number, more: object = {}) => ({
  deviceId: id(device),
  time: minute(at),
  activePowerKw: 1.5,
  ...more,
});
const stored = (by = customer) =>
  query<{ number: number; time: string; power: number }>(
    `SELECT device_number AS number, time, active_power_milliwatts AS power FROM fleet.measurements
     WHERE customer_id = $1 ORDER BY 1, 2`,
    [by.id],
  );
const state = async (by = customer) =>
  (
    await query<{ count: number; firstSeenAt: string | null; lastError: string | null }>(
      `SELECT measurement_count AS count, first_seen_at AS "firstSeenAt", last_error AS "lastError"
       FROM fleet.customer_state WHERE customer_id = $1`,
      [by.id],
    )
  )[0];
const events = (by = customer) =>
  query<object>(
    `SELECT batch_type AS type, rows_accepted AS accepted, rows_rejected AS rejected, cursor, from_time AS "from",
            to_time AS "to", error FROM fleet.ingest_events WHERE customer_id = $1 ORDER BY received_at, id`,
    [by.id],
  );

describe('Fleet ingest of measurements', () => {
  test('Rule 5: rows are stored once; re-delivery is accepted and changes nothing', async () => {
    const rows = [row(1, 0), row(1, 1), row(2, 0), row(1, 1, { activePowerKw: 9 })];
    const result = { accepted: 4, rejected: 0, errors: [] };
    expect((await push(rows)).json()).toEqual(result);
    expect(await stored()).toHaveLength(3);
    const before = await stored();
    expect((await push(rows, { headers: { 'x-push-cursor': 'c2' } })).json()).toEqual(result);
    expect((await push(gzipSync(JSON.stringify(rows)), { headers: { 'content-encoding': 'gzip' } })).json()).toEqual(
      result,
    );
    expect(await stored()).toEqual(before);
    expect(await state()).toMatchObject({ count: 3, lastError: null });
    expect(await events()).toMatchObject([
      { type: 'measurements', accepted: 4, cursor: null, error: null },
      { accepted: 4, cursor: 'c2' },
      { accepted: 4, cursor: null },
    ]);
  });

  test('a batch large enough for a COPY is stored as one of a few rows is, in the order of any ids', async () => {
    const rows = Array.from({ length: 1_500 }, (_, n) => row(9 - (n % 7), n % 500, { powerFactor: 0.5, voltageV: n }));
    expect((await push(rows)).json()).toMatchObject({ accepted: 1_500, rejected: 0 });
    const keys = new Set(rows.map(({ deviceId, time }) => `${deviceId} ${time}`));
    expect(await stored()).toHaveLength(keys.size);
    expect((await push([...rows, row(1, 5)])).json()).toMatchObject({ accepted: 1_501, rejected: 0 });
    expect(await state()).toMatchObject({ count: keys.size + 1 });
  });

  test('a device without a set gets a number and a row without a name, which its set fills', async () => {
    await push([row(5, 0)]);
    const devices = () =>
      query(`SELECT number, name, announced_at IS NULL AS "isPlaceholder" FROM fleet.devices WHERE customer_id = $1`);
    expect(await devices()).toEqual([{ number: 1, name: null, isPlaceholder: true }]);
    await push([], { type: 'devices' });
    expect(await devices()).toEqual([{ number: 1, name: null, isPlaceholder: true }]);
    await push([{ id: id(5), siteId: id(1), name: 'Meter', externalId: 'm5' }], { type: 'devices' });
    expect(await devices()).toEqual([{ number: 1, name: 'Meter', isPlaceholder: false }]);
  });

  test('bad rows are rejected one by one, with their field; a body that is no list of objects is rejected and recorded', async () => {
    const bad = [
      row(1, 0, { deviceId: 'meter-1' }),
      { time: minute(0), activePowerKw: 1 },
      row(1, 0, { time: 'yesterday' }),
      row(1, 0, { time: '1999-12-31T23:59:59Z' }),
      row(1, 0, { time: '2026-03-14T10:00:00Z' }),
      row(1, 0, { activePowerKw: null }),
      row(1, 0, { powerFactor: 1.1 }),
      row(1, 0, { voltageV: -1 }),
      row(1, 0, { energyImportedKwh: '5' }),
    ];
    const fields = [
      'deviceId',
      'deviceId',
      'time',
      'time',
      'time',
      'activePowerKw',
      'powerFactor',
      'voltageV',
      'energyImportedKwh',
    ];
    const answer = (await push([...bad, row(1, 3)])).json<Answer>();
    expect(answer).toMatchObject({ accepted: 1, rejected: bad.length });
    expect(answer.errors.map(({ reason }) => reason.split(' ')[0])).toEqual(fields);
    expect(await stored()).toHaveLength(1);
    expect(await state()).toMatchObject({ lastError: expect.stringContaining('9 rejected, the first at 0: deviceId') });
    for (const body of ['[1]', '{}', '[{]', '']) expect((await push(body)).statusCode).toBe(400);
    expect(await stored()).toHaveLength(1);
    expect(await events()).toHaveLength(5);
  });

  test('an empty batch is valid: zero counts, and the customer was seen', async () => {
    expect((await push([])).json()).toEqual({ accepted: 0, rejected: 0, errors: [] });
    expect(await state()).toMatchObject({ count: 0, firstSeenAt: '2026-03-10T10:00:00Z' });
    expect(await events()).toMatchObject([{ accepted: 0, from: null, to: null }]);
  });

  test('an event has the time spread of what was accepted', async () => {
    await push([row(1, 7), row(2, 3), row(1, 0, { activePowerKw: 'x' })]);
    expect(await events()).toMatchObject([{ from: '2026-03-10T09:03:00Z', to: '2026-03-10T09:07:00Z', rejected: 1 }]);
  });

  test('stored rows leave dirty ranges, duplicates do not', async () => {
    const dirty = () =>
      query<object>(
        `SELECT device_number AS number, from_time AS "from", to_time AS "to" FROM fleet.energy_dirty_ranges
         WHERE customer_id = $1 ORDER BY id`,
      );
    await push([row(1, 0), row(1, 9)]);
    expect(await dirty()).toEqual([{ number: 1, from: '2026-03-10T09:00:00Z', to: '2026-03-10T09:09:00Z' }]);
    await push([row(1, 0), row(1, 9)]);
    expect(await dirty()).toHaveLength(1);
  });

  test('customers with the same device ids and numbers keep apart, also in one transaction; counts are exact for each', async () => {
    const others = await Promise.all([1, 2, 3, 4].map(() => create()));
    const all = [customer, ...others];
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(
        all.map((by, at) => push([row(1, round, { activePowerKw: at }), row(2, 0, { activePowerKw: at })], { by })),
      );
      expect(answers.map((answer) => answer.json<Answer>().accepted)).toEqual([2, 2, 2, 2, 2]);
    }
    for (const [at, by] of all.entries()) {
      const own = await stored(by);
      expect(own.map(({ power }) => power)).toEqual([at, at, at, at].map((kw) => kw * 1e6));
      expect(await state(by)).toMatchObject({ count: 4 });
      const detail = await fleet.app.inject({ url: `/api/fleet/customers/${by.id}/detail`, headers: admin });
      const { measurements } = detail.json<{ measurements: { activePowerKw: number }[] }>();
      expect(measurements.map(({ activePowerKw }) => activePowerKw)).toEqual([at, at, at, at]);
      expect(await events(by)).toHaveLength(3);
    }
  });

  test('the dashboard counts active and all customers, and the readings of today and all readings', async () => {
    const [live, off] = [await create(), await create()];
    const yesterday = -24 * 60;
    await push([row(1, 0), row(1, 1), row(1, yesterday)], { by: live });
    await push([row(1, 0)], { by: off });
    const person = await createUser(fleet, { email: 'totals@example.com', roles: ['RestrictedAdmin'] });
    const customerIds = [live.id, off.id];
    const changes = [
      [`/api/users/${person.id}/customers`, { customerIds }],
      [`/api/admin/customers/${off.id}`, { name: 'Off', isActive: false }],
    ] as const;
    for (const [url, payload] of changes) {
      expect((await fleet.app.inject({ method: 'PUT', url, headers: admin, payload })).statusCode).toBe(200);
    }
    const answer = await fleet.app.inject({ url: '/api/fleet/dashboard', headers: await fleet.signIn(person) });
    expect(answer.json()).toMatchObject({
      customerCount: 2,
      activeCustomerCount: 1,
      totalMeasurements: 4,
      todayMeasurements: 3,
    });
  });

  test('a token never writes rows of another customer, whatever the rows contain', async () => {
    const other = await create();
    await push([row(1, 0)], { by: other });
    const before = await stored(other);
    await push([row(1, 0, { customerId: other.id, customer_id: other.id, activePowerKw: 7 }), row(1, 1)]);
    expect(await stored(other)).toEqual(before);
    expect(await stored()).toHaveLength(2);
  });

  test('two Admin portals on one database take the same rows of one customer at once: each is stored once', async () => {
    const { connectionString } = fleet.config.database;
    await using second = await createAdminApp({ now: () => nowMs, connectionString: connectionString ?? '' });
    const rows = Array.from({ length: 600 }, (_, n) => row(n % 5, n));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        push(n % 2 === 0 ? rows : rows.toReversed(), { to: n % 3 === 0 ? second : fleet }),
      ),
    );
    expect(answers.map((answer) => answer.json<Answer>().accepted)).toEqual(answers.map(() => 600));
    expect(await stored()).toHaveLength(600);
    expect(await state()).toMatchObject({ count: 600 });
    expect(await query(`SELECT number FROM fleet.devices WHERE customer_id = $1`)).toHaveLength(5);
  });

  test('a customer deleted in between leaves nothing behind', async () => {
    const pushed = Array.from({ length: 20 }, (_, n) => push([row(n, 0), row(1, n)]));
    const headers = admin;
    const gone = await fleet.app.inject({ method: 'DELETE', url: `/api/admin/customers/${customer.id}`, headers });
    expect(gone.statusCode).toBe(204);
    const statuses = new Set((await Promise.all(pushed)).map(({ statusCode }) => statusCode));
    for (const status of statuses) expect([200, 401]).toContain(status);
    expect((await push([row(1, 0)])).statusCode).toBe(401);
    await clearDeletedCustomers(fleet.database, new AbortController().signal);
    for (const table of ['measurements', 'ingest_events', 'devices', 'energy_state', 'energy_dirty_ranges']) {
      expect(await query(`SELECT 1 FROM fleet.${table} WHERE customer_id = $1`)).toEqual([]);
    }
  });

  test('rows in too many weeks at once are 413, so that the Client halves its batch; other customers are not touched', async () => {
    const week = (n: number) => new Date(start - n * 7 * 86_400_000).toISOString();
    const rows = Array.from({ length: 101 }, (_, n) => row(1, 0, { time: week(n) }));
    expect((await push(rows)).statusCode).toBe(413);
    expect((await push(rows.slice(0, 100))).json()).toMatchObject({ accepted: 100 });
    expect(await stored()).toHaveLength(100);
  });
});

describe('The event of each batch', () => {
  const watched = async () =>
    (
      await query<object>(
        `SELECT last_measured_at AS "measuredAt", push_gaps_seconds AS gaps, last_failed_at AS "failedAt", last_failure AS failure,
                is_refused AS "isRefused", failing_since AS "failingSince" FROM fleet.customer_state WHERE customer_id = $1`,
      )
    )[0];
  const seconds = (n: number) => new Date(start + n * 1000).toISOString().replace('.000Z', 'Z');

  test('the rhythm of its readings, which neither empty batches nor sets change', async () => {
    for (const [at, rows] of [
      [0, [row(1, 0)]],
      [30, [row(1, 1)]],
      [45, []],
      [3_600, [row(1, 1)]],
    ] as const) {
      nowMs = start + at * 1000;
      await push(rows);
    }
    nowMs = start + 4_000_000;
    await push([], { type: 'sites' });
    expect(await watched()).toMatchObject({
      measuredAt: seconds(3_600),
      gaps: [3_570, 30],
      failure: null,
      failedAt: null,
    });
  });

  test('a failure is kept after the next good batch, with its beginning and whether everything was rejected', async () => {
    await push([row(1, 0), row(1, 1, { time: 'x' })]);
    nowMs = start + 60_000;
    await push([row(1, 2)]);
    expect(await watched()).toMatchObject({
      failedAt: seconds(0),
      failingSince: seconds(0),
      failure: expect.stringContaining('1 rejected'),
      isRefused: false,
    });
    nowMs = start + 120_000;
    await push('no list');
    expect(await watched()).toMatchObject({ failedAt: seconds(120), failingSince: seconds(0), isRefused: true });
    const answer = await fleet.app.inject({ url: '/api/fleet/dashboard', headers: admin });
    const { customers } = answer.json<{ customers: { id: string }[] }>();
    expect(customers.find(({ id: own }) => own === customer.id)).toMatchObject({
      state: 'failing',
      failure: { isRefused: true, since: seconds(0) },
      failedBatches: 2,
      rejectedRecords: 1,
    });
    nowMs = start + 30 * 3_600_000;
    await push([row(1, 1, { time: 'x' })]);
    expect(await watched()).toMatchObject({ failedAt: seconds(30 * 3_600), failingSince: seconds(30 * 3_600) });
  });
});

const shown = async () => {
  const answer = await fleet.app.inject({ url: `/api/fleet/customers/${customer.id}/detail`, headers: admin });
  return answer.json<CustomerDetail>();
};
describe('X-Client-Report', () => {
  const reportOf = async (report: string) => {
    const answer = await push([row(1, 0)], { headers: { 'x-client-report': report } });
    expect(answer.statusCode).toBe(200);
    return (await shown()).customer.report;
  };
  const at = '2026-03-10T09:59:00.5Z';
  const said = { version: '1.2.3', backlogRows: 7, lastError: { kind: 'busy', text: 'The fleet answered 429.', at } };

  test('is the last report of the Client; a batch without one, or with a rejected token, changes nothing', async () => {
    expect((await shown()).customer.report).toBeNull();
    const kept = { ...said, at: '2026-03-10T10:00:00Z' };
    expect(await reportOf(JSON.stringify(said))).toEqual(kept);
    nowMs += 60_000;
    expect((await push([row(1, 1)])).statusCode).toBe(200);
    await setActive(false);
    const headers = { 'x-client-report': JSON.stringify({ version: '6.6.6' }) };
    expect((await push([row(1, 1)], { headers })).statusCode).toBe(401);
    await expect.poll(async () => (await shown()).ingestEvents.length).toBe(3);
    expect((await shown()).customer.report).toEqual(kept);
  });

  test('leaves out what it does not know or cannot read, and takes the batch', async () => {
    const nothing = { version: null, backlogRows: null, lastError: null };
    for (const text of ['', '[]', '{"version":', 'null', `{"version":"${'9'.repeat(5_000)}"}`]) {
      expect(await reportOf(text)).toBeNull();
    }
    const odd = { version: 'a\nb', backlogRows: -1, lastError: { kind: 'busy', text: 'x', at: 'soon' }, more: [1] };
    expect(await reportOf(JSON.stringify(odd))).toMatchObject(nothing);
    const newer = { ...said, lastError: { ...said.lastError, kind: 'of a newer Client', since: 1 } };
    expect((await reportOf(JSON.stringify(newer)))?.lastError).toEqual({ ...said.lastError, kind: null });
  });

  test('has one line of the last error, at most 300 characters, without characters that change the direction of text', async () => {
    const text = `\u0000<b>"\\'\n\u202e${'\u{1F600}'.repeat(200)}`;
    const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    const ascii = JSON.stringify({ lastError: { kind: 'busy', text, at } }).replaceAll(/[^ -~]/g, escaped);
    const report = await reportOf(ascii);
    const shownText = report?.lastError?.text ?? '';
    expect(shownText.startsWith(`<b>"\\' \u{1F600}`)).toBe(true);
    expect(shownText.length).toBeLessThanOrEqual(300);
    expect(shownText.isWellFormed()).toBe(true);
  });
});
const setActive = (isActive: boolean) =>
  fleet.app.inject({
    method: 'PUT',
    url: `/api/admin/customers/${customer.id}`,
    headers: admin,
    payload: { name: 'Works', isActive },
  });

describe('Specification, IngestEvent: one per received batch', () => {
  const lastEvent = async () => (await shown()).ingestEvents[0];
  const sized = (bytes: number) => ({ 'content-length': String(bytes) });

  test.each<[string, number, string | Buffer, Record<string, string>]>([
    ['of another content type', 415, 'time;power', { 'content-type': 'text/csv' }],
    ['without a content type', 415, 'time;power', { 'content-type': '' }],
    ['of another encoding', 415, '[]', { 'content-encoding': 'br' }],
    ['of an unknown type', 400, '[]', { 'x-batch-type': 'meters' }],
    ['with half a part', 400, '[]', { 'x-batch-part': '1/' }],
    ['with a cursor that is too long', 400, '[]', { 'x-push-cursor': 'c'.repeat(201) }],
    ['that is no list', 400, '{"a":1}', {}],
    ['that is not what its encoding says', 400, 'no gzip at all', { 'content-encoding': 'gzip' }],
  ])('a batch %s is %i, and recorded with its type, cursor and size', async (_, status, body, headers) => {
    const given: Record<string, string> = { 'x-push-cursor': 'c7', ...headers };
    expect((await push(body, { headers: given })).statusCode).toBe(status);
    expect(await lastEvent()).toMatchObject({
      batchType: given['x-batch-type'] ?? 'measurements',
      cursor: given['x-push-cursor']?.slice(0, 200),
      payloadBytes: body.length,
      rowsAccepted: 0,
      rowsRejected: 0,
      error: expect.any(String),
    });
    expect((await shown()).ingestEvents).toHaveLength(1);
  });

  test('an oversized batch has the size in its headers, or the received size', async () => {
    const tooLarge = await push('[]', { headers: sized(33 * 1024 * 1024) });
    expect(tooLarge.statusCode).toBe(413);
    expect(await lastEvent()).toMatchObject({ payloadBytes: 33 * 1024 * 1024 });
    nowMs += 60_000;
    expect((await push('[]', { headers: { 'content-length': '18446744073709551615' } })).statusCode).toBe(413);
    expect(await lastEvent()).toMatchObject({ payloadBytes: Number.MAX_SAFE_INTEGER });
    nowMs += 60_000;
    const unpacked = gzipSync(Buffer.alloc(33 * 1024 * 1024, ' '));
    expect((await push(unpacked, { headers: { 'content-encoding': 'gzip' } })).statusCode).toBe(413);
    const { payloadBytes = 0 } = (await lastEvent()) ?? {};
    expect(payloadBytes).toBeGreaterThan(unpacked.length);
    expect(payloadBytes).toBeLessThanOrEqual(33 * 1024 * 1024);
  });

  test('a batch of an inactive customer is 401, and recorded with its type, cursor and size', async () => {
    await setActive(false);
    expect((await push([row(1, 0)], { type: 'devices', headers: { 'x-push-cursor': 'c9' } })).statusCode).toBe(401);
    await expect.poll(lastEvent).toMatchObject({
      batchType: 'devices',
      cursor: 'c9',
      payloadBytes: JSON.stringify([row(1, 0)]).length,
      error: expect.stringContaining('the customer is inactive'),
    });
    // A request that is no batch leaves no event.
    const compared = await fleet.app.inject({
      method: 'POST',
      url: '/api/fleet/reconcile',
      headers: { 'x-customer-token': customer.token },
      payload: {},
    });
    expect(compared.statusCode).toBe(401);
    expect((await shown()).ingestEvents).toHaveLength(1);
  });

  test('a few of many rejected batches are recorded, and the last of them counts those after it, even if none follows', async () => {
    for (let batch = 0; batch < 20; batch += 1) expect((await push('no list')).statusCode).toBe(400);
    const errors = async () => (await shown()).ingestEvents.map(({ error }) => error ?? '');
    const others = (texts: string[]) => texts.filter((text) => text.includes('(14 more were rejected after it)'));
    await expect.poll(async () => others(await errors())).toHaveLength(1);
    expect(await errors()).toHaveLength(6);
    const answer = await fleet.app.inject({ url: '/api/fleet/dashboard', headers: admin });
    const { customers } = answer.json<{
      customers: { id: string; failedBatches: number; batchesByHour: number[] }[];
    }>();
    const own = customers.find(({ id: one }) => one === customer.id);
    expect([own?.failedBatches, own?.batchesByHour.at(-1)]).toEqual([20, 20]);
    // Later ones get events of their own again.
    nowMs += 60_000;
    await push('no list');
    expect(await errors()).toHaveLength(7);
  });

  test('counts in memory are written when the portal stops', async () => {
    const { connectionString = '' } = fleet.config.database;
    {
      await using second = await createAdminApp({ now: () => nowMs, connectionString });
      for (let batch = 0; batch < 9; batch += 1) await push('no list', { to: second });
    }
    const counts = await query<{ batches: number }>(
      `SELECT batches FROM fleet.ingest_events WHERE customer_id = $1 ORDER BY batches`,
    );
    expect(counts.map(({ batches }) => batches)).toEqual([1, 1, 1, 1, 1, 4]);
  });
});

test('a customer that was switched off and on again is failing until its next batch is stored, and no longer', async () => {
  const state = async () => {
    const answer = await fleet.app.inject({ url: '/api/fleet/dashboard', headers: admin });
    const { customers } = answer.json<{ customers: { id: string; state: string; failure: object | null }[] }>();
    const own = customers.find(({ id: one }) => one === customer.id);
    const { customer: page } = await shown();
    expect(page).toMatchObject({ state: own?.state, failure: own?.failure });
    return { state: page.state, reason: page.failure?.reason ?? null, lastError: page.lastError };
  };
  await push([row(1, 0)]);
  await setActive(false);
  await push([row(1, 1)]);
  const off = {
    reason: 'X-Customer-Token: the customer is inactive',
    lastError: 'X-Customer-Token: the customer is inactive',
  };
  await expect.poll(state).toEqual({ state: 'inactive', ...off });
  await setActive(true);
  expect(await state()).toEqual({ state: 'failing', ...off });
  nowMs += 60_000;
  // A rejected batch does not end it.
  await push('no list');
  expect(await state()).toMatchObject({ state: 'failing', reason: off.reason });
  await push([]);
  // A batch that was rejected for its content still counts.
  expect(await state()).toMatchObject({ state: 'failing', reason: expect.stringContaining('list'), lastError: null });
  nowMs += 3 * 3_600_000;
  await push([row(1, 2)]);
  expect(await state()).toEqual({ state: 'sending', reason: null, lastError: null });
});

test('a customer with an expired token, or that is inactive, gets 401, and its page says why', async () => {
  const url = `/api/admin/customers/${customer.id}`;
  const failure = async () => (await shown()).customer.failure?.reason ?? null;
  const failed = async (reason: string) => {
    await expect.poll(failure).toContain(reason);
  };
  await fleet.app.inject({ method: 'POST', url: `${url}/rotate-token`, headers: admin, payload: { graceHours: 1 } });
  expect((await push([row(1, 0)])).statusCode).toBe(200);
  nowMs += 3_600_000;
  expect((await push([row(1, 0)])).statusCode).toBe(401);
  await failed('its token was replaced');
  const payload = { name: 'Off', isActive: false };
  await fleet.app.inject({ method: 'PUT', url, headers: admin, payload });
  nowMs += 60_000;
  expect((await push([row(1, 0)])).statusCode).toBe(401);
  await failed('the customer is inactive');
  expect(await state()).toMatchObject({ count: 1 });
});

test("today's numbers are read again until nothing of them is pending, however much was", async () => {
  const pending = async () => {
    const answer = await fleet.app.inject({ url: '/api/fleet/dashboard', headers: admin });
    const { customers } = answer.json<{ customers: { id: string; isEnergyPending: boolean }[] }>();
    return customers.find(({ id: own }) => own === customer.id)?.isEnergyPending;
  };
  await push([{ id: id(1), name: 'Town', timeZone: 'UTC' }], { type: 'municipalities' });
  await push([{ id: id(1), name: 'Works', municipalityId: id(1) }], { type: 'sites' });
  await push([{ id: id(1), siteId: id(1), name: 'Meter', externalId: 'm1' }], { type: 'devices' });
  await push([row(1, 0)]);
  await query(`INSERT INTO fleet.energy_dirty_ranges (customer_id, device_number, id, from_time, to_time)
               SELECT $1, 1, n, '2026-03-10T09:00:00Z', '2026-03-10T09:01:00Z' FROM generate_series(1, 1100) n`);
  expect(await pending()).toBe(true);
  await query(`DELETE FROM fleet.energy_dirty_ranges WHERE customer_id = $1`);
  nowMs += 6_000;
  expect(await pending()).toBe(false);
});

describe('What a Client stored', () => {
  test('is the same in the fleet, byte for byte, whatever its numbers', async () => {
    await using client = await createTestApp({ now: () => nowMs });
    const headers = await client.signIn();
    const session = { app: client.app, headers };
    const deviceId = await createDevice(session, await createSite(session), { externalId: 'm1' });
    const values = [0.1, 1e-6, -0.000001, 123456.789012, 9_007_199_254.740993, 1 / 3, 1e12, 0, 4_000_000_000_000.5];
    const rows = values.map((value, n) => ({
      externalId: 'm1',
      time: minute(n),
      activePowerKw: value,
      reactivePowerKvar: -value,
      powerFactor: (n - 4) / 7,
      energyImportedKwh: value * 2,
    }));
    await client.app.inject({ method: 'POST', url: '/api/ingest/measurements', headers, payload: rows });
    const page = await client.app.inject({
      url: `/api/measurements/raw?from=${minute(0)}&to=${minute(60)}&deviceIds=${deviceId}`,
      headers,
    });
    const sent = page.json<{ rows: Record<string, unknown>[] }>().rows.map((one) => ({ ...one, deviceId }));
    expect((await push(sent)).json()).toEqual({ accepted: values.length, rejected: 0, errors: [] });
    const columns = `active_power_milliwatts::text AS p, reactive_power_millivars::text AS q, power_factor_millionths AS f,
                     energy_imported_milliwatthours::text AS e, voltage_millivolts AS v, time`;
    const there = await query(`SELECT ${columns} FROM fleet.measurements WHERE customer_id = $1 ORDER BY time`);
    const here = (await client.database.query({ text: `SELECT ${columns} FROM monitoring.measurements ORDER BY time` }))
      .rows;
    expect(there).toEqual(here);
  });
});
