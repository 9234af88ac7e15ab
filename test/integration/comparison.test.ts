import { beforeAll, describe, expect, test } from 'vitest';
import { comparison, type Comparison } from '../../shared/comparison.ts';
import { dashboardSummary } from '../../shared/dashboard.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice, createSite } from '../support/sites.ts';
import { openWorkbook } from '../support/xlsx/workbook.ts';

const portal = appOfFile({ now: () => nowMs });
let admin: { cookie: string };
let berlin = '';
let pune = '';
let nowMs = Date.UTC(2026, 3, 10);
const quarterMs = 900_000;
const path = '/api/dashboard/comparison';

const ask = (url: string, headers: object = admin) =>
  portal.app.inject({ method: 'GET', url, headers: { ...headers } });
const compare = async (query: string): Promise<Comparison> => {
  const answer = await ask(`${path}?${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return comparison.parse(answer.json());
};
/** Power of a meter in Berlin: by local hour, and a kilowatt more in the second week. */
const loadAt = (timeMs: number, timeZone: string) => {
  const local = Temporal.Instant.fromEpochMilliseconds(timeMs).toZonedDateTimeISO(timeZone);
  return 1 + local.hour / 4 + (local.toPlainDate().toString() >= '2026-03-23' ? 1 : 0);
};

/** The second week is more expensive, and Sunday the 22nd has no price. */
async function createTariffs(municipalityId: string): Promise<void> {
  const values = {
    isActive: true,
    exportRatePerKwh: null,
    periods: [],
    municipalityId,
    currency: 'EUR',
    vatPercent: 19,
  };
  for (const dates of [
    {
      name: 'First',
      effectiveFrom: '2026-01-01',
      effectiveTo: '2026-03-22',
      defaultRatePerKwh: 0.3015,
      fixedChargePerMonth: 12.5,
    },
    {
      name: 'Second',
      effectiveFrom: '2026-03-23',
      effectiveTo: null,
      defaultRatePerKwh: 0.3415,
      fixedChargePerMonth: 14,
    },
  ]) {
    const payload = { ...values, ...dates };
    const made = await portal.app.inject({ method: 'POST', url: '/api/admin/rates/tariffs', payload, headers: admin });
    expect(made.statusCode, made.body).toBe(201);
  }
}

beforeAll(async () => {
  admin = await portal.signIn();
  const session = { app: portal.app, headers: admin };
  const rows: object[] = [];
  for (const timeZone of ['Europe/Berlin', 'Asia/Kolkata']) {
    const siteId = await createSite(session, { timeZone });
    if (timeZone === 'Asia/Kolkata') pune = siteId;
    else {
      berlin = siteId;
      const [site] = (await ask('/api/sites')).json<{ municipalityId: string }[]>();
      await createTariffs(site?.municipalityId ?? '');
    }
    const externalId = `meter-${timeZone}`;
    await createDevice(session, siteId, { externalId });
    for (let time = Date.UTC(2026, 2, 15, 12); time <= Date.UTC(2026, 2, 30, 12); time += quarterMs) {
      rows.push({ externalId, time: new Date(time).toISOString(), activePowerKw: loadAt(time, timeZone) });
    }
  }
  const delivered = await portal.app.inject({
    method: 'POST',
    url: '/api/ingest/measurements',
    payload: rows,
    headers: admin,
  });
  expect(delivered.json()).toMatchObject({ rejected: 0 });
});

const week = 'fromDate=2026-03-23&toDate=2026-03-30';
const before = 'otherFromDate=2026-03-16&otherToDate=2026-03-23';

describe('GET /api/dashboard/comparison', () => {
  test('this week over last week: the same hour of the same weekday; the skipped hour is in only one week', async () => {
    const compared = await compare(`${week}&${before}&siteIds=${berlin}&bucket=hour`);
    expect(compared).toMatchObject({ align: 'day', timeZone: 'Europe/Berlin', otherTimeZone: 'Europe/Berlin' });
    expect(compared.days).toHaveLength(168);
    const alone = compared.days
      .keys()
      .filter((at) => compared.times[at] === null)
      .toArray();
    expect(alone.map((at) => compared.otherTimes[at])).toEqual(['2026-03-22T01:00:00Z']);
    // A kilowatt more in each whole hour; sums equal those of the summaries.
    expect(compared.energyImportedKwh[10]).toBeCloseTo((compared.otherEnergyImportedKwh[10] ?? 0) + 1, 9);
    const summaryOf = async (query: string) =>
      dashboardSummary.parse((await ask(`/api/dashboard/summary?${query}&siteIds=${berlin}`)).json()).energyImportedKwh;
    expect(compared.totals.energyImportedKwh).toBeCloseTo(await summaryOf(week), 9);
    const last = await summaryOf('fromDate=2026-03-16&toDate=2026-03-23');
    expect(compared.totals.otherEnergyImportedKwh).toBeCloseTo(last, 9);
    const [skipped = -1] = alone;
    expect(compared.common.rowCount).toBe(167);
    expect(compared.common.otherEnergyImportedKwh).toBeCloseTo(
      last - (compared.otherEnergyImportedKwh[skipped] ?? 0),
      9,
    );
  });

  test('a running quarter-hour or day of either side is not compared', async () => {
    nowMs = Date.parse('2026-03-25T11:40:00Z');
    const runningOf = ({ times, running }: Comparison) => times.filter((_time, at) => running[at]);
    const quarters = await compare(`${week}&${before}&siteIds=${berlin}&bucket=15min`);
    expect(runningOf(quarters)).toEqual(['2026-03-25T11:30:00Z']);
    expect(quarters.common.rowCount).toBe(4 * 167 - 1);
    const swapped = await compare(
      `fromDate=2026-03-16&toDate=2026-03-23&otherFromDate=2026-03-23&otherToDate=2026-03-30&siteIds=${berlin}&bucket=hour`,
    );
    expect(runningOf(swapped)).toEqual(['2026-03-18T11:00:00Z']);
    expect(swapped.common.rowCount).toBe(166);
    // It is the 26th in Pune and still the 25th in Berlin.
    nowMs = Date.parse('2026-03-25T19:40:00Z');
    const days = await compare(`${week}&${before}&bucket=day`);
    expect(days.running).toEqual([false, false, true, true, false, false, false]);
    const ended = await compare(
      `${week}&until=2026-03-25T19:00:00Z&${before}&otherUntil=2026-03-18T19:00:00Z&bucket=day`,
    );
    expect(ended.running).not.toContain(true);
    nowMs = Date.UTC(2026, 3, 10);
  });

  test('a bucket whose last readings have not arrived is not compared either', async () => {
    const session = { app: portal.app, headers: admin };
    const siteId = await createSite(session, { timeZone: 'UTC', name: 'Late' });
    await createDevice(session, siteId, { externalId: 'late', expectedIntervalSeconds: 1_800 });
    const payload = Array.from({ length: 8 * 96 + 42 }, (_, at) => ({
      externalId: 'late',
      time: new Date(Date.parse('2026-04-01T00:00:00Z') + at * quarterMs).toISOString(),
      activePowerKw: 4,
    }));
    await portal.app.inject({ method: 'POST', url: '/api/ingest/measurements', payload, headers: admin });
    // The latest reading is of 10:15.
    nowMs = Date.parse('2026-04-09T11:05:00Z');
    const days = 'fromDate=2026-04-09&toDate=2026-05-10&otherFromDate=2026-04-08&otherToDate=2026-04-09';
    const { common, running, late, times } = await compare(`${days}&siteIds=${siteId}&bucket=hour`);
    expect(times.filter((_time, at) => running[at])).toEqual(['2026-04-09T10:00:00Z', '2026-04-09T11:00:00Z']);
    expect(times.filter((_time, at) => late[at])).toEqual(['2026-04-09T10:00:00Z']);
    expect(common).toEqual({ rowCount: 10, energyImportedKwh: 40, otherEnergyImportedKwh: 40 });
    nowMs = Date.UTC(2026, 3, 10);
  });

  test('two sites in different zones align by their local times; omitted parameters of the other side are the same', async () => {
    const days = 'fromDate=2026-03-17&toDate=2026-03-19';
    const compared = await compare(`${days}&siteIds=${berlin}&otherSiteIds=${pune}&bucket=15min`);
    expect([compared.timeZone, compared.otherTimeZone]).toEqual(['Europe/Berlin', 'Asia/Kolkata']);
    expect(compared.other.fromDate).toBe('2026-03-17');
    expect([compared.times[0], compared.otherTimes[0]]).toEqual(['2026-03-16T23:00:00Z', '2026-03-16T18:30:00Z']);
    expect(compared.common.rowCount).toBe(192);
    for (const [at, energy] of compared.energyImportedKwh.entries()) {
      expect(compared.otherEnergyImportedKwh[at]).toBeCloseTo(energy ?? NaN, 9);
    }
  });

  test('costs are those of the summaries of both ranges, to the cent, and unpriced energy is reported', async () => {
    const compared = await compare(`${week}&${before}&bucket=day`);
    for (const [range, costs, unpriced] of [
      [week, compared.costs, compared.unpricedEnergyKwh],
      ['fromDate=2026-03-16&toDate=2026-03-23', compared.otherCosts, compared.otherUnpricedEnergyKwh],
    ] as const) {
      const summary = dashboardSummary.parse((await ask(`/api/dashboard/summary?${range}`)).json());
      expect(costs).toEqual(summary.costs);
      expect(costs.map(({ currency }) => currency)).toEqual(['EUR']);
      expect(unpriced).toBeCloseTo(summary.unpricedEnergyKwh, 9);
      expect(range === week ? compared.tariffDays : compared.otherTariffDays).toEqual(summary.tariffDays);
      expect(unpriced).toBeGreaterThan(0);
    }
    const [[dearer], [cheaper]] = [compared.costs, compared.otherCosts];
    expect(dearer?.total).toBeGreaterThan(cheaper?.total ?? Infinity);
    const until = 'until=2026-03-25T11:00:00Z';
    const part = await compare(`${week}&${until}&${before}&otherUntil=2026-03-18T11:00:00Z&bucket=day`);
    const summary = dashboardSummary.parse((await ask(`/api/dashboard/summary?${week}&${until}`)).json());
    expect(part.costs).toEqual(summary.costs);
    expect(part.costs).not.toEqual(compared.costs);
  });

  test('rows of sites in several zones use the requested zone, those in one zone use theirs', async () => {
    const days = 'fromDate=2026-03-17&toDate=2026-03-19&otherFromDate=2026-03-24&otherToDate=2026-03-26&bucket=hour';
    const clocksOf = async (query: string) => {
      const { timeZone, otherTimeZone, times, minutes } = await compare(`${days}&${query}`);
      const at = times.indexOf('2026-03-17T11:00:00Z');
      return [timeZone, otherTimeZone, minutes[at]];
    };
    expect(await clocksOf('')).toEqual(['Europe/Berlin', 'Europe/Berlin', 720]);
    expect(await clocksOf('timeZone=utc')).toEqual(['UTC', 'UTC', 660]);
    expect(await clocksOf(`timeZone=Asia/Tokyo&siteIds=${berlin}`)).toEqual(['Europe/Berlin', 'Europe/Berlin', 720]);
  });

  test('a running range is cut, and days align by weekday on request', async () => {
    const part = `${week}&until=2026-03-25T11:00:00Z&${before}&otherUntil=2026-03-18T11:00:00Z&siteIds=${berlin}`;
    const compared = await compare(`${part}&bucket=day&align=weekday`);
    expect(compared.common.rowCount).toBe(3);
    const hours = await compare(`${part}&bucket=hour`);
    expect(hours.totals.energyImportedKwh).toBeCloseTo(compared.totals.energyImportedKwh, 9);
  });

  test('the workbook has the rows, their differences and the totals of the common rows', async () => {
    const query = `${week}&${before}&siteIds=${berlin}&bucket=hour`;
    const compared = await compare(query);
    const answer = await ask(`${path}/export.xlsx?${query}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-disposition']).toContain('comparison-1site-20260323-20260329.xlsx');
    const workbook = openWorkbook(answer.rawPayload);
    expect(workbook.sheets.map(({ name }) => name)).toEqual(['Comparison', 'About']);
    const text = JSON.stringify(workbook.sheets[0]);
    expect(text).toContain('Rows with data on both sides');
    expect(text).toContain(String(compared.common.energyImportedKwh));
    expect(text).toContain('Cost (EUR)');
    for (const [cost] of [compared.costs, compared.otherCosts]) expect(text).toContain(String(cost?.total));
    expect(text).toContain('Unpriced');
  });

  test('the workbook by day notes that sites in several zones have their own days, if no zone is requested', async () => {
    const headersOf = async (query: string) => {
      const [sheet] = openWorkbook((await ask(`${path}/export.xlsx?${week}&${before}&${query}`)).rawPayload).sheets;
      return sheet?.rows[0]?.slice(1, 3).map((cell) => cell?.value);
    };
    const ofSites = ['Time (site time)', 'Other time (site time)'];
    expect(await headersOf('bucket=day')).toEqual(ofSites);
    expect(await headersOf('bucket=day&timeZone=Europe/Berlin')).toEqual(ofSites);
    expect(await headersOf('bucket=hour&timeZone=UTC')).toEqual(['Time (UTC)', 'Other time (UTC)']);
    const ofBerlin = ['Time (Europe/Berlin)', 'Other time (Europe/Berlin)'];
    expect(await headersOf('bucket=hour')).toEqual(ofBerlin);
    expect(await headersOf(`bucket=day&siteIds=${berlin}`)).toEqual(ofBerlin);
  });

  test('the workbook of a running week compares only what both weeks have', async () => {
    nowMs = Date.parse('2026-03-25T11:40:00Z');
    const query = `${week}&${before}&siteIds=${berlin}&bucket=hour`;
    const { totals, common } = await compare(query);
    const [sheet] = openWorkbook((await ask(`${path}/export.xlsx?${query}`)).rawPayload).sheets;
    nowMs = Date.UTC(2026, 3, 10);
    const row = (name: string) =>
      sheet?.rows.find(([cell]) => cell?.value === name)?.flatMap((cell) => (cell === null ? [] : [cell.value]));
    const [own, other] = [common.energyImportedKwh, common.otherEnergyImportedKwh];
    expect(row('Rows with data on both sides, to the same time')?.slice(1)).toEqual([own, other, own - other]);
    expect(row('All rows')?.slice(1)).toEqual([totals.energyImportedKwh, totals.otherEnergyImportedKwh]);
    expect(row('Cost (EUR)')).toHaveLength(3);
  });

  test('the workbook of a running week has the cost of the part that the page shows, and its difference', async () => {
    nowMs = Date.parse('2026-03-25T11:40:00Z');
    const [until, otherUntil] = ['2026-03-25T11:30:00Z', '2026-03-18T11:30:00Z'];
    const sides = `siteIds=${berlin}&bucket=hour`;
    const page = await compare(`${week}&until=${until}&${before}&otherUntil=${otherUntil}&${sides}`);
    const parts = `costUntil=${until}&otherCostUntil=${otherUntil}`;
    const answer = await ask(`${path}/export.xlsx?${week}&${before}&${sides}&${parts}`);
    const bad = await ask(`${path}/export.xlsx?${week}&${before}&${sides}&costUntil=noon`);
    nowMs = Date.UTC(2026, 3, 10);
    const [sheet] = openWorkbook(answer.rawPayload).sheets;
    const row = sheet?.rows.find(([cell]) => cell?.value === 'Cost up to the same time (EUR)');
    const values = row?.flatMap((cell) => (cell === null ? [] : [cell.value])).slice(1);
    const [own, other] = [page.costs[0]?.total ?? NaN, page.otherCosts[0]?.total ?? NaN];
    expect(values).toEqual([own, other, own - other]);
    expect([bad.statusCode, bad.body]).toEqual([400, expect.stringContaining('costUntil')]);
  });

  test.each([
    [week, 'bucket must be one of 15min, hour, day'],
    [`${week}&bucket=month`, 'bucket must be one of'],
    [`${week}&bucket=hour&align=moon`, 'align must be one of weekday, day'],
    [`${week}&bucket=hour&timeZone=Mars/Olympus`, 'timeZone is \\"Mars/Olympus\\"; expected an IANA time zone'],
    ['fromDate=1900-01-01&toDate=2026-01-01&bucket=day', 'at most 36600 days'],
    [`${week}&bucket=hour&otherFromDate=2026-03-16`, 'The other range: toDate is missing'],
    [`${week}&bucket=hour&${before}&otherDeviceIds=x`, 'otherDeviceIds has \\"x\\", which is not a GUID'],
    [`${week}&bucket=hour&${before}&otherSiteIds=x`, 'otherSiteIds has \\"x\\", which is not a GUID'],
    ['fromDate=1990-01-01&toDate=2026-01-01&bucket=15min', 'more than 50000'],
    [`${week}&bucket=15min&otherFromDate=1990-01-01&otherToDate=2026-01-01`, 'more than 50000'],
  ])('%s is rejected: %s', async (query, message) => {
    for (const url of [path, `${path}/export.xlsx`]) {
      const answer = await ask(`${url}?${query}`);
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain(message);
    }
  });

  test('unknown ids match nothing', async () => {
    const none = await compare(`${week}&bucket=day&deviceIds=01890a5d-ac96-774b-bcce-b302099a8057`);
    expect(none.common.rowCount).toBe(0);
    expect(none.energyImportedKwh.every((value) => value === null)).toBe(true);
  });
});
