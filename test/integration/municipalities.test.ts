import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isTimeZoneKnown } from '../../server/rates/tariffs.sql.ts';
import { createUser } from '../support/accounts.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice, createSite } from '../support/sites.ts';

const portal = appOfFile();
let admin: { cookie: string };
let plain: { cookie: string };

const url = '/api/admin/rates/municipalities';
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';
const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, headers: object = admin) =>
  portal.app.inject({ method, url: path, headers: { ...headers }, ...(payload === undefined ? {} : { payload }) });
const errorOf = (answer: { json: <T>() => T }) => answer.json<{ error: string }>().error;
const create = async (name: string, timeZone = 'Europe/Berlin') => {
  const answer = await ask('POST', url, { name, timeZone });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ id: string; name: string; timeZone: string }>();
};

beforeAll(async () => {
  admin = await portal.signIn();
  plain = await portal.signIn(await createUser(portal, { email: 'reader@example.com' }));
});
beforeEach(async () => {
  await portal.database.query({ text: 'TRUNCATE monitoring.municipalities CASCADE' });
});

describe('GET /api/rates', () => {
  test('lists municipalities by name with their tariffs, none at first', async () => {
    const zurich = await create('Zürich', 'Europe/Zurich');
    const aachen = await create('aachen');
    const answer = await ask('GET', '/api/rates', undefined, plain);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual([
      { ...aachen, tariffs: [] },
      { ...zurich, tariffs: [] },
    ]);
  });

  test('is an empty list without municipalities', async () => {
    expect((await ask('GET', '/api/rates')).json()).toEqual([]);
  });
});

describe('writing municipalities', () => {
  test('POST answers 201 with the resource; its id is a new UUIDv7, its name is trimmed, other fields are ignored', async () => {
    const answer = await ask('POST', url, {
      id: unknownId,
      name: '  Berlin ',
      timeZone: 'Europe/Berlin',
      tariffs: [1],
    });
    expect(answer.statusCode).toBe(201);
    const municipality = answer.json();
    expect(municipality).toEqual({ id: expect.stringMatching(uuidv7), name: 'Berlin', timeZone: 'Europe/Berlin' });
    expect(municipality.id).not.toBe(unknownId);
  });

  test('PUT changes the whole writable part and answers 200 with the resource; the GUID may be in upper case', async () => {
    const { id } = await create('Berlin');
    const answer = await ask('PUT', `${url}/${id.toUpperCase()}`, { name: 'Pune', timeZone: 'Asia/Kolkata' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ id, name: 'Pune', timeZone: 'Asia/Kolkata' });
    expect((await ask('GET', '/api/rates')).json()).toEqual([
      { id, name: 'Pune', timeZone: 'Asia/Kolkata', tariffs: [] },
    ]);
  });

  test('PUT without one of the writable fields: 400 that names the field', async () => {
    const { id } = await create('Berlin');
    const answer = await ask('PUT', `${url}/${id}`, { name: 'Pune' });
    expect(answer.statusCode).toBe(400);
    expect(errorOf(answer)).toMatch(/timeZone/);
  });

  test('a time zone keeps its given name, in its canonical case', async () => {
    expect((await create('a', 'asia/kolkata')).timeZone).toBe('Asia/Kolkata');
    expect((await create('b', 'Asia/Calcutta')).timeZone).toBe('Asia/Calcutta');
    expect((await create('c', ' america/NEW_york ')).timeZone).toBe('America/New_York');
    expect((await create('d', 'UTC')).timeZone).toBe('UTC');
  });

  test.each(['Mars/Olympus', 'Berlin', '+02:00', 'CEST', '', 'UTC+2', "Europe/Berlin'; DROP TABLE x"])(
    'a time zone must be an IANA name: %j is rejected with 400',
    async (timeZone) => {
      const answer = await ask('POST', url, { name: 'Berlin', timeZone });
      expect(answer.statusCode).toBe(400);
      expect(errorOf(answer)).toMatch(/timeZone/);
    },
  );

  test.each(['PST', 'cst', 'IST', 'US/Pacific-New', 'SystemV/PST8'])(
    'a name that Intl accepts and Temporal rejects is rejected with 400, here and in a simulation: %j',
    async (timeZone) => {
      expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow();
      const { id } = await create('Berlin');
      const period = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
      const tariff = { currency: 'EUR', defaultRatePerKwh: 0.3, fixedChargePerMonth: 0, vatPercent: 0, periods: [] };
      const load = { kind: 'constant', powerKw: 1 };
      for (const answer of [
        await ask('POST', url, { name: 'Coast', timeZone }),
        await ask('PUT', `${url}/${id}`, { name: 'Berlin', timeZone }),
        await ask('POST', '/api/rates/simulate', { tariff, timeZone, load, ...period }),
      ]) {
        expect(answer.statusCode).toBe(400);
        expect(errorOf(answer)).toMatch(/timeZone: must be an IANA time zone/);
      }
    },
  );

  test('the database can convert with every accepted zone', async () => {
    const zones = ['Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Apia'];
    for (const zone of zones) {
      const { timeZone } = await create(zone, zone);
      await portal.database.query({ text: 'SELECT now() AT TIME ZONE $1' }, [timeZone]);
    }
  });

  test('a zone unknown to the database has its own error', async () => {
    expect(await isTimeZoneKnown(portal.database, 'Europe/Berlin')).toBe(true);
    expect(await isTimeZoneKnown(portal.database, 'Mars/Olympus')).toBe(false);
  });

  test.each([
    ['Berlin', 'BERLIN'],
    ['Köln', 'KÖLN'],
    ['Łódź', 'łódź'],
  ])('a used name, in any case (%s, %s): 409 that names it', async (first, second) => {
    await create(first);
    const other = await create('Other');
    for (const answer of [
      await ask('POST', url, { name: second, timeZone: 'UTC' }),
      await ask('PUT', `${url}/${other.id}`, { name: second, timeZone: 'UTC' }),
    ]) {
      expect(answer.statusCode).toBe(409);
      expect(errorOf(answer)).toContain(second);
    }
  });

  test('a municipality may change the case of its own name', async () => {
    const { id } = await create('berlin');
    const answer = await ask('PUT', `${url}/${id}`, { name: 'Berlin', timeZone: 'Europe/Berlin' });
    expect(answer.statusCode).toBe(200);
  });

  test.each([
    ['no name', { timeZone: 'UTC' }, /name/],
    ['an empty name', { name: '   ', timeZone: 'UTC' }, /name.*empty/],
    ['a name of 201 characters', { name: 'x'.repeat(201), timeZone: 'UTC' }, /name.*200/],
    ['a name that is no text', { name: 7, timeZone: 'UTC' }, /name/],
    ['a name with NUL', { name: 'a\u0000b', timeZone: 'UTC' }, /name.*NUL/],
    ['no time zone', { name: 'Berlin' }, /timeZone/],
  ])('%s: 400 that names the field', async (_what, payload, message) => {
    const answer = await ask('POST', url, payload);
    expect(answer.statusCode).toBe(400);
    expect(errorOf(answer)).toMatch(message);
  });

  test('DELETE answers 204 without a body', async () => {
    const { id } = await create('Berlin');
    const answer = await ask('DELETE', `${url}/${id}`);
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect((await ask('GET', '/api/rates')).json()).toEqual([]);
    expect((await ask('DELETE', `${url}/${id}`)).statusCode).toBe(404);
  });

  test('a municipality with sites is not deleted: 409 that says how many', async () => {
    const siteId = await createSite({ app: portal.app, headers: admin });
    const [municipality] = (await ask('GET', '/api/rates')).json<{ id: string }[]>();
    const one = await ask('DELETE', `${url}/${municipality?.id}`);
    expect(one.statusCode).toBe(409);
    expect(errorOf(one)).toMatch(/\b1 site\b/);
    await ask('POST', '/api/admin/sites', { name: 'Second', municipalityId: municipality?.id });
    expect(errorOf(await ask('DELETE', `${url}/${municipality?.id}`))).toMatch(/\b2 sites\b/);
    expect((await ask('GET', `/api/sites/${siteId}`)).statusCode).toBe(200);
  });

  test.each(['not-a-guid', unknownId, '1', `${unknownId}0`])('an invalid or unknown id (%s): 404', async (id) => {
    expect((await ask('PUT', `${url}/${id}`, { name: 'Berlin', timeZone: 'UTC' })).statusCode).toBe(404);
    const answer = await ask('DELETE', `${url}/${id}`);
    expect(answer.statusCode).toBe(404);
    expect(errorOf(answer)).not.toBe('');
  });

  test('SQL and HTML in a name are plain text', async () => {
    const name = `Robert'); DROP TABLE monitoring.sites; -- <script>alert("1")</script>`;
    expect((await create(name)).name).toBe(name);
    expect((await ask('GET', '/api/sites')).statusCode).toBe(200);
  });

  test('a changed time zone changes the zone of its sites', async () => {
    const siteId = await createSite({ app: portal.app, headers: admin });
    await createDevice({ app: portal.app, headers: admin }, siteId, { externalId: 'meter-1' });
    const [municipality] = (await ask('GET', '/api/rates')).json<{ id: string; name: string }[]>();
    await ask('PUT', `${url}/${municipality?.id}`, { name: municipality?.name, timeZone: 'Asia/Tokyo' });
    expect((await ask('GET', `/api/sites/${siteId}`)).json()).toMatchObject({ timeZone: 'Asia/Tokyo' });
  });
});
