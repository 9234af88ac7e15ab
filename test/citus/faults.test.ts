import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createEvaluation } from '../../server/alarms/evaluate.ts';
import { shares } from '../../server/base/budgets.ts';
import { DomainError } from '../../server/base/errors.ts';
import { dayMs } from '../../server/base/instants.ts';
import { allCustomers } from '../../server/base/scopes.ts';
import { readWithinReach } from '../../server/database/engines/reach.ts';
import { migrate, readMigrations } from '../../server/database/migrator.ts';
import { Database } from '../../server/database/pool.ts';
import { listNamedCustomers } from '../../server/fleet/fleet-customers.sql.ts';
import { FleetDays } from '../../server/fleet/fleet-days.ts';
import { createFleetMaterializer } from '../../server/fleet/fleet-energy.ts';
import { fleetDashboard, fleetSite, namedCustomer } from '../../shared/fleet.ts';
import { createUser } from '../support/accounts.ts';
import { createAdminApp, type TestApp } from '../support/app.ts';
import {
  type CitusCluster,
  createDistributed,
  hang,
  onServer,
  startCitusCluster,
  untilAnswers,
} from '../support/citus-cluster.ts';
import { createCustomer } from '../support/fleet.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import type { TestServer } from '../support/postgres-cluster.ts';
import { openWorkbook } from '../support/xlsx/workbook.ts';

const nowMs = Date.parse('2026-03-28T00:00:00Z');
const startMs = Date.parse('2026-03-02T00:00:00Z');
const rowsABatch = 30;
const customerCount = 10;
const restMs = 25;
const patienceMs = 30_000;
const id = (n: number) => `018f4ad0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const environment = { FleetIngest__MaxBatchesPerMinute: '1000000' };

interface Pushing {
  id: string;
  code: string;
  token: string;
  /** Of the worker that has its rows. */
  port: number;
  /** Batches that were answered with 200. */
  taken: number;
  /** All answers since the last fault. */
  answers: { status: number; retryAfter: string | undefined }[];
}

let cluster: CitusCluster;
let fleet: TestApp;
let admin: { cookie: string };
let customers: Pushing[];
const ofWorker = ({ port }: TestServer) => customers.filter((customer) => customer.port === port);

async function migrated(connectionString: string): Promise<string> {
  const database = new Database(connectionString, { maxConnections: 1 });
  await migrate(
    database,
    await readMigrations(join(import.meta.dirname, '../../migrations'), 'Admin'),
    () => undefined,
  );
  await database.close();
  return connectionString;
}

const ask = (to: TestApp, headers: { cookie: string }, url: string, query: Record<string, string> = {}) =>
  to.app.inject({ url, headers, query });
const send = (to: TestApp, token: string, type: string, rows: unknown) =>
  to.app.inject({
    method: 'POST',
    url: '/api/fleet/ingest',
    headers: { 'content-type': 'application/json', 'x-customer-token': token, 'x-batch-type': type },
    payload: JSON.stringify(rows),
  });
/** A register that counts 0.01 kWh a minute. */
const batch = (number: number) =>
  Array.from({ length: rowsABatch }, (_, at) => {
    const minute = number * rowsABatch + at;
    const time = new Date(startMs + minute * 60_000).toISOString();
    return { deviceId: id(3), time, activePowerKw: 0.6, energyImportedKwh: 100 + minute / 100 };
  });

async function register(to: TestApp, code: string) {
  const customer = await createCustomer(to, code);
  for (const [type, record] of [
    ['municipalities', { id: id(1), name: 'Town', timeZone: 'Europe/Berlin' }],
    ['sites', { id: id(2), name: 'Site', municipalityId: id(1) }],
    ['devices', { id: id(3), siteId: id(2), name: 'Meter', externalId: 'meter' }],
    [
      'tariffs',
      {
        id: id(4),
        municipalityId: id(1),
        name: 'Tariff',
        currency: 'EUR',
        effectiveFrom: '2026-01-01',
        defaultRatePerKwh: 0.3127,
        vatPercent: 19,
      },
    ],
  ] as const)
    expect((await send(to, customer.token, type, [record])).json()).toMatchObject({ accepted: 1 });
  return customer;
}

/** The port of the worker that has the rows of a customer. */
async function portOf({ database }: TestApp, customerId: string): Promise<number> {
  const text = `SELECT nodeport AS port FROM citus_shards
                WHERE shardid = get_shard_id_for_distribution_column('fleet.customer_state', $1::uuid)`;
  const { rows } = await database.query<{ port: number }>({ text }, [customerId]);
  return rows[0]?.port ?? 0;
}

beforeAll(async () => {
  cluster = await startCitusCluster();
  const { coordinator, workers } = cluster;
  const nodes = { connectionString: coordinator.connectionString, workers: workers.map((one) => one.connectionString) };
  await createDistributed(nodes, 'fleet');
  const connectionString = await migrated(coordinator.connectionString.replace(/\/postgres$/, '/fleet'));
  fleet = await createAdminApp({ connectionString, now: () => nowMs, environment });
  admin = await fleet.signIn();
  customers = [];
  for (let at = 0; at < customerCount; at += 1) {
    const code = `customer-${at}`;
    const made = await register(fleet, code);
    customers.push({ ...made, code, port: await portOf(fleet, made.id), taken: 0, answers: [] });
  }
}, 120_000);
afterAll(async () => {
  await fleet.close();
  await cluster[Symbol.asyncDispose]();
});

/** Every customer pushes batch after batch, each until it is taken, while `fault` runs. */
async function underLoad(fault: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  for (const customer of customers) customer.answers = [];
  const pushing = customers.map(async (customer) => {
    while (!over.signal.aborted) {
      const { statusCode, headers } = await send(fleet, customer.token, 'measurements', batch(customer.taken));
      const retryAfter = headers['retry-after'];
      customer.answers.push({
        status: statusCode,
        retryAfter,
      });
      if (statusCode === 200) customer.taken += 1;
      await sleep(restMs);
    }
  });
  try {
    await sleep(500);
    await fault();
  } finally {
    over.abort();
    await Promise.all(pushing);
  }
}

/** Waits until each of them has had some more batches taken. */
async function untilTaken(some: readonly Pushing[]): Promise<void> {
  const before = new Map(some.map((one) => [one, one.taken]));
  for (const deadline = Date.now() + patienceMs; ; await sleep(20)) {
    if (some.every((one) => one.taken >= (before.get(one) ?? 0) + 3)) return;
    expect(Date.now(), 'batches are not taken again').toBeLessThan(deadline);
  }
}
async function restart(server: TestServer): Promise<void> {
  // Its processes end a moment after the one that was killed.
  for (let isThere = false; !isThere;) {
    server.start();
    isThere = await Promise.race([untilAnswers(server).then(() => true), sleep(2_000).then(() => false)]);
  }
}

/** Everything else is 503 that says when to try again. */
function expectRefusedKindly(some: readonly Pushing[]): void {
  for (const { answers, code } of some) {
    const others = answers.filter(({ status }) => status !== 200);
    expect(
      others.filter(({ status, retryAfter }) => status !== 503 || !(Number(retryAfter) > 0)),
      code,
    ).toEqual([]);
  }
}
const refusals = (some: readonly Pushing[]) =>
  some.flatMap(({ answers }) => answers).filter(({ status }) => status !== 200).length;

it('while a worker is dead its customers get 503 with Retry-After, and the others go on; once it is back, all do', async () => {
  const [first, second] = cluster.workers;
  if (first === undefined || second === undefined) throw new Error('There are two workers.');
  const [there, gone] = [ofWorker(first), ofWorker(second)];
  expect(Math.min(there.length, gone.length)).toBeGreaterThan(0);
  const today = { from: '2026-03-02T00:00:00Z', to: '2026-03-03T00:00:00Z', deviceId: id(3), bucket: 'hour' };
  const read = (customer: Pushing | undefined) =>
    ask(fleet, admin, `/api/fleet/customers/${customer?.id}/measurements`, today);
  const seen = await readFleet(fleet, admin);
  expect([...seen.states.values()]).toEqual(customers.map(() => 'sending'));
  await underLoad(async () => {
    await second.stop('SIGKILL');
    await untilTaken(there);
    await sleep(1_000);
    expect((await read(there[0])).statusCode).toBe(200);
    expect(await timed(() => expectRefused(gone[0]))).toBeLessThan(1_000);
    await expectOthersToGoOn(there, gone, seen);
    await restart(second);
    await untilTaken(customers);
    expect((await read(gone[0])).statusCode).toBe(200);
    expect([...(await readFleet(fleet, admin)).states.values()]).toEqual(customers.map(() => 'sending'));
  });
  expectRefusedKindly(customers);
  expect(refusals(there)).toBe(0);
  expect(refusals(gone)).toBeGreaterThan(0);
}, 120_000);

interface SeenFleet {
  total: number;
  /** The state of each customer by code. */
  states: Map<string, string>;
  pending: Set<string>;
}

async function readFleet(of: TestApp, headers: { cookie: string }): Promise<SeenFleet> {
  const answer = await ask(of, headers, '/api/fleet/dashboard');
  expect(answer.statusCode).toBe(200);
  const found = fleetDashboard.parse(answer.json());
  const byCode = found.customers.toSorted((a, b) => a.code.localeCompare(b.code));
  return {
    total: found.totalMeasurements,
    states: new Map(byCode.map(({ code, state }) => [code, state])),
    pending: new Set(found.customers.flatMap(({ code, isEnergyPending }) => (isEnergyPending ? code : []))),
  };
}

/** What is about all customers goes on without those of the dead worker, and says so. */
async function expectOthersToGoOn(there: readonly Pushing[], gone: readonly Pushing[], before: SeenFleet) {
  const [codesThere, codesGone] = [there, gone].map((some) => some.map(({ code }) => code).toSorted());
  const codesOf = (states: Map<string, string>, wanted: string) =>
    [...states].flatMap(([code, state]) => (state === wanted ? code : []));
  const now = await readFleet(fleet, admin);
  expect(codesOf(now.states, 'unavailable')).toEqual(codesGone);
  expect(codesOf(now.states, 'sending')).toEqual(codesThere);
  expect(now.pending.isSupersetOf(new Set(codesGone))).toBe(true);
  expect(now.total).toBeGreaterThan(before.total);
  for (const path of ['/api/fleet/customers', '/api/admin/customers']) {
    const listed = z.array(namedCustomer).parse((await ask(fleet, admin, path)).json());
    expect(codesOf(new Map(listed.map(({ code, state }) => [code, state])), 'unavailable')).toEqual(codesGone);
    expect(listed).toHaveLength(customers.length);
  }
  const sites = z.array(fleetSite).parse((await ask(fleet, admin, '/api/fleet/sites')).json());
  expect(sites.map(({ customerName }) => customerName).toSorted()).toEqual(codesThere);
  expect((await ask(fleet, admin, `/api/fleet/customers/${there[0]?.id}/detail`)).statusCode).toBe(200);

  const problems: unknown[] = [];
  const { database } = fleet;
  const materialize = createFleetMaterializer(database, (problem) => problems.push(problem));
  expect(await materialize(AbortSignal.timeout(patienceMs))).toBeGreaterThan(0);
  const materialized = await database.query<{ id: string }>(
    { text: 'SELECT DISTINCT customer_id AS id FROM fleet.energy_days WHERE customer_id = ANY ($1::uuid[])' },
    [[there[0]?.id]],
  );
  expect([materialized.rowCount, problems]).toEqual([1, []]);

  const evaluate = createEvaluation({ database, runMode: 'Admin', timeZone: 'UTC', pushes: false, now: () => nowMs });
  expect(await evaluate()).toBe(0);
  const days = { fromDay: startMs / dayMs, toDay: startMs / dayMs + 1 };
  const named = await readWithinReach(database, (tx, reach) => listNamedCustomers(tx, allCustomers, reach));
  const sums = await new FleetDays(
    () => nowMs,
    (problem) => problems.push(problem),
  ).read(database, named, days, { accountId: 'one', askedAtMs: nowMs });
  expect(sums.customers.map(({ name }) => name).toSorted()).toEqual(codesThere);
  expect(sums.pendingCount).toBeGreaterThanOrEqual(gone.length);

  // A portal that starts now has never read the figures of some customers, and does not leave them out.
  const { connectionString = '' } = fleet.config.database;
  await using started = await createAdminApp({ connectionString, now: () => nowMs, environment });
  const headers = await started.signIn();
  const refused = await ask(started, headers, '/api/fleet/dashboard');
  expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([503, true]);
  expect((await ask(started, headers, '/api/fleet/customers')).statusCode).toBe(200);
}

it('while a worker hangs its customers soon get 503 at once, and the energy of the others is materialized; then that of all', async () => {
  const problems: unknown[] = [];
  await using small = await createSmallFleet();
  const ofSmall = createFleetMaterializer(small.database.within(shares.worker), (problem) => problems.push(problem));
  expect(await ofSmall(AbortSignal.timeout(patienceMs))).toBe(0);
  const only = await register(small, 'only');
  const portOfOnly = await portOf(small, only.id);
  // A worker that has customers of this fleet, and none of the small one.
  const hanging = cluster.workers.find(({ port }) => port !== portOfOnly);
  if (hanging === undefined) throw new Error('There are two workers.');
  const { gone = [], there = [] } = Object.groupBy(customers, ({ port }) => (port === hanging.port ? 'gone' : 'there'));
  const [other, own] = [there[0], gone[0]];
  const restricted = await createUser(fleet, { email: 'restricted@example.com', roles: ['RestrictedAdmin'] }, admin);
  const assigned = await fleet.app.inject({
    method: 'PUT',
    url: `/api/users/${restricted.id}/customers`,
    headers: admin,
    payload: { customerIds: [other?.id] },
  });
  expect(assigned.statusCode).toBe(200);
  const stranger = await fleet.signIn(restricted);
  const ofWork = fleet.database.within(shares.worker);
  const materialize = createFleetMaterializer(ofWork, (problem) => problems.push(problem));
  const over = new AbortController();
  const pushOnce = async () => {
    for (const customer of customers) {
      expect((await send(fleet, customer.token, 'measurements', batch(customer.taken))).statusCode).toBe(200);
      customer.taken += 1;
    }
  };
  const evaluate = createEvaluation({
    database: ofWork,
    runMode: 'Admin',
    timeZone: 'UTC',
    pushes: false,
    now: () => nowMs,
  });
  // Connections to the worker are open before it hangs, so that statements wait for answers.
  await pushOnce();
  expect(await evaluate()).toBe(0);
  while ((await materialize(over.signal)) > 0);
  await pushOnce();
  expect(await countPending(customers)).toBeGreaterThan(0);

  const letGo = hang(hanging);
  const materializing = (async () => {
    for (; !over.signal.aborted; await sleep(restMs)) {
      await materialize(over.signal).catch((error: unknown) => problems.push(error));
    }
  })();
  try {
    const all = [expectRefused(own), untilMaterialized(there), evaluate(), ofSmall(over.signal)];
    expect(await timed(() => Promise.all(all))).toBeLessThan(patienceMs);
    expect(await Promise.all(all.slice(2))).toEqual([0, 0]);
    expect(await timed(() => expectRefused(own))).toBeLessThan(1_000);
    for (const path of pagesOf(other)) expect((await ask(fleet, stranger, path, month)).statusCode, path).toBe(200);
    for (const path of pagesOf(own)) expect((await ask(fleet, stranger, path, month)).statusCode, path).toBe(404);
    expect(await countPending(there)).toBe(0);
  } finally {
    letGo();
    over.abort();
    await materializing;
  }
  expect(problems.filter((problem) => !(problem instanceof DomainError && problem.kind === 'unavailable'))).toEqual([]);
  // Answered again, without a restart of the portal.
  await vi.waitFor(
    async () => {
      expect(await materialize(AbortSignal.timeout(patienceMs))).toBe(0);
      expect(await countPending(customers)).toBe(0);
      for (const path of pagesOf(own)) expect((await ask(fleet, admin, path, month)).statusCode, path).toBe(200);
    },
    { timeout: patienceMs, interval: 100 },
  );
}, 120_000);

const month = { fromDate: '2026-03-01', toDate: '2026-04-01' };
const pagesOf = (customer: Pushing | undefined) => {
  const of = `/api/fleet/customers/${customer?.id}`;
  return [`${of}/detail`, `${of}/sites`, `${of}/cost/export.xlsx`];
};

/** The pages of a customer answer 503 that says when to try again. */
async function expectRefused(customer: Pushing | undefined): Promise<void> {
  for (const path of pagesOf(customer)) {
    const { statusCode, headers } = await ask(fleet, admin, path, month);
    expect([statusCode, Number(headers['retry-after']) > 0], path).toEqual([503, true]);
  }
}

const countPending = async (some: readonly Pushing[]) => {
  const text = 'SELECT count(*)::integer AS count FROM fleet.energy_dirty_ranges WHERE customer_id = ANY ($1::uuid[])';
  const { rows } = await fleet.database.query<{ count: number }>({ text }, [some.map((one) => one.id)]);
  return rows[0]?.count;
};
const untilMaterialized = (some: readonly Pushing[]) =>
  vi.waitFor(async () => expect(await countPending(some)).toBe(0), { timeout: patienceMs, interval: 100 });

/** In milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Another fleet on the same nodes, without customers. */
async function createSmallFleet(): Promise<TestApp> {
  const { coordinator, workers } = cluster;
  const nodes = { connectionString: coordinator.connectionString, workers: workers.map((one) => one.connectionString) };
  await createDistributed(nodes, 'small');
  const connectionString = await migrated(coordinator.connectionString.replace(/\/postgres$/, '/small'));
  return createAdminApp({ connectionString, now: () => nowMs, environment });
}

it('while the coordinator is dead everybody gets 503 with Retry-After, and goes on once it is back', async () => {
  await underLoad(async () => {
    await cluster.coordinator.stop('SIGKILL');
    await sleep(1_000);
    await restart(cluster.coordinator);
    await untilTaken(customers);
  });
  expectRefusedKindly(customers);
  expect(refusals(customers)).toBeGreaterThan(0);
}, 120_000);

it('customers are moved to another worker while they push, one by one or by rebalancing', async () => {
  const [first, second] = cluster.workers;
  const askCluster = (text: string) => onServer(cluster.coordinator.connectionString, text, 'fleet');
  await underLoad(async () => {
    const { rows } = await askCluster(
      `SELECT shardid FROM citus_shards WHERE table_name = 'fleet.customer_state'::regclass AND nodeport = ${second?.port}`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { shardid } of rows) {
      await askCluster(
        `SELECT citus_move_shard_placement(${shardid}, '127.0.0.1', ${second?.port}, '127.0.0.1', ${first?.port})`,
      );
    }
    await untilTaken(customers);
    await askCluster('SELECT citus_rebalance_start()');
    await askCluster('SELECT citus_rebalance_wait()');
    await untilTaken(customers);
  });
  expectRefusedKindly(customers);
  const { rows } = await askCluster(
    `SELECT DISTINCT nodeport FROM citus_shards WHERE table_name = 'fleet.measurements'::regclass`,
  );
  expect(rows).toHaveLength(2);
}, 180_000);

it('after all of that no row is lost or doubled, and all figures are those of a fleet without faults', async () => {
  for (const customer of customers) {
    const { rows } = await fleet.database.query<{ rows: number; counted: number; power: number }>(
      {
        text: `SELECT count(*)::integer AS rows, sum(active_power_milliwatts)::bigint AS power,
                      (SELECT measurement_count FROM fleet.customer_state WHERE customer_id = $1) AS counted
               FROM fleet.measurements WHERE customer_id = $1`,
      },
      [customer.id],
    );
    const count = customer.taken * rowsABatch;
    expect(rows, customer.code).toEqual([{ rows: count, counted: count, power: count * 600_000 }]);
  }
  await using made: TestDatabase = await createTestDatabase('empty');
  await using plain = await createAdminApp({
    connectionString: await migrated(made.connectionString),
    now: () => nowMs,
    environment,
  });
  expect(plain.engine.name).toBe('native partitions');
  const plainAdmin = await plain.signIn();
  for (const customer of customers.slice(0, 4)) {
    const twin = await register(plain, customer.code);
    for (let number = 0; number < customer.taken; number += 20) {
      const rows = Array.from({ length: Math.min(20, customer.taken - number) }, (_, at) => batch(number + at)).flat();
      expect((await send(plain, twin.token, 'measurements', rows)).json()).toMatchObject({ accepted: rows.length });
    }
    const figures = async (to: TestApp, headers: { cookie: string }, of: string) => {
      const days = await ask(to, headers, `/api/fleet/customers/${of}/measurements`, {
        ...month,
        deviceId: id(3),
        bucket: 'day',
      });
      const cost = await ask(to, headers, `/api/fleet/customers/${of}/cost/export.xlsx`, month);
      expect([days.statusCode, cost.statusCode]).toEqual([200, 200]);
      return [days.json<unknown>(), openWorkbook(cost.rawPayload).sheets];
    };
    const [own, others] = [await figures(fleet, admin, customer.id), await figures(plain, plainAdmin, twin.id)];
    expect(own).toEqual(others);
    expect(JSON.stringify(own)).toContain('EUR');
  }
}, 180_000);
