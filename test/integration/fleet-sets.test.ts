import { gzipSync, zstdCompressSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { customerDetail } from '../../shared/fleet.ts';
import { createAdminApp } from '../support/app.ts';
import { adminAppOfFile } from '../support/app-of-file.ts';
import { createCustomer } from '../support/fleet.ts';

const start = Date.parse('2026-03-10T10:00:00Z');
const id = (n: number) => `018f4ad0-0000-7000-8000-${String(n).padStart(12, '0')}`;

let nowMs = start;
const fleet = adminAppOfFile({ now: () => nowMs, environment: { FleetIngest__MaxBatchesPerMinute: '30' } });
let origin: string;
let admin: { cookie: string };
let customer: { id: string; token: string };
let made = 0;

beforeAll(async () => {
  origin = await fleet.app.listen({ host: '127.0.0.1', port: 0 });
  admin = await fleet.signIn();
});
beforeEach(async () => {
  nowMs = start;
  customer = await create();
});

const create = () => createCustomer(fleet, `customer-${(made += 1)}`, { headers: admin });

const push = (type: string, payload: unknown, more: Record<string, string> = {}, token = customer.token) =>
  fleet.app.inject({
    method: 'POST',
    url: '/api/fleet/ingest',
    headers: { 'content-type': 'application/json', 'x-customer-token': token, 'x-batch-type': type, ...more },
    payload: Buffer.isBuffer(payload) || typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
const rows = async <Row extends object>(text: string, values: unknown[] = [customer.id]) =>
  (await fleet.database.query<Row>({ text }, values)).rows;
const events = () =>
  rows<{
    batchType: string;
    accepted: number;
    rejected: number;
    cursor: string | null;
    error: string | null;
    bytes: number;
  }>(
    `SELECT batch_type AS "batchType", rows_accepted AS accepted, rows_rejected AS rejected, cursor, error,
            payload_bytes AS bytes FROM fleet.ingest_events WHERE customer_id = $1 ORDER BY id`,
  );
const current = async (type: string) =>
  (
    await rows<{ id: string }>(`SELECT id FROM fleet.${type} WHERE customer_id = $1 AND removed_at IS NULL ORDER BY id`)
  ).map((row) => row.id);

const municipality = (n: number) => ({ id: id(n), name: `Town ${n}`, timeZone: 'Europe/Berlin' });
const device = (n: number, more: object = {}) => ({
  id: id(n),
  siteId: id(1),
  name: `Meter ${n}`,
  externalId: `m${n}`,
  ...more,
});
const tariff = (n: number, more: object = {}) => ({
  id: id(n),
  municipalityId: id(1),
  name: 'T',
  currency: 'EUR',
  effectiveFrom: '2026-01-01',
  defaultRatePerKwh: 0.3,
  periods: [{ id: id(900 + n), name: 'Day', daysOfWeek: 127, startTime: '06:00', endTime: '22:00', ratePerKwh: 0.4 }],
  ...more,
});

describe('Fleet ingest of full sets', () => {
  test('A name that a Client would refuse today is kept as it came: a record is not lost for it', async () => {
    const name = 'Werk \u202Eלודג';
    const answer = await push('municipalities', [{ ...municipality(1), name }]);
    expect(answer.json()).toMatchObject({ accepted: 1, rejected: 0 });
    expect(await rows(`SELECT name FROM fleet.municipalities WHERE customer_id = $1`)).toEqual([{ name }]);
  });

  test('Rule 1: an unknown token and that of an inactive customer are 401, an unknown batch type 400, which is written down', async () => {
    expect((await push('sites', [], {}, '0'.repeat(64))).statusCode).toBe(401);
    const without = await fleet.app.inject({ method: 'POST', url: '/api/fleet/ingest', payload: [] });
    expect(without.statusCode).toBe(401);
    expect(without.json()).toMatchObject({ error: expect.stringContaining('X-Customer-Token is missing') });
    expect((await push('meters', [])).json()).toMatchObject({
      error: expect.stringContaining('X-Batch-Type is "meters"'),
    });
    expect(await events()).toMatchObject([{ batchType: 'meters', error: expect.stringContaining('X-Batch-Type') }]);
    const payload = { name: 'Off', isActive: false };
    await fleet.app.inject({ method: 'PUT', url: `/api/admin/customers/${customer.id}`, headers: admin, payload });
    expect((await push('sites', [])).statusCode).toBe(401);
    // Written after the answer, which takes as long as that to an unknown token.
    await vi.waitFor(
      async () => {
        expect((await events()).slice(1)).toMatchObject([
          { error: expect.stringContaining('the customer is inactive') },
        ]);
      },
      { timeout: 45_000 },
    );
  });

  test('a header that is missing or too long is a 400 that names it', async () => {
    const headers = { 'content-type': 'application/json', 'x-customer-token': customer.token };
    const typeless = await fleet.app.inject({ method: 'POST', url: '/api/fleet/ingest', headers, payload: '[]' });
    expect([typeless.statusCode, typeless.json()]).toEqual([
      400,
      expect.objectContaining({ error: expect.stringContaining('X-Batch-Type is missing') }),
    ]);
    const long = await push('sites', [], { 'x-push-cursor': 'c'.repeat(201) });
    expect([long.statusCode, long.json()]).toEqual([
      400,
      expect.objectContaining({ error: expect.stringContaining('X-Push-Cursor has 201 characters') }),
    ]);
    expect((await push('sites', [], { 'x-push-cursor': 'c'.repeat(200) })).statusCode).toBe(200);
  });

  test('Rule 3: upsert by (CustomerId, id); a record missing from a newer set is removed, and comes back with the next', async () => {
    expect((await push('municipalities', [municipality(1), municipality(2)])).json()).toEqual({
      accepted: 2,
      rejected: 0,
      errors: [],
    });
    await push('municipalities', [{ ...municipality(2), name: 'New' }]);
    expect(await current('municipalities')).toEqual([id(2)]);
    expect(await rows(`SELECT name FROM fleet.municipalities WHERE customer_id = $1 ORDER BY id`)).toEqual([
      { name: 'Town 1' },
      { name: 'New' },
    ]);
    await push('municipalities', [municipality(1)]);
    expect(await current('municipalities')).toEqual([id(1)]);
    await push('municipalities', []);
    expect(await current('municipalities')).toEqual([]);
  });

  test.each<[string, (n: number) => { id: string; name: string }]>([
    ['sites', (n) => ({ id: id(n), name: `Site ${n}`, municipalityId: id(1) })],
    ['devices', device],
    ['tariffs', tariff],
  ])('Rule 3: so it is with %s', async (type, recordOf) => {
    await push('municipalities', [municipality(1)]);
    await push(type, [recordOf(1), recordOf(2)]);
    await push(type, [{ ...recordOf(2), name: 'New' }]);
    expect(await current(type)).toEqual([id(2)]);
    expect(await rows(`SELECT name FROM fleet.${type} WHERE customer_id = $1 ORDER BY id`)).toEqual([
      { name: recordOf(1).name },
      { name: 'New' },
    ]);
    await push(type, [recordOf(1)]);
    expect(await current(type)).toEqual([id(1)]);
  });

  test('each site has a number, from which its color follows, and keeps it when other sites come, go and return', async () => {
    const site = (n: number) => ({ id: id(n), name: `S${n}`, municipalityId: id(1) });
    const numbers = async () => {
      const found = await rows(`SELECT name, number FROM fleet.sites WHERE customer_id = $1 ORDER BY number`);
      return found.map((one) => Object.values(one).join(' '));
    };
    await push('sites', [site(6), site(4)]);
    await push('sites', [site(2), site(4), site(8), site(6)]);
    await push('sites', [site(8)]);
    await push('sites', [site(8), site(4), site(9), { ...site(6), name: 'New' }]);
    expect(await numbers()).toEqual(['S4 1', 'New 2', 'S2 3', 'S8 4', 'S9 5']);
  });

  test('X-Batch-Part: removal is judged once all parts have come, in any order, also when one comes again', async () => {
    await push(
      'sites',
      [1, 2, 3, 4].map((n) => ({ id: id(n), name: `S${n}`, municipalityId: id(1) })),
    );
    const part = (n: number, header: string) =>
      push('sites', [{ id: id(n), name: `S${n}`, municipalityId: id(1) }], { 'x-batch-part': header });
    await part(4, '3/3');
    await part(1, '1/3');
    await part(1, '1/3');
    expect(await current('sites')).toHaveLength(4);
    await part(2, '2/3');
    expect(await current('sites')).toEqual([id(1), id(2), id(4)]);
    for (const header of ['4/3', '0/3', '1/1001', '1', 'a/b', '-1/3'])
      expect((await part(1, header)).statusCode).toBe(400);
  });

  test('X-Batch-Part: a part of the last set that is delivered again does not count for the next one', async () => {
    const part = (n: number, header: string, cursor: string) =>
      push('sites', [{ id: id(n), name: `S${n}`, municipalityId: id(1) }], {
        'x-batch-part': header,
        'x-push-cursor': cursor,
      });
    await part(1, '1/2', 'a');
    await part(2, '2/2', 'a');
    await part(2, '2/2', 'a');
    await part(3, '1/2', 'b');
    expect(await current('sites'), 'half of the next set').toEqual([id(1), id(2), id(3)]);
    await part(4, '2/2', 'b');
    expect(await current('sites')).toEqual([id(3), id(4)]);
    // The same set again, then one with the same first part, with a constant cursor.
    await part(3, '1/2', 'b');
    await part(4, '2/2', 'b');
    await part(3, '1/2', 'b');
    await part(5, '2/2', 'b');
    expect(await current('sites')).toEqual([id(3), id(5)]);
  });

  test('a set of 20,000 records is stored and judged in seconds, also the first one', async () => {
    const sites = Array.from({ length: 20_000 }, (_, n) => ({ id: id(n), name: `S${n}`, municipalityId: id(1) }));
    const devices = sites.map((_, n) => device(n, { siteId: id(n) }));
    const started = performance.now();
    expect((await push('sites', sites)).json()).toMatchObject({ accepted: 20_000 });
    expect((await push('devices', devices)).json()).toMatchObject({ accepted: 20_000 });
    // It would take a minute if every record were compared with every other.
    expect(performance.now() - started).toBeLessThan(40_000);
    await push('sites', []);
    expect(await current('sites')).toEqual([]);
  });

  test.each(['municipalities', 'sites', 'tariffs'] as const)(
    'a customer has 100,000 %s at most, removed ones included; those that are known go on being changed',
    async (type) => {
      await push('municipalities', [municipality(1)]);
      const columns = {
        municipalities: ['name, time_zone', `'Town', 'Europe/Berlin'`],
        sites: ['name, municipality_id, number', `'Site', '${id(1)}', 1`],
        tariffs: [
          'municipality_id, name, currency, effective_from, default_rate_per_kwh, fixed_charge_per_month, vat_percent, is_active',
          `'${id(1)}', 'T', 'EUR', '2026-01-01', 0.3, 0, 0, true`,
        ],
      }[type];
      const count = 99_999 - (type === 'municipalities' ? 1 : 0);
      await fleet.database.query(
        {
          text: `INSERT INTO fleet.${type} (customer_id, id, created_at, removed_at, ${columns[0]})
                 SELECT $1, gen_random_uuid(), now(), now(), ${columns[1]} FROM generate_series(1, ${count})`,
        },
        [customer.id],
      );
      const record = {
        municipalities: municipality,
        sites: (n: number) => ({ id: id(n), name: `S${n}`, municipalityId: id(1) }),
        tariffs: (n: number) => tariff(n),
      }[type];
      expect((await push(type, [record(2), record(3)])).json()).toEqual({
        accepted: 1,
        rejected: 1,
        errors: [
          {
            index: 1,
            id: id(3),
            reason: `the customer already has 100000 ${type}; further ones are rejected`,
            refusal: { code: 'manyRecords', params: { max: 100_000, type } },
          },
        ],
      });
      expect((await push(type, [record(2)])).json()).toMatchObject({ accepted: 1, rejected: 0 });
    },
  );

  test('tariffs with more than 20,000 periods in all are 413, which says how many are accepted', async () => {
    const periods = (n: number) =>
      Array.from({ length: 150 }, (_, at) => ({
        ...tariff(1).periods[0],
        id: id(n * 1_000 + at),
        daysOfWeek: 1,
      }));
    const tariffs = Array.from({ length: 134 }, (_, n) => tariff(n, { periods: periods(n) }));
    const answer = await push('tariffs', tariffs);
    expect(answer.statusCode).toBe(413);
    expect(answer.json()).toMatchObject({
      error: 'periods: a batch may have at most 20000 periods in total; send fewer tariffs at a time.',
    });
  });

  test('a rejected record is not removed; one without a readable id leaves all records as they are', async () => {
    await push('municipalities', [municipality(1), municipality(2), municipality(3)]);
    const bad = await push('municipalities', [municipality(1), { ...municipality(2), timeZone: 'Nowhere' }]);
    expect(bad.json()).toEqual({
      accepted: 1,
      rejected: 1,
      errors: [
        {
          index: 1,
          id: id(2),
          reason: expect.stringContaining('timeZone'),
          refusal: expect.objectContaining({ field: 'timeZone' }),
        },
      ],
    });
    expect(await current('municipalities')).toEqual([id(1), id(2)]);
    await push('municipalities', [{ name: 'no id' }]);
    expect(await current('municipalities')).toEqual([id(1), id(2)]);
  });

  test('devices keep their numbers for ever', async () => {
    await push('devices', [device(1), device(2)]);
    await push('devices', [device(3), device(2, { name: 'New', ratedPowerKw: 5 })]);
    expect(
      await rows(
        `SELECT number, name, rated_power_kw AS rated FROM fleet.devices WHERE customer_id = $1 ORDER BY number`,
      ),
    ).toEqual([
      { number: 1, name: 'Meter 1', rated: null },
      { number: 2, name: 'New', rated: 5 },
      { number: 3, name: 'Meter 3', rated: null },
    ]);
  });

  test('a changed rule of energy marks the stored days of the device, a changed name does not', async () => {
    await push('devices', [device(1)]);
    await fleet.database.query(
      {
        text: `INSERT INTO fleet.energy_days (customer_id, device_number, day, samples, power_sum, factor_active_sum, factor_reactive_sum)
               VALUES ($1, 1, '2026-03-01', 5, 0, 0, 0)`,
      },
      [customer.id],
    );
    await rows(
      `UPDATE fleet.energy_state SET first_time = '2026-03-01T08:00:00Z', last_time = '2026-03-01T09:00:00Z' WHERE customer_id = $1`,
    );
    const dirty = () => rows(`SELECT from_time AS "from" FROM fleet.energy_dirty_ranges WHERE customer_id = $1`);
    await push('devices', [device(1, { name: 'New' })]);
    expect(await dirty()).toEqual([]);
    await push('devices', [device(1, { registerMaxKwh: 1000 })]);
    expect(await dirty()).toHaveLength(1);
  });

  test('a period in two tariffs of a batch is rejected with the second tariff, and moves with a later batch', async () => {
    await push('municipalities', [municipality(1)]);
    const [one, two] = [tariff(1), { ...tariff(2), periods: tariff(1).periods }];
    expect((await push('tariffs', [one, two])).json()).toMatchObject({
      accepted: 1,
      errors: [
        {
          index: 1,
          id: id(2),
          reason: expect.stringContaining('is listed twice'),
          refusal: expect.objectContaining({ code: 'periodIdTwice' }),
        },
      ],
    });
    expect((await push('tariffs', [two])).json()).toMatchObject({ accepted: 1, rejected: 0 });
    expect(await rows(`SELECT tariff_id AS id FROM fleet.tariff_periods WHERE customer_id = $1`)).toEqual([
      { id: id(2) },
    ]);
  });

  test('bad records are refused one by one, with the field; nonsense of any kind is never a 500', async () => {
    const nonsense = [
      null,
      1,
      'x',
      [],
      {},
      { id: 7 },
      { ...device(1), siteId: null },
      { ...device(2), ratedPowerKw: -1 },
      { ...device(3), name: 'a\u0000b' },
      { ...device(4), expectedIntervalSeconds: 1.5 },
    ];
    const answer = await push('devices', [...nonsense, device(5)]);
    expect(answer.json()).toMatchObject({ accepted: 1, rejected: nonsense.length });
    const bad = [
      { effectiveFrom: '2026-02-30' },
      { currency: 'XXXX' },
      { vatPercent: 101 },
      { defaultRatePerKwh: 1e30 },
      { effectiveTo: '2025-01-01' },
      { periods: [{ id: id(1), name: 'P', daysOfWeek: 0, startTime: '00:00', endTime: '24:00', ratePerKwh: 0 }] },
      { periods: 7 },
    ].map((more, at) => tariff(at, more));
    expect((await push('tariffs', bad)).json()).toMatchObject({ accepted: 0, rejected: bad.length });
    for (const body of ['', 'null', '{}', '[', '[1,]', 'x', '[]]', '"']) {
      expect((await push('devices', body)).statusCode).toBe(400);
    }
    expect(await current('devices')).toEqual([id(5)]);
  });

  test('two customers with the same ids do not see each other, and a token writes only its customer’s rows', async () => {
    const other = await create();
    await push('municipalities', [municipality(1)]);
    await push('municipalities', [{ ...municipality(1), name: 'Theirs' }], {}, other.token);
    await push('municipalities', [], {}, other.token);
    expect(await current('municipalities')).toEqual([id(1)]);
    expect(await rows(`SELECT name FROM fleet.municipalities WHERE customer_id = $1`)).toEqual([{ name: 'Town 1' }]);
    expect(await rows(`SELECT name FROM fleet.municipalities WHERE customer_id = $1`, [other.id])).toEqual([
      { name: 'Theirs' },
    ]);
    const claimed = { ...municipality(2), customerId: other.id, customer_id: other.id };
    await push('municipalities', [claimed]);
    expect(
      await rows(`SELECT id FROM fleet.municipalities WHERE customer_id = $1 AND id = $2`, [other.id, id(2)]),
    ).toEqual([]);
  });

  test('two Admin portals on one database number the devices of a customer once', async () => {
    const { connectionString } = fleet.config.database;
    await using second = await createAdminApp({ now: () => nowMs, connectionString: connectionString ?? '' });
    const [first] = await Promise.all([
      push(
        'devices',
        [1, 2, 3].map((n) => device(n)),
      ),
      second.app.inject({
        method: 'POST',
        url: '/api/fleet/ingest',
        headers: { 'content-type': 'application/json', 'x-customer-token': customer.token, 'x-batch-type': 'devices' },
        payload: JSON.stringify([3, 2, 1].map((n) => device(n))),
      }),
    ]);
    expect(first.statusCode).toBe(200);
    const numbers = await rows<{ number: number }>(
      `SELECT number FROM fleet.devices WHERE customer_id = $1 ORDER BY 1`,
    );
    expect(numbers.map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  test('Rule 4: all periods of a tariff are replaced; one of an unknown municipality is refused', async () => {
    await push('municipalities', [municipality(1)]);
    await push('tariffs', [tariff(1)]);
    const changed = tariff(1, { periods: [], defaultRatePerKwh: 0.35 });
    const again = await push('tariffs', [changed, tariff(2, { municipalityId: id(7) })]);
    expect(again.json()).toMatchObject({ accepted: 1, rejected: 1, errors: [{ index: 1, id: id(2) }] });
    const rates = `SELECT default_rate_per_kwh::float8 AS rate FROM fleet.tariffs WHERE customer_id = $1`;
    expect(await rows(rates)).toEqual([{ rate: 0.35 }]);
    expect(await rows(`SELECT id FROM fleet.tariff_periods WHERE customer_id = $1`)).toEqual([]);
  });

  test("a customer's tariffs are shown by municipality, the latest effectiveFrom first", async () => {
    await push('municipalities', [municipality(1), { ...municipality(2), name: 'A town' }]);
    const starts = ['2025-01-01', '2026-07-01', '2026-01-01'];
    const sent = starts.map((effectiveFrom, at) => tariff(at + 1, { effectiveFrom }));
    await push('tariffs', [...sent, tariff(9, { municipalityId: id(2), effectiveFrom: '2024-01-01' })]);
    const detail = await fleet.app.inject({ url: `/api/fleet/customers/${customer.id}/detail`, headers: admin });
    const { tariffs } = customerDetail.parse(detail.json());
    expect(tariffs.map(({ municipalityName, effectiveFrom }) => [municipalityName, effectiveFrom])).toEqual([
      ['A town', '2024-01-01'],
      ['Town 1', '2026-07-01'],
      ['Town 1', '2026-01-01'],
      ['Town 1', '2025-01-01'],
    ]);
  });

  test("a customer's detail has the devices of the newest set, and the newest batch first", async () => {
    for (const [at, devices] of [[device(1), device(2)], [device(2)]].entries()) {
      nowMs = start + at * 60_000;
      await push('devices', devices, { 'x-push-cursor': `set ${at}` });
    }
    const answer = await fleet.app.inject({ url: `/api/fleet/customers/${customer.id}/detail`, headers: admin });
    const detail = customerDetail.parse(answer.json());
    expect(detail.devices.map((one) => one.id)).toEqual([id(2)]);
    expect(detail.ingestEvents.map(({ cursor }) => cursor)).toEqual(['set 1', 'set 0']);
  });

  test('Rule 6: each batch is an IngestEvent and sets FirstSeenAt once and LastSeenAt; a refused body sets neither', async () => {
    nowMs = start + 60_000;
    await push('sites', '{"no":"list"}', { 'x-push-cursor': 'c1' });
    nowMs = start + 120_000;
    await push('sites', [], { 'x-push-cursor': 'c2' });
    nowMs = start + 180_000;
    await push('sites', []);
    expect(await events()).toMatchObject([
      { batchType: 'sites', cursor: 'c1', error: expect.stringContaining('JSON list'), bytes: 13 },
      { batchType: 'sites', cursor: 'c2', error: null, bytes: 2 },
      { batchType: 'sites', cursor: null, error: null },
    ]);
    nowMs = start + 240_000;
    await push('sites', '{"no":"list"}');
    const listed = await fleet.app.inject({ url: '/api/admin/customers', headers: admin });
    expect(listed.json<{ id: string }[]>().find((one) => one.id === customer.id)).toMatchObject({
      firstSeenAt: '2026-03-10T10:02:00Z',
      lastSeenAt: '2026-03-10T10:03:00Z',
    });
  });

  test('a set whose client has disconnected is not stored: it would overwrite the newer one sent since', async () => {
    const { server } = fleet.app;
    const connections = () => new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
    const waiting = async () =>
      (await rows(inject('postgres').engine === 'citus' ? waitsOnNodes : waitsHere, [])).length;
    const waitsHere = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const waitsOnNodes = 'SELECT 1 FROM citus_lock_waits';
    const given = new AbortController();
    const { newer } = await fleet.database.transaction(async (tx) => {
      await tx.query({ text: 'SELECT 1 FROM fleet.customer_state WHERE customer_id = $1 FOR UPDATE' }, [customer.id]);
      const sent = fetch(`${origin}/api/fleet/ingest`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-customer-token': customer.token,
          'x-batch-type': 'municipalities',
        },
        body: JSON.stringify([municipality(1)]),
        signal: given.signal,
      }).catch((error: unknown) => error);
      await vi.waitFor(async () => expect(await waiting()).toBe(1), 5_000);
      given.abort(new Error('given up'));
      expect(await sent).toEqual(new Error('given up'));
      await vi.waitFor(async () => expect(await connections()).toBe(0), 5_000);
      return { newer: push('municipalities', [municipality(2)], { 'x-push-cursor': 'newer' }) };
    });
    expect((await newer).statusCode).toBe(200);
    await vi.waitFor(async () => expect(await waiting()).toBe(0), 5_000);
    // The older one had its turn before, and has stored nothing.
    expect(await rows('SELECT id FROM fleet.municipalities WHERE customer_id = $1')).toEqual([{ id: id(2) }]);
    expect(await events()).toMatchObject([{ cursor: 'newer' }]);
  });

  test('gzip and zstd are accepted; a body beyond 32 MiB decoded is 413, and recorded', async () => {
    const body = Buffer.from(JSON.stringify([municipality(1)]));
    for (const [encoding, sent] of [
      ['gzip', gzipSync(body)],
      ['zstd', zstdCompressSync(body)],
    ] as const) {
      expect((await push('municipalities', sent, { 'content-encoding': encoding })).json()).toMatchObject({
        accepted: 1,
      });
    }
    const bomb = gzipSync(Buffer.alloc(33 * 1024 * 1024, ' '));
    expect((await push('municipalities', bomb, { 'content-encoding': 'gzip' })).statusCode).toBe(413);
    expect((await events()).at(-1)).toMatchObject({ error: expect.stringContaining('larger than') });
  });

  test('Rule 7: beyond FleetIngest__MaxBatchesPerMinute a customer gets 429 with Retry-After, others do not', async () => {
    const other = await create();
    for (let n = 0; n < 30; n += 1) expect((await push('sites', [])).statusCode).toBe(200);
    const refused = await push('sites', []);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '2']);
    expect((await push('sites', [], {}, other.token)).statusCode).toBe(200);
    nowMs += 2_000;
    expect((await push('sites', [])).statusCode).toBe(200);
  });

  test('a flood of rejected batches writes a few rows per minute, and the last of them counts the others', async () => {
    for (let n = 0; n < 80; n += 1) await push('meters', []);
    expect(await events()).toHaveLength(6);
    await expect
      .poll(async () => (await events()).map(({ error }) => error))
      .toContainEqual(expect.stringContaining('74 more were rejected after it'));
    nowMs += 60_000;
    await push('meters', []);
    expect(await events()).toHaveLength(7);
  });
});
