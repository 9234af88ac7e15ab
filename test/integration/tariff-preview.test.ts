import { beforeAll, describe, expect, test } from 'vitest';
import { dashboardSummary, type DashboardSummary } from '../../shared/dashboard.ts';
import { costPreview, type Tariff, type CostPreview, type TariffWrite } from '../../shared/rates.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice } from '../support/sites.ts';

const now = Date.UTC(2026, 5, 15, 10);
const path = '/api/admin/rates/tariffs';
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';
const portal = appOfFile({ now: () => now });
let admin: { cookie: string };
let berlin = '';
let pune = '';
let stored: Tariff;
const sites: { siteId: string; deviceId: string }[] = [];

const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, headers: object = admin) =>
  portal.app.inject({ method, url, headers: { ...headers }, ...(payload === undefined ? {} : { payload }) });
const create = async (url: string, payload: object): Promise<string> => {
  const answer = await ask('POST', url, payload);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ id: string }>().id;
};
const night = { name: 'Night', daysOfWeek: 127, startTime: '22:00', endTime: '06:00', ratePerKwh: 0.1841 };
const write = (changes: Partial<TariffWrite> = {}): TariffWrite => ({
  municipalityId: berlin,
  name: 'Standard',
  currency: 'EUR',
  isActive: true,
  effectiveFrom: '2026-03-10',
  effectiveTo: null,
  defaultRatePerKwh: 0.3015,
  fixedChargePerMonth: 12.5,
  vatPercent: 19,
  exportRatePerKwh: null,
  periods: [night],
  ...changes,
});
const preview = async (id: string | null, tariff: TariffWrite | null): Promise<CostPreview> => {
  const answer = await ask('POST', `${path}/preview`, { changes: [{ id, tariff }] });
  expect(answer.statusCode, answer.body).toBe(200);
  return costPreview.parse(answer.json());
};
const monthOf = async (month: string, of = ''): Promise<Pick<DashboardSummary, 'costs' | 'unpricedEnergyKwh'>> => {
  const fromDate = `${month}-01`;
  const toDate = Temporal.PlainDate.from(fromDate).add({ months: 1 }).toString();
  const answer = await ask('GET', `/api/dashboard/summary?fromDate=${fromDate}&toDate=${toDate}${of}`);
  const { costs, unpricedEnergyKwh } = dashboardSummary.parse(answer.json());
  return { costs, unpricedEnergyKwh };
};
const months = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'];
const allMonths = async (of = '') =>
  new Map(await Promise.all(months.map(async (month) => [month, await monthOf(month, of)] as const)));

beforeAll(async () => {
  admin = await portal.signIn();
  berlin = await create('/api/admin/rates/municipalities', { name: 'Berlin', timeZone: 'Europe/Berlin' });
  pune = await create('/api/admin/rates/municipalities', { name: 'Pune', timeZone: 'Asia/Kolkata' });
  const session = { app: portal.app, headers: admin };
  const rows: object[] = [];
  for (const [at, municipalityId] of [berlin, pune, berlin].entries()) {
    const siteId = await create('/api/admin/sites', { name: `Site ${at}`, municipalityId });
    sites.push({ siteId, deviceId: await createDevice(session, siteId, { externalId: `meter-${at}` }) });
    for (let time = Date.UTC(2026, 1, 20); time < now; time += 1_800_000) {
      const activePowerKw = 3.217 + Math.sin(time / 3e7) + at / 7;
      rows.push({ externalId: `meter-${at}`, time: new Date(time).toISOString(), activePowerKw });
    }
  }
  for (let at = 0; at < rows.length; at += 5_000) {
    const delivered = await ask('POST', '/api/ingest/measurements', rows.slice(at, at + 5_000));
    expect(delivered.json()).toMatchObject({ rejected: 0 });
  }
  await create(path, write({ municipalityId: pune, currency: 'INR', effectiveFrom: '2026-01-01' }));
  stored = (await ask('POST', path, write())).json<Tariff>();
});

describe('POST /api/admin/rates/tariffs/preview', () => {
  test.each<[string, Partial<TariffWrite>]>([
    ['dearer', { defaultRatePerKwh: 0.3415 }],
    ['other periods, fixed charge and VAT', { periods: [], fixedChargePerMonth: 31, vatPercent: 7.5 }],
    ['a later start', { effectiveFrom: '2026-04-02' }],
    ['an earlier start and an end', { effectiveFrom: '2026-02-25', effectiveTo: '2026-05-11' }],
    ['another currency', { currency: 'CHF' }],
    ['inactive', { isActive: false }],
  ])(
    '%s: the months before and after are those of the summaries before and after it is stored, to the cent',
    async (_, changes) => {
      const before = await allMonths();
      const tried = await preview(stored.id, write(changes));
      expect(await allMonths()).toEqual(before);

      expect((await ask('PUT', `${path}/${stored.id}`, write(changes))).statusCode).toBe(200);
      const after = await allMonths();
      expect((await ask('PUT', `${path}/${stored.id}`, write())).statusCode).toBe(200);
      const inEuro = (costs: DashboardSummary['costs']) => costs.filter(({ currency }) => currency !== 'INR');
      // The summaries include both municipalities, one of which has another currency.
      const expected = months
        .filter((month) => JSON.stringify(before.get(month)) !== JSON.stringify(after.get(month)))
        .map((month) => ({
          month,
          before: inEuro(before.get(month)?.costs ?? []),
          after: inEuro(after.get(month)?.costs ?? []),
        }));
      expect(expected.length).toBeGreaterThan(0);
      expect(tried.months.map((one) => ({ ...one, before: one.before.costs, after: one.after.costs }))).toEqual(
        expected,
      );
      for (const { month, before: old, after: next } of tried.months) {
        expect(old.unpricedEnergyKwh).toBeCloseTo(before.get(month)?.unpricedEnergyKwh ?? NaN, 6);
        expect(next.unpricedEnergyKwh).toBeCloseTo(after.get(month)?.unpricedEnergyKwh ?? NaN, 6);
      }
    },
  );

  test('a new tariff and a deleted one are previewed as well', async () => {
    const added = await preview(null, write({ name: 'Summer', effectiveFrom: '2026-05-01', defaultRatePerKwh: 0.5 }));
    expect(added.months.map(({ month }) => month)).toEqual(['2026-05', '2026-06']);
    const deleted = await preview(stored.id, null);
    expect(deleted.months.map(({ month }) => month)).toEqual(['2026-03', '2026-04', '2026-05', '2026-06']);
    expect(deleted.months.every(({ after }) => after.costs.length === 0 && after.unpricedEnergyKwh > 0)).toBe(true);
  });

  test('writes that belong together count together: a new version, and the end of the previous one', async () => {
    const version = write({
      name: 'May',
      effectiveFrom: '2026-05-01',
      effectiveTo: '2026-06-01',
      defaultRatePerKwh: 0.5,
    });
    const changes = [
      { id: null, tariff: version },
      { id: stored.id, tariff: write({ effectiveTo: '2026-05-01' }) },
    ];
    const answer = await ask('POST', `${path}/preview`, { changes });
    const { months: found } = costPreview.parse(answer.json());
    expect(found.map(({ month, after }) => [month, after.costs.length, after.unpricedEnergyKwh > 0])).toEqual([
      ['2026-05', 1, false],
      ['2026-06', 0, true],
    ]);
  });

  test.each([
    [
      'twice',
      () => [
        { id: stored.id, tariff: null },
        { id: stored.id, tariff: write() },
      ],
    ],
    ['must not be empty', () => []],
    ['at most 10', () => Array.from({ length: 11 }, () => ({ id: null, tariff: write() }))],
  ])('changes: %s is rejected', async (text, changes) => {
    const answer = await ask('POST', `${path}/preview`, { changes: changes() });
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([400, expect.stringContaining(text)]);
  });

  test('another name changes nothing, nor does anything that begins after the current month', async () => {
    expect((await preview(stored.id, write({ name: 'Renamed' }))).months).toEqual([]);
    expect(await preview(null, write({ effectiveFrom: '2026-07-01' }))).toEqual({
      fromDate: null,
      toDate: null,
      months: [],
    });
  });

  test('a tariff that moves to another municipality changes both', async () => {
    const moved = await preview(stored.id, write({ municipalityId: pune, effectiveFrom: '2026-03-10' }));
    const [march] = moved.months;
    expect(march?.month).toBe('2026-03');
    expect(march?.before.costs.map(({ currency }) => currency)).toEqual(['EUR', 'INR']);
  });

  test('months without energy and fixed charge do not differ, at any price', async () => {
    const early = await preview(null, write({ effectiveFrom: '2025-06-01', fixedChargePerMonth: 0, name: 'Early' }));
    expect(early.months.map(({ month }) => month)).toEqual(['2026-02', '2026-03']);
  });

  test('for a tariff in force for centuries the latest 120 months are compared', async () => {
    expect(await preview(null, write({ effectiveFrom: '1500-01-01', name: 'Old' }))).toMatchObject({
      fromDate: '2016-07-01',
      toDate: '2026-07-01',
    });
  });

  test.each<[number, string, () => object]>([
    [400, 'effectiveTo: must be after', () => ({ id: null, tariff: write({ effectiveTo: '2026-03-10' }) })],
    [400, 'overlap on Monday', () => ({ id: null, tariff: write({ periods: [night, night] }) })],
    [
      400,
      `municipalityId: municipality ${unknownId} not found`,
      () => ({ id: null, tariff: write({ municipalityId: unknownId }) }),
    ],
    [404, 'tariff', () => ({ id: unknownId, tariff: write() })],
    [409, 'starts on 2026-03-10', () => ({ id: null, tariff: write() })],
    [400, 'tariff', () => ({ id: null })],
  ])('%i with the text of the write: %s', async (status, text, body) => {
    const answer = await ask('POST', `${path}/preview`, { changes: [body()] });
    expect(answer.statusCode, answer.body).toBe(status);
    expect(answer.json<{ error: string }>().error).toContain(text);
  });

  test('sums under simulated prices are not kept', async () => {
    const count = async () =>
      (await portal.database.query<{ count: number }>({ text: 'SELECT count(*) AS count FROM monitoring.energy_sums' }))
        .rows[0]?.count;
    await monthOf('2026-04');
    await preview(stored.id, write({ defaultRatePerKwh: 0.7 }));
    const before = await count();
    await preview(stored.id, write({ defaultRatePerKwh: 0.9 }));
    expect(await count()).toBe(before);
  });
});

/** A preview equals the summaries of the devices before and after the change. */
async function expectChanges(url: string, question: object, deviceIds: readonly string[], change: () => Promise<void>) {
  const of = `&deviceIds=${deviceIds.join(',')}`;
  const before = await allMonths(of);
  const answer = await ask('POST', url, question);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(await allMonths(of)).toEqual(before);
  await change();
  const after = await allMonths(of);
  const costsOf = (summary: ReturnType<typeof after.get>) => JSON.stringify(summary?.costs);
  const changed = months.filter((month) => costsOf(before.get(month)) !== costsOf(after.get(month)));
  expect(changed.length).toBeGreaterThan(3);
  const told = costPreview.parse(answer.json()).months;
  expect(told.map(({ month }) => month)).toEqual(changed);
  for (const { month, ...tried } of told) {
    for (const [side, summary] of [
      ['before', before.get(month)],
      ['after', after.get(month)],
    ] as const) {
      expect(tried[side].costs).toEqual(summary?.costs);
      expect(tried[side].unpricedEnergyKwh).toBeCloseTo(summary?.unpricedEnergyKwh ?? NaN, 6);
    }
  }
}

describe('a place that changes', () => {
  const put = async (url: string, values: object) =>
    expect((await ask('PUT', url, values)).statusCode, JSON.stringify(values)).toBe(200);
  const siteUrl = (at: number) => `/api/admin/sites/${sites[at]?.siteId}`;
  const berlinUrl = () => `/api/admin/rates/municipalities/${berlin}`;

  test('a site that moves to another municipality has its tariffs, currency and days, to the cent', async () => {
    const move = (municipalityId: string) => put(siteUrl(0), { name: 'Site 0', municipalityId });
    await expectChanges(`${siteUrl(0)}/preview`, { municipalityId: pune }, [sites[0]?.deviceId ?? ''], () =>
      move(pune),
    );
    await move(berlin);
  });

  test('all sites of a municipality have the days of its new time zone, to the cent', async () => {
    const timeZone = 'Pacific/Auckland';
    const own = [0, 2].map((at) => sites[at]?.deviceId ?? '');
    await expectChanges(`${berlinUrl()}/preview`, { timeZone }, own, () =>
      put(berlinUrl(), { name: 'Berlin', timeZone }),
    );
    await put(berlinUrl(), { name: 'Berlin', timeZone: 'Europe/Berlin' });
  });

  test('nothing differs in the same place', async () => {
    for (const [url, question] of [
      [siteUrl(0), { municipalityId: berlin }],
      [berlinUrl(), { timeZone: 'Europe/Berlin' }],
    ] as const)
      expect((await ask('POST', `${url}/preview`, question)).json()).toMatchObject({ months: [] });
  });

  test.each([
    [400, () => `${siteUrl(0)}/preview`, { municipalityId: unknownId }, `municipality ${unknownId} not found`],
    [404, () => `/api/admin/sites/${unknownId}/preview`, { municipalityId: unknownId }, 'site'],
    [400, () => `${berlinUrl()}/preview`, { timeZone: 'Europe/Nowhere' }, 'timeZone'],
    [404, () => `/api/admin/rates/municipalities/${unknownId}/preview`, { timeZone: 'UTC' }, 'municipality'],
  ])('%i: %s %j is reported', async (status, url, question, text) => {
    const answer = await ask('POST', url(), question);
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      status,
      expect.stringContaining(text),
    ]);
  });
});
