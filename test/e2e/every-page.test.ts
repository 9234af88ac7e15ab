import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAccessibility, closePages, launchBrowser, openPage, type WatchedPage } from '../support/browser.ts';
import { type RunningPortal, startPortal } from '../support/portal.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
let portal: RunningPortal;
let browser: Browser;
let siteId = '';
let deviceId = '';
const credentials = { email: 'admin@example.com', password: 'ChangeMe123!' };
const hostile = '<img src=x onerror=alert(1)> & "Süd"';

beforeAll(async () => {
  database = await createTestDatabase('empty');
  portal = await startPortal({ environment: { Database__ConnectionString: database.connectionString } });
  browser = await launchBrowser();
  await using opened = await openPage(browser, portal.url);
  siteId = await fill(opened.page);
});

afterAll(async () => {
  await closePages(browser);
  await portal?.[Symbol.asyncDispose]();
  await database?.drop();
});

/** Two sites, one with a name that must stay text, and three hours of readings that end now; answers the id of a site. */
async function fill(page: Page): Promise<string> {
  await signIn(page);
  const post = async (url: string, data: object) => {
    const answer = await page.request.post(url, { data });
    expect(answer.ok(), `${url}: ${await answer.text()}`).toBe(true);
    const created: { id: string } = await answer.json();
    return created.id;
  };
  const municipalityId = await post('/api/admin/rates/municipalities', { name: 'Pune', timeZone: 'Asia/Kolkata' });
  const works = await post('/api/admin/sites', { name: 'Works', municipalityId });
  const named = await post('/api/admin/sites', { name: hostile, municipalityId });
  deviceId = await post('/api/admin/devices', { siteId: works, name: 'Main meter', externalId: 'main' });
  await post('/api/admin/devices', { siteId: works, name: 'Silent meter', externalId: 'silent' });
  await post('/api/admin/devices', { siteId: named, name: hostile, externalId: 'named' });
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  const rows = Array.from({ length: 180 }, (_, back) => ({
    externalId: back % 2 === 0 ? 'main' : 'named',
    time: new Date(minute - back * 60_000).toISOString(),
    activePowerKw: 10 + (back % 17),
    voltageV: 230,
  }));
  await page.request.post('/api/ingest/measurements', { data: rows });
  await post('/api/api-keys', { name: 'Gateway' });
  await post('/api/users', { email: 'plain@example.com', displayName: hostile, password: 'Plain-User-1' });
  return works;
}

const signIn = async (page: Page) => {
  const answer = await page.request.post('/api/auth/login', { data: credentials });
  expect(answer.status()).toBe(200);
};

const pages = [
  ['/dashboard', 'Dashboard'],
  ['/measurements', 'Measurements'],
  ['/sites', 'Sites'],
  ['/sites/:id', 'Works'],
  ['/sites/:id/devices/:device', 'Main meter'],
  ['/settings/profile', 'Settings'],
  ['/settings/password', 'Settings'],
  ['/settings/rates', 'Settings'],
  ['/settings/branding', 'Settings'],
  ['/settings/users', 'Settings'],
  ['/settings/api-keys', 'Settings'],
  ['/settings/fleet-push', 'Settings'],
  ['/settings/configuration', 'Settings'],
  ['/settings/audit', 'Settings'],
] as const;

const visit = async (page: Page, path: string, heading: string) => {
  await page.goto(path.replace(':id', siteId).replace(':device', deviceId));
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await page.waitForLoadState('networkidle');
};

const overflowOf = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

const watchShifts = `window.shifts = [];
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) {
      if (!shift.hadRecentInput) window.shifts.push({ value: shift.value, moved: shift.sources.map(({ node }) => node?.textContent.slice(0, 40)) });
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

// What one load of a page can tell is looked at in one test: loading costs most.
describe.each([390, 1440])('every page at %d px', (width) => {
  let opened: WatchedPage;
  const foreign: string[] = [];

  beforeAll(async () => {
    opened = await openPage(browser, portal.url, { viewport: { width, height: 900 } });
    const { page } = opened;
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith('http') && url.origin !== portal.url) foreign.push(request.url());
    });
    await signIn(page);
    await page.addInitScript(watchShifts);
    let asked = 0;
    await page.route('**/api/**', async (route) => {
      asked += 1;
      await setTimeout(100 + (asked % 4) * 150);
      await route.continue().catch(() => {});
    });
  });
  afterAll(() => opened?.page.context().close());

  it.each(pages)(
    '%s: nothing moves while the answers come slowly, it does not scroll sideways, nothing is wrong in the console or asked of another host',
    async (path, heading) => {
      const { page, problems } = opened;
      problems.length = 0;
      foreign.length = 0;
      await visit(page, path, heading);
      const shifts = await page.evaluate<{ value: number; moved: string[] }[]>('window.shifts');
      const sum = shifts.reduce((total, { value }) => total + value, 0);
      expect(sum, JSON.stringify(shifts)).toBeLessThan(0.01);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      if (width === 1440) await checkInLightAndDark(page);
      expect([problems, foreign]).toEqual([[], []]);
    },
  );
});

/** Every page is accessible in light, and in dark at 1920 px, where it does not scroll sideways either. */
async function checkInLightAndDark(page: Page): Promise<void> {
  await checkAccessibility(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 1920, height: 900 });
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await checkAccessibility(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}

it('where the system chooses the colors, what color tells is still told', async () => {
  await using opened = await openPage(browser, portal.url, { forcedColors: 'active' });
  const { page } = opened;
  const background = (selector: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).backgroundColor`);
  const marks = async (...selectors: string[]) => {
    const ground = await background('body');
    for (const selector of selectors) expect(await background(selector), selector).not.toBe(ground);
  };
  await signIn(page);
  await visit(page, '/dashboard', 'Dashboard');
  await page.getByRole('button', { pressed: true }).first().waitFor();
  await marks(
    'button[aria-pressed="true"] > [aria-hidden]',
    '[data-state="measured"]',
    '[data-tone="good"] > span',
    'label[data-active]',
  );
  await visit(page, '/sites/:id/devices/:device', 'Main meter');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('switch').waitFor();
  await marks('[role="switch"]:checked + *');
});

it('the time range stays when one goes from page to page, also past pages that have none and after a reload', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page } = opened;
  const go = async (name: string) => {
    await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };
  const range = () => new URL(page.url()).searchParams.get('range');
  await signIn(page);
  await visit(page, '/dashboard?range=this-year', 'Dashboard');
  await go('Sites');
  await page.reload();
  await go('Dashboard');
  expect(range()).toBe('this-year');
  await go('Settings');
  await go('Measurements');
  expect(range()).toBe('this-year');
  await visit(page, '/measurements?range=yesterday', 'Measurements');
  await go('Sites');
  await page.getByRole('link', { name: 'Works' }).click();
  await page.getByRole('link', { name: 'Main meter', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Main meter' }).waitFor();
  expect(range()).toBe('yesterday');
  // The default is a choice too.
  await visit(page, '/dashboard', 'Dashboard');
  await go('Sites');
  await go('Dashboard');
  expect(range()).toBeNull();
});

it('HTML in names is shown as text', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page, problems } = opened;
  let alerts = 0;
  page.on('dialog', (dialog) => {
    alerts += 1;
    void dialog.dismiss();
  });
  await signIn(page);
  await visit(page, '/sites', 'Sites');
  await page.getByText(hostile, { exact: true }).first().waitFor();
  await visit(page, '/dashboard', 'Dashboard');
  await page.getByText(hostile, { exact: true }).first().waitFor();
  expect([alerts, problems]).toEqual([0, []]);
});

it('a page that does not exist says so, and a plain user is told that a section is not for them', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page } = opened;
  await page.request.post('/api/auth/login', { data: { email: 'plain@example.com', password: 'Plain-User-1' } });
  await page.goto('/no-such-page');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await checkAccessibility(page);
  await page.goto('/settings/users');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.getByText('plain@example.com', { exact: true }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Users', exact: true }).count()).toBe(0);
  await checkAccessibility(page);
});

it('a page that is open while the portal restarts says that the connection is lost, and recovers with its session', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page } = opened;
  await signIn(page);
  await visit(page, '/sites', 'Sites');
  const { folder, port } = portal;
  await portal.stop();
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page
    .getByText(/connection/i)
    .first()
    .waitFor({ timeout: 30_000 });
  const environment = { Database__ConnectionString: database.connectionString };
  portal = await startPortal({ environment, folder, port });
  await page.getByText('Main meter').first().waitFor({ timeout: 60_000 });
  expect(new URL(page.url()).pathname).toBe('/dashboard');
});
