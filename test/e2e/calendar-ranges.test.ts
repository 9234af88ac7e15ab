import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { dashboardSummary } from '../../shared/dashboard.ts';
import { checkAccessibility } from '../support/browser.ts';
import { panel } from '../support/dashboard-page.ts';
import { create, signIn } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';

const stage = stageOfFile();
/** At {@link now} it is already November in Tokyo, and still October in New York and in Chicago, the zone of the first site. */
const readers = ['America/New_York', 'Asia/Tokyo'];
const now = new Date('2025-11-01T02:00:00Z');

beforeAll(async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  for (const [name, timeZone] of [
    ['Annex', 'America/Chicago'],
    ['Works', 'Europe/Berlin'],
    ['Depot', 'America/Chicago'],
    ['Store', 'Asia/Tokyo'],
  ] as const) {
    const municipalityId = await create(page, '/api/admin/rates/municipalities', { name, timeZone });
    const siteId = await create(page, '/api/admin/sites', { name, municipalityId });
    await create(page, '/api/admin/devices', { siteId, name, externalId: name, expectedIntervalSeconds: 3600 });
    await create(page, '/api/admin/rates/tariffs', {
      municipalityId,
      name: 'Grid',
      currency: 'EUR',
      effectiveFrom: '2025-01-01',
      defaultRatePerKwh: 0.3,
      fixedChargePerMonth: 31,
      vatPercent: 20,
    });
    // More by day than by night, so that other hours give another sum.
    const rows = Array.from({ length: 64 * 24 }, (_, hour) => ({
      externalId: name,
      time: new Date(Date.parse('2025-08-30T00:00:00Z') + hour * 3_600_000).toISOString(),
      activePowerKw: 2,
      energyImportedKwh: 1000 + hour * 2 + (hour % 24),
    }));
    expect((await page.request.post('/api/ingest/measurements', { data: rows })).status()).toBe(200);
  }
});

const tile = (page: Page, name: string) =>
  page.locator('main dl > div').filter({ has: page.getByText(name, { exact: true }) });
const money = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' });

/** Calls `work` with the page of a reader in each of the two time zones. */
async function asEachReader(work: (page: Page) => Promise<string>): Promise<string[]> {
  const seen: string[] = [];
  for (const timezoneId of readers) {
    await using opened = await stage.open({ timezoneId });
    const { page, problems } = opened;
    await page.clock.setFixedTime(now);
    await signIn(page);
    seen.push(await work(page));
    expect(problems).toEqual([]);
  }
  return seen;
}

/** The note beside the time range; the cost has one that also explains its click. */
const siteDays = (page: Page) => page.getByText(/^Local days at each site · (?!click)/);

it.each([
  ['/dashboard?from=2025-10-01&to=2025-10-31', '2025-10-01', '2025-11-01', '&until=2025-11-01T02:00:00Z'],
  ['/dashboard?range=last-month', '2025-09-01', '2025-10-01', ''],
  ['/dashboard?range=yesterday', '2025-10-30', '2025-10-31', ''],
])('%s shows the same numbers to every reader: the days of each site', async (link, fromDate, toDate, until) => {
  await using opened = await stage.signedIn();
  const url = `/api/dashboard/summary?fromDate=${fromDate}&toDate=${toDate}${until}`;
  // Of a month that is not over, its cost until now.
  const cost = until === '' ? 'Cost' : 'Cost so far';
  const { costs } = dashboardSummary.parse(await (await opened.page.request.get(url)).json());
  const total = money.format(costs[0]?.total ?? 0);
  const seen = await asEachReader(async (page) => {
    await page.goto(link);
    await tile(page, cost).getByText(total).first().waitFor();
    for (const name of ['Energy', cost]) await tile(page, name).getByText('vs.').waitFor();
    await siteDays(page).waitFor();
    await panel(page, 'Data quality').getByText('Local days at each site').waitFor();
    return [
      await tile(page, 'Energy').innerText(),
      await tile(page, cost).innerText(),
      await tile(page, 'Peak demand').innerText(),
    ].join('\n');
  });
  expect(new Set(seen).size, seen.join('\n\n')).toBe(1);
});

it('today is compared by the local days of each site, so that the percentage fits the numbers beside it', async () => {
  await using opened = await stage.signedIn();
  const read = async (query: string) =>
    dashboardSummary.parse(await (await opened.page.request.get(`/api/dashboard/summary?${query}`)).json());
  const today = await read('fromDate=2025-10-31&toDate=2025-11-01&until=2025-11-01T02:00:00Z');
  const before = await read('fromDate=2025-10-30&toDate=2025-10-31&until=2025-10-31T02:00:00Z');
  const total = money.format(before.costs[0]?.total ?? 0);
  const seen = await asEachReader(async (page) => {
    await page.goto('/dashboard');
    // The portal's clock is a year ahead, so its energy is of the whole day, and a part of that is compared.
    const [then, now] = [before, today].map(({ energyImportedKwh }) => energyImportedKwh.toFixed(0));
    await tile(page, 'Energy').getByText(`(${then} kWh; ${now} kWh by this time)`).waitFor();
    await tile(page, 'Cost so far').getByText(`(${total})`).waitFor();
    return tile(page, 'Cost so far').innerText();
  });
  expect(new Set(seen).size, seen.join('\n\n')).toBe(1);
  // One number: neither contains the fixed charge of later hours.
  expect(seen[0]).toMatch(new RegExp(`^Cost so far\\s+${money.format(today.costs[0]?.total ?? 0)}`));
});

it('the step back keeps days in the URL, and their file is named after the first and the last of them', async () => {
  const names = await asEachReader(async (page) => {
    await page.goto('/dashboard?from=2025-10-01&to=2025-10-31');
    await page.getByText('October 2025').first().waitFor();
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Excel' }).click();
    const name = (await downloaded).suggestedFilename();
    const back = page.getByRole('button', { name: 'Previous range' });
    await back.click();
    await page.getByRole('button', { name: 'Last month' }).waitFor();
    await back.click();
    await page.getByRole('button', { name: 'August 2025' }).waitFor();
    return `${name} ${new URL(page.url()).search}`;
  });
  expect(new Set(names)).toEqual(new Set(['summary-20251001-20251031.xlsx ?from=2025-08-01&to=2025-08-31']));
});

it('Measurements shows the same readings to every reader', async () => {
  const seen = await asEachReader(async (page) => {
    await page.goto('/measurements?devices=all&from=2025-10-01&to=2025-10-31');
    // 745 hours in Berlin, 744 elsewhere.
    await page.getByText('of 2,977').first().waitFor();
    await checkAccessibility(page);
    return page.getByRole('table').last().innerText();
  });
  expect(new Set(seen).size).toBe(1);
});

it('an old link with instants means those instants', async () => {
  const url = '/api/dashboard/summary?from=2025-10-01T03:30:00Z&to=2025-10-02T03:30:00Z';
  await using opened = await stage.signedIn();
  const { page } = opened;
  const { energyImportedKwh } = dashboardSummary.parse(await (await page.request.get(url)).json());
  await page.goto('/dashboard?from=2025-10-01T03:30:00.000Z&to=2025-10-02T03:30:00.000Z');
  await tile(page, 'Energy')
    .getByText(`${energyImportedKwh.toFixed(0)} kWh`)
    .first()
    .waitFor();
  expect(await siteDays(page).count()).toBe(0);
  expect(await panel(page, 'Data quality').getByText('Local days at each site').count()).toBe(0);
});
