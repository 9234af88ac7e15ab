import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fleetDashboard } from '../../shared/fleet.ts';
import { createFleetActivity } from '../../server/fleet/fleet-activity.ts';
import { materializeSome } from '../../server/energy/materialize-energy.ts';
import { allCustomers } from '../../server/base/scopes.ts';
import { Database, type Transaction } from '../../server/database/pool.ts';
import { createAdminApp } from '../support/app.ts';
import { adminAppOfFile } from '../support/app-of-file.ts';
import { createCustomer } from '../support/fleet.ts';

const start = Date.parse('2026-03-10T10:00:00Z');
const hours = 24;
let nowMs = start;
const fleet = adminAppOfFile({ now: () => nowMs, environment: { FleetIngest__MaxBatchesPerMinute: '1000' } });
let headers: { cookie: string };
let made = 0;

interface Pushing {
  id: string;
  token: string;
  name: string;
}

beforeEach(async () => {
  nowMs = start;
  headers = await fleet.signIn();
});

const idOf = (n: number) => `018f4ad0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const meter = idOf(1);

async function push({ token }: Pushing, payload: object[], type = 'measurements', app = fleet.app): Promise<void> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/fleet/ingest',
    headers: { 'x-customer-token': token, 'x-batch-type': type },
    payload,
  });
  expect(answer.json(), answer.body).toMatchObject({ accepted: payload.length, rejected: 0 });
}

/** A customer with a meter without readings, or even without sets. */
async function create({ isPlaced = true } = {}): Promise<Pushing> {
  const name = `customer-${(made += 1)}`;
  const customer = { ...(await createCustomer(fleet, name, { headers })), name };
  if (isPlaced) await pushSets(customer);
  return customer;
}

async function pushSets(customer: Pushing): Promise<void> {
  await push(customer, [{ id: meter, name: 'Town', timeZone: 'UTC' }], 'municipalities');
  await push(customer, [{ id: meter, name: 'Works', municipalityId: meter }], 'sites');
  await push(customer, [{ id: meter, siteId: meter, name: 'Meter', externalId: 'meter' }], 'devices');
}

/** Readings of 60 kW, one a minute: a kWh each minute. */
const minutes = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    deviceId: meter,
    time: new Date(start - 3_600_000 + (from + n) * 60_000).toISOString(),
    activePowerKw: 60,
  }));

async function readDashboard({ app, signIn } = fleet) {
  const answer = await app.inject({ url: '/api/fleet/dashboard', headers: await signIn() });
  expect(answer.statusCode, answer.body).toBe(200);
  return fleetDashboard.parse(answer.json());
}
async function figuresOf({ id }: Pushing, portal = fleet) {
  const { customers } = await readDashboard(portal);
  const own = customers.find((one) => one.id === id);
  return own && { count: own.measurementsToday, kWh: own.energyTodayKwh, isPending: own.isEnergyPending };
}
const totalOf = async ({ id }: Pushing) => {
  const answer = await fleet.app.inject({ url: `/api/fleet/customers/${id}/detail`, headers });
  return answer.json<{ customer: { totalMeasurements: number } }>().customer.totalMeasurements;
};

const open = (database = fleet.database) =>
  createFleetActivity({
    database,
    timeZone: 'UTC',
    now: () => nowMs,
    onProblem: (error) => {
      throw error;
    },
  });

/** Calls `before` with each statement that reads slots, until the test or the caller ends it. */
function interceptDays(before: (text: string) => void | Promise<void>) {
  const { snapshot } = Database.prototype;
  const spy = vi.spyOn(Database.prototype, 'snapshot').mockImplementation(function (
    this: Database,
    inside: (tx: Transaction) => Promise<unknown>,
  ) {
    return snapshot.call(this, (tx) =>
      inside({
        ...tx,
        async copyOut(text) {
          if (text.includes('fleet.energy_days')) await before(text);
          return tx.copyOut(text);
        },
      }),
    );
  });
  onTestFinished(() => spy.mockRestore());
  return spy;
}

/** How many statements read slots while `work` runs. */
async function countingSlotReads<T>(work: () => Promise<T>): Promise<{ result: T; reads: number }> {
  let reads = 0;
  const counting = interceptDays(() => {
    reads += 1;
  });
  try {
    return { result: await work(), reads };
  } finally {
    counting.mockRestore();
  }
}

describe('decisions.md 4: all figures of one answer are of one instant', () => {
  test('a batch that was just accepted counts at once in the total, in the figures of today and in the energy', async () => {
    const customer = await create();
    const before = await readDashboard();
    for (let batch = 0; batch < 4; batch += 1) {
      await push(customer, minutes(batch * 5, 5));
      const after = await readDashboard();
      const count = (batch + 1) * 5;
      expect(after.totalMeasurements - before.totalMeasurements).toBe(count);
      expect(after.todayMeasurements - before.todayMeasurements).toBe(count);
      expect(after.todayEnergyKwh - before.todayEnergyKwh).toBeCloseTo(count - 1, 9);
      expect(await figuresOf(customer)).toMatchObject({ count, kWh: count - 1, isPending: false });
    }
  });

  test('readings that another portal received are included, whatever this one has in memory', async () => {
    const { connectionString = '' } = fleet.config.database;
    await using second = await createAdminApp({ now: () => nowMs, connectionString });
    const customer = await create();
    await push(customer, minutes(0, 5));
    expect(await figuresOf(customer)).toMatchObject({ count: 5, isPending: false });
    await push(customer, minutes(5, 5), 'measurements', second.app);
    expect(await figuresOf(customer)).toMatchObject({ count: 10, kWh: 9, isPending: false });
    nowMs += 6 * 60_000;
    await push(customer, minutes(10, 5), 'measurements', second.app);
    nowMs += 6 * 60_000;
    expect(await figuresOf(customer)).toMatchObject({ count: 15, kWh: 14, isPending: false });
    expect(await figuresOf(customer, second)).toMatchObject({ count: 15, kWh: 14, isPending: false });
  });

  test('a batch at the very same millisecond as another, and one that only corrects, are in it', async () => {
    const customer = await create();
    await push(customer, minutes(0, 5));
    expect(await figuresOf(customer)).toMatchObject({ count: 5, kWh: 4 });
    const corrected = await fleet.app.inject({
      method: 'POST',
      url: '/api/fleet/ingest',
      headers: { 'x-customer-token': customer.token, 'x-batch-type': 'measurements', 'x-batch-mode': 'correct' },
      payload: minutes(0, 5).map((row) => ({ ...row, activePowerKw: 120 })),
    });
    expect(corrected.statusCode).toBe(200);
    expect(await figuresOf(customer)).toMatchObject({ count: 5, kWh: 8, isPending: false });
  });

  test('while batches arrive, no answer counts a row in one figure and not in another, for one customer or for two', async () => {
    const [first, second] = [await create(), await create()];
    const over = new AbortController();
    let reads = 0;
    const pushing = async () => {
      for (let n = 0; n < 40; n += 1) {
        await push(first, minutes(n, 1));
        await push(second, minutes(n, 1));
        // On a machine where batches are much faster than answers, all would be over before the first answers.
        await vi.waitUntil(() => reads >= Math.floor(n / 8), { interval: 1, timeout: 20_000 });
      }
      over.abort();
    };
    const reading = async () => {
      for (; !over.signal.aborted; reads += 1) {
        const { customers, ...totals } = await readDashboard();
        const counts = [first, second].map((one) => customers.find(({ id }) => id === one.id));
        expect(counts.map((own) => own?.isEnergyPending)).toEqual([false, false]);
        const [a = -1, b = -1] = counts.map((own) => own?.measurementsToday);
        // The second gets each row after the first.
        expect(a === b || a === b + 1, `${a} and ${b}`).toBe(true);
        expect(counts.map((own) => own?.energyTodayKwh)).toEqual([a, b].map((count) => Math.max(0, count - 1)));
        // All readings of this file are of today.
        expect(totals.todayMeasurements).toBe(totals.totalMeasurements);
      }
    };
    await Promise.all([reading(), pushing()]);
    expect(reads).toBeGreaterThan(3);
  });

  test('what changes without a batch is in the next answer, in its place by name: names, groups, states, rejected tokens', async () => {
    const [first, second] = [await create(), await create()];
    for (const one of [first, second]) await push(one, minutes(0, 5));
    const ours = async () =>
      (await readDashboard()).customers.flatMap(({ id, name, group, state }) =>
        id === first.id || id === second.id ? [{ name, group, state }] : [],
      );
    const change = (payload: object) =>
      fleet.app.inject({ method: 'PUT', url: `/api/admin/customers/${first.id}`, headers, payload });
    const other = { name: second.name, group: null, state: 'sending' };
    expect(await ours()).toEqual([{ name: first.name, group: null, state: 'sending' }, other]);
    await change({ name: 'Zoo', isActive: true });
    expect(await ours()).toEqual([other, { name: 'Zoo', group: null, state: 'sending' }]);
    await change({ name: 'Zoo', isActive: true, group: 'North' });
    expect(await ours()).toEqual([other, { name: 'Zoo', group: 'North', state: 'sending' }]);
    await change({ name: 'Zoo', isActive: false });
    expect(await ours()).toEqual([{ name: 'Zoo', group: 'North', state: 'inactive' }, other]);
    const refused = await fleet.app.inject({
      method: 'POST',
      url: '/api/fleet/ingest',
      headers: { 'x-customer-token': first.token, 'x-batch-type': 'measurements' },
      payload: [],
    });
    expect(refused.statusCode).toBe(401);
    await change({ name: 'Zoo', isActive: true });
    await expect.poll(ours).toEqual([{ name: 'Zoo', group: 'North', state: 'failing' }, other]);
  });

  test('if there is no time to compute everything, the answer names exactly the customers with missing figures', async () => {
    const many = await Promise.all(Array.from({ length: 13 }, () => create()));
    for (const one of many) await push(one, minutes(0, 5));
    const scope = { customers: many.map(({ id }) => id) };
    const activity = open();
    let calls = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (calls += 1) * 20);
    const { customers: own } = await activity.read(scope, hours);
    clock.mockRestore();
    const pending = own.filter(({ isEnergyPending }) => isEnergyPending);
    expect(pending.length).toBeGreaterThan(0);
    expect(pending.length).toBeLessThan(many.length);
    for (const one of own) {
      expect(one.totalMeasurements).toBe(5);
      if (!one.isEnergyPending) expect(one).toMatchObject({ measurementsToday: 5, energyTodayKwh: 4 });
    }
    // Customers with new rows are shown with their known figures first, marked as pending.
    await vi.waitFor(async () => {
      nowMs += 6_000;
      const { customers: again } = await activity.read(scope, hours);
      expect(again.filter(({ isEnergyPending }) => isEnergyPending)).toEqual([]);
    });
    for (const one of many) await push(one, minutes(5, 5));
    const late = vi.spyOn(performance, 'now').mockImplementation(() => (calls += 1) * 1_000);
    const { customers: told } = await activity.read(scope, hours);
    late.mockRestore();
    expect(told.map(({ totalMeasurements }) => totalMeasurements)).toEqual(many.map(() => 10));
    // The energy of one is always computed, so that every answer comes closer to the truth.
    expect(told.filter(({ isEnergyPending }) => isEnergyPending)).toHaveLength(many.length - 1);
    for (const one of told) expect(one.measurementsToday).toBe(one.isEnergyPending ? 5 : 10);
  });

  test('with many pending customers, nobody waits for those that have sent nothing since', async () => {
    const many = await Promise.all(Array.from({ length: 52 }, () => create()));
    await Promise.all(many.map((one) => push(one, minutes(0, 5))));
    const ids = many.map(({ id }) => id);
    const activity = open();
    const pendingOf = async (customers: string[]) =>
      (await activity.read({ customers }, hours)).customers.filter(({ isEnergyPending }) => isEnergyPending).length;
    let calls = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (calls += 1) * 1_000);
    const pending = await pendingOf(ids);
    clock.mockRestore();
    expect(pending).toBeGreaterThan(50);
    nowMs += 6_000;
    expect(await pendingOf(ids)).toBe(pending);
    expect(await pendingOf(ids.slice(0, 10))).toBe(0);
  });

  test('readings that came before their device are counted, and pending until its site has come', async () => {
    const customer = await create({ isPlaced: false });
    const before = await readDashboard();
    await push(customer, minutes(0, 5));
    expect(await totalOf(customer)).toBe(5);
    expect((await readDashboard()).todayMeasurements - before.todayMeasurements).toBe(5);
    expect(await figuresOf(customer)).toEqual({ count: 5, kWh: 0, isPending: true });
    await materializeSome(fleet.database.forCustomer(customer.id), { within: null, skip: true });
    await push(customer, minutes(5, 1));
    expect(await figuresOf(customer)).toEqual({ count: 6, kWh: 0, isPending: true });
    await pushSets(customer);
    expect(await figuresOf(customer)).toEqual({ count: 6, kWh: 5, isPending: false });
    // Of a device that is gone the readings were still made today.
    await push(customer, [], 'devices');
    expect(await figuresOf(customer)).toEqual({ count: 6, kWh: 0, isPending: false });
  });

  test('a day that begins while the one before is read has nothing of it', async () => {
    const customer = await create();
    nowMs = Date.parse('2026-03-20T23:59:59Z');
    await push(customer, [{ deviceId: meter, time: new Date(nowMs).toISOString(), activePowerKw: 1 }]);
    const activity = open();
    const scope = { customers: [customer.id] };
    const first = await activity.read(scope, hours);
    nowMs += 2_000;
    const told = [first, await activity.read(scope, hours)].map(({ today, customers }) => ({
      date: today.date,
      measurements: customers.map(({ measurementsToday }) => measurementsToday),
    }));
    expect(told).toEqual([
      { date: '2026-03-20', measurements: [1] },
      { date: '2026-03-21', measurements: [0] },
    ]);
  });
});

test('the portal reads changed customers ahead; a request reads only later changes', async () => {
  const customer = await create();
  const activity = open();
  const keeping = activity.keepFresh(hours);
  const ask = () => countingSlotReads(() => activity.read({ customers: [customer.id] }, hours));
  await expect.poll(async () => (await ask()).reads).toBe(0);
  await keeping.stop();
  await push(customer, minutes(0, 3));
  const { result, reads } = await ask();
  expect(reads).toBeGreaterThan(0);
  expect(result.customers).toMatchObject([{ measurementsToday: 3, energyTodayKwh: 2, isEnergyPending: false }]);
  expect((await ask()).reads).toBe(0);
  const other = await create();
  expect((await countingSlotReads(() => activity.read({ customers: [other.id] }, hours))).reads).toBeGreaterThan(0);
});

describe('if more customers have changed than a request reads', () => {
  const createMany = () => Promise.all(Array.from({ length: 52 }, () => create()));
  /** Reads ten at a time, so that all are computed. */
  const readAll = async (activity: ReturnType<typeof open>, many: readonly Pushing[]) => {
    for (let at = 0; at < many.length; at += 10) {
      const { customers } = await activity.read({ customers: many.slice(at, at + 10).map(({ id }) => id) }, hours);
      expect(customers.some(({ isEnergyPending }) => isEnergyPending)).toBe(false);
    }
  };

  test('nobody waits for them: they are pending with the figures that were read before, until they are read ahead', async () => {
    const many = await createMany();
    const scope = { customers: many.map(({ id }) => id) };
    for (const one of many) await push(one, minutes(0, 5));
    const activity = open();
    await readAll(activity, many);
    for (const one of many) await push(one, minutes(5, 5));
    const { result, reads } = await countingSlotReads(() => activity.read(scope, hours));
    expect(reads).toBe(0);
    for (const one of result.customers) {
      expect(one).toMatchObject({ totalMeasurements: 10, measurementsToday: 5, isEnergyPending: true });
    }
    // Those of another scope are read at once.
    const few = { customers: scope.customers.slice(0, 10) };
    for (const one of (await activity.read(few, hours)).customers) {
      expect(one).toMatchObject({ measurementsToday: 10, energyTodayKwh: 9, isEnergyPending: false });
    }
    const keeping = activity.keepFresh(hours);
    onTestFinished(keeping.stop);
    await vi.waitFor(async () => {
      nowMs += 6_000;
      const { customers } = await activity.read(scope, hours);
      for (const one of customers) {
        expect(one).toMatchObject({ measurementsToday: 10, energyTodayKwh: 9, isEnergyPending: false });
      }
    }, 20_000);
  });

  test('after a start, those that cannot be read in time are pending without figures of today, and read ahead', async () => {
    const many = await createMany();
    for (const one of many) await push(one, minutes(0, 5));
    const scope = { customers: many.map(({ id }) => id) };
    const activity = open();
    let calls = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (calls += 1) * 3_000);
    const { customers, describe: describeOne } = await activity.read(scope, hours);
    clock.mockRestore();
    expect(customers.map(({ totalMeasurements }) => totalMeasurements)).toEqual(many.map(() => 5));
    expect(customers.filter(({ own }) => own.version === -1)).toHaveLength(2);
    for (const one of customers) {
      if (one.own.version === -1) expect(one).toMatchObject({ isEnergyPending: true, measurementsToday: 0 });
      const { siteCount, deviceCount, batchesByHour } = describeOne(one);
      expect({ siteCount, deviceCount, batches: batchesByHour.at(-1) }).toEqual({
        siteCount: 1,
        deviceCount: 1,
        batches: 4,
      });
    }
    const keeping = activity.keepFresh(hours);
    onTestFinished(keeping.stop);
    await vi.waitFor(async () => {
      nowMs += 6_000;
      const { customers: again } = await activity.read(scope, hours);
      expect(again.filter((one) => one.isEnergyPending || one.measurementsToday !== 5)).toEqual([]);
    }, 20_000);
  });

  test('reading ahead mixes no answer of two instants while batches arrive', async () => {
    const many = await createMany();
    const scope = { customers: many.map(({ id }) => id) };
    const activity = open();
    await activity.read(scope, hours);
    const keeping = activity.keepFresh(hours);
    onTestFinished(keeping.stop);
    const over = new AbortController();
    const pushing = (async () => {
      for (let minute = 0; minute < 8; minute += 1) {
        await Promise.all(many.map((one) => push(one, minutes(minute, 1))));
      }
      over.abort();
    })();
    let [complete, behind] = [0, 0];
    while (!over.signal.aborted) {
      for (const one of (await activity.read(scope, hours)).customers) {
        if (one.isEnergyPending) behind += 1;
        else complete += 1;
        if (one.isEnergyPending) expect(one.measurementsToday).toBeLessThanOrEqual(one.totalMeasurements);
        else expect(one.measurementsToday).toBe(one.totalMeasurements);
        expect(one.energyTodayKwh).toBeCloseTo(Math.max(0, one.measurementsToday - 1), 9);
      }
    }
    await pushing;
    expect(complete).toBeGreaterThan(0);
    expect(behind).toBeGreaterThan(0);
  });

  test('what is read ahead while an answer is made is not in that answer', async () => {
    const many = await createMany();
    for (const one of many) await push(one, minutes(0, 5));
    const activity = open();
    await readAll(activity, many);
    await activity.read(allCustomers, hours);
    for (const one of many) await push(one, minutes(5, 5));
    const { customers } = await activity.read({ customers: many.map(({ id }) => id) }, hours);
    const inOrder = customers.flatMap(({ customer: { id } }) => many.find((one) => one.id === id) ?? []);
    // The last two are read ahead after the others.
    const [first, other, last] = [inOrder[0], inOrder.at(-2), inOrder.at(-1)];
    if (first === undefined || other === undefined || last === undefined) throw new Error('There are no customers.');
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    interceptDays(async (text) => {
      if (text.includes(first.id)) {
        reached.resolve();
        await released.promise;
      } else if (text.includes(other.id) && !text.includes(last.id)) {
        asked.resolve();
        await answered.promise;
      }
    });
    const keeping = activity.keepFresh(hours);
    onTestFinished(keeping.stop);
    await reached.promise;
    await activity.read({ customers: [last.id] }, hours);
    const answer = activity.read({ customers: [other.id, last.id] }, hours);
    await asked.promise;
    await push(last, minutes(10, 5));
    released.resolve();
    // Enough for reading both ahead.
    await sleep(500);
    answered.resolve();
    for (const one of (await answer).customers) {
      expect(one).toMatchObject({ totalMeasurements: 10, measurementsToday: 10, isEnergyPending: false });
    }
  });

  test('when a day begins, all have nothing of it until they are read again', async () => {
    const many = await createMany();
    const scope = { customers: many.map(({ id }) => id) };
    nowMs = Date.parse('2026-03-20T23:59:59Z');
    const row = { deviceId: meter, time: new Date(nowMs).toISOString(), activePowerKw: 1 };
    for (const one of many) await push(one, [row]);
    const activity = open();
    await readAll(activity, many);
    expect((await activity.read(scope, hours)).customers).toMatchObject(many.map(() => ({ measurementsToday: 1 })));
    nowMs += 2_000;
    const { result, reads } = await countingSlotReads(() => activity.read(scope, hours));
    expect(reads).toBe(0);
    expect(result).toMatchObject({
      today: { date: '2026-03-21' },
      customers: many.map(() => ({ measurementsToday: 0, energyTodayKwh: 0, isEnergyPending: true })),
    });
    const few = await activity.read({ customers: scope.customers.slice(0, 10) }, hours);
    expect(few.customers.every((one) => !one.isEnergyPending && one.measurementsToday === 0)).toBe(true);
  });
});

test('a request ends the long rest of the reading ahead', async () => {
  const activity = open();
  const snapshots = vi.spyOn(Database.prototype, 'snapshot');
  onTestFinished(() => snapshots.mockRestore());
  const countWithin = async (ms: number) => {
    const before = snapshots.mock.calls.length;
    await sleep(ms);
    return snapshots.mock.calls.length - before;
  };
  const keeping = activity.keepFresh(hours);
  onTestFinished(keeping.stop);
  // While watched, it would rest for one second.
  await expect.poll(() => countWithin(1_500), { timeout: 20_000 }).toBe(0);
  await activity.read({ customers: [] }, hours);
  expect(await countWithin(1_500)).toBeGreaterThan(0);
});

test('a fleet without customers, and an account that may see none, have zeros', async () => {
  const { customers } = await open().read({ customers: [] }, hours);
  expect(customers).toEqual([]);
});
