import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { auditPage } from '../../shared/audit.ts';
import { fleetIngestResult } from '../../shared/push.ts';
import { listDayChecksums } from '../../server/energy/day-checksums.sql.ts';
import { dayOf } from '../../server/energy/energy.rules.ts';
import { Database } from '../../server/database/pool.ts';
import { listPendingDays } from '../../server/push/push-differences.sql.ts';
import { createAdminApp, createTestApp, type TestApp } from '../support/app.ts';
import { type Cable, layCable } from '../support/cable.ts';
import { expectedSlots, readSlots } from '../support/energy-rollup.ts';
import { type FleetReceiver, startFleetReceiver } from '../support/fleet-receiver.ts';
import { createCustomer } from '../support/fleet.ts';
import { usualRules } from '../support/meters.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { clearPush, createPusher, stateOf, untilDue } from '../support/pushing.ts';
import { createDevice, createSite } from '../support/sites.ts';

const dayMs = 86_400_000;
const start = Date.parse('2026-03-10T00:00:00Z');
const nowMs = start + 5 * dayMs;
let direct: TestDatabase;
let cable: Cable;
/** A second connection to the Client's database, not through the cable. */
let keeper: Database;
let client: TestApp;
let fleet: TestApp;
let old: FleetReceiver;
let url = '';
let headers = { cookie: '' };
let customer = { id: '', token: '' };
let customers = 0;
let deviceId = '';
let siteId = '';

beforeAll(async () => {
  direct = await createTestDatabase();
  cable = await layCable(direct.connectionString);
  keeper = new Database(direct.connectionString, { maxConnections: 3 });
  [client, fleet, old] = await Promise.all([
    createTestApp({ now: () => nowMs, connectionString: cable.connectionString }),
    createAdminApp({ now: () => nowMs }),
    startFleetReceiver(),
  ]);
  url = `${await fleet.app.listen({ host: '127.0.0.1', port: 0 })}/api/fleet/ingest`;
  headers = await client.signIn();
  siteId = await createSite({ app: client.app, headers });
});
afterAll(async () => {
  await Promise.all([client.close(), fleet.close()]);
  await Promise.all([old[Symbol.asyncDispose](), keeper.close(), cable[Symbol.asyncDispose]()]);
  await direct.drop();
});
beforeEach(async () => {
  await clearPush(client);
  customers += 1;
  customer = await createCustomer(fleet, `removing-${customers}`);
  deviceId = await createDevice({ app: client.app, headers }, siteId, { externalId: `r-${customers}` });
});

const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString();
const row = (minutes: number, activePowerKw = 1) => ({
  externalId: `r-${customers}`,
  time: at(minutes),
  activePowerKw,
});
const post = async (path: string, payload: object) => {
  const answer = await client.app.inject({ method: 'POST', url: path, payload, headers });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
};
const store = (rows: object[]) => post('/api/ingest/measurements', rows);
const removal = (fromMinutes: number, toMinutes: number, count: number, kind = 'readings') =>
  [`/api/admin/devices/${deviceId}/removals`, { kind, from: at(fromMinutes), to: at(toMinutes), count }] as const;
const remove = (...asked: Parameters<typeof removal>) => post(...removal(...asked));
const pusherTo = (to: string, fetched: typeof fetch = fetch) => {
  const pusher = createPusher(
    client,
    { url: to, batches: [] },
    { now: () => nowMs, token: customer.token, target: customer.id, fetch: fetched },
  );
  return async ({ waits = true } = {}) => {
    if (waits) await untilDue(client);
    await pusher.tick();
  };
};
const push = (options?: { waits: boolean }) => pusherTo(url)(options);
const days = { firstDay: dayOf(start * 1000) - 1, count: 8 };
const everything = {
  fromMicros: days.firstDay * 86_400_000_000,
  toMicros: (days.firstDay + days.count) * 86_400_000_000,
};
const own = () => fleet.database.forCustomer(customer.id);
const inStep = async () => {
  expect(await listDayChecksums(own(), [deviceId], everything)).toEqual(
    await listDayChecksums(client.database, [deviceId], everything),
  );
  expect(await readSlots(own(), deviceId, days)).toEqual(await readSlots(client.database, deviceId, days));
};
const countOf = async ({ database }: TestApp, text: string) =>
  (await database.query<{ count: number }>({ text: `SELECT count(*) AS count FROM ${text}` })).rows[0]?.count;
const inFleet = () => countOf(fleet, `fleet.measurements WHERE customer_id = '${customer.id}'`);
const pending = () => countOf(client, 'monitoring.push_removals');
const send = async (payload: object, token = customer.token) =>
  fleet.app.inject({
    method: 'POST',
    url: '/api/fleet/ingest',
    payload,
    headers: { 'x-customer-token': token, 'x-batch-type': 'removals' },
  });

describe('a removal of a Client', () => {
  it('takes the same rows from the fleet, with their energy and count, compressed or not, however often it is sent', async () => {
    await store(Array.from({ length: 200 }, (_, index) => row(index * 10, index === 60 ? 900 : 2)));
    await push();
    expect(await inFleet()).toBe(200);
    if (fleet.engine.name.startsWith('TimescaleDB')) {
      await fleet.database.query({ text: `SELECT compress_chunk(c, true) FROM show_chunks('fleet.measurements') c` });
    }
    await remove(590, 620, 3);
    expect(await pending()).toBe(1);
    // The answer to the first is lost.
    const losing: typeof fetch = async (...asked) => {
      await fetch(...asked);
      throw new Error('lost');
    };
    await pusherTo(url, losing)();
    expect(await pending()).toBe(1);
    await client.database.query({ text: 'UPDATE monitoring.push_state SET next_attempt_at = NULL' });
    await push();
    await push();
    expect([await pending(), await inFleet()]).toEqual([0, 197]);
    await inStep();
    const counted = await fleet.database.query<{ count: number }>({
      text: `SELECT measurement_count AS count FROM fleet.customer_state WHERE customer_id = '${customer.id}'`,
    });
    expect(counted.rows).toEqual([{ count: 197 }]);
    expect(await stateOf(client, 'removals')).toMatchObject({ failures: 0, rejectedRows: 0 });
  });

  it('leaves what took the place of the removed rows, whichever came to the fleet first', async () => {
    await store([row(0, 900), row(10), row(20)]);
    await push();
    await remove(0, 20, 2);
    await store([row(0, 3)]);
    await push();
    await push();
    await inStep();
    // The removal reaches the fleet only after a correction was sent, which it then removes.
    await remove(0, 10, 1);
    await store([row(0, 4)]);
    const record = [{ deviceId, kind: 'readings', from: at(0), to: at(10) }];
    await client.database.query({
      text: `CREATE TABLE public.held AS SELECT device_number, kind, from_time, to_time FROM monitoring.push_removals`,
    });
    await client.database.query({ text: 'TRUNCATE monitoring.push_removals' });
    await push();
    expect((await send(record)).json()).toMatchObject({ accepted: 1 });
    await client.database.query({
      text: `INSERT INTO monitoring.push_removals (device_number, kind, from_time, to_time) SELECT * FROM public.held`,
    });
    await client.database.query({ text: 'DROP TABLE public.held' });
    await push();
    await push();
    await inStep();
    expect(await inFleet()).toBe(2);
  });

  it('of rows that were never sent sends nothing of them', async () => {
    await store([row(0), row(10)]);
    await remove(0, 10, 1);
    await push();
    await inStep();
    expect(await inFleet()).toBe(1);
  });

  it('of intervals goes to the fleet too', async () => {
    const interval = (from: number, to: number, importedKwh: number) => ({
      externalId: `r-${customers}`,
      from: at(from),
      to: at(to),
      importedKwh,
    });
    await post('/api/ingest/intervals', [interval(0, 60, 900), interval(60, 120, 1)]);
    await push();
    await remove(0, 1, 1, 'intervals');
    await post('/api/ingest/intervals', [interval(0, 15, 2)]);
    await push();
    await push();
    await inStep();
    expect(await countOf(fleet, `fleet.intervals WHERE customer_id = '${customer.id}'`)).toBe(2);
  });

  it('leaves its days out of a comparison while it waits', async () => {
    await store(Array.from({ length: 20 }, (_, index) => row(index * 200)));
    await push();
    await remove(1_400, 1_601, 2);
    expect((await listPendingDays(client.database, [deviceId])).map(({ day }) => day).toSorted()).toEqual([
      '2026-03-10',
      '2026-03-11',
    ]);
    await push();
    await push();
    expect(await listPendingDays(client.database, [deviceId])).toEqual([]);
    await inStep();
  });

  it('that an older fleet refuses holds nothing else up, and is shown', async () => {
    old.react = ({ type }) => (type === 'removals' ? { status: 400 } : 'accept');
    await store([row(0), row(10)]);
    await remove(0, 10, 1);
    await store([row(20)]);
    await pusherTo(old.url)();
    expect(old.measurements()).toHaveLength(2);
    expect(await stateOf(client, 'removals')).toMatchObject({ failures: 1, lastErrorKind: 'refused' });
    expect(await stateOf(client, 'measurements')).toMatchObject({ failures: 0 });
    expect(await pending()).toBe(1);
  });
});

/** Breaks a removal: its transaction waits for a table, and then its connection ends. */
const mishaps = [
  ['between the rows and their slots', 'monitoring.energy_dirty_ranges', 'always'],
  ['before it is audited', 'portal.audit_events', 'always'],
  ['before it is audited, once, so that it is tried again', 'portal.audit_events', 'once'],
  ['after its commit, whose answer is lost', 'portal.audit_events', 'after'],
] as const;

describe('a removal, while readings arrive and are pushed,', () => {
  it.each(mishaps)('that breaks off %s is made whole or not at all', async (_, table, when) => {
    // Readings of 2 kW with wrong ones of 900 kW in between, for 50 minutes.
    const readings = Array.from({ length: 120 }, (__, index) => row(index * 10, index === 62 ? 900 : 2));
    await store(readings);
    await push();
    const newer = [row(1_300, 4), row(1_310, 5)];
    await store(newer.slice(0, 1));
    const range = [600, 650] as const;
    const isWrong = ({ time }: { time: string }) => time >= at(range[0]) && time < at(range[1]);
    const [path, payload] = removal(...range, readings.filter(isWrong).length);

    const locked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const locking = keeper.transaction(async (tx) => {
      await tx.query({ text: `LOCK TABLE ${table} IN EXCLUSIVE MODE` });
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const answers: string[] = [];
    const removing = client.app.inject({ method: 'POST', url: path, payload, headers }).finally(() => {
      answers.push('came');
    });
    const waiting = `FROM pg_locks WHERE NOT granted AND relation = '${table}'::regclass`;
    /** Whether it waits for the table; otherwise it is answered. */
    const untilItWaits = () =>
      vi.waitFor(async () => {
        const { rows } = await keeper.query({ text: `SELECT pid ${waiting}` });
        expect(answers.length + rows.length).toBeGreaterThan(0);
        return answers.length === 0;
      }, 10_000);
    const endIt = () => keeper.query({ text: `SELECT pg_terminate_backend(pid) ${waiting}` });
    await untilItWaits();
    // Pushes only what is older than the removal, which may still store something.
    await push({ waits: false });
    if (when === 'after') cable.cutAtCommit(when);
    else await endIt();
    // After one lost connection it is repeated on another.
    if (when === 'once') await untilItWaits();
    if (when === 'always') while (await untilItWaits()) await endIt();
    // A wrong row arrives again while its removal is uncertain, and a newer one too. The lost answer must be that of the
    // removal.
    const arrive = () => store([...(when === 'always' ? [row(620, 3)] : []), ...newer]);
    const arriving = when === 'after' ? removing.then(arrive) : arrive();
    release.resolve();
    await locking;
    const answer = await removing;
    await arriving;

    const isMade = when === 'once' || when === 'after';
    expect(answer.statusCode, answer.body).toBe(when === 'once' ? 204 : 503);
    const left = [...(isMade ? readings.filter((one) => !isWrong(one)) : readings), ...newer];
    const slots = (rows: typeof left) =>
      expectedSlots(
        rows.map(({ time, activePowerKw }) => ({
          timeMicros: Date.parse(time) * 1000,
          activePowerKw,
          importedKwh: null,
          exportedKwh: null,
        })),
        usualRules,
        days,
      );
    expect(await readSlots(client.database, deviceId, days)).toEqual(slots(left));
    expect(await countOf(client, 'monitoring.measurements')).toBe(left.length);
    const query = { action: 'device.remove-readings', subjectId: deviceId };
    const audited = await client.app.inject({ url: '/api/admin/audit', query, headers });
    expect(auditPage.parse(audited.json()).events).toHaveLength(isMade ? 1 : 0);

    expect(await pending()).toBe(isMade ? 1 : 0);
    await push();
    await push();
    await inStep();
    expect([await pending(), await inFleet()]).toEqual([0, left.length]);
    const counted = await fleet.database.query<{ count: number }>({
      text: `SELECT measurement_count AS count FROM fleet.customer_state WHERE customer_id = '${customer.id}'`,
    });
    expect(counted.rows).toEqual([{ count: left.length }]);
    expect(await listPendingDays(client.database, [deviceId])).toEqual([]);
    // A retry after a lost answer removes nothing twice.
    expect((await client.app.inject({ method: 'POST', url: path, payload, headers })).statusCode).toBe(
      isMade ? 409 : 204,
    );
  });
});

describe('a batch of removals', () => {
  const whole = () => ({ deviceId, kind: 'readings', from: at(-1), to: at(9_999) });

  it('removes nothing of another customer, of an unknown device, or without a token', async () => {
    await store([row(0)]);
    await push();
    const other = await createCustomer(fleet, `removing-${customers}-other`);
    expect((await send([whole()], other.token)).json()).toMatchObject({ accepted: 1, rejected: 0 });
    expect((await send([{ ...whole(), deviceId: '00000000-0000-7000-8000-000000000000' }])).statusCode).toBe(200);
    expect((await send([whole()], 'f'.repeat(64))).statusCode).toBe(401);
    expect(await inFleet()).toBe(1);
  });

  it('judges each record: which device, what and when', async () => {
    const bad = [
      { ...whole(), deviceId: 'x' },
      { ...whole(), kind: 'sites' },
      { ...whole(), to: at(-1) },
      { ...whole(), from: 'soon' },
      5,
    ];
    const answer = await send([...bad, whole()]);
    const result = fleetIngestResult.parse(answer.json());
    expect(result).toMatchObject({ accepted: 1, rejected: 5 });
    expect((await send([])).statusCode).toBe(200);
    expect((await send(Array.from({ length: 101 }, whole))).statusCode).toBe(413);
  });
});
