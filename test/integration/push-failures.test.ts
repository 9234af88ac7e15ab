import { beforeAll, beforeEach, expect, it } from 'vitest';
import { appOfFile } from '../support/app-of-file.ts';
import { type FleetReceiver, type Reaction, startFleetReceiver } from '../support/fleet-receiver.ts';
import { clearPush, createPusher, stateOf, untilDue } from '../support/pushing.ts';
import { createDevice, createSite } from '../support/sites.ts';

const start = Date.UTC(2026, 2, 10);
const portal = appOfFile();
let receiver: FleetReceiver;
let admin = { cookie: '' };
let nowMs = 0;

beforeAll(async () => {
  admin = await portal.signIn();
  const session = { app: portal.app, headers: admin };
  await createDevice(session, await createSite(session), { externalId: 'm-1' });
});
beforeEach(async () => {
  nowMs = Date.now();
  await clearPush(portal);
  receiver = await startFleetReceiver();
  return async () => receiver[Symbol.asyncDispose]();
});

/** Rows that are due, behind sets that have been pushed. */
async function withRows(count: number, batchSize = 5000) {
  const pusher = createPusher(portal, receiver, { batchSize, now: () => nowMs, timeoutMs: 1_000 });
  await pusher.tick();
  const payload = Array.from({ length: count }, (_, minute) => ({
    externalId: 'm-1',
    time: new Date(start + minute * 60_000).toISOString(),
    activePowerKw: 1,
  }));
  await portal.app.inject({ method: 'POST', url: '/api/ingest/measurements', payload, headers: admin });
  await untilDue(portal);
  receiver.batches.length = 0;
  return pusher;
}

const answering = (reaction: Reaction) => {
  receiver.react = () => reaction;
};
const secondsUntil = (instant: string | null) => Math.round((Date.parse(instant ?? '') - nowMs) / 1000);
const sizes = () => receiver.batches.map(({ records }) => records.length);

it('specification, States: after each failure the wait doubles, from one minute up to thirty, and a success ends it', async () => {
  const pusher = await withRows(10);
  answering({ status: 500 });
  const waits: number[] = [];
  for (let failure = 1; failure <= 7; failure += 1) {
    await pusher.tick();
    const state = await stateOf(portal, 'measurements');
    waits.push(secondsUntil(state.nextAttemptAt));
    expect(state).toMatchObject({
      failures: failure,
      lastErrorKind: 'broken',
      lastError: expect.stringContaining('500'),
    });
    await pusher.tick();
    // The sets are repeated after an hour, and fail as well.
    expect(receiver.batches.filter(({ type }) => type === 'measurements')).toHaveLength(failure);
    nowMs = Date.parse(state.nextAttemptAt ?? '') + 1;
  }
  expect(waits).toEqual([60, 120, 240, 480, 960, 1800, 1800]);
  answering('accept');
  await pusher.tick();
  expect(await stateOf(portal, 'measurements')).toMatchObject({ failures: 0, nextAttemptAt: null });
  expect(receiver.measurements()).toHaveLength(10);
});

it('a clock that is set back does not lengthen the hour until sets are pushed again', async () => {
  const pusher = await withRows(10);
  nowMs -= 20 * 3_600_000;
  await pusher.tick();
  expect(receiver.stored.map(({ type }) => type)).toContain('tariffs');
});

it.each([429, 503])('Retry-After of a %i is honoured, in seconds and as a date', async (status) => {
  const pusher = await withRows(10);
  answering({ status, headers: { 'retry-after': '7' } });
  await pusher.tick();
  expect(secondsUntil((await stateOf(portal, 'measurements')).nextAttemptAt)).toBe(7);
  nowMs = Math.ceil(nowMs / 1000) * 1000 + 8_000;
  answering({ status, headers: { 'retry-after': new Date(nowMs + 45_000).toUTCString() } });
  await pusher.tick();
  const state = await stateOf(portal, 'measurements');
  expect(secondsUntil(state.nextAttemptAt)).toBe(45);
  expect(state.lastErrorKind).toBe('busy');
});

it.each([
  [401, 'unauthorized'],
  [400, 'refused'],
  [302, 'refused'],
])('a %i waits for the cap and says so', async (status, kind) => {
  const pusher = await withRows(10);
  answering({ status, headers: { location: receiver.url } });
  await pusher.tick();
  const state = await stateOf(portal, 'measurements');
  expect(secondsUntil(state.nextAttemptAt)).toBe(1800);
  expect(state).toMatchObject({ lastErrorKind: kind, lastError: expect.stringContaining(String(status)) });
  expect(receiver.batches).toHaveLength(1);
});

it('a 413 halves the batch until it fits, and after ten batches a larger one is tried', async () => {
  const pusher = await withRows(400, 64);
  receiver.react = ({ records }) => (records.length > 20 ? { status: 413 } : 'accept');
  await pusher.tick();
  expect(sizes()).toEqual([64, 32, 16, 16, 16]);
  expect(await stateOf(portal, 'measurements')).toMatchObject({ batchSize: 16, failures: 0 });
  for (let tick = 0; tick < 3; tick += 1) await pusher.tick();
  expect(sizes().slice(5)).toEqual([16, 16, 16, 16, 16, 16, 16, 32, 16, 16]);
  for (let tick = 0; tick < 8; tick += 1) await pusher.tick();
  expect(receiver.measurements()).toHaveLength(400);
});

it('a single row that is too large is skipped, counted and named, and the others arrive', async () => {
  const pusher = await withRows(9);
  const isPoison = ({ time }: Record<string, unknown>) => time === '2026-03-10T00:04:00Z';
  receiver.react = ({ records }) => (records.some(isPoison) ? { status: 413 } : 'accept');
  for (let tick = 0; tick < 10; tick += 1) await pusher.tick();
  expect(receiver.measurements()).toHaveLength(8);
  expect(receiver.measurements().some(isPoison)).toBe(false);
  expect(await stateOf(portal, 'measurements')).toMatchObject({
    rejectedRows: 1,
    lastErrorKind: 'rejected',
    lastError: expect.stringContaining('2026-03-10T00:04:00Z was skipped'),
  });
});

it('rows that the fleet rejects are counted, with the reason of the first', async () => {
  const pusher = await withRows(5);
  const body = JSON.stringify({ accepted: 3, rejected: 2, errors: [{ index: 0, reason: 'time is odd' }] });
  answering({ status: 200, body });
  await pusher.tick();
  expect(await stateOf(portal, 'measurements')).toMatchObject({
    rejectedRows: 2,
    lastError: 'time is odd',
    failures: 0,
  });
});

it.each<[string, Reaction, string]>([
  ['nobody answers in time', 'hang', 'unreachable'],
  ['the answer is none of a fleet', { status: 200, body: '<html>Welcome</html>' }, 'broken'],
  ['the answer has no end', { status: 200, body: 'x'.repeat(2_000_000) }, 'unreachable'],
])('where %s, the rows are sent again', async (_, reaction, kind) => {
  const pusher = await withRows(5);
  answering(reaction);
  await pusher.tick();
  expect(await stateOf(portal, 'measurements')).toMatchObject({ failures: 1, lastErrorKind: kind, cursor: null });
  answering('accept');
  receiver.stored.length = 0;
  nowMs += 3_600_000;
  await pusher.tick();
  expect(receiver.measurements()).toHaveLength(5);
});

it('a fleet that cannot be reached is asked once a tick, not once a resource', async () => {
  const pusher = createPusher(portal, receiver, { now: () => nowMs });
  receiver.react = () => 'loseAnswer';
  await pusher.tick();
  expect(receiver.batches).toHaveLength(1);
  expect(await stateOf(portal, 'sites')).toMatchObject({ failures: 1, lastErrorKind: 'unreachable' });
  expect(await stateOf(portal, 'devices')).toMatchObject({ failures: 0 });
});

it('Push backoff: a wait that began in the future, or that is longer than any, is none: the clock was wrong', async () => {
  const pusher = await withRows(10);
  answering({ status: 500 });
  await pusher.tick();
  const tries = receiver.batches.length;
  const setWait = (errorAt: number, nextAt: number) =>
    portal.database.query(
      {
        text: `UPDATE monitoring.push_state SET last_error_at = $1::timestamptz, next_attempt_at = $2::timestamptz
               WHERE resource = 'measurements'`,
      },
      [new Date(errorAt), new Date(nextAt)],
    );
  const days = 86_400_000;
  await setWait(nowMs - 1_000, nowMs + 60_000);
  await pusher.tick();
  expect(receiver.batches).toHaveLength(tries);
  await setWait(nowMs - 1_000, nowMs + 30 * days);
  await pusher.tick();
  expect(receiver.batches).toHaveLength(tries + 1);
  await setWait(nowMs + 30 * days, nowMs + 30 * days + 60_000);
  await pusher.tick();
  expect(receiver.batches).toHaveLength(tries + 2);
});

it('Push of sets: one of which the fleet rejects a record is sent again after the backoff, until all is taken', async () => {
  const pusher = createPusher(portal, receiver, { now: () => nowMs });
  const sites = () => receiver.batches.filter(({ type }) => type === 'sites').length;
  const body = JSON.stringify({ accepted: 0, rejected: 1, errors: [{ index: 0, reason: 'its town has not come' }] });
  receiver.react = ({ type }) => (type === 'sites' ? { status: 200, body } : 'accept');
  await pusher.tick();
  const state = await stateOf(portal, 'sites');
  expect(state).toMatchObject({ cursor: null, failures: 1, rejectedRows: 1, lastErrorKind: 'rejected' });
  expect(secondsUntil(state.nextAttemptAt)).toBe(60);
  await pusher.tick();
  expect(sites()).toBe(1);
  nowMs += 61_000;
  await pusher.tick();
  expect(await stateOf(portal, 'sites')).toMatchObject({ failures: 2, rejectedRows: 1 });
  answering('accept');
  nowMs += 121_000;
  await pusher.tick();
  expect(sites()).toBe(3);
  expect(await stateOf(portal, 'sites')).toMatchObject({ failures: 0, rejectedRows: 1, nextAttemptAt: null });
});
