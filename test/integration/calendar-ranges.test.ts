import { beforeAll, describe, expect, it } from 'vitest';
import { costBreakdown, dashboardSummary, loadCurve } from '../../shared/dashboard.ts';
import { dataQuality } from '../../shared/data-quality.ts';
import { bucketedRow, rawMeasurementsPage } from '../../shared/measurements.ts';
import { simulationResult } from '../../shared/rates.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice } from '../support/sites.ts';
import { openWorkbook } from '../support/xlsx/workbook.ts';

// Clocks go forward on the 8th in Chicago, on the 29th in Berlin, never in Tokyo.
const march = { fromDate: '2026-03-01', toDate: '2026-04-01' };
const places = [
  { name: 'Berlin', timeZone: 'Europe/Berlin', from: '2026-02-28T23:00:00Z', to: '2026-03-31T22:00:00Z', hours: 743 },
  {
    name: 'Chicago',
    timeZone: 'America/Chicago',
    from: '2026-03-01T06:00:00Z',
    to: '2026-04-01T05:00:00Z',
    hours: 743,
  },
  { name: 'Tokyo', timeZone: 'Asia/Tokyo', from: '2026-02-28T15:00:00Z', to: '2026-03-31T15:00:00Z', hours: 744 },
] as const;
const allHours = 743 + 743 + 744;
const portal = appOfFile({ now: () => Date.parse('2026-04-10T12:00:00Z') });
let admin = { cookie: '' };
const devices = new Map<string, string>();
const tariff = {
  currency: 'EUR',
  isActive: true,
  effectiveFrom: '2025-01-01',
  vatPercent: 0,
  defaultRatePerKwh: 0.1,
  fixedChargePerMonth: 31,
};

const get = (path: string, query: Record<string, string>) =>
  portal.app.inject({ method: 'GET', url: path, query, headers: admin });
const post = (url: string, payload: object) => portal.app.inject({ method: 'POST', url, payload, headers: admin });
const create = async (path: string, payload: object) => (await post(path, payload)).json<{ id: string }>().id;
const ask = async (path: string, query: Record<string, string> = march) => {
  const answer = await get(path, query);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const summary = async (query: Record<string, string> = march) =>
  dashboardSummary.parse(await ask('/api/dashboard/summary', query));
const idOf = (name: string) => devices.get(name) ?? '';
const known = (values: readonly (number | null)[] | undefined) => (values ?? []).filter((value) => value !== null);
const sum = (values: readonly (number | null)[] | undefined) => known(values).reduce((all, value) => all + value, 0);

beforeAll(async () => {
  admin = await portal.signIn();
  const session = { app: portal.app, headers: admin };
  for (const { name, timeZone } of places) {
    const municipalityId = await create('/api/admin/rates/municipalities', { name, timeZone });
    await create('/api/admin/rates/tariffs', { ...tariff, municipalityId, name, periods: [] });
    const siteId = await create('/api/admin/sites', { name, municipalityId });
    devices.set(name, await createDevice(session, siteId, { externalId: name, expectedIntervalSeconds: 3600 }));
    // 4 kW, hour after hour, from two days before March until two days after it.
    const start = Date.parse('2026-02-27T00:00:00Z');
    const rows = Array.from({ length: 35 * 24 }, (_, at) => ({
      externalId: name,
      time: new Date(start + at * 3_600_000).toISOString(),
      activePowerKw: 4,
      energyImportedKwh: 1000 + at * 4,
    }));
    expect((await post('/api/ingest/measurements', rows)).json()).toMatchObject({ accepted: rows.length });
  }
});

describe('calendar ranges: local days of each site (decisions.md 4)', () => {
  it('a month is a whole month everywhere, its fixed charge whole', async () => {
    const found = await summary();
    expect(found).toMatchObject({ ...march, from: '2026-02-28T15:00:00Z', to: '2026-04-01T05:00:00Z' });
    expect(found.energyImportedKwh).toBeCloseTo(allHours * 4, 6);
    expect(found.sites.map(({ siteName, energyImportedKwh, costs }) => [siteName, energyImportedKwh, costs])).toEqual(
      places.map(({ name, hours }) => [
        name,
        expect.closeTo(hours * 4, 6),
        [expect.objectContaining({ fixedCharge: 31, energyCost: Math.round(hours * 40) / 100 })],
      ]),
    );
  });

  it('the figures of a site equal those of the same instants', async () => {
    const found = await summary();
    for (const { name, from, to } of places) {
      const own = await summary({ from, to, deviceIds: idOf(name) });
      expect(own).toMatchObject({ fromDate: null, toDate: null, from, to });
      expect(found.devices.find(({ deviceName }) => deviceName === name)).toEqual(own.devices[0]);
      expect(await summary({ ...march, deviceIds: idOf(name) })).toEqual({ ...own, ...march });
    }
  });

  it('days that are still running are cut at the same instant: those of a site that are over stay whole', async () => {
    const day = { fromDate: '2026-03-10', toDate: '2026-03-11' };
    const found = await summary({ ...day, until: '2026-03-10T20:00:00Z' });
    const energy = found.sites.map(({ siteName, energyImportedKwh }) => [siteName, energyImportedKwh]);
    // 24 hours of Tokyo, 21 of Berlin, 15 of Chicago.
    expect(energy).toEqual([
      ['Berlin', expect.closeTo(84, 6)],
      ['Chicago', expect.closeTo(60, 6)],
      ['Tokyo', expect.closeTo(96, 6)],
    ]);
    expect(found.tariffDays).toEqual([{ currency: 'EUR', days: expect.closeTo((24 + 21 + 15) / 24, 6) }]);
    const early = await summary({ ...day, until: '2026-03-09T20:00:00Z' });
    expect(early.energyImportedKwh).toBeCloseTo(5 * 4, 6);
    const refused = await get('/api/dashboard/summary', {
      from: '2026-03-10T00:00:00Z',
      to: '2026-03-11T00:00:00Z',
      until: '2026-03-10T20:00:00Z',
    });
    expect([refused.statusCode, refused.json().error]).toEqual([400, expect.stringContaining('until')]);
  });

  it('a workbook of running days ends at the same instant, and shows it', async () => {
    const query = { fromDate: '2026-03-10', toDate: '2026-03-11', until: '2026-03-10T20:00:00Z' };
    const { sheets } = openWorkbook((await get('/api/dashboard/summary/export.xlsx', query)).rawPayload);
    const rowOf = (sheet: string, first: string) =>
      sheets
        .find(({ name }) => name === sheet)
        ?.rows.map((row) => row.map((cell) => cell?.value ?? null))
        .find(([name]) => name === first);
    expect(rowOf('Totals', 'Energy imported')).toEqual(['Energy imported', expect.closeTo(84 + 60 + 96, 6)]);
    expect(rowOf('About', 'Last day')?.[1]).toBe('2026-03-10');
    expect(rowOf('About', 'Data until (Europe/Berlin)')?.[2]).toBe('2026-03-10T20:00:00Z');
  });

  it('the peak of the sum counts each device in its own days', async () => {
    expect(await summary()).toMatchObject({ peakPowerKw: 12, peakAt: '2026-03-01T06:00:00Z' });
    const day = await summary({ fromDate: '2026-03-10', toDate: '2026-03-11' });
    // When the day in Chicago has reached 10:00, that of Tokyo is over, so all three share ten hours.
    expect(day).toMatchObject({ peakPowerKw: 12, peakAt: '2026-03-10T05:00:00Z' });
  });

  it('the average power of a day counts 24 hours from each site’s midnight', async () => {
    const day = { fromDate: '2026-03-10', toDate: '2026-03-11' };
    expect((await summary(day)).averagePowerKw).toBeCloseTo(12, 9);
    // 24, 21 and 15 hours of 4 kW: the rest of the day in Chicago does not count as time without power.
    expect((await summary({ ...day, until: '2026-03-10T20:00:00Z' })).averagePowerKw).toBeCloseTo(12, 9);
    // A range of two instants is not shifted.
    const instants = { from: '2026-03-10T00:00:00Z', to: '2026-03-11T00:00:00Z' };
    expect((await summary(instants)).averagePowerKw).toBeCloseTo(12, 9);
  });

  it('the breakdown has whole days and months', async () => {
    const breakdown = async (group: string) =>
      costBreakdown.parse(await ask('/api/dashboard/cost-breakdown', { ...march, group }));
    const months = await breakdown('month');
    expect(new Set(months.lines.map((line) => line.group))).toEqual(new Set(['2026-03']));
    const fixed = months.lines.filter((line) => line.kind === 'fixedCharge');
    expect(fixed.map(({ days, cost }) => [days, cost])).toEqual([
      [31, 31],
      [31, 31],
      [31, 31],
    ]);
    const days = await breakdown('day');
    expect(new Set(days.lines.map((line) => line.group)).size).toBe(31);
    expect(days.costs).toEqual((await summary()).costs);
  });

  it('load curves: a day is each site’s own, an hour is in one time zone; both add up to the summary', async () => {
    for (const [bucket, count] of [
      ['day', 31],
      ['hour', 31 * 24 + 14],
      ['15min', (31 * 24 + 14) * 4],
    ] as const) {
      const query = { ...march, bucket, groupBy: 'total' };
      const { times, series } = loadCurve.parse(await ask('/api/dashboard/load-curve', query));
      expect(times).toHaveLength(count);
      expect(sum(series[0]?.energyImportedKwh)).toBeCloseTo(allHours * 4, 6);
    }
    const byDay = { ...march, bucket: 'day', groupBy: 'site' };
    const { series } = loadCurve.parse(await ask('/api/dashboard/load-curve', byDay));
    expect(series.map((one) => one.energyImportedKwh[7])).toEqual([96, 92, 96].map((kwh) => expect.closeTo(kwh, 6)));
    expect(series.map((one) => one.energyImportedKwh[28])).toEqual([92, 96, 96].map((kwh) => expect.closeTo(kwh, 6)));
  });

  it('a load curve whose days are cut at an instant adds up to the summary that is cut there', async () => {
    // At these instants the sites have the 10th, the 11th, or both; one is within a quarter-hour.
    for (const until of ['2026-03-10T20:00:00Z', '2026-03-11T02:37:00Z', '2026-03-11T12:00:00Z']) {
      const query = { fromDate: '2026-03-08', toDate: '2026-03-20', until };
      const { energyImportedKwh } = await summary(query);
      for (const bucket of ['day', 'hour', '15min']) {
        const answer = await ask('/api/dashboard/load-curve', { ...query, bucket, groupBy: 'total' });
        const { series } = loadCurve.parse(answer);
        expect(sum(series[0]?.energyImportedKwh)).toBeCloseTo(energyImportedKwh, 6);
      }
    }
  });

  it('the buckets of a device are those of its site', async () => {
    for (const { name, hours, from } of places) {
      for (const bucket of ['5min', 'hour', 'day']) {
        const query = { ...march, bucket, deviceId: idOf(name) };
        const rows = bucketedRow.array().parse(await ask('/api/measurements', query));
        expect(rows[0]?.time).toBe(from);
        expect(sum(rows.map((row) => row.energyImportedKwh))).toBeCloseTo(hours * 4, 6);
      }
    }
  });

  it("data quality counts each site's own days", async () => {
    const found = dataQuality.parse(await ask('/api/data-quality'));
    expect(found.days.map(({ date }) => date)).toEqual(
      Array.from({ length: 31 }, (_, at) => `2026-03-${String(at + 1).padStart(2, '0')}`),
    );
    expect(found.devices.map(({ slots }) => slots.measured)).toEqual(places.map(({ hours }) => hours * 4));
    expect(found.days[7]?.measured).toBe(96 + 92 + 96);
  });

  it('raw pages and exports have the readings of those days, newest first', async () => {
    const raw = async (query: Record<string, string>) =>
      rawMeasurementsPage.parse(await ask('/api/measurements/raw', query));
    const apart = await Promise.all(
      places.map(({ name, from, to }) => raw({ from, to, deviceIds: idOf(name), limit: '1000' })),
    );
    const expected = apart
      .flatMap(({ rows }) => rows)
      .toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time) || (a.deviceName < b.deviceName ? -1 : 1));
    expect(expected).toHaveLength(allHours);
    const pages = await Promise.all(
      [0, 1000, 2000, 3000].map((offset) => raw({ ...march, limit: '1000', offset: String(offset) })),
    );
    expect(pages.map(({ totalCount }) => totalCount)).toEqual([allHours, allHours, allHours, allHours]);
    expect(pages.flatMap(({ rows }) => rows)).toEqual(expected);
    const lines = (await get('/api/measurements/raw/export.ndjson', march)).body.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(expected);
  });

  it('files are named after the first and the last day', async () => {
    const disposition = async (path: string, query: Record<string, string>) =>
      (await get(path, query)).headers['content-disposition'];
    const october = { fromDate: '2026-10-01', toDate: '2026-11-01' };
    expect(await disposition('/api/measurements/raw/export.xlsx', october)).toBe(
      'attachment; filename="measurements-20261001-20261031.xlsx"',
    );
    expect(await disposition('/api/dashboard/summary/export.xlsx', { ...october, deviceIds: idOf('Tokyo') })).toBe(
      'attachment; filename="summary-1meter-20261001-20261031.xlsx"',
    );
  });

  it('a simulation uses the days of the given time zone', async () => {
    const load = { kind: 'constant', powerKw: 4 };
    const { isActive: _, effectiveFrom: __, ...terms } = tariff;
    const asked = { tariff: { ...terms, periods: [] }, timeZone: 'Europe/Berlin', load };
    const answer = await post('/api/rates/simulate', { ...asked, ...march });
    expect(simulationResult.parse(answer.json())).toMatchObject({
      ...march,
      from: '2026-02-28T23:00:00Z',
      to: '2026-03-31T22:00:00Z',
      energyImportedKwh: 743 * 4,
      fixedCharge: 31,
    });
  });

  it.each([
    [{ ...march, from: '2026-03-01T00:00:00Z' }, /^from cannot be combined with fromDate/],
    [{ ...march, to: '2026-03-01T00:00:00Z' }, /^to cannot be combined with toDate/],
    [{ fromDate: march.fromDate }, /^toDate is missing/],
    [{ toDate: march.toDate }, /^fromDate is missing/],
    [{ fromDate: '2026-02-29', toDate: '2026-03-02' }, /^fromDate is "2026-02-29"/],
    [{ fromDate: '2026-02-01', toDate: '1.3.2026' }, /^toDate is "1.3.2026"/],
    [{ fromDate: march.toDate, toDate: march.fromDate }, /^toDate must be after fromDate/],
    [{ fromDate: march.fromDate, toDate: march.fromDate }, /^toDate must be after fromDate/],
    [{}, /^from is missing/],
  ])('%j is refused with a message that names the field', async (query, message) => {
    for (const path of [
      '/api/dashboard/summary',
      '/api/dashboard/load-curve?bucket=hour&groupBy=total',
      '/api/dashboard/cost-breakdown?group=day',
      '/api/dashboard/summary/export.xlsx',
      '/api/data-quality',
      `/api/measurements?bucket=hour&deviceId=${idOf('Tokyo')}`,
      '/api/measurements/raw',
      '/api/measurements/raw/export.csv',
    ]) {
      const [url = '', more] = path.split('?');
      const answer = await get(url, { ...Object.fromEntries(new URLSearchParams(more)), ...query });
      expect(answer.statusCode, path).toBe(400);
      expect(answer.json()).toMatchObject({ error: expect.stringMatching(message) });
    }
  });
});
