import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { site as siteSchema, siteWithDevices } from '../../shared/sites.ts';
import { createUser } from '../support/accounts.ts';
import { createTestApp } from '../support/app.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice } from '../support/sites.ts';

const portal = appOfFile();
let admin: { cookie: string };
let plain: { cookie: string };
let berlin: string;
let pune: string;

const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';
const url = '/api/admin/sites';

const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, headers: object = admin) =>
  portal.app.inject({ method, url: path, headers: { ...headers }, ...(payload === undefined ? {} : { payload }) });
const errorOf = (answer: { json: <T>() => T }) => answer.json<{ error: string }>().error;
const municipality = async (name: string, timeZone: string) =>
  (await ask('POST', '/api/admin/rates/municipalities', { name, timeZone })).json<{ id: string }>().id;
const create = async (name: string, municipalityId = berlin) => {
  const answer = await ask('POST', url, { name, municipalityId });
  expect(answer.statusCode, answer.body).toBe(201);
  return siteSchema.parse(answer.json());
};

beforeAll(async () => {
  admin = await portal.signIn();
  berlin = await municipality('Berlin', 'Europe/Berlin');
  pune = await municipality('Pune', 'Asia/Kolkata');
  plain = await portal.signIn(await createUser(portal, { email: 'reader@example.com' }));
});
beforeEach(async () => {
  await portal.database.query({ text: 'TRUNCATE monitoring.sites CASCADE' });
  await portal.database.query({ text: 'TRUNCATE monitoring.measurements' });
});

describe('reading sites', () => {
  test('GET /api/sites lists them by name with municipality, time zone and number of devices, for anyone signed in', async () => {
    const workshop = await create('workshop 10', pune);
    const second = await create('Workshop 2', pune);
    const office = await create('Ämter');
    await createDevice({ app: portal.app, headers: admin }, second.id, { externalId: 'a' });
    await createDevice({ app: portal.app, headers: admin }, second.id, { externalId: 'b', isActive: false });
    const answer = await ask('GET', '/api/sites', undefined, plain);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual([
      {
        id: office.id,
        name: 'Ämter',
        municipalityId: berlin,
        municipalityName: 'Berlin',
        timeZone: 'Europe/Berlin',
        deviceCount: 0,
      },
      {
        id: second.id,
        name: 'Workshop 2',
        municipalityId: pune,
        municipalityName: 'Pune',
        timeZone: 'Asia/Kolkata',
        deviceCount: 2,
      },
      {
        id: workshop.id,
        name: 'workshop 10',
        municipalityId: pune,
        municipalityName: 'Pune',
        timeZone: 'Asia/Kolkata',
        deviceCount: 0,
      },
    ]);
  });

  test('GET /api/sites/{id} has its devices by name, each with the time of its latest measurement or null', async () => {
    const { id } = await create('Office');
    const other = await create('Other');
    const session = { app: portal.app, headers: admin };
    await createDevice(session, id, { externalId: 'b', name: 'Meter 10' });
    await createDevice(session, id, { externalId: 'a', name: 'meter 2' });
    await createDevice(session, id, { externalId: 'silent', name: 'Never heard of' });
    await createDevice(session, other.id, { externalId: 'elsewhere' });
    const rows = [
      ['a', '2026-03-10T10:00:00Z'],
      ['a', '2025-12-31T23:59:59Z'],
      ['b', '2026-01-01T00:00:00.123456Z'],
      ['elsewhere', '2026-04-01T00:00:00Z'],
    ].map(([externalId, time]) => ({ externalId, time, activePowerKw: 1 }));
    expect((await ask('POST', '/api/ingest/measurements', rows)).json()).toMatchObject({ accepted: 4, rejected: 0 });

    const answer = await ask('GET', `/api/sites/${id}`, undefined, plain);
    expect(answer.statusCode).toBe(200);
    const found = siteWithDevices.parse(answer.json());
    expect(found).toMatchObject({ id, name: 'Office', timeZone: 'Europe/Berlin', deviceCount: 3 });
    expect(found.devices.map((device) => [device.name, device.externalId, device.lastMeasuredAt])).toEqual([
      ['meter 2', 'a', '2026-03-10T10:00:00Z'],
      ['Meter 10', 'b', '2026-01-01T00:00:00.123456Z'],
      ['Never heard of', 'silent', null],
    ]);
    expect(found.devices[0]).toEqual({
      id: expect.any(String),
      siteId: id,
      name: 'meter 2',
      externalId: 'a',
      isActive: true,
      energySource: 'auto',
      ratedPowerKw: null,
      registerMaxKwh: null,
      expectedIntervalSeconds: null,
      parentDeviceId: null,
      endUse: null,
      lastMeasuredAt: '2026-03-10T10:00:00Z',
    });
  });

  test.each(['not-a-guid', unknownId, '0'])('an invalid or unknown id (%s): 404', async (id) => {
    const answer = await ask('GET', `/api/sites/${id}`);
    expect(answer.statusCode).toBe(404);
    expect(errorOf(answer)).not.toBe('');
  });
});

describe('writing sites', () => {
  test('POST answers 201 with the resource under a new UUIDv7', async () => {
    const answer = await ask('POST', url, { name: ' Office ', municipalityId: pune.toUpperCase(), deviceCount: 9 });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'Office',
      municipalityId: pune,
      municipalityName: 'Pune',
      timeZone: 'Asia/Kolkata',
      deviceCount: 0,
    });
  });

  test('PUT answers 200 with the resource, and moves it to another municipality', async () => {
    const { id } = await create('Office');
    const answer = await ask('PUT', `${url}/${id}`, { name: 'Works', municipalityId: pune });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id, name: 'Works', municipalityName: 'Pune', timeZone: 'Asia/Kolkata' });
    expect((await ask('GET', '/api/sites')).json()).toEqual([answer.json()]);
  });

  test('a used name, in any case: 409 that names it', async () => {
    await create('Büro Süd');
    const other = await create('Other');
    for (const answer of [
      await ask('POST', url, { name: 'BÜRO SÜD', municipalityId: pune }),
      await ask('PUT', `${url}/${other.id}`, { name: 'BÜRO SÜD', municipalityId: pune }),
    ]) {
      expect(answer.statusCode).toBe(409);
      expect(errorOf(answer)).toContain('BÜRO SÜD');
    }
    expect((await ask('GET', '/api/sites')).json()).toHaveLength(2);
  });

  test('two simultaneous requests for one name: one is created, the other gets 409', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => ask('POST', url, { name: 'Office', municipalityId: berlin })),
    );
    expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([201, 409, 409, 409]);
  });

  test('an unknown municipalityId in the body: 400 that names the field', async () => {
    const { id } = await create('Office');
    for (const answer of [
      await ask('POST', url, { name: 'New', municipalityId: unknownId }),
      await ask('PUT', `${url}/${id}`, { name: 'New', municipalityId: unknownId }),
      await ask('POST', url, { name: 'New', municipalityId: 'berlin' }),
      await ask('POST', url, { name: 'New' }),
    ]) {
      expect(answer.statusCode).toBe(400);
      expect(errorOf(answer)).toMatch(/municipalityId/);
    }
  });

  test('a site with devices is not deleted: 409 that says how many; without it is: 204', async () => {
    const { id } = await create('Office');
    const session = { app: portal.app, headers: admin };
    const first = await createDevice(session, id, { externalId: 'a' });
    const second = await createDevice(session, id, { externalId: 'b' });
    const refused = await ask('DELETE', `${url}/${id}`);
    expect(refused.statusCode).toBe(409);
    expect(errorOf(refused)).toMatch(/\b2 devices\b/);
    await ask('DELETE', `/api/admin/devices/${first}`);
    expect(errorOf(await ask('DELETE', `${url}/${id}`))).toMatch(/\b1 device\b/);
    await ask('DELETE', `/api/admin/devices/${second}`);
    const deleted = await ask('DELETE', `${url}/${id}`);
    expect([deleted.statusCode, deleted.body]).toEqual([204, '']);
    expect((await ask('GET', `/api/sites/${id}`)).statusCode).toBe(404);
  });

  test('a device created while its site is deleted never remains without a site', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await create(`Office ${round}`);
      const [created, deleted] = await Promise.all([
        ask('POST', '/api/admin/devices', { siteId: id, name: 'Meter', externalId: `race-${round}` }),
        ask('DELETE', `${url}/${id}`),
      ]);
      expect([created.statusCode, deleted.statusCode]).toSatisfy(
        ([device, site]) => (device === 201 && site === 409) || (device === 400 && site === 204),
      );
    }
  });

  test.each(['not-a-guid', unknownId])('an invalid or unknown id (%s): 404', async (id) => {
    expect((await ask('PUT', `${url}/${id}`, { name: 'X', municipalityId: berlin })).statusCode).toBe(404);
    expect((await ask('DELETE', `${url}/${id}`)).statusCode).toBe(404);
  });

  test('SQL and HTML in a name are plain text', async () => {
    const name = `'; DELETE FROM monitoring.sites; -- <img src=x onerror=alert(1)>`;
    const { id } = await create(name);
    expect((await ask('GET', `/api/sites/${id}`)).json()).toMatchObject({ name });
  });
});

test('an Admin has none of these routes: a JSON 404 at every path', async () => {
  await using fleet = await createTestApp({ environment: { Application__RunMode: 'Admin' } });
  const headers = await fleet.signIn();
  const item = `/${unknownId}`;
  for (const [method, path] of [
    ['GET', '/api/sites'],
    ['GET', `/api/sites${item}`],
    ['GET', '/api/sites/devices'],
    ['GET', '/api/rates'],
    ...['/api/admin/sites', '/api/admin/devices', '/api/admin/rates/municipalities'].flatMap((base) => [
      ['POST', base] as const,
      ['PUT', base + item] as const,
      ['DELETE', base + item] as const,
    ]),
  ] as const) {
    const answer = await fleet.app.inject({ method, url: path, headers });
    expect([answer.statusCode, Object.keys(answer.json())], `${method} ${path}`).toEqual([
      404,
      ['error', 'code', 'params'],
    ]);
  }
});
