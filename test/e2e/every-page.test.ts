import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAccessibility, closePages, launchBrowser, openPage } from '../support/browser.ts';
import { describeEveryPage } from '../support/every-page.ts';
import { type RunningPortal, startPortal } from '../support/portal.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { create, signIn } from '../support/session.ts';

let database: TestDatabase;
let portal: RunningPortal;
let browser: Browser;
let siteId = '';
let deviceId = '';
const hostile = '<img src=x onerror=alert(1)> & "Süd"';

beforeAll(async () => {
  database = await createTestDatabase();
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

/** Two sites, one with a name that must stay text, and three hours of readings that end now; returns the id of a site. */
async function fill(page: Page): Promise<string> {
  await signIn(page);
  const municipalityId = await create(page, '/api/admin/rates/municipalities', {
    name: 'Pune',
    timeZone: 'Asia/Kolkata',
  });
  const works = await create(page, '/api/admin/sites', { name: 'Works', municipalityId });
  const named = await create(page, '/api/admin/sites', { name: hostile, municipalityId });
  deviceId = await create(page, '/api/admin/devices', { siteId: works, name: 'Main meter', externalId: 'main' });
  await create(page, '/api/admin/devices', { siteId: works, name: 'Silent meter', externalId: 'silent' });
  await create(page, '/api/admin/devices', { siteId: named, name: hostile, externalId: 'named' });
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  const rows = Array.from({ length: 180 }, (_, back) => ({
    externalId: back % 2 === 0 ? 'main' : 'named',
    time: new Date(minute - back * 60_000).toISOString(),
    activePowerKw: 10 + (back % 17),
    voltageV: 230,
  }));
  await page.request.post('/api/ingest/measurements', { data: rows });
  await page.request.post('/api/ingest/measurements', { data: [{ externalId: hostile }] });
  await create(page, '/api/api-keys', { name: 'Gateway' });
  await create(page, '/api/users', { email: 'plain@example.com', displayName: hostile, password: 'Plain-User-1' });
  return works;
}

const pages = [
  { path: '/dashboard', heading: 'Overview' },
  { path: '/measurements', heading: 'Measurements' },
  { path: '/compare', heading: 'Compare' },
  { path: '/report', heading: 'Energy report' },
  { path: '/reports', heading: 'Reports by mail', hasTimes: true, content: 'No sent reports yet' },
  { path: '/sites', heading: 'Sites', hasTimes: true },
  { path: '/sites/devices', heading: 'All devices', hasTimes: true },
  { path: '/sites/:id', heading: 'Works' },
  { path: '/sites/:id/devices/:device', heading: 'Main meter' },
  { path: '/alarms', heading: 'Alarms', hasTimes: true, content: '2 active rules' },
  { path: '/dashboards', heading: 'Dashboards', content: 'Dashboards aren’t set up' },
  { path: '/settings/profile', heading: 'Settings' },
  { path: '/settings/password', heading: 'Settings', hasTimes: true },
  { path: '/settings/rates', heading: 'Settings' },
  { path: '/settings/branding', heading: 'Settings' },
  { path: '/settings/users', heading: 'Settings', hasTimes: true },
  { path: '/settings/api-keys', heading: 'Settings', hasTimes: true },
  { path: '/settings/incoming', heading: 'Settings', hasTimes: true, content: 'Main meter' },
  { path: '/settings/history', heading: 'Settings', content: 'Choose a CSV file' },
  { path: '/sites/import', heading: 'Import sites and devices' },
  { path: '/settings/fleet-push', heading: 'Settings' },
  { path: '/settings/dashboards', heading: 'Settings', content: 'Device comparison' },
  { path: '/settings/configuration', heading: 'Settings' },
  { path: '/settings/audit', heading: 'Settings', hasTimes: true },
];

const addressOf = (path: string) => path.replace(':id', siteId).replace(':device', deviceId);
const visit = async (page: Page, path: string, heading: string) => {
  await page.goto(addressOf(path));
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await page.waitForLoadState('networkidle');
};

describeEveryPage({
  pages,
  looks: [
    { width: 390, accessibleIn: [] },
    { width: 1440, accessibleIn: ['light', 'dark'] },
  ],
  stage: {
    get portal() {
      return portal;
    },
    open: (options) => openPage(browser, portal.url, options),
  },
  addressOf,
});

it('with forced colors, nothing depends on color alone; with reduced motion, nothing moves', async () => {
  await using opened = await openPage(browser, portal.url, { forcedColors: 'active', reducedMotion: 'reduce' });
  const { page } = opened;
  const background = (selector: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).backgroundColor`);
  const marks = async (...selectors: string[]) => {
    const ground = await background('body');
    for (const selector of selectors) expect(await background(selector), selector).not.toBe(ground);
  };
  await signIn(page);
  await visit(page, '/dashboard', 'Overview');
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
  await page.keyboard.press('Escape');
  await visit(page, '/sites/devices', 'All devices');
  await page.getByRole('button', { name: 'Select' }).click();
  await page.getByRole('checkbox').last().waitFor();
  const edgeAndText = await page.evaluate<string[]>(
    "[getComputedStyle(document.querySelector('[type=checkbox]:not(:checked)')).borderColor, getComputedStyle(document.body).color]",
  );
  expect(edgeAndText[0], 'the edge of an empty box').toBe(edgeAndText[1]);
  await visit(page, '/measurements', 'Measurements');
  await page.getByRole('combobox', { name: 'Quantity' }).click();
  await page.getByRole('option', { name: 'Voltage' }).waitFor();
  await page.keyboard.press('ArrowDown');
  const outlines = () =>
    page.evaluate<number>(
      "[...document.querySelectorAll('[role=option]')].filter((e) => getComputedStyle(e).outlineStyle !== 'none').length",
    );
  expect(await outlines(), 'the option that Enter takes').toBe(1);
  const slow = await page.evaluate<string[]>(
    'document.getAnimations().filter(({ effect }) => effect.getComputedTiming().duration > 1).map(({ effect }) => effect.target.className)',
  );
  expect(slow).toEqual([]);
  // However short a transition is, its first frame shows the old value.
  expect(
    await page.evaluate<string>("document.body.style.marginTop = '9px', getComputedStyle(document.body).marginTop"),
  ).toBe('9px');
});

it('the time range stays when one goes from page to page, also past pages that have none and after a reload', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page } = opened;
  const go = async (name: string) => {
    await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };
  const range = () => new URL(page.url()).searchParams.get('range');
  await signIn(page);
  await visit(page, '/dashboard?range=this-year', 'Overview');
  await go('Sites');
  await page.reload();
  await go('Overview');
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
  // The default is also a choice.
  await visit(page, '/dashboard', 'Overview');
  await go('Sites');
  await go('Overview');
  expect(range()).toBeNull();
});

it('Ctrl K leads to every page, device and form that one may open, and ? lists the keys; neither does anything in a text', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page, problems } = opened;
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const field = page.getByRole('combobox', { name: 'Search and commands' });
  const choose = async (search: string, option: RegExp) => {
    await page.keyboard.press('Control+k');
    await field.fill(search);
    await page.getByRole('option', { name: option, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await field.waitFor({ state: 'detached' });
  };
  await signIn(page);
  await visit(page, '/dashboard', 'Overview');
  // Neighboring settings with similar names; the name in the specification still finds the first.
  const links = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link');
  const entries = ['Overview', 'Measurements', 'Compare', 'Reports', 'Sites', 'Alarms', 'Dashboards', 'Settings'];
  expect(await links.allTextContents()).toEqual(entries);
  await page.keyboard.press('Control+k');
  await field.fill('dashboard');
  await page.getByRole('option', { name: /^Overview\s*Dashboard/ }).waitFor();
  await field.fill('m');
  await page.getByRole('group', { name: 'Devices' }).waitFor();
  await checkAccessibility(page);
  await page.keyboard.press('Control+k');
  await field.waitFor({ state: 'detached' });
  await choose('works sil', /Silent meter/);
  await heading('Silent meter');
  await choose('standby', /Devices at night/);
  const nights = page.getByRole('dialog', { name: 'Devices at night' });
  await nights.getByText('Needs 3 nights of data').waitFor();
  await page.keyboard.press('Escape');
  await nights.waitFor({ state: 'detached' });
  await choose('two-fac', /^Password/);
  await page.getByRole('heading', { level: 2, name: 'Two-factor authentication' }).waitFor();
  await choose('device comp', /Device comparison/);
  await page.waitForURL('**/dashboards/device-comparison');
  await choose('new user', /New user/);
  const dialog = page.getByRole('dialog', { name: 'New user' });
  await dialog.waitFor();
  // A key does not leave the other dialog.
  const name = dialog.getByRole('textbox').first();
  await name.press('Control+k');
  await name.pressSequentially('gs?');
  expect([await name.inputValue(), await page.getByRole('dialog').count()]).toEqual(['gs?', 1]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await list.getByRole('row', { name: 'Sites' }).waitFor();
  await checkAccessibility(page);
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  // Both at once: on a busy machine the first answer may come after the second click.
  await Promise.all([page.keyboard.press('g'), page.keyboard.press('s')]);
  await heading('Sites');
  expect(problems).toEqual([]);
});

/** The name of the focused element, if a fixed bar covers its center; '' if none does, null if nothing has the focus. */
const hiddenFocus = `(() => {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return null;
  const { left, top, width, height } = focused.getBoundingClientRect();
  const over = document.elementFromPoint(left + width / 2, top + height / 2);
  const bar = over?.closest('header, nav, [data-bottom-bar]');
  return bar && !bar.contains(focused) ? focused.ariaLabel || focused.name || focused.textContent : '';
})()`;

it.each([
  { width: 640, height: 512 },
  { width: 390, height: 844 },
  { width: 320, height: 256 },
])(
  'at $width x $height px the bars hide nothing that the keyboard reaches, forwards and backwards',
  async (viewport) => {
    await using opened = await openPage(browser, portal.url, { viewport });
    const { page } = opened;
    await signIn(page);
    for (const [path, heading] of [
      ['/sites/devices', 'All devices'],
      ['/settings/branding', 'Settings'],
    ] as const) {
      await visit(page, path, heading);
      if (heading === 'Settings') await page.getByRole('textbox', { name: 'Portal name' }).fill('Another');
      for (const key of ['Tab', 'Shift+Tab']) {
        for (let step = 0; step < 40; step += 1) {
          await page.keyboard.press(key);
          const hidden = await page.evaluate<string | null>(hiddenFocus);
          if (hidden === null) break;
          expect(hidden, `${path}, ${key} ${step}`).toBe('');
        }
      }
    }
  },
);

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
  await visit(page, '/dashboard', 'Overview');
  await page.getByText(hostile, { exact: true }).first().waitFor();
  expect([alerts, problems]).toEqual([0, []]);
});

it('an unknown page, a section for administrators and a changed email each have a clear message', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page } = opened;
  await signIn(page);
  await page.goto('/settings/profile');
  await page.getByText('Change it under Settings → Users.').waitFor();
  await page.request.post('/api/auth/login', { data: { email: 'plain@example.com', password: 'Plain-User-1' } });
  await page.goto('/settings/profile');
  await page.getByText('Only an administrator can change it.').waitFor();
  await page.goto('/no-such-page');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await checkAccessibility(page);
  await page.goto('/settings/users');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.getByText('plain@example.com', { exact: true }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Users', exact: true }).count()).toBe(0);
  await checkAccessibility(page);
});

/** The figures that the browser has stored, or null. */
const keptText = (page: Page) =>
  page.evaluate<string | null>(`caches.match('/last-seen').then(async (kept) => (await kept?.text()) ?? null)`);

it('an open page shows that the portal restarts, and recovers with its session; a page opened in that time shows what its account last saw', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page } = opened;
  await signIn(page);
  await visit(page, '/sites', 'Sites');
  await using away = await openPage(browser, portal.url, { serviceWorkers: 'allow' });
  await signIn(away.page);
  await visit(away.page, '/dashboard', 'Overview');
  await expect
    .poll(() => away.page.evaluate('navigator.serviceWorker.controller !== null'), { timeout: 60_000 })
    .toBe(true);
  // From now on, what is loaded is stored, on each page.
  for (const [path, heading, key] of [
    ['/dashboard', 'Overview', '["dashboard","load-curve"'],
    ['/measurements', 'Measurements', '["measurements","series"'],
    ['/compare', 'Compare', '["compare"'],
  ] as const) {
    await visit(away.page, path, heading);
    // Stored first after three seconds; later answers after a minute.
    await expect.poll(async () => (await keptText(away.page))?.includes(key), { timeout: 150_000 }).toBe(true);
  }

  const { folder, port } = portal;
  await portal.stop();
  let failures = 0;
  away.page.on('requestfailed', (request) => {
    if (request.url().includes('/base-load')) failures += 1;
  });
  await away.page.goto('/dashboard');
  await away.page.getByText(/^Offline\. Figures as of \d/).waitFor();
  await away.page.getByRole('region', { name: 'Load curve' }).waitFor();
  // It is requested three times before it counts as failed.
  await expect.poll(() => failures, { timeout: 30_000 }).toBeGreaterThanOrEqual(3);
  expect(await away.page.getByText('Couldn’t load').count()).toBe(0);
  await checkAccessibility(away.page);
  await away.page.goto('/measurements');
  await away.page.getByText(/\d.* averages$/).waitFor();
  await away.page.goto('/compare');
  await away.page.getByRole('rowheader', { name: 'Total' }).waitFor();
  await away.page.getByText(/^Offline\. Figures as of \d/).waitFor();

  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await page
    .getByText(/connection/i)
    .first()
    .waitFor();
  const environment = { Database__ConnectionString: database.connectionString };
  portal = await startPortal({ environment, folder, port });
  await page.getByText('Main meter').first().waitFor({ timeout: 60_000 });
  expect(new URL(page.url()).pathname).toBe('/dashboard');

  await away.page.getByText(/^Offline/).waitFor({ state: 'detached' });
  await away.page.getByRole('button', { name: 'Account and preferences' }).click();
  await away.page.getByRole('button', { name: 'Sign out' }).click();
  await away.page.getByRole('button', { name: 'Sign in' }).waitFor();
  await expect.poll(() => keptText(away.page)).toBeNull();
  expect(away.problems).toEqual([]);
});
