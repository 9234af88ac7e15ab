import { hash } from 'node:crypto';
import { beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { giveUpRecording } from '../../server/push/push.ts';
import { startBackground } from '../../server/compose.ts';
import { rangeColumns } from '../../server/energy/dirty-ranges.sql.ts';
import { recordStored } from '../../server/push/push-outbox.sql.ts';
import { findRecording } from '../../server/push/push-recording.sql.ts';
import { pushTo } from '../../server/push/open.ts';
import { createTestApp } from '../support/app.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { type FleetReceiver, startFleetReceiver } from '../support/fleet-receiver.ts';
import { clearPush, createPusher, stateOf, untilDue } from '../support/pushing.ts';
import { createDevice, createSite } from '../support/sites.ts';
import { LOCK_INGEST_SHARED } from '../../server/database/ingest-lock.ts';

const start = Date.UTC(2026, 2, 10);
const minuteMs = 60_000;
const week = 7 * 24 * 3_600_000;
const ingestPath = '/api/ingest/measurements';
const portal = appOfFile();
let receiver: FleetReceiver;
let admin = { cookie: '' };
const idOf = new Map<string, string>();

beforeAll(async () => {
  admin = await portal.signIn();
  const session = { app: portal.app, headers: admin };
  const siteId = await createSite(session);
  for (const externalId of ['m-1', 'm-2', 'm-3', 'm-4']) {
    idOf.set(externalId, await createDevice(session, siteId, { externalId }));
  }
});
beforeEach(async () => {
  await clearPush(portal);
  receiver = await startFleetReceiver();
  return async () => receiver[Symbol.asyncDispose]();
});

/** Rows of a device, a minute apart. */
const rowsOf = (externalId: string, count: number, fromMs = start) =>
  Array.from({ length: count }, (_, minute) => ({
    externalId,
    time: new Date(fromMs + minute * minuteMs).toISOString(),
    activePowerKw: minute + 0.25,
    energyImportedKwh: minute / 10,
  }));

async function deliver(rows: readonly object[]): Promise<void> {
  const response = await portal.app.inject({ method: 'POST', url: ingestPath, payload: [...rows], headers: admin });
  expect(response.json()).toMatchObject({ accepted: rows.length });
}

const keyOf = (record: Record<string, unknown>) => `${String(record['time'])} ${String(record['deviceId'])}`;
const keysOf = (rows: readonly { externalId: string; time: string }[]) =>
  rows.map(({ externalId, time }) => `${time.replace('.000Z', 'Z')} ${idOf.get(externalId)}`).toSorted();
const receivedKeys = () => receiver.measurements().map(keyOf);

it('a tick pushes sites, devices, municipalities, tariffs and measurements, in this order, compressed, with token and cursor', async () => {
  // The end use of a device stays with the Client.
  const endUse = { deviceIds: [idOf.get('m-1')], endUse: 'Lighting' };
  const url = '/api/admin/devices/change';
  const changed = await portal.app.inject({ method: 'POST', url, headers: admin, payload: endUse });
  expect(changed.statusCode).toBe(200);
  const pusher = createPusher(portal, receiver);
  await pusher.tick();
  await deliver(rowsOf('m-1', 2));
  await pusher.drain();
  expect(receiver.batches.map(({ type }) => type)).toEqual([
    'sites',
    'devices',
    'municipalities',
    'tariffs',
    'measurements',
  ]);
  for (const { encoding, token, part, cursor } of receiver.batches) {
    expect({ encoding, token, part }).toEqual({ encoding: 'gzip', token: 'a'.repeat(64), part: undefined });
    expect(cursor.length).toBeGreaterThan(0);
    expect(cursor.length).toBeLessThanOrEqual(200);
  }
  expect(receiver.batches[1]?.records).toContainEqual({
    id: idOf.get('m-1'),
    siteId: expect.any(String),
    name: 'm-1',
    externalId: 'm-1',
    isActive: true,
    energySource: 'auto',
    ratedPowerKw: null,
    registerMaxKwh: null,
    expectedIntervalSeconds: null,
    parentDeviceId: null,
  });
  expect(receiver.measurements()[1]).toEqual({
    deviceId: idOf.get('m-1'),
    time: '2026-03-10T00:01:00Z',
    activePowerKw: 1.25,
    reactivePowerKvar: null,
    apparentPowerKva: null,
    powerFactor: null,
    voltageV: null,
    frequencyHz: null,
    energyImportedKwh: 0.1,
    energyExportedKwh: null,
  });
});

it('sets are pushed when they change or an hour has passed, not with each tick', async () => {
  let nowMs = Date.now();
  const pusher = createPusher(portal, receiver, { now: () => nowMs });
  await pusher.tick();
  await pusher.tick();
  expect(receiver.batches).toHaveLength(4);
  const siteId = await createSite({ app: portal.app, headers: admin });
  await pusher.tick();
  expect(receiver.batches.slice(4).map(({ type }) => type)).toEqual(['sites', 'municipalities']);
  expect(receiver.stored.at(-2)?.records).toContainEqual(expect.objectContaining({ id: siteId }));
  nowMs += 3_600_001;
  await pusher.tick();
  expect(receiver.batches).toHaveLength(10);
});

it('a set that became what it was before is sent again, because the fleet may have what its lost answer was about', async () => {
  let nowMs = Date.now();
  const pusher = createPusher(portal, receiver, { now: () => nowMs });
  await pusher.tick();
  const siteId = await createSite({ app: portal.app, headers: admin });
  const lastSites = () => receiver.stored.findLast(({ type }) => type === 'sites')?.records.map(({ id }) => id);
  receiver.react = ({ type }) => (type === 'sites' ? 'loseAnswer' : 'accept');
  await pusher.tick();
  expect(lastSites()).toContain(siteId);
  const removed = await portal.app.inject({ method: 'DELETE', url: `/api/admin/sites/${siteId}`, headers: admin });
  expect(removed.statusCode).toBe(204);

  receiver.react = () => 'accept';
  nowMs += 600_000;
  await pusher.tick();
  expect(lastSites()).not.toContain(siteId);
});

it('a set that is larger than a batch goes in numbered parts with one cursor', async () => {
  await createPusher(portal, receiver, { batchSize: 3 }).tick();
  const devices = receiver.batches.filter(({ type }) => type === 'devices');
  expect(devices.map(({ part, records }) => [part, records.length])).toEqual([
    ['1/2', 3],
    ['2/2', 1],
  ]);
  expect(new Set(devices.map(({ cursor }) => cursor)).size).toBe(1);
});

it('a bulk insert of 20,000 rows with one ReceivedAt arrives once and in order at a batch size of 701, three batches a tick', async () => {
  // Four devices have rows at each time, so batches end between two of them.
  const pusher = createPusher(portal, receiver, { batchSize: 701 });
  await pusher.tick();
  const rows = [...idOf.keys()].flatMap((externalId) => rowsOf(externalId, 5000));
  await deliver(rows);
  const ticks = await pusher.drain();
  expect(receivedKeys()).toEqual(keysOf(rows));
  const sizes = receiver.stored.filter(({ type }) => type === 'measurements').map(({ records }) => records.length);
  expect(sizes).toEqual([...Array.from({ length: 28 }, () => 701), 372]);
  expect(ticks).toBe(11);
  const cursors = receiver.stored.filter(({ type }) => type === 'measurements').map(({ cursor }) => cursor);
  expect(cursors).toEqual(cursors.toSorted());
  expect(new Set(cursors.map((cursor) => cursor.split('/')[0])).size).toBe(1);
});

it('rows that gateways send one by one share batches, in the order in which they were received', async () => {
  const pusher = createPusher(portal, receiver, { batchSize: 50 });
  await pusher.tick();
  const rows = rowsOf('m-1', 120).toReversed();
  for (const row of rows) await deliver([row]);
  await pusher.drain();
  expect(receivedKeys()).toEqual(keysOf(rows).toReversed());
  expect(receiver.stored.filter(({ type }) => type === 'measurements').map(({ records }) => records.length)).toEqual([
    50, 50, 20,
  ]);
});

it('a transaction that commits late is not passed: what began after it waits for it', async () => {
  const pusher = createPusher(portal, receiver);
  // Creating a partition or chunk would wait for the open transaction.
  await deliver(rowsOf('m-4', 1));
  await pusher.drain();
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
  const { promise: hasStored, resolve: stored } = Promise.withResolvers<void>();
  const late = portal.database.transaction(async (tx) => {
    await tx.query(LOCK_INGEST_SHARED);
    const { rows } = await tx.query<{ number: number }>({
      text: `INSERT INTO monitoring.measurements (device_number, time, active_power_milliwatts)
             SELECT number, '2026-03-10T12:00:00Z', 1 FROM monitoring.devices WHERE external_id = 'm-2'
             RETURNING device_number AS number`,
    });
    const micros = Date.parse('2026-03-10T12:00:00Z') * 1000;
    const range = { deviceNumber: rows[0]?.number ?? 0, fromMicros: micros, toMicros: micros };
    await tx.send([recordStored(1, rangeColumns([range]))]);
    stored();
    await mayCommit;
  });
  await hasStored;
  await deliver(rowsOf('m-1', 3));
  await new Promise((resolve) => {
    setTimeout(resolve, 200);
  });
  await pusher.tick();
  expect(receivedKeys()).toHaveLength(1);
  commit();
  await late;
  await pusher.drain();
  expect(receivedKeys().slice(1)).toEqual([
    ...keysOf([{ externalId: 'm-2', time: '2026-03-10T12:00:00Z' }]),
    ...keysOf(rowsOf('m-1', 3)),
  ]);
});

it('rows of years ago that come late arrive, also beside newer ones and in compressed chunks', async () => {
  const recent = rowsOf('m-1', 300, Date.UTC(2021, 4, 1));
  await deliver(recent);
  await compress();
  const pusher = createPusher(portal, receiver, { batchSize: 100 });
  await pusher.drain();
  expect(receivedKeys()).toEqual(keysOf(recent));
  const late = [
    ...rowsOf('m-1', 200, Date.UTC(2021, 4, 1) + 30_000),
    ...rowsOf('m-2', 150, Date.UTC(2004, 4, 1)),
    ...rowsOf('m-2', 1, Date.UTC(2026, 4, 1)),
  ];
  await deliver([...late, ...recent.slice(0, 50)]);
  await compress();
  await pusher.drain();
  expect(receivedKeys().slice(300)).toEqual(keysOf(late));
});

it('rows that were stored before the push was on arrive, each tick some of them, while new ones go on', async () => {
  const old = [...rowsOf('m-1', 400), ...rowsOf('m-3', 350, Date.UTC(2012, 0, 31, 23, 30)), ...rowsOf('m-3', 40)];
  await deliver(old);
  await compress();
  const pusher = createPusher(portal, receiver, { batchSize: 100 });
  await pusher.tick();
  const newer = rowsOf('m-4', 400);
  await deliver(newer);
  await untilDue(portal);
  const before = receiver.batches.length;
  await pusher.tick();
  const kinds = receiver.batches.slice(before).map(({ cursor }) => cursor.startsWith('stored/'));
  expect(kinds).toEqual([false, false, true]);
  await pusher.drain();
  expect(receivedKeys().toSorted()).toEqual(keysOf([...old, ...newer]));
  const walked = receiver.stored.filter(({ cursor }) => cursor.startsWith('stored/'));
  expect(walked.flatMap(({ records }) => records).map(keyOf)).toHaveLength(old.length);
  expect(await findRecording(portal.database)).toMatchObject({ walk: null });
});

it.each(['loseAnswer', 'cutAnswer'] as const)(
  'a batch whose acknowledgement is lost (%s) is sent again, and nothing is left out',
  async (mishap) => {
    let nowMs = Date.now();
    const pusher = createPusher(portal, receiver, { batchSize: 30, now: () => nowMs });
    await pusher.tick();
    const rows = rowsOf('m-1', 100);
    await deliver(rows);
    let count = 0;
    receiver.react = ({ type }) => (type === 'measurements' && (count += 1) % 2 === 1 ? mishap : 'accept');
    await untilDue(portal);
    for (let round = 0; round < 12; round += 1, nowMs += 3_600_000) await pusher.tick();
    expect([...new Set(receivedKeys())]).toEqual(keysOf(rows));
    expect(receivedKeys().length).toBeGreaterThan(rows.length);
    expect((await stateOf(portal, 'measurements')).lastErrorKind).toBe('unreachable');
  },
);

it('two portals on one database never push at once, and each row arrives once', async () => {
  let running = 0;
  let together = 0;
  receiver.react = async (): Promise<'accept'> => {
    running += 1;
    together = Math.max(together, running);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    running -= 1;
    return 'accept';
  };
  const settings = { url: receiver.url, token: 'b'.repeat(64), batchSize: 50, intervalSeconds: 0.05, version: '1.2.3' };
  const problems: unknown[] = [];
  const parts = { database: portal.database, fetch, now: Date.now, random: Math.random, quietInMs: () => 0 };
  const open = () =>
    pushTo(
      { ...settings, backoffMinSeconds: 0.05, backoffMaxSeconds: 0.1 },
      { ...parts, onProblem: (error) => problems.push(error) },
    );
  const rows = [...rowsOf('m-1', 300), ...rowsOf('m-2', 300)];
  await deliver(rows);
  const pushes = [open(), open(), open()];
  try {
    await expect.poll(() => receivedKeys().length, { timeout: 30_000 }).toBe(rows.length);
    // Another portal continues where the first one stops.
    await pushes[0]?.stop();
    await deliver(rowsOf('m-3', 120));
    await expect.poll(() => receivedKeys().length, { timeout: 30_000 }).toBe(rows.length + 120);
  } finally {
    await Promise.all(pushes.map((push) => push.stop()));
  }
  expect(new Set(receivedKeys()).size).toBe(rows.length + 120);
  expect(together).toBe(1);
  expect(JSON.parse(receiver.batches.at(-1)?.report ?? '')).toEqual({
    version: '1.2.3',
    backlogRows: expect.any(Number),
    lastError: null,
  });
  expect(problems).toEqual([]);
});

it('a push requested while one is failing runs at once, although that one failed after the request', async () => {
  const held = Promise.withResolvers<void>();
  receiver.react = async () => {
    const isFirst = receiver.batches.length <= 1;
    if (isFirst) await held.promise;
    return isFirst ? { status: 500 } : 'accept';
  };
  const settings = { url: receiver.url, token: 'b'.repeat(64), batchSize: 50, intervalSeconds: 3600, version: '1.2.3' };
  const push = pushTo(
    { ...settings, backoffMinSeconds: 3600, backoffMaxSeconds: 7200 },
    {
      database: portal.database,
      fetch,
      now: Date.now,
      random: Math.random,
      quietInMs: () => 0,
      onProblem: (error) => expect.fail(String(error)),
    },
  );
  try {
    await expect.poll(() => receiver.batches.length, { timeout: 30_000 }).toBe(1);
    const failing = receiver.batches[0]?.type;
    push.wake();
    held.resolve();
    const ofIt = () => receiver.batches.filter(({ type }) => type === failing).length;
    await expect.poll(ofIt, { timeout: 30_000 }).toBe(2);
  } finally {
    await push.stop();
  }
});

it('a batch waits while rows come in fast, goes once they cease, and goes after a while although they never do', async () => {
  let quietInMs = () => 0;
  const pusher = createPusher(portal, receiver, { batchSize: 5, intervalSeconds: 2, quietInMs: () => quietInMs() });
  await pusher.tick();
  const sentAt: number[] = [];
  receiver.react = () => {
    sentAt.push(performance.now());
    return 'accept';
  };
  await deliver(rowsOf('m-1', 25));
  await untilDue(portal);
  const began = performance.now();
  const quietAt = began + 100;
  quietInMs = () => Math.max(0, quietAt - performance.now());
  await pusher.tick();
  expect(sentAt).toHaveLength(3);
  expect(sentAt[0]).toBeGreaterThanOrEqual(quietAt);

  const busySince = performance.now();
  quietInMs = () => 1_000;
  await pusher.tick();
  // A quarter of the interval apart.
  expect(sentAt.slice(3).map((at, sent) => at - busySince >= (sent + 1) * 500)).toEqual([true, true]);
  expect(receivedKeys()).toEqual(keysOf(rowsOf('m-1', 25)));
});

it('the push of a portal gives way to the rows that the portal stores', async () => {
  const environment = {
    FleetIngest__Enabled: 'true',
    FleetIngest__Url: receiver.url,
    FleetIngest__Token: 'c'.repeat(64),
    FleetIngest__IntervalSeconds: '2',
  };
  await using pushing = await createTestApp({ environment });
  const cameAt = new Map<string, number>();
  receiver.react = ({ type }) => {
    cameAt.set(type, cameAt.get(type) ?? performance.now());
    return 'accept';
  };
  const session = { app: pushing.app, headers: await pushing.signIn() };
  await createDevice(session, await createSite(session), { externalId: 'm-1' });
  await createPusher(pushing, receiver, { target: hash('sha256', receiver.url) }).tick();
  await pushing.app.inject({ method: 'POST', url: ingestPath, payload: rowsOf('m-1', 3), headers: session.headers });
  await untilDue(pushing);
  cameAt.clear();
  await pushing.database.query({ text: 'UPDATE monitoring.push_state SET cursor = NULL' });
  const background = startBackground({ ...pushing, log: pushing.app.log, now: Date.now });
  const comeIn = () => background.onStored?.(20_000);
  // Before the first push, which begins at once.
  comeIn();
  const rows = setInterval(comeIn, 50);
  background.onListening();
  try {
    await expect.poll(() => cameAt.has('measurements'), { timeout: 30_000, interval: 20 }).toBe(true);
  } finally {
    clearInterval(rows);
    await background.stop();
  }
  expect((cameAt.get('measurements') ?? 0) - (cameAt.get('tariffs') ?? 0)).toBeGreaterThan(400);
});

it('a portal that is stopped while its push waits for rows that come in sends nothing more', async () => {
  const stopping = new AbortController();
  const pusher = createPusher(portal, receiver, { intervalSeconds: 3600, quietInMs: () => (stopping.abort(), 1_000) });
  await deliver(rowsOf('m-1', 5));
  await untilDue(portal);
  await pusher.tick({ stopping: stopping.signal, givenUp: stopping.signal });
  expect(stopping.signal.aborted).toBe(true);
  expect(receivedKeys()).toEqual([]);
});

it('rows of a device deleted in between are skipped, the others arrive', async () => {
  const pusher = createPusher(portal, receiver);
  await pusher.tick();
  const session = { app: portal.app, headers: admin };
  const gone = await createDevice(session, await createSite(session), { externalId: 'gone' });
  await deliver([...rowsOf('gone', 5), ...rowsOf('m-1', 5)]);
  await portal.app.inject({
    method: 'DELETE',
    url: `/api/admin/devices/${gone}?withMeasurements=true`,
    headers: admin,
  });
  await pusher.drain();
  expect(receivedKeys()).toEqual(keysOf(rowsOf('m-1', 5)));
});

it('a recording unused for a week is dropped, and the next push begins with the stored rows', async () => {
  let nowMs = Date.now();
  const pusher = createPusher(portal, receiver, { now: () => nowMs });
  await pusher.tick();
  await deliver(rowsOf('m-1', 10));
  expect(await giveUpRecording(portal.database, nowMs + week - minuteMs)).toBe(false);
  expect(await giveUpRecording(portal.database, nowMs + week + 3_600_001)).toBe(true);
  await deliver(rowsOf('m-2', 10));
  const { rows } = await portal.database.query<{ count: number }>({
    text: 'SELECT count(*) AS count FROM monitoring.push_outbox',
  });
  expect(rows[0]?.count).toBe(0);
  nowMs += week * 2;
  await pusher.drain();
  expect(receivedKeys().toSorted()).toEqual(keysOf([...rowsOf('m-1', 10), ...rowsOf('m-2', 10)]));
});

it('another fleet gets everything from the start', async () => {
  await deliver(rowsOf('m-1', 10));
  await createPusher(portal, receiver).drain();
  await createPusher(portal, receiver, { target: 'another fleet' }).drain();
  expect(receivedKeys()).toEqual([...keysOf(rowsOf('m-1', 10)), ...keysOf(rowsOf('m-1', 10))]);
  expect(receiver.batches.filter(({ type }) => type === 'sites')).toHaveLength(2);
});

async function compress(): Promise<void> {
  if (inject('postgres').engine !== 'timescale') return;
  await portal.database.query({
    text: `SELECT compress_chunk(c, if_not_compressed => true) FROM show_chunks('monitoring.measurements') c`,
  });
}
