import { beforeAll, expect, test, vi } from 'vitest';
import { createFleetActivity } from '../../server/commands/fleet-activity.ts';
import { listSeenCustomers } from '../../server/db/fleet-customers.ts';
import { Database } from '../../server/db/pool.ts';
import { adminAppOfFile } from '../support/app-of-file.ts';
import { createCustomer } from '../support/fleet.ts';

const start = Date.parse('2026-03-10T10:00:00Z');
const hours = 24;
let nowMs = start;
const fleet = adminAppOfFile({ now: () => nowMs });
let token: string;

beforeAll(async () => {
  token = await create('first');
});

const create = async (code: string) => (await createCustomer(fleet, code)).token;

const id = '018f4ad0-0000-7000-8000-000000000001';

async function push(customerToken = token, type = 'measurements', payload = [reading()]): Promise<void> {
  const answer = await fleet.app.inject({
    method: 'POST',
    url: '/api/fleet/ingest',
    headers: { 'x-customer-token': customerToken, 'x-batch-type': type },
    payload,
  });
  expect(answer.statusCode, answer.body).toBe(200);
}

const reading = (): object => ({ deviceId: id, time: new Date(nowMs).toISOString(), activePowerKw: 1 });

test('what customers have sent is kept fresh by the portal, so that who asks waits for none but new customers', async () => {
  const activity = createFleetActivity({ database: fleet.database, timeZone: 'UTC', now: () => nowMs });
  const problems: unknown[] = [];
  const keeping = activity.keepFresh(hours, (error) => problems.push(error));
  const snapshots = vi.spyOn(Database.prototype, 'snapshot');
  /** How often the database is asked what customers have sent, six seconds after the last time. */
  const readsFor = async (ms = 6_000) => {
    nowMs += ms;
    await push();
    const seen = await listSeenCustomers(fleet.database, { customers: 'all' });
    const before = snapshots.mock.calls.length;
    const { activities } = await activity.read(seen, hours);
    expect(activities.size).toBe(seen.length);
    return snapshots.mock.calls.length - before;
  };
  await expect.poll(() => readsFor()).toBe(0);
  // From here on nobody reads but who asks.
  await keeping.stop();
  expect(await readsFor()).toBe(0);
  await create('second');
  expect(await readsFor()).toBe(1);
  expect(await readsFor()).toBe(0);
  // Where keeping it fresh has not worked for so long, who asks reads it.
  expect(await readsFor(4 * 60_000)).toBeGreaterThan(0);
  // So where the clock was set back.
  expect(await readsFor(-3_600_000)).toBeGreaterThan(0);
  snapshots.mockRestore();
  expect(problems).toEqual([]);
});

test('after a start nobody waits until a whole fleet is computed: what is stored comes at once, and the rest behind it', async () => {
  for (let n = 1; n <= 9; n += 1) await push(await create(`many-${n}`));
  const open = () => createFleetActivity({ database: fleet.database, timeZone: 'UTC', now: () => nowMs });
  const snapshots = vi.spyOn(Database.prototype, 'snapshot');
  const firstRead = async (activity = open()) => {
    const before = snapshots.mock.calls.length;
    const seen = await listSeenCustomers(fleet.database, { customers: 'all' });
    const { activities } = await activity.read(seen, hours);
    const pending = [...activities.values()].filter(({ isEnergyPending }) => isEnergyPending).length;
    return { pending, reads: snapshots.mock.calls.length - before };
  };
  // Ten customers have sent something: they are computed as long as somebody waits.
  expect((await firstRead()).reads).toBeGreaterThan(1);
  await push(await create('one-more'));
  const activity = open();
  expect(await firstRead(activity)).toEqual({ pending: 11, reads: 1 });
  const keeping = activity.keepFresh(hours, () => undefined);
  const pendingLater = async () => {
    nowMs += 6_000;
    return (await firstRead(activity)).pending;
  };
  // Asked so often, what is being computed has been read again each time before it is done.
  await expect.poll(pendingLater, { timeout: 40_000, interval: 1 }).toBe(0);
  await keeping.stop();
  snapshots.mockRestore();
});

test('a day that begins while the one before is read has nothing of it', async () => {
  nowMs = Date.parse('2026-03-20T23:59:59Z');
  await push(token, 'municipalities', [{ id, name: 'Town', timeZone: 'UTC' }]);
  await push(token, 'sites', [{ id, name: 'Works', municipalityId: id }]);
  await push(token, 'devices', [{ id, siteId: id, name: 'Meter', externalId: 'meter' }]);
  await push();
  const everybody = await listSeenCustomers(fleet.database, { customers: 'all' });
  const seen = everybody.filter(({ code }) => code === 'first');
  const activity = createFleetActivity({ database: fleet.database, timeZone: 'UTC', now: () => nowMs });
  const before = activity.read(seen, hours);
  nowMs += 2_000;
  const reads = await Promise.all([before, activity.read(seen, hours)]);
  const told = reads.map(({ today, activities }) => ({
    date: today.date,
    customers: activities.size,
    measurements: [...activities.values()].reduce((sum, { measurementsToday }) => sum + measurementsToday, 0),
  }));
  expect(told).toEqual([
    { date: '2026-03-20', customers: 1, measurements: 1 },
    { date: '2026-03-21', customers: 1, measurements: 0 },
  ]);
});
