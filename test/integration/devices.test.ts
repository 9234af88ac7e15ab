import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clearDeletedDevice, clearDeletedDevices } from '../../server/sites/deleted-devices.ts';
import { LIST_DEVICES_OF_SITE } from '../../server/sites/devices.sql.ts';
import { allOf, listDirtyDevices } from '../../server/energy/dirty-ranges.sql.ts';
import { device as deviceSchema, deviceWithSite } from '../../shared/sites.ts';
import { createUser } from '../support/accounts.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { materializeAll } from '../support/energy-rollup.ts';
import { createSite } from '../support/sites.ts';
import { LOCK_INGEST_SHARED } from '../../server/database/ingest-lock.ts';

const portal = appOfFile();
let admin: { cookie: string };
let plain: { cookie: string };
let office: string;
let works: string;

const url = '/api/admin/devices';
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';

const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, headers: object = admin) =>
  portal.app.inject({ method, url: path, headers: { ...headers }, ...(payload === undefined ? {} : { payload }) });
const errorOf = (answer: { json: <T>() => T }) => answer.json<{ error: string }>().error;
const create = async (fields: object) => {
  const answer = await ask('POST', url, { siteId: office, name: 'Meter', ...fields });
  expect(answer.statusCode, answer.body).toBe(201);
  return deviceSchema.parse(answer.json());
};
const ingest = (externalId: string, time = '2026-03-10T10:00:00Z') =>
  ask('POST', '/api/ingest/measurements', [{ externalId, time, activePowerKw: 1 }]);
const count = async (table: string) => {
  const { rows } = await portal.database.query<{ count: number }>({
    text: `SELECT count(*)::integer AS count FROM monitoring.${table}`,
  });
  return rows[0]?.count;
};

beforeAll(async () => {
  admin = await portal.signIn();
  office = await createSite({ app: portal.app, headers: admin }, { name: 'Office' });
  works = await createSite({ app: portal.app, headers: admin }, { name: 'works' });
  plain = await portal.signIn(await createUser(portal, { email: 'reader@example.com' }));
});
beforeEach(async () => {
  await portal.database.query({ text: 'TRUNCATE monitoring.devices, monitoring.measurements' });
});

describe('GET /api/sites/devices', () => {
  test('is a flat list by site and name, for anyone signed in, and not mistaken for the site "devices"', async () => {
    const c = await create({ siteId: works, name: 'Meter 1', externalId: 'c', endUse: 'Lighting' });
    const b = await create({ name: 'meter 10', externalId: 'b', isActive: false, expectedIntervalSeconds: 900 });
    const a = await create({ name: 'Meter 9', externalId: 'a' });
    const answer = await ask('GET', '/api/sites/devices', undefined, plain);
    expect(answer.statusCode).toBe(200);
    expect(deviceWithSite.array().parse(answer.json())).toEqual(answer.json());
    const ofNone = { parentDeviceId: null, endUse: null };
    const [inOffice, inWorks] = [
      { siteId: office, siteName: 'Office', siteNumber: 1 },
      { siteId: works, siteName: 'works', siteNumber: 2 },
    ];
    expect(answer.json()).toEqual([
      {
        ...inOffice,
        id: a.id,
        name: 'Meter 9',
        externalId: 'a',
        isActive: true,
        expectedIntervalSeconds: null,
        number: 3,
        ...ofNone,
      },
      {
        ...inOffice,
        id: b.id,
        name: 'meter 10',
        externalId: 'b',
        isActive: false,
        expectedIntervalSeconds: 900,
        number: 2,
        ...ofNone,
      },
      {
        ...inWorks,
        id: c.id,
        name: 'Meter 1',
        externalId: 'c',
        isActive: true,
        expectedIntervalSeconds: null,
        ...ofNone,
        number: 1,
        endUse: 'Lighting',
      },
    ]);
  });
});

describe('writing devices', () => {
  test('POST answers 201 with the resource under a new UUIDv7; omitted fields have their defaults', async () => {
    const answer = await ask('POST', url, { siteId: office, name: ' Main ', externalId: ' meter-1 ' });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      siteId: office,
      name: 'Main',
      externalId: 'meter-1',
      isActive: true,
      energySource: 'auto',
      ratedPowerKw: null,
      registerMaxKwh: null,
      expectedIntervalSeconds: null,
      parentDeviceId: null,
      endUse: null,
      lastMeasuredAt: null,
    });
  });

  test('PUT keeps omitted fields: renaming a device never activates it or clears its limits', async () => {
    const limits = {
      isActive: false,
      energySource: 'register',
      ratedPowerKw: 7,
      registerMaxKwh: 999_999,
      expectedIntervalSeconds: 300,
      endUse: 'Hot water',
    };
    const made = await ask('POST', url, { siteId: works, name: 'Kept', externalId: 'kept', ...limits });
    const answer = await ask('PUT', `${url}/${made.json<{ id: string }>().id}`, {
      siteId: works,
      name: 'Renamed',
      externalId: 'kept',
      ratedPowerKw: null,
    });
    expect(answer.json()).toMatchObject({ ...limits, name: 'Renamed', ratedPowerKw: null });
  });

  test('PUT changes the whole writable part; its measurements stay with the device, also at another site', async () => {
    const { id } = await create({ externalId: 'meter-1' });
    await ingest('meter-1');
    const fields = {
      siteId: works,
      name: 'Hall',
      externalId: 'meter-2',
      isActive: false,
      energySource: 'register',
      ratedPowerKw: 12.5,
      registerMaxKwh: 999_999.99,
      expectedIntervalSeconds: 900,
      endUse: 'IT',
    };
    const answer = await ask('PUT', `${url}/${id}`, fields);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ id, ...fields, parentDeviceId: null, lastMeasuredAt: '2026-03-10T10:00:00Z' });
    expect((await ingest('meter-1')).json()).toMatchObject({ accepted: 0, rejected: 1 });
    expect((await ingest('meter-2')).json()).toMatchObject({ accepted: 1, duplicates: 1 });
  });

  test('an end use is trimmed, removed by null, and recorded in the audit trail', async () => {
    const made = await create({ externalId: 'lights', endUse: ` ${'L'.repeat(60)} ` });
    expect(made.endUse).toBe('L'.repeat(60));
    const fields = { siteId: office, name: 'Meter', externalId: 'lights' };
    expect((await ask('PUT', `${url}/${made.id}`, { ...fields, endUse: 'Lighting' })).json()).toMatchObject({
      endUse: 'Lighting',
    });
    expect((await ask('PUT', `${url}/${made.id}`, { ...fields, endUse: null })).json()).toMatchObject({ endUse: null });
    const { events } = (await ask('GET', '/api/admin/audit?limit=1')).json<{
      events: { before: object; after: object }[];
    }>();
    expect(events).toMatchObject([{ before: { endUse: 'Lighting' }, after: { endUse: null } }]);
  });

  test('a used externalId: 409 that names it and its device; another case is another id', async () => {
    await create({ name: 'Main', externalId: 'meter-1' });
    const other = await create({ name: 'Other', externalId: 'METER-1' });
    const fields = { siteId: works, name: 'New', externalId: 'meter-1' };
    for (const answer of [await ask('POST', url, fields), await ask('PUT', `${url}/${other.id}`, fields)]) {
      expect(answer.statusCode).toBe(409);
      expect(errorOf(answer)).toMatch(/"meter-1".*"Main".*"Office"/);
    }
  });

  test('an unknown siteId in the body: 400 that names the field', async () => {
    const { id } = await create({ externalId: 'meter-1' });
    for (const siteId of [unknownId, 'office', undefined]) {
      for (const answer of [
        await ask('POST', url, { siteId, name: 'New', externalId: 'new' }),
        await ask('PUT', `${url}/${id}`, { siteId, name: 'New', externalId: 'new' }),
      ]) {
        expect(answer.statusCode).toBe(400);
        expect(errorOf(answer)).toMatch(/siteId/);
      }
    }
  });

  test.each([
    ['externalId', { externalId: '' }],
    ['externalId', { externalId: 'x'.repeat(201) }],
    ['externalId', { externalId: 'a\u0000b' }],
    ['name', { name: ' ' }],
    ['isActive', { isActive: 'yes' }],
    ['energySource', { energySource: 'guess' }],
    ['ratedPowerKw', { ratedPowerKw: 0 }],
    ['ratedPowerKw', { ratedPowerKw: '12' }],
    ['registerMaxKwh', { registerMaxKwh: -1 }],
    ['expectedIntervalSeconds', { expectedIntervalSeconds: 1.5 }],
    ['expectedIntervalSeconds', { expectedIntervalSeconds: 0 }],
    ['endUse', { endUse: ' ' }],
    ['endUse', { endUse: 'x'.repeat(61) }],
    ['endUse', { endUse: 'a\nb' }],
  ])('an invalid %s (%j): 400 that names the field', async (field, fields) => {
    const answer = await ask('POST', url, { siteId: office, name: 'Meter', externalId: 'meter', ...fields });
    expect(answer.statusCode).toBe(400);
    expect(errorOf(answer)).toContain(field);
  });

  test('any text of 1 to 200 characters is an externalId', async () => {
    for (const externalId of ['x', '🔌'.repeat(100), `'; DROP TABLE x --`, '<b>', 'a b/c?d=e&f%20g']) {
      expect((await create({ externalId })).externalId).toBe(externalId);
    }
  });

  test.each(['not-a-guid', unknownId])('an invalid or unknown id (%s): 404', async (id) => {
    const fields = { siteId: office, name: 'X', externalId: 'x' };
    expect((await ask('PUT', `${url}/${id}`, fields)).statusCode).toBe(404);
    expect((await ask('DELETE', `${url}/${id}`)).statusCode).toBe(404);
    expect(await count('devices')).toBe(0);
  });
});

describe('deleting a device with its measurements', () => {
  const remove = (id: string) => ask('DELETE', `${url}/${id}?withMeasurements=true`);
  let ownTables: string[] = [];
  beforeAll(async () => {
    // From the catalog, so that a new table cannot be forgotten.
    const { rows } = await portal.database.query<{ name: string }>({
      text: `SELECT c.relname::text AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
             WHERE a.attname = 'device_number' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
               AND c.relnamespace = 'monitoring'::regnamespace`,
    });
    ownTables = rows.map(({ name }) => name);
    expect(ownTables).toEqual(expect.arrayContaining(['measurements', 'energy_days', 'energy_gaps', 'energy_flags']));
  });
  const numberOf = async (externalId: string) => {
    const { rows } = await portal.database.query<{ number: number }>(
      { text: `SELECT number FROM monitoring.devices WHERE external_id = $1` },
      [externalId],
    );
    return rows[0]?.number ?? 0;
  };
  const left = async (deviceNumber: number) => {
    const counts: Record<string, number> = {};
    for (const table of ownTables) {
      const { rows } = await portal.database.query<{ count: number }>(
        { text: `SELECT count(*)::integer AS count FROM monitoring.${table} WHERE device_number = $1` },
        [deviceNumber],
      );
      counts[table] = rows[0]?.count ?? -1;
    }
    return counts;
  };
  const nothing = () => Object.fromEntries(ownTables.map((table) => [table, 0]));
  const deliver = async (externalId: string, rows: number) => {
    const body = Array.from({ length: rows }, (_, at) => ({
      externalId,
      time: new Date(Date.UTC(2026, 2, 1) + at * 60_000).toISOString(),
      activePowerKw: 1,
    }));
    expect((await ask('POST', '/api/ingest/measurements', body)).statusCode).toBe(200);
  };

  test('removes its readings, slots, flags and dirty ranges, and nothing of another device', async () => {
    const { id } = await create({ externalId: 'wrong' });
    await create({ externalId: 'right' });
    const [wrong, right] = [await numberOf('wrong'), await numberOf('right')];
    for (const externalId of ['wrong', 'right']) {
      await deliver(externalId, 3);
      // A gap is a flag.
      await ingest(externalId, '2026-03-02T10:00:00Z');
    }
    await materializeAll(portal.database, [wrong, right]);
    await ingest('wrong', '2026-03-03T10:00:00Z');
    const before = await left(right);
    expect(before).toMatchObject({ measurements: 4, energy_days: 2, energy_flags: 1, energy_state: 1 });
    expect((await remove(id)).statusCode).toBe(204);
    expect(await left(wrong)).toEqual(nothing());
    expect(await left(right)).toEqual(before);
    expect((await remove(id)).statusCode).toBe(404);
    expect((await ingest('wrong')).json()).toMatchObject({ accepted: 0, rejected: 1 });
  });

  test('its external id can be used again, and starts from nothing', async () => {
    const { id } = await create({ externalId: 'meter-1' });
    await ingest('meter-1');
    await remove(id);
    expect((await create({ externalId: 'meter-1' })).lastMeasuredAt).toBeNull();
    expect((await ingest('meter-1')).json()).toMatchObject({ accepted: 1, duplicates: 0 });
  });

  test('runs in steps, beside concurrent ingests, and the maintenance finishes an interrupted one', async () => {
    await create({ externalId: 'big' });
    const big = await numberOf('big');
    await deliver('big', 25_000);
    await materializeAll(portal.database, [big]);
    if (portal.engine.name.startsWith('TimescaleDB')) {
      await portal.database.query({ text: `SELECT compress_chunk(c) FROM show_chunks('monitoring.measurements') c` });
    }
    await portal.database.query({ text: `DELETE FROM monitoring.devices WHERE number = $1` }, [big]);
    expect(await clearDeletedDevice(portal.database, big, { maxSteps: 1 })).toBe(false);
    expect(await left(big)).toMatchObject({ measurements: 15_000, energy_state: 1 });
    await portal.database.transaction(async (tx) => {
      await tx.query(LOCK_INGEST_SHARED);
      await clearDeletedDevices(portal.database);
    });
    expect(await left(big)).toEqual(nothing());
  });

  test('in any race, no measurement remains without its device', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id } = await create({ externalId: `race-${round}` });
      const number = await numberOf(`race-${round}`);
      await ingest(`race-${round}`);
      const [deleted] = await Promise.all([
        remove(id),
        ingest(`race-${round}`, '2026-03-10T10:01:00Z'),
        materializeAll(portal.database, [number]),
        ingest(`race-${round}`, '2026-03-10T10:02:00Z'),
      ]);
      expect(deleted.statusCode).toBe(204);
      await clearDeletedDevices(portal.database);
      expect(await left(number)).toEqual(nothing());
    }
  });

  test('withMeasurements must be true or false: 400 that names it', async () => {
    const { id } = await create({ externalId: 'meter-1' });
    const answer = await ask('DELETE', `${url}/${id}?withMeasurements=yes`);
    expect(answer.statusCode).toBe(400);
    expect(errorOf(answer)).toContain('withMeasurements');
  });
});

describe('deleting devices', () => {
  test('a device without measurements is deleted: 204', async () => {
    const { id } = await create({ externalId: 'meter-1' });
    const answer = await ask('DELETE', `${url}/${id}`);
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect((await ask('DELETE', `${url}/${id}`)).statusCode).toBe(404);
  });

  test('a device with measurements is not: 409 that says how many', async () => {
    const { id } = await create({ externalId: 'meter-1' });
    await ingest('meter-1');
    const one = await ask('DELETE', `${url}/${id}`);
    expect(one.statusCode).toBe(409);
    expect(errorOf(one)).toMatch(/\b1 measurement\b/);
    await ingest('meter-1', '2026-03-10T10:01:00Z');
    expect(errorOf(await ask('DELETE', `${url}/${id}`))).toMatch(/\b2 measurements\b/);
    expect(await count('measurements')).toBe(2);
  });

  test('past 10,000 measurements it says "more than", without counting them all', async () => {
    const { id } = await create({ externalId: 'meter-1' });
    const rows = Array.from({ length: 10_001 }, (_, at) => ({
      externalId: 'meter-1',
      time: new Date(Date.UTC(2026, 2, 1) + at * 60_000).toISOString(),
      activePowerKw: 1,
    }));
    await ask('POST', '/api/ingest/measurements', rows);
    expect(errorOf(await ask('DELETE', `${url}/${id}`))).toMatch(/more than 10,000 measurements/);
  });

  test('deleting waits for an ingest that has found the device, and is then rejected', async () => {
    const { id } = await create({ externalId: 'meter-1' });
    let deletion: ReturnType<typeof ask> | undefined;
    await portal.database.transaction(async (tx) => {
      await tx.query(LOCK_INGEST_SHARED);
      const { rows } = await tx.query<{ number: number }>({
        text: `SELECT number FROM monitoring.devices WHERE external_id = 'meter-1'`,
      });
      deletion = ask('DELETE', `${url}/${id}`);
      await waitForLock();
      await tx.query(
        {
          text: 'INSERT INTO monitoring.measurements (time, device_number, active_power_milliwatts) VALUES (now(), $1, 1)',
        },
        [rows[0]?.number],
      );
    });
    expect((await deletion)?.statusCode).toBe(409);
    expect(await count('measurements')).toBe(1);
  });

  test('in any race, no measurement remains without its device', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id } = await create({ externalId: `race-${round}` });
      const [, deleted, stored] = await Promise.all([
        ingest('nobody'),
        ask('DELETE', `${url}/${id}`),
        ingest(`race-${round}`),
        ingest(`race-${round}`, '2026-03-10T10:01:00Z'),
      ]);
      expect([204, 409]).toContain(deleted.statusCode);
      const { accepted, rejected } = stored.json<{ accepted: number; rejected: number }>();
      if (deleted.statusCode === 204) expect([accepted, rejected]).toEqual([0, 1]);
    }
    const { rows } = await portal.database.query({
      text: `SELECT FROM monitoring.measurements m
             WHERE NOT EXISTS (SELECT FROM monitoring.devices d WHERE d.number = m.device_number)`,
    });
    expect(rows).toEqual([]);
  });

  test('a rejection does not delay an ingest: it needs no exclusive lock', async () => {
    const { id } = await create({ externalId: 'meter-1' });
    await ingest('meter-1');
    await portal.database.transaction(async (tx) => {
      await tx.query(LOCK_INGEST_SHARED);
      expect((await ask('DELETE', `${url}/${id}`)).statusCode).toBe(409);
    });
  });
});

test('the latest measurement of each device comes from two primary keys, never from a scan of the measurements', async () => {
  const plan = await portal.database.transaction(async (tx) => {
    // With few rows a scan would be cheaper.
    await tx.query({ text: 'SET LOCAL enable_seqscan = off' });
    await tx.query({ text: 'SET LOCAL enable_bitmapscan = off' });
    const { rows } = await tx.query<{ 'QUERY PLAN': string }>({ text: `EXPLAIN ${LIST_DEVICES_OF_SITE}` }, [office]);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).not.toMatch(/ on measurements/);
  expect(plan).toMatch(/energy_state_pkey/);
  expect(plan).toMatch(/energy_dirty_ranges_pkey/);
});

test('the latest measurement stays the same while changed energy rules are being applied', async () => {
  const device = await create({ externalId: 'meter-1' });
  await ingest('meter-1', '2026-02-10T10:00:00Z');
  await ingest('meter-1', '2026-02-09T10:00:00Z');
  const latest = async () => {
    const { devices } = (await ask('GET', `/api/sites/${office}`)).json<{ devices: { lastMeasuredAt: string }[] }>();
    return devices.map(({ lastMeasuredAt }) => lastMeasuredAt);
  };
  const { rows } = await portal.database.query<{ number: number }>({ text: 'SELECT number FROM monitoring.devices' });
  const numbers = rows.map(({ number }) => number);
  expect(await latest()).toEqual(['2026-02-10T10:00:00Z']);
  await materializeAll(portal.database, numbers);
  expect(await latest()).toEqual(['2026-02-10T10:00:00Z']);
  const { id, lastMeasuredAt: _, ...fields } = device;
  expect((await ask('PUT', `${url}/${id}`, { ...fields, ratedPowerKw: 5 })).statusCode).toBe(200);
  expect(await listDirtyDevices(portal.database, allOf(numbers), 1, 0)).toEqual(numbers);
  expect(await latest()).toEqual(['2026-02-10T10:00:00Z']);
});

/** Until a session waits for an advisory lock. */
async function waitForLock(): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const { rows } = await portal.database.query({
      text: `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    });
    if (rows.length > 0) return;
    await sleep(10);
  }
  throw new Error('nobody waits for the lock');
}
