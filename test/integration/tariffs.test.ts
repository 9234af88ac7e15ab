import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTariff } from '../../server/rates/tariffs.ts';
import { listTariffs, updateTariff } from '../../server/rates/tariffs.sql.ts';
import { money } from '../../server/base/money.ts';
import type { Tariff, TariffPeriod } from '../../shared/rates.ts';
import { appOfFile } from '../support/app-of-file.ts';

const portal = appOfFile();
let admin: { cookie: string };
let berlin: string;
let pune: string;

const url = '/api/admin/rates/tariffs';
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';
const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const ask = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  payload?: object | string,
  headers: object = admin,
) => {
  const body = payload === undefined ? {} : { payload };
  const type = typeof payload === 'string' ? { 'content-type': 'application/json' } : {};
  return portal.app.inject({ method, url: path, headers: { ...headers, ...type }, ...body });
};
const errorOf = (answer: { json: <T>() => T }) => answer.json<{ error: string }>().error;
const day = { name: 'Day', daysOfWeek: 31, startTime: '06:00', endTime: '22:00', ratePerKwh: 0.1841 };
const night = { name: 'Night', daysOfWeek: 127, startTime: '22:00', endTime: '06:00', ratePerKwh: 0.1234567891 };
const write = (changes: object = {}) => ({
  municipalityId: berlin,
  name: 'Standard',
  currency: 'EUR',
  isActive: true,
  effectiveFrom: '2026-01-01',
  effectiveTo: null,
  defaultRatePerKwh: 0.3015,
  fixedChargePerMonth: 12.5,
  vatPercent: 19,
  exportRatePerKwh: 0.0786,
  periods: [day, night],
  ...changes,
});
const create = async (changes: object = {}): Promise<Tariff> => {
  const answer = await ask('POST', url, write(changes));
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<Tariff>();
};
const createMunicipality = async (name: string, timeZone: string) =>
  (await ask('POST', '/api/admin/rates/municipalities', { name, timeZone })).json<{ id: string }>().id;
const tariffsOf = async (municipalityId: string): Promise<Tariff[]> => {
  const rates = (await ask('GET', '/api/rates')).json<{ id: string; tariffs: Tariff[] }[]>();
  return rates.find(({ id }) => id === municipalityId)?.tariffs ?? [];
};
const countPeriods = async () => {
  const { rows } = await portal.database.query<{ count: number }>({
    text: 'SELECT count(*) AS count FROM monitoring.tariff_periods',
  });
  return rows[0]?.count;
};
const withoutIds = (periods: readonly TariffPeriod[]) => periods.map((period) => ({ ...period, id: undefined }));

beforeAll(async () => {
  admin = await portal.signIn();
});
beforeEach(async () => {
  await portal.database.query({ text: 'TRUNCATE monitoring.municipalities CASCADE' });
  berlin = await createMunicipality('Berlin', 'Europe/Berlin');
  pune = await createMunicipality('Pune', 'Asia/Kolkata');
});

describe('a tariff is written whole, with its periods', () => {
  test('POST answers 201 with the resource, as GET /api/rates has it; ids are new UUIDv7, names trimmed, other fields ignored', async () => {
    const answer = await ask(
      'POST',
      url,
      write({ id: unknownId, name: '  Standard ', periods: [{ ...day, id: unknownId, name: ' Day ' }, night], x: 1 }),
    );
    expect(answer.statusCode).toBe(201);
    const tariff = answer.json<Tariff>();
    const id = expect.stringMatching(uuidv7);
    expect(tariff).toEqual({
      ...write(),
      id,
      periods: [
        { ...day, id },
        { ...night, id },
      ],
    });
    expect(new Set([unknownId, tariff.id, ...tariff.periods.map((period) => period.id)]).size).toBe(4);
    expect(await tariffsOf(berlin)).toEqual([tariff]);
    expect(await tariffsOf(pune)).toEqual([]);
  });

  test('what may be left out: active, without end, fixed charge, VAT, export rate and periods', async () => {
    const { municipalityId, name, currency, effectiveFrom, defaultRatePerKwh } = write();
    const answer = await ask('POST', url, { municipalityId, name, currency, effectiveFrom, defaultRatePerKwh });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({
      isActive: true,
      effectiveTo: null,
      fixedChargePerMonth: 0,
      vatPercent: 0,
      exportRatePerKwh: null,
      periods: [],
    });
    expect(await tariffsOf(berlin)).toEqual([answer.json()]);
  });

  test('PUT replaces everything, all periods too, and answers 200; the GUID may be in upper case', async () => {
    const { id } = await create();
    const changes = {
      name: 'New',
      currency: 'CHF',
      isActive: false,
      effectiveFrom: '2025-07-01',
      effectiveTo: '2025-08-01',
      defaultRatePerKwh: 1,
      fixedChargePerMonth: 0,
      vatPercent: 8.1,
      exportRatePerKwh: null,
      periods: [{ name: 'Noon', daysOfWeek: 64, startTime: '11:30', endTime: '24:00', ratePerKwh: 0 }],
    };
    const answer = await ask('PUT', `${url}/${id.toUpperCase()}`, write(changes));
    expect(answer.statusCode).toBe(200);
    const tariff = answer.json<Tariff>();
    expect({ ...tariff, periods: withoutIds(tariff.periods) }).toEqual({ ...write(changes), id });
    expect(await tariffsOf(berlin)).toEqual([tariff]);
    expect(await countPeriods()).toBe(1);
  });

  test('PUT with what GET said changes nothing that a reader sees but the ids of the periods', async () => {
    const before = await create();
    const after = (await ask('PUT', `${url}/${before.id}`, before)).json<Tariff>();
    expect({ ...after, periods: withoutIds(after.periods) }).toEqual({
      ...before,
      periods: withoutIds(before.periods),
    });
  });

  test.each(['municipalityId', 'name', 'currency', 'effectiveFrom', 'defaultRatePerKwh'])(
    'POST and PUT without %s: 400 that names it, and nothing is written',
    async (field) => {
      const tariff = await create();
      const { [field]: _, ...rest } = Object.fromEntries(Object.entries(write({ name: 'Half' })));
      for (const answer of [await ask('POST', url, rest), await ask('PUT', `${url}/${tariff.id}`, rest)]) {
        expect(answer.statusCode).toBe(400);
        expect(errorOf(answer)).toMatch(new RegExp(`^${field}:? is missing`));
      }
      expect(await tariffsOf(berlin)).toEqual([tariff]);
    },
  );

  test('a PUT that is refused leaves the tariff and its periods as they were', async () => {
    const tariff = await create();
    await create({ effectiveFrom: '2026-06-01' });
    const before = await tariffsOf(berlin);
    const broken = [
      { periods: [day, { ...day, name: 'Again' }] },
      { effectiveTo: '2026-01-01' },
      { effectiveFrom: '2026-06-01', periods: [] },
      { municipalityId: unknownId, periods: [] },
    ];
    for (const changes of broken) {
      const answer = await ask('PUT', `${url}/${tariff.id}`, write({ name: 'Broken', ...changes }));
      expect([400, 409]).toContain(answer.statusCode);
    }
    expect(await tariffsOf(berlin)).toEqual(before);
  });

  test('DELETE answers 204 without a body and deletes the periods too; a second DELETE is 404', async () => {
    const { id } = await create();
    const answer = await ask('DELETE', `${url}/${id}`);
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect(await tariffsOf(berlin)).toEqual([]);
    expect(await countPeriods()).toBe(0);
    expect((await ask('DELETE', `${url}/${id}`)).statusCode).toBe(404);
    expect((await ask('PUT', `${url}/${id}`, write())).statusCode).toBe(404);
  });

  test.each(['not-a-guid', unknownId, '1', `${unknownId}0`, "'; DROP TABLE monitoring.tariffs; --"])(
    'an id that is no GUID or unknown (%s): 404',
    async (id) => {
      for (const answer of [
        await ask('PUT', `${url}/${encodeURIComponent(id)}`, write()),
        await ask('DELETE', `${url}/${encodeURIComponent(id)}`),
      ]) {
        expect(answer.statusCode).toBe(404);
        expect(errorOf(answer)).not.toBe('');
      }
      expect(await tariffsOf(berlin)).toEqual([]);
    },
  );

  test('SQL, HTML and quotes in names are plain text', async () => {
    const name = `Robert'); DROP TABLE monitoring.tariffs; -- <img src=x onerror="alert(1)"> {"a",\\b} 日本 🔌`;
    const tariff = await create({
      name,
      periods: [
        { ...day, name: name.slice(0, 100) },
        { ...night, name: '{NULL,"}' },
      ],
    });
    expect(tariff.name).toBe(name);
    expect(tariff.periods.map((period) => period.name)).toEqual([name.slice(0, 100), '{NULL,"}']);
    expect(await tariffsOf(berlin)).toEqual([tariff]);
    const refused = await ask('POST', url, write({ effectiveFrom: '2027-01-01', periods: [{ ...day, name }, day] }));
    expect(refused.statusCode).toBe(400);
    expect(refused.headers['content-type']).toMatch(/^application\/json/);
  });
});

describe('GET /api/rates', () => {
  test('has the tariffs of each municipality, the latest effectiveFrom first, and periods in the order in which they were written', async () => {
    for (const effectiveFrom of ['2025-01-01', '2026-07-01', '0001-01-01', '2026-01-01', '9999-12-31']) {
      await create({ effectiveFrom });
    }
    const reversed = await create({ municipalityId: pune, periods: [night, day] });
    expect((await tariffsOf(berlin)).map((tariff) => tariff.effectiveFrom)).toEqual([
      '9999-12-31',
      '2026-07-01',
      '2026-01-01',
      '2025-01-01',
      '0001-01-01',
    ]);
    expect(await tariffsOf(pune)).toEqual([reversed]);
    expect(reversed.periods.map((period) => period.name)).toEqual(['Night', 'Day']);
  });
});

describe('decisions.md 6: money is decimal from end to end', () => {
  const amounts = [
    0, 0.1, 0.1841, 0.1234567891, 0.0000000001, 0.0000001, 1.1, 19.6, 0.3, 2.675, 1e9, 999999999.9, 123456789.1234567,
    1234567.0000001,
  ];

  test('every amount comes back as it was sent, and the database has its very digits', async () => {
    const periods = amounts.map((ratePerKwh, at) => ({
      name: `P${at}`,
      daysOfWeek: 127,
      startTime: `${String(at).padStart(2, '0')}:00`,
      endTime: `${String(at).padStart(2, '0')}:59`,
      ratePerKwh,
    }));
    const sent = JSON.stringify(
      write({ defaultRatePerKwh: 0.1841, fixedChargePerMonth: 0.1234567891, vatPercent: 7.7, periods }),
    );
    const answer = await ask('POST', url, sent);
    expect(answer.statusCode, answer.body).toBe(201);
    for (const tariff of [answer.json<Tariff>(), ...(await tariffsOf(berlin))]) {
      expect(tariff.periods.map((period) => period.ratePerKwh)).toEqual(amounts);
      expect(tariff).toMatchObject({ defaultRatePerKwh: 0.1841, fixedChargePerMonth: 0.1234567891, vatPercent: 7.7 });
    }
    expect((await ask('GET', '/api/rates')).body).toContain('"fixedChargePerMonth":0.1234567891,');
    const { rows } = await portal.database.query<{ rate: string }>({
      text: 'SELECT trim_scale(rate_per_kwh)::text AS rate FROM monitoring.tariff_periods ORDER BY position',
    });
    expect(rows.map(({ rate }) => rate)).toEqual(amounts.map((amount) => money(amount).toFixed()));
  });

  test('listTariffs gives decimals by municipality, to price with', async () => {
    const { id } = await create({ fixedChargePerMonth: 0.1, vatPercent: 0.2 });
    const other = await create({ municipalityId: pune, exportRatePerKwh: null });
    const one = await listTariffs(portal.database, [berlin, unknownId]);
    expect([...one.keys()]).toEqual([berlin]);
    const [tariff] = one.get(berlin) ?? [];
    expect(tariff).toMatchObject({ id, effectiveFrom: '2026-01-01', effectiveTo: null, municipalityId: berlin });
    expect(tariff?.fixedChargePerMonth.plus(tariff.vatPercent).toString()).toBe('0.3');
    expect(tariff?.periods[1]).toMatchObject({ startMinute: 1320, endMinute: 360, daysOfWeek: 127 });
    expect(tariff?.periods[1]?.ratePerKwh.toString()).toBe('0.1234567891');
    const all = await listTariffs(portal.database, null);
    expect(new Set(all.keys())).toEqual(new Set([berlin, pune]));
    expect(all.get(pune)).toMatchObject([{ id: other.id, exportRatePerKwh: null }]);
    expect(await listTariffs(portal.database, [])).toEqual(new Map());
  });

  test.each([
    ['defaultRatePerKwh', -0.01, /^defaultRatePerKwh: must not be negative; got -0.01/],
    ['defaultRatePerKwh', 0.12345678912, /^defaultRatePerKwh: must have at most 10 decimals/],
    ['defaultRatePerKwh', 1e9 + 1, /^defaultRatePerKwh: must be at most 1000000000/],
    ['defaultRatePerKwh', '0.1', /^defaultRatePerKwh: must be a number/],
    ['defaultRatePerKwh', null, /^defaultRatePerKwh: must be a number/],
    ['fixedChargePerMonth', -1, /^fixedChargePerMonth: must not be negative/],
    ['fixedChargePerMonth', 1e-11, /^fixedChargePerMonth: must have at most 10 decimals/],
    ['vatPercent', -1, /^vatPercent: must not be negative/],
    ['vatPercent', 100.1, /^vatPercent: must be at most 100/],
    ['exportRatePerKwh', -0.1, /^exportRatePerKwh: must not be negative/],
    ['exportRatePerKwh', 1e300, /^exportRatePerKwh: must be at most/],
  ])('%s %j is refused with 400', async (field, value, message) => {
    const answer = await ask('POST', url, write({ [field]: value }));
    expect(answer.statusCode).toBe(400);
    expect(errorOf(answer)).toMatch(message);
  });

  test('a number that JSON writes but no decimal is: 400', async () => {
    for (const number of ['1e400', '-1e400']) {
      const body = JSON.stringify(write()).replace('"defaultRatePerKwh":0.3015', `"defaultRatePerKwh":${number}`);
      const answer = await ask('POST', url, body);
      expect(answer.statusCode).toBe(400);
      expect(errorOf(answer)).toMatch(/^defaultRatePerKwh: /);
    }
  });

  test('a negative rate of a period is refused, too', async () => {
    const answer = await ask('POST', url, write({ periods: [day, { ...night, ratePerKwh: -0.1 }] }));
    expect(answer.statusCode).toBe(400);
    expect(errorOf(answer)).toMatch(/^periods\.1\.ratePerKwh: must not be negative/);
  });
});

describe('decisions.md 6: rejected tariffs', () => {
  test.each([
    ['effectiveTo that is effectiveFrom', { effectiveTo: '2026-01-01' }, /^effectiveTo: must be after effectiveFrom/],
    ['effectiveTo before effectiveFrom', { effectiveTo: '2025-12-31' }, /^effectiveTo: must be after effectiveFrom/],
    ['a day that does not exist', { effectiveFrom: '2026-02-29' }, /^effectiveFrom: must be a date that exists/],
    ['the year 0', { effectiveFrom: '0000-01-01' }, /^effectiveFrom: must be a date that exists/],
    ['an instant for a date', { effectiveFrom: '2026-01-01T00:00:00Z' }, /^effectiveFrom: must be a date such as/],
    ['a short date', { effectiveTo: '2026-2-3' }, /^effectiveTo: must be a date such as/],
    ['no date', { effectiveFrom: null }, /^effectiveFrom: must be a text/],
    ['an unknown currency', { currency: 'EURO' }, /^currency: must be an ISO 4217 currency.*"EURO"/],
    ['a currency that does not exist', { currency: 'XYZ' }, /^currency: must be an ISO 4217 currency/],
    ['an empty currency', { currency: '' }, /^currency: must be an ISO 4217 currency/],
    ['a symbol for a currency', { currency: '€' }, /^currency: must be an ISO 4217 currency/],
    ['an empty name', { name: '  ' }, /^name: must not be empty/],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, /^name: .*200/],
    ['a name with NUL', { name: 'a\u0000b' }, /^name: .*NUL/],
    ['half of a character', { name: 'a\ud800' }, /^name: .*surrogate/],
    ['isActive that is a text', { isActive: 'true' }, /^isActive: must be true or false/],
    ['periods that are no list', { periods: {} }, /^periods: must be a list/],
    ['a municipality that is no GUID', { municipalityId: 'berlin' }, /^municipalityId: must be a GUID/],
    ['an unknown municipality', { municipalityId: unknownId }, /^municipalityId: municipality .* not found/],
  ])('%s: 400 that says so', async (_what, changes, message) => {
    const existing = await create({ effectiveFrom: '2024-01-01' });
    for (const answer of [
      await ask('POST', url, write(changes)),
      await ask('PUT', `${url}/${existing.id}`, write(changes)),
    ]) {
      expect(answer.statusCode).toBe(400);
      expect(errorOf(answer)).toMatch(message);
    }
    expect(await tariffsOf(berlin)).toEqual([existing]);
  });

  test.each([
    ['daysOfWeek 0', { daysOfWeek: 0 }, /^periods\.0\.daysOfWeek: must be 1 to 127; got 0/],
    ['daysOfWeek 128', { daysOfWeek: 128 }, /^periods\.0\.daysOfWeek: must be 1 to 127/],
    ['daysOfWeek 1.5', { daysOfWeek: 1.5 }, /^periods\.0\.daysOfWeek: /],
    ['daysOfWeek as a text', { daysOfWeek: '31' }, /^periods\.0\.daysOfWeek: must be a number/],
    ['equal times', { endTime: '06:00' }, /^periods\.0\.endTime: must differ from startTime.*06:00/],
    ['equal times at midnight', { startTime: '00:00', endTime: '00:00' }, /^periods\.0\.endTime: .*24:00/],
    ['24:00 as a start', { startTime: '24:00' }, /^periods\.0\.startTime: must be a time of day/],
    ['an end after 24:00', { endTime: '24:01' }, /^periods\.0\.endTime: must be a time of day/],
    ['a minute that does not exist', { endTime: '07:60' }, /^periods\.0\.endTime: must be a time of day/],
    ['a short time', { startTime: '7:00' }, /^periods\.0\.startTime: must be a time of day/],
    ['seconds', { startTime: '07:00:30' }, /^periods\.0\.startTime: must be a time of day/],
    ['an empty name', { name: ' ' }, /^periods\.0\.name: must not be empty/],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, /^periods\.0\.name: .*100/],
    ['no rate', { ratePerKwh: undefined }, /^periods\.0\.ratePerKwh:? is missing/],
  ])('a period with %s: 400 that says so', async (_what, changes, message) => {
    const answer = await ask('POST', url, write({ periods: [{ ...day, ...changes }] }));
    expect(answer.statusCode).toBe(400);
    expect(errorOf(answer)).toMatch(message);
  });

  test.each([
    [day, { ...day, name: 'Noon', startTime: '12:00', endTime: '13:00', daysOfWeek: 16 }, 'Friday'],
    [day, { ...night, endTime: '06:01' }, 'Tuesday'],
    [{ ...day, daysOfWeek: 64 }, { ...night, daysOfWeek: 32, endTime: '06:01' }, 'Sunday'],
    [{ ...day, daysOfWeek: 1 }, { ...night, daysOfWeek: 64, endTime: '06:01' }, 'Monday'],
  ])('periods that overlap on some day, also past midnight: 400 that names both and the day (%#)', async (a, b, on) => {
    const answer = await ask('POST', url, write({ periods: [a, b] }));
    expect(answer.statusCode).toBe(400);
    expect(errorOf(answer)).toMatch(/^periods: /);
    for (const part of [`"${a.name}"`, `"${b.name}"`, `overlap on ${on}`]) expect(errorOf(answer)).toContain(part);
  });

  test('periods that only touch, an end at 24:00 or 00:00, and a whole day are accepted and come back the same', async () => {
    const periods = [
      { ...day, endTime: '24:00', daysOfWeek: 1 },
      { ...day, endTime: '00:00', daysOfWeek: 2 },
      { ...day, startTime: '00:00', endTime: '24:00', daysOfWeek: 4 },
      { ...day, startTime: '12:00', endTime: '11:59', daysOfWeek: 16 },
    ];
    const tariff = await create({ periods });
    expect(withoutIds(tariff.periods)).toEqual(periods);
    expect(await tariffsOf(berlin)).toEqual([tariff]);
  });

  test('200 periods are accepted, 201 refused', async () => {
    const periods = Array.from({ length: 201 }, (_, at) => {
      const time = (minute: number) =>
        `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
      return { ...day, name: `P${at}`, startTime: time(at * 7), endTime: time(at * 7 + 7) };
    });
    const refused = await ask('POST', url, write({ periods }));
    expect(refused.statusCode).toBe(400);
    expect(errorOf(refused)).toBe('periods: must have at most 200 entries; got a list of 201 entries.');
    expect((await create({ periods: periods.slice(0, 200) })).periods).toHaveLength(200);
  });

  test('a currency may come in lower case, and is kept in upper case', async () => {
    expect((await create({ currency: ' inr ' })).currency).toBe('INR');
  });
});

describe('decisions.md 6: two active tariffs of a municipality never start on one day', () => {
  test('POST and PUT: 409 that names the day and the way out', async () => {
    await create();
    const later = await create({ effectiveFrom: '2026-02-01' });
    for (const answer of [
      await ask('POST', url, write({ name: 'Other', currency: 'CHF' })),
      await ask('PUT', `${url}/${later.id}`, write()),
    ]) {
      expect(answer.statusCode).toBe(409);
      expect(errorOf(answer)).toMatch(/^effectiveFrom: .*2026-01-01/);
    }
    expect((await tariffsOf(berlin)).map((tariff) => tariff.effectiveFrom)).toEqual(['2026-02-01', '2026-01-01']);
  });

  test('any number of inactive ones may start on one day; activating one is 409', async () => {
    await create();
    const off = await create({ isActive: false });
    await create({ isActive: false });
    const answer = await ask('PUT', `${url}/${off.id}`, write({ isActive: true }));
    expect(answer.statusCode).toBe(409);
    expect((await tariffsOf(berlin)).filter((tariff) => tariff.isActive)).toHaveLength(1);
  });

  test('another municipality, and the tariff itself, are not in the way', async () => {
    const tariff = await create();
    await create({ municipalityId: pune });
    expect((await ask('PUT', `${url}/${tariff.id}`, write({ name: 'Renamed' }))).statusCode).toBe(200);
  });

  test('names need not be unique, and windows may overlap', async () => {
    await create({ effectiveFrom: '2026-01-01', effectiveTo: '2027-01-01' });
    await create({ effectiveFrom: '2026-02-01', effectiveTo: '2026-03-01' });
    expect(await tariffsOf(berlin)).toHaveLength(2);
  });
});

describe('tariffs and their municipality', () => {
  test('PUT with another municipality moves the tariff there, by the rules of that place', async () => {
    const tariff = await create();
    await create({ municipalityId: pune });
    const refused = await ask('PUT', `${url}/${tariff.id}`, write({ municipalityId: pune }));
    expect(refused.statusCode).toBe(409);
    expect(await tariffsOf(berlin)).toEqual([tariff]);
    const moved = await ask('PUT', `${url}/${tariff.id}`, write({ municipalityId: pune, effectiveFrom: '2026-02-01' }));
    expect(moved.statusCode).toBe(200);
    expect(await tariffsOf(berlin)).toEqual([]);
    expect(await tariffsOf(pune)).toMatchObject([moved.json(), { effectiveFrom: '2026-01-01' }]);
  });

  test('a municipality without sites takes its tariffs along; with sites both stay: 409', async () => {
    const tariff = await create();
    await create({ municipalityId: pune });
    await ask('POST', '/api/admin/sites', { name: 'Office', municipalityId: berlin });
    const refused = await ask('DELETE', `/api/admin/rates/municipalities/${berlin}`);
    expect(refused.statusCode).toBe(409);
    expect(errorOf(refused)).toMatch(/1 site/);
    expect((await ask('DELETE', `/api/admin/rates/municipalities/${pune}`)).statusCode).toBe(204);
    expect((await ask('GET', '/api/rates')).json()).toMatchObject([{ id: berlin, tariffs: [tariff] }]);
    expect(await countPeriods()).toBe(tariff.periods.length);
  });
});

describe('many at a time', () => {
  const marked = (mark: number) =>
    write({
      name: `T${mark}`,
      defaultRatePerKwh: mark,
      periods: Array.from({ length: 1 + (mark % 12) }, (_, at) => ({
        name: `T${mark}`,
        daysOfWeek: 127,
        startTime: `${String(at).padStart(2, '0')}:00`,
        endTime: `${String(at).padStart(2, '0')}:30`,
        ratePerKwh: mark,
      })),
    });
  const isWhole = (tariff: Tariff) =>
    tariff.name === `T${tariff.defaultRatePerKwh}` &&
    tariff.periods.length === 1 + (tariff.defaultRatePerKwh % 12) &&
    tariff.periods.every((period) => period.name === tariff.name && period.ratePerKwh === tariff.defaultRatePerKwh);

  test('concurrent PUTs: each gets an answer, and readers see one of them whole', async () => {
    const { id } = (await ask('POST', url, marked(1))).json<Tariff>();
    const writing = new AbortController();
    const reads: Tariff[] = [];
    const reader = (async () => {
      while (!writing.signal.aborted) reads.push(...(await tariffsOf(berlin)));
    })();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) => ask('PUT', `${url}/${id}`, marked(at + 1))),
    );
    writing.abort();
    await reader;
    expect(answers.map((answer) => answer.statusCode)).toEqual(answers.map(() => 200));
    expect(answers.map((answer) => answer.json<Tariff>()).filter((tariff) => !isWhole(tariff))).toEqual([]);
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.filter((tariff) => !isWhole(tariff))).toEqual([]);
    const [last] = await tariffsOf(berlin);
    expect(answers.map((answer) => answer.json())).toContainEqual(last);
    expect(await countPeriods()).toBe(last?.periods.length);
  });

  test('a reader in the middle of a write sees the tariff as it was, and neither waits for the other', async () => {
    const before = await create();
    await portal.database.transaction(async (tx) => {
      const [stored] = (await listTariffs(tx, [berlin])).get(berlin) ?? [];
      if (stored === undefined) throw new Error('no tariff');
      await updateTariff(tx, { ...stored, name: 'Changed', periods: stored.periods.slice(1) });
      expect(await tariffsOf(berlin)).toEqual([before]);
    });
    expect(await tariffsOf(berlin)).toEqual([{ ...before, name: 'Changed', periods: before.periods.slice(1) }]);
  });

  test('a write that fails in the middle leaves nothing behind', async () => {
    const before = await create();
    const broken = { name: 'Broken', daysOfWeek: 127, startMinute: 0, endMinute: 60, ratePerKwh: money(-1) };
    await expect(
      createTariff(
        { database: portal.database, by: { actor: { kind: 'system' }, log: portal.app.log } },
        {
          municipalityId: berlin,
          name: 'Half',
          currency: 'EUR',
          isActive: false,
          effectiveFrom: '2026-01-01',
          effectiveTo: null,
          defaultRatePerKwh: money(1),
          fixedChargePerMonth: money(0),
          vatPercent: money(0),
          exportRatePerKwh: null,
          periods: [broken],
        },
      ),
    ).rejects.toThrow(/check constraint/);
    expect(await tariffsOf(berlin)).toEqual([before]);
  });

  test('POSTs of one start side by side: one is 201, all others 409', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask('POST', url, write())));
    const codes = answers.map((answer) => answer.statusCode).toSorted();
    expect(codes).toEqual([201, ...Array.from({ length: 11 }, () => 409)]);
    expect(await tariffsOf(berlin)).toHaveLength(1);
  });

  test('two tariffs that take each other’s start at one time: 200 or 409, never two on one day', async () => {
    const one = await create();
    const two = await create({ effectiveFrom: '2026-02-01' });
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        ask('PUT', `${url}/${one.id}`, write({ effectiveFrom: '2026-02-01' })),
        ask('PUT', `${url}/${two.id}`, write({ effectiveFrom: '2026-01-01' })),
      ]);
      for (const answer of answers) expect([200, 409], answer.body).toContain(answer.statusCode);
      const starts = (await tariffsOf(berlin)).map((tariff) => tariff.effectiveFrom);
      expect(new Set(starts).size).toBe(2);
    }
  });

  test('a municipality that is deleted while tariffs come and change: each is answered, none is left without it', async () => {
    const { id } = await create();
    const starts = Array.from({ length: 8 }, (_, at) => `202${at}-05-01`);
    const answers = await Promise.all([
      ...starts.map((effectiveFrom) => ask('POST', url, write({ effectiveFrom }))),
      ask('DELETE', `/api/admin/rates/municipalities/${berlin}`),
      ask('PUT', `${url}/${id}`, write({ name: 'Changed' })),
      ask('POST', url, write({ effectiveFrom: '2031-01-01' })),
    ]);
    for (const answer of answers) expect([200, 201, 204, 400, 404], answer.body).toContain(answer.statusCode);
    expect((await ask('GET', '/api/rates')).json()).toMatchObject([{ id: pune, tariffs: [] }]);
    expect(await countPeriods()).toBe(0);
  });
});
