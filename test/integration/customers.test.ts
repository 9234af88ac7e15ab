import { hash, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { findFleetScope } from '../../server/fleet/customer-access.ts';
import { createTokenFinder } from '../../server/fleet/customers.ts';
import {
  applyEventRetention,
  clearDeletedCustomer,
  clearDeletedCustomers,
} from '../../server/fleet/fleet-maintenance.ts';
import { createUser } from '../support/accounts.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { adminAppOfFile } from '../support/app-of-file.ts';
import { LOCK_INGEST_SHARED } from '../../server/database/ingest-lock.ts';

const hourMs = 3_600_000;
const start = Date.parse('2026-03-10T10:00:00Z');
const unknownId = '018f4ad0-0000-7000-8000-00000000ffff';

let nowMs = start;
const fleet = adminAppOfFile({ now: () => nowMs });
let headers: { cookie: string };
let findToken: (token: string) => Promise<string | null>;

beforeAll(async () => {
  headers = await fleet.signIn();
  findToken = createTokenFinder({ database: fleet.database, now: () => nowMs });
});
beforeEach(() => {
  nowMs = start;
});

const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, more: object = {}) =>
  fleet.app.inject({
    method,
    url: path,
    headers: { ...headers, ...more },
    ...(payload === undefined ? {} : { payload }),
  });
const base = '/api/admin/customers';

interface Made {
  customer: { id: string; code: string; name: string };
  token: string;
}
let made = 0;
async function create(): Promise<Made> {
  made += 1;
  const answer = await ask('POST', base, { code: `customer-${made}`, name: `Customer ${made}` });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<Made>();
}
const put = (id: string, isActive: boolean) => ask('PUT', `${base}/${id}`, { name: 'Same', isActive });
const rotate = async (id: string, payload?: object) => {
  const answer = await ask('POST', `${base}/${id}/rotate-token`, payload);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ token: string; previousTokenExpiresAt: string | null }>();
};

describe('the registry of customers (decisions.md 3)', () => {
  test('a token is 32 random bytes as 64 hex characters, shown once; only its SHA-256 is stored', async () => {
    const { customer, token } = await create();
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(await findToken(token)).toBe(customer.id);
    const { rows } = await fleet.database.query<{ row: string }>({
      text: 'SELECT c::text AS row FROM fleet.customers c',
    });
    expect(rows.some(({ row }) => row.includes(token))).toBe(false);
    expect((await ask('GET', base)).body).not.toContain(token);
    expect(JSON.stringify(fleet.log)).not.toContain(token);
  });

  test('the list shows when tokens were issued, until when the one before is honoured, and when batches came', async () => {
    const { customer } = await create();
    const listed = (await ask('GET', base)).json<{ id: string }[]>().find(({ id }) => id === customer.id);
    expect(listed).toEqual({
      ...customer,
      isActive: true,
      tokenIssuedAt: '2026-03-10T10:00:00Z',
      previousTokenExpiresAt: null,
      firstSeenAt: null,
      lastSeenAt: null,
      createdAt: '2026-03-10T10:00:00Z',
      state: 'never',
      group: null,
      notes: null,
    });
  });

  test('group and notes are kept where a change does not give them, and taken away with null', async () => {
    const { customer } = await create();
    const url = `${base}/${customer.id}`;
    const labels = { group: 'North', notes: 'Call Mr. Lee.\nGate 3.' };
    const values = { name: 'Labelled', isActive: true };
    expect((await ask('PUT', url, { ...values, ...labels })).json()).toMatchObject(labels);
    expect((await ask('PUT', url, values)).json()).toMatchObject(labels);
    expect((await ask('PUT', url, { ...values, group: null })).json()).toMatchObject({ ...labels, group: null });
    for (const wrong of [{ group: 'a\nb' }, { group: ' ' }, { group: 'x'.repeat(61) }, { notes: 'x'.repeat(1_001) }]) {
      expect((await ask('PUT', url, { ...values, ...wrong })).statusCode).toBe(400);
    }
  });

  test.each(['A', 'x', '-ab', 'ab-', 'a b', 'ab_c', 'a'.repeat(40), 'Über', 'caddy'])(
    'the code %j is refused',
    async (code) => {
      expect((await ask('POST', base, { code, name: 'N' })).json()).toMatchObject({
        error: expect.stringMatching(/^code: /),
      });
    },
  );

  test('a taken code is 409; a code never changes; an unknown id is 404', async () => {
    const { customer } = await create();
    expect((await ask('POST', base, { code: customer.code, name: 'Other' })).statusCode).toBe(409);
    const changed = await ask('PUT', `${base}/${customer.id}`, { code: 'other-code', name: ' New ', isActive: true });
    expect(changed.json()).toMatchObject({ code: customer.code, name: 'New' });
    expect((await put(unknownId, true)).statusCode).toBe(404);
    expect((await ask('POST', `${base}/${unknownId}/rotate-token`)).statusCode).toBe(404);
    expect((await ask('DELETE', `${base}/${unknownId}`)).statusCode).toBe(404);
  });

  test('If-Match with an older version is 412', async () => {
    const { customer } = await create();
    const first = await put(customer.id, true);
    expect((await put(customer.id, false)).statusCode).toBe(200);
    const late = { 'if-match': first.headers.etag };
    expect((await ask('PUT', `${base}/${customer.id}`, { name: 'Late', isActive: true }, late)).statusCode).toBe(412);
    expect((await ask('DELETE', `${base}/${customer.id}`, undefined, late)).statusCode).toBe(412);
    const now = await put(customer.id, true);
    const current = { 'if-match': now.headers.etag };
    expect((await ask('DELETE', `${base}/${customer.id}`, undefined, current)).statusCode).toBe(204);
  });

  test('decisions 9: no statement locks a customer FOR UPDATE, so storing rows that refer to it delays no change', async () => {
    const { customer } = await create();
    await fleet.database.transaction(async (tx) => {
      await tx.query(
        {
          text: `INSERT INTO fleet.municipalities (customer_id, id, name, time_zone, created_at) VALUES ($1, $1, 'Town', 'UTC', $2)`,
        },
        [customer.id, new Date()],
      );
      const answer = await put(customer.id, false);
      expect(answer.statusCode, answer.body).toBe(200);
    });
  });

  test('graceHours outside of 0 to 720 is 400', async () => {
    const { customer } = await create();
    for (const graceHours of [-1, 721, 'x']) {
      expect((await ask('POST', `${base}/${customer.id}/rotate-token`, { graceHours })).statusCode).toBe(400);
    }
  });
});

describe('states and transitions (specification)', () => {
  test('Customer active, Active off: its tokens are refused; off, Active on: accepted again', async () => {
    const { customer, token } = await create();
    const { token: next } = await rotate(customer.id);
    await put(customer.id, false);
    expect([await findToken(token), await findToken(next)]).toEqual([null, null]);
    await put(customer.id, true);
    expect([await findToken(token), await findToken(next)]).toEqual([customer.id, customer.id]);
  });

  test('Rotate: the new token and, for 24 hours, the one before; then the time passes and it is refused', async () => {
    const { customer, token } = await create();
    nowMs += hourMs;
    const rotated = await rotate(customer.id);
    expect(rotated.previousTokenExpiresAt).toBe('2026-03-11T11:00:00Z');
    const listed = (await ask('GET', base)).json<{ id: string; tokenIssuedAt: string }[]>();
    expect(listed.find(({ id }) => id === customer.id)?.tokenIssuedAt).toBe('2026-03-10T11:00:00Z');
    expect([await findToken(token), await findToken(rotated.token)]).toEqual([customer.id, customer.id]);
    nowMs += 24 * hourMs - 1;
    expect(await findToken(token)).toBe(customer.id);
    nowMs += 1;
    expect([await findToken(token), await findToken(rotated.token)]).toEqual([null, customer.id]);
  });

  test('Rotate again: the older previous token stops working at once', async () => {
    const { customer, token } = await create();
    const second = await rotate(customer.id, { graceHours: 720 });
    expect(second.previousTokenExpiresAt).toBe('2026-04-09T10:00:00Z');
    const third = await rotate(customer.id, { graceHours: 1 });
    expect(third.previousTokenExpiresAt).toBe('2026-03-10T11:00:00Z');
    expect([await findToken(token), await findToken(second.token), await findToken(third.token)]).toEqual([
      null,
      customer.id,
      customer.id,
    ]);
  });

  test('Rotate with a grace window of zero: the old token and the one before it are refused at once', async () => {
    const { customer, token } = await create();
    const second = await rotate(customer.id);
    const third = await rotate(customer.id, { graceHours: 0 });
    expect(third.previousTokenExpiresAt).toBeNull();
    expect([await findToken(token), await findToken(second.token), await findToken(third.token)]).toEqual([
      null,
      null,
      customer.id,
    ]);
  });

  test('an invalid token is looked up like a valid one, and not found', async () => {
    const asked = vi.spyOn(fleet.database, 'query');
    for (const token of ['', 'x', '0'.repeat(64), 'é'.repeat(500)]) {
      asked.mockClear();
      expect(await findToken(token)).toBeNull();
      expect(asked.mock.calls.map(([, values]) => values?.[0])).toEqual([[hash('sha256', token)]]);
    }
    asked.mockRestore();
  });
});

test('a customer is deleted between long ingests of others, which never wait long for that', async () => {
  const [{ customer }, { token }] = [await create(), await create()];
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let isHeld = () => {};
  const held = new Promise<void>((resolve) => (isHeld = resolve));
  const long = fleet.database.transaction(async (tx) => {
    await tx.query(LOCK_INGEST_SHARED);
    isHeld();
    await released;
  });
  await held;
  const deleting = ask('DELETE', `${base}/${customer.id}`);
  const pushed = await fleet.app.inject({
    method: 'POST',
    url: '/api/fleet/ingest',
    headers: { 'content-type': 'application/json', 'x-customer-token': token, 'x-batch-type': 'sites' },
    payload: '[]',
  });
  expect(pushed.statusCode, 'while the long one goes on').toBe(200);
  release();
  await long;
  expect((await deleting).statusCode).toBe(204);
});

test('a deleted customer disappears at once, and all its data is deleted', async () => {
  const { customer, token } = await create();
  const { customer: other } = await create();
  for (const { id } of [customer, other]) {
    await fleet.engine.ensurePartitions(fleet.database, [start * 1000]);
    for (const text of [
      `INSERT INTO fleet.municipalities VALUES ($1, $1, 'M', 'UTC', now(), NULL)`,
      `INSERT INTO fleet.energy_state (customer_id, device_number) VALUES ($1, 1)`,
      `INSERT INTO fleet.energy_dirty_ranges VALUES ($1, 1, 1, now(), now())`,
      `INSERT INTO fleet.energy_weeks VALUES ($1, 1, '2026-03-09', gen_random_uuid())`,
      `INSERT INTO fleet.energy_sums (customer_id, key, sums) VALUES ($1, '\\x01', '\\x0102')`,
      `INSERT INTO fleet.measurements (customer_id, device_number, time, received_at, active_power_milliwatts)
       SELECT $1, 1, timestamptz '2026-03-10T10:00Z' + n * interval '1 second', now(), 1 FROM generate_series(1, 25000) n`,
      `INSERT INTO fleet.ingest_events (customer_id, id, received_at, batch_type, rows_accepted, rows_rejected, payload_bytes)
       SELECT $1, gen_random_uuid(), now(), 'sites', 0, 0, 0 FROM generate_series(1, 10)`,
    ]) {
      await fleet.database.query({ text }, [id]);
    }
  }
  const countsOf = async (id: string) => {
    const counts: Record<string, unknown> = {};
    for (const table of [
      'measurements',
      'municipalities',
      'ingest_events',
      'energy_state',
      'energy_dirty_ranges',
      'energy_weeks',
      'energy_sums',
      'customer_state',
    ]) {
      const { rows } = await fleet.database.query<{ count: number }>(
        { text: `SELECT count(*)::integer AS count FROM fleet.${table} WHERE customer_id = $1` },
        [id],
      );
      counts[table] = rows[0]?.count;
    }
    return counts;
  };
  const before = await countsOf(other.id);
  expect(before).toMatchObject({ measurements: 25_000, ingest_events: 10 });
  expect((await ask('DELETE', `${base}/${customer.id}`)).statusCode).toBe(204);
  expect(await findToken(token)).toBeNull();
  await clearDeletedCustomers(fleet.database, new AbortController().signal);
  expect(new Set(Object.values(await countsOf(customer.id)))).toEqual(new Set([0]));
  expect(await countsOf(other.id)).toEqual(before);
  const { rows } = await fleet.database.query({ text: 'SELECT FROM fleet.deleted_customers' });
  expect(rows).toEqual([]);
});

describe('what a deleted customer leaves behind goes in short steps', () => {
  /** A deleted customer whose devices still have this many readings each. */
  async function leaveBehind(deviceCount: number, readingsEach: number, id: string = randomUUID()): Promise<string> {
    await fleet.engine.ensurePartitions(fleet.database, [start * 1000]);
    for (const text of [
      `INSERT INTO fleet.energy_state (customer_id, device_number) SELECT $1, n FROM generate_series(1, $2) n WHERE $3 > 0`,
      `INSERT INTO fleet.measurements (customer_id, device_number, time, received_at, active_power_milliwatts)
       SELECT $1, n, timestamptz '2026-03-10T10:00Z' + r * interval '1 second', now(), 1
       FROM generate_series(1, $2) n, generate_series(1, $3) r`,
    ]) {
      await fleet.database.query({ text }, [id, deviceCount, readingsEach]);
    }
    return id;
  }
  const countLeft = async (id: string) => {
    const { rows } = await fleet.database.query<{ readings: number; devices: number }>(
      {
        text: `SELECT (SELECT count(*)::integer FROM fleet.measurements WHERE customer_id = $1) AS readings,
                      (SELECT count(*)::integer FROM fleet.energy_state WHERE customer_id = $1) AS devices`,
      },
      [id],
    );
    return rows[0];
  };

  test('data beyond the limit of the request is left to the maintenance', async () => {
    const { customer } = await create();
    await leaveBehind(6_000, 1, customer.id);
    expect((await ask('DELETE', `${base}/${customer.id}`)).statusCode).toBe(204);
    expect((await countLeft(customer.id))?.devices).toBeGreaterThan(0);
    await clearDeletedCustomers(fleet.database, new AbortController().signal);
    expect(await countLeft(customer.id)).toEqual({ readings: 0, devices: 0 });
  });

  test('devices with few readings go many at a time', async () => {
    const id = await leaveBehind(1_000, 2);
    // Two customers of 500 devices each; the third run finds nothing left.
    expect(await clearDeletedCustomer(fleet.database, id, { maxSteps: 3 })).toBe(true);
    expect(await countLeft(id)).toEqual({ readings: 0, devices: 0 });
  });

  test('no step takes more than 10,000 readings, however they lie', async () => {
    const id = await leaveBehind(3, 12_000);
    let before = 36_000;
    for (let isCleared = false; !isCleared;) {
      isCleared = await clearDeletedCustomer(fleet.database, id, { maxSteps: 1 });
      const readings = (await countLeft(id))?.readings ?? 0;
      expect(before - readings).toBeLessThanOrEqual(10_000);
      before = readings;
    }
    expect(await countLeft(id)).toEqual({ readings: 0, devices: 0 });
  });

  test('of a small customer nothing is left once it is deleted', async () => {
    const { customer } = await create();
    await leaveBehind(12, 840, customer.id);
    expect((await ask('DELETE', `${base}/${customer.id}`)).statusCode).toBe(204);
    expect(await countLeft(customer.id)).toEqual({ readings: 0, devices: 0 });
  });
});

test('events of batches are kept for 30 days', async () => {
  const { customer } = await create();
  for (const days of [31, 29]) {
    await fleet.database.query(
      {
        text: `INSERT INTO fleet.ingest_events (customer_id, id, received_at, batch_type, rows_accepted, rows_rejected, payload_bytes)
               VALUES ($1, gen_random_uuid(), $2, 'sites', 0, 0, 0)`,
      },
      [customer.id, new Date(start - days * 24 * hourMs)],
    );
  }
  await applyEventRetention(fleet.database, start);
  const { rows } = await fleet.database.query<{ at: string }>(
    { text: `SELECT received_at AS at FROM fleet.ingest_events WHERE customer_id = $1` },
    [customer.id],
  );
  expect(rows).toEqual([{ at: '2026-02-09T10:00:00Z' }]);
});

describe('AdminCustomerAccess', () => {
  test('a RestrictedAdmin sees the customers assigned, an Admin all, others none; from the next request on', async () => {
    const { customer } = await create();
    const user = await createUser(fleet, { email: 'restricted@example.com', roles: ['RestrictedAdmin'] });
    const path = `/api/users/${user.id}/customers`;
    const scopeOf = (roles: ('Admin' | 'RestrictedAdmin')[]) =>
      findFleetScope(fleet.database, { accountId: user.id, roles });
    expect((await ask('GET', path)).json()).toEqual({ customerIds: [] });
    expect(await scopeOf(['RestrictedAdmin'])).toEqual({ customers: [] });
    const given = await ask('PUT', path, { customerIds: [customer.id, customer.id.toUpperCase()] });
    expect(given.json()).toEqual({ customerIds: [customer.id] });
    expect(await scopeOf(['RestrictedAdmin'])).toEqual({ customers: [customer.id] });
    const { customer: other } = await create();
    await ask('PUT', path, { customerIds: [other.id] });
    expect(await scopeOf(['RestrictedAdmin'])).toEqual({ customers: [other.id] });
    await ask('PUT', path, { customerIds: [customer.id] });
    expect(await scopeOf(['Admin', 'RestrictedAdmin'])).toEqual({ customers: 'all' });
    expect(await scopeOf([])).toBeNull();
    expect((await ask('PUT', path, { customerIds: [unknownId] })).json()).toMatchObject({
      error: expect.stringContaining(`customer ${unknownId} not found`),
    });
    const late = { 'if-match': '"old"' };
    expect((await ask('PUT', path, { customerIds: [] }, late)).statusCode).toBe(412);
    await ask('DELETE', `${base}/${customer.id}`);
    expect((await ask('GET', path)).json()).toEqual({ customerIds: [] });
    expect((await ask('GET', `/api/users/${unknownId}/customers`)).statusCode).toBe(404);
    expect((await ask('PUT', `/api/users/${unknownId}/customers`, { customerIds: [] })).statusCode).toBe(404);
  });
});

test("a Client's paths answer 404 in Admin mode, and the fleet's in Client mode", async () => {
  await using client = await createTestApp();
  const pathsOf = async (portal: TestApp) => {
    const answer = await portal.app.inject({ url: '/api/openapi.json', headers: await portal.signIn() });
    return answer.json<{ paths: Record<string, Record<string, unknown>> }>().paths;
  };
  const [ofClient, ofFleet] = [await pathsOf(client), await pathsOf(fleet)];
  for (const [paths, others, portal] of [
    [ofClient, ofFleet, fleet],
    [ofFleet, ofClient, client],
  ] as const) {
    const foreign = Object.entries(paths).filter(([path]) => !(path in others));
    expect(foreign.length).toBeGreaterThan(3);
    const cookie = await portal.signIn();
    for (const [path, methods] of foreign) {
      for (const method of Object.keys(methods)) {
        const answer = await portal.app.inject({
          method: method === 'get' ? 'GET' : method === 'post' ? 'POST' : method === 'put' ? 'PUT' : 'DELETE',
          url: path.replaceAll(/\{\w+\}/g, unknownId),
          headers: cookie,
        });
        expect([answer.statusCode, Object.keys(answer.json<object>())], `${method} ${path}`).toEqual([
          404,
          ['error', 'code', 'params'],
        ]);
      }
    }
  }
});
