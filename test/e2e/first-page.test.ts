import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { languages } from '../../shared/messages.ts';
import { checkAccessibility } from '../support/browser.ts';
import { create, signIn } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';

const stage = stageOfFile();

it.each(['light', 'dark'] as const)(
  'whoever is not signed in is shown the sign-in page, which is accessible (%s)',
  async (colorScheme) => {
    await using opened = await stage.open({ colorScheme });
    const { page, problems } = opened;
    await page.goto('/sites');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await checkAccessibility(page);
    expect(problems).toEqual([]);
  },
);

it.each(languages)(
  'before any code has come, the sign-in page says where one is, and keeps the place of its form (%s)',
  async (locale) => {
    await using opened = await stage.open({ locale });
    const { page, problems } = opened;
    const code = Promise.withResolvers<undefined>();
    await page.route(/\/assets\/[^/]+\.js$/, async (route) => {
      await code.promise;
      await route.continue();
    });
    await page.goto('/', { waitUntil: 'commit' });
    const saidFirst = () =>
      page.evaluate<string>("getComputedStyle(document.querySelector('.first-brand'), '::after').content");
    await expect.poll(saidFirst).toContain('Power Monitoring');
    const said: unknown = JSON.parse(await saidFirst());
    const blocks = await placesOf(page.locator('.first svg, .first i'));
    code.resolve(undefined);
    const heading = page.getByRole('heading', { level: 1 });
    await heading.waitFor();
    expect(said).toBe(await heading.innerText());
    const form = page.locator('main svg').first().or(page.locator('main input, main button[type=submit]'));
    expect(await placesOf(form)).toEqual(blocks);
    expect(problems).toEqual([]);
  },
);

/** Vertical centers of elements, in px from the top. */
async function placesOf(elements: Locator): Promise<number[]> {
  const boxes = await Promise.all((await elements.all()).map((element) => element.boundingBox()));
  return boxes.map((box) => Math.round((box?.y ?? NaN) + (box?.height ?? NaN) / 2));
}

it.each([390, 1440])(
  "the Dashboard's first numbers come before the code of the pages, where they stay, and are asked for once (%i px)",
  async (width) => {
    await using opened = await stage.open();
    const { page, problems } = opened;
    await page.setViewportSize({ width, height: 900 });
    await signIn(page);
    await fill(page);
    // The first load learns the zone of the days; the next one is in the same minute.
    await page.clock.setFixedTime(Date.now());
    await visitDashboard(page);

    const code = await holdFile(page, 'dashboard');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.reload({ waitUntil: 'commit' });
    const first = page.locator('[inert] dl');
    const inert = page.locator('[inert]');
    for (const late of ['No earlier data', /Known after 4 weeks|Not enough history/])
      await inert.getByText(late).first().waitFor();
    // The typeface may come later, and its lines are higher by a fraction of a pixel.
    await expect.poll(() => page.evaluate("document.fonts.check('1em Inter Kept')")).toBe(true);
    const [place, said] = [await first.boundingBox(), await first.innerText()];
    expect(said).toMatch(/Energy\s+6.00\skWh/);
    // It does not answer yet, so nobody learns that it exists.
    expect(await page.getByRole('heading').count()).toBe(0);
    code.resolve(undefined);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const tiles = page.locator('main dl').first();
    expect(await first.count()).toBe(0);
    expect(await tiles.boundingBox()).toEqual(place);
    expect(await tiles.innerText()).toBe(said);
    await page.waitForLoadState('networkidle');
    const figures = asked.filter((url) => /\/api\/(?:sites|dashboard)/.test(url));
    expect(figures.length).toBeGreaterThan(9);
    expect(figures).toEqual([...new Set(figures)]);
    expect(problems).toEqual([]);
  },
);

// The comparison ends at an instant that the first answer contains.
it.each([
  ['/compare', ['sites', 'sites/devices', 'dashboard/comparison', 'dashboard/comparison']],
  ['/measurements', ['sites', 'sites/devices']],
])('%s is asked for before any code has come, and once', async (path, expected) => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await fill(page);
  await page.clock.setFixedTime(Date.now());
  await visitDashboard(page);

  const code = await holdFile(page, 'dashboard');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const answers = () => asked.filter((url) => /\/api\/(?:sites|dashboard|measurements\?)/.test(url));
  await page.goto(path, { waitUntil: 'commit' });
  await expect
    .poll(() =>
      answers()
        .map((url) => new URL(url).pathname.replace('/api/', ''))
        .toSorted(),
    )
    .toEqual(expected.toSorted());
  // Its code is asked for with that of its frame.
  await expect.poll(() => asked.some((url) => /\/(?:Compare|Measurements)Page-/.test(url))).toBe(true);
  code.resolve(undefined);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(answers()).toEqual([...new Set(answers())]);
  expect(problems).toEqual([]);
});

it.each([
  ['/dashboard', 'Data quality'],
  ['/compare', 'Differences'],
])(
  'whoever comes back to %s after the session has ended signs in once: what was refused before is asked for again',
  async (path, panel) => {
    await using opened = await stage.signedIn();
    const { page, problems } = opened;
    await fill(page);
    await page.goto('/dashboard');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.evaluate("localStorage.getItem('first-paint')")).toMatch(/^shell /);
    await page.context().clearCookies();
    await page.goto(path);
    await page.getByRole('textbox', { name: 'Email' }).fill('admin@example.com');
    await page.getByLabel('Password', { exact: true }).fill('ChangeMe123!');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('main h2', { hasText: panel }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(problems).toEqual([]);
  },
);

it('first numbers whose page could not be loaded become that page when the portal is back', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  await fill(page);
  await visitDashboard(page);

  let isAway = true;
  const shown = Promise.withResolvers<undefined>();
  await page.route(/\/assets\/dashboard-[^/]+\.js$/, async (route) => {
    await shown.promise;
    await (isAway ? route.abort() : route.continue());
  });
  await page.route('/health/ready', (route) => (isAway ? route.abort() : route.continue()));
  await page.reload({ waitUntil: 'commit' });
  await page.locator('[inert] dl').waitFor();
  shown.resolve(undefined);
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  isAway = false;
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expect(await page.locator('[inert] dl').count()).toBe(0);
});

it('a typeface that comes late is put into the sign-in page, and lays out no page of whoever is signed in', async () => {
  const widths = async (kept: string, path: string, family: string) => {
    await using opened = await stage.open();
    const { page, problems } = opened;
    if (kept !== '') await signIn(page);
    await page.addInitScript(`localStorage.setItem('first-paint', '${kept}')`);
    const heading = page.getByRole('heading', { level: 1 });
    const width = () =>
      heading.evaluate((element) => {
        const range = element.ownerDocument.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect().width;
      });
    const typeface = await holdFile(page, 'inter-latin-wght-normal');
    await page.goto(path);
    await heading.waitFor();
    const first = await width();
    expect(await page.evaluate(`document.fonts.check('1em ${family}')`)).toBe(false);
    typeface.resolve(undefined);
    await expect.poll(() => page.evaluate(`document.fonts.check('1em ${family}')`)).toBe(true);
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    expect(problems).toEqual([]);
    return [first, await width()];
  };
  const [withFallback, withTypeface] = await widths('', '/sign-in', 'Inter Variable');
  expect(withTypeface).not.toBe(withFallback);
  // "Sites" has the same width in both.
  const [first, later] = await widths('shell #0b7285 Works', '/measurements', 'Inter Kept');
  expect(later).toBe(first);
});

it('a number of the first page leads to its place, also before that has been drawn', async () => {
  await using opened = await stage.open();
  const { page, problems } = opened;
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page);
  await fill(page);
  const code = await holdFile(page, 'panels');
  await page.goto('/dashboard', { waitUntil: 'commit' });
  // The other device is offline, but not in the first hour of a day.
  await page.getByRole('button', { name: 'without data' }).click();
  code.resolve(undefined);
  const place = page.locator('#devices');
  await expect.poll(async () => (await place.boundingBox())?.y).toBeLessThan(844);
  expect(problems).toEqual([]);
});

/** Afterwards the browser knows the zone of the days, and sends no further requests. */
async function visitDashboard(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.evaluate("localStorage.getItem('first-days')")).toBe('Europe/Berlin');
  await page.waitForLoadState('networkidle');
}

/** Delays a file of the page until the returned function is called. */
async function holdFile(page: Page, name: string): Promise<PromiseWithResolvers<undefined>> {
  const file = Promise.withResolvers<undefined>();
  await page.route(new RegExp(`/assets/${name}-[^/]+\\.[a-z0-9]+$`), async (route) => {
    await file.promise;
    await route.continue();
  });
  return file;
}

/** Two meters, one of which counted 6 kWh in the first minute of this day in Berlin. */
async function fill(page: Page): Promise<void> {
  if ((await (await page.request.get('/api/sites')).json()).length > 0) return;
  const municipalityId = await create(page, '/api/admin/rates/municipalities', {
    name: 'Berlin',
    timeZone: 'Europe/Berlin',
  });
  const siteId = await create(page, '/api/admin/sites', { name: 'Works', municipalityId });
  for (const name of ['main', 'spare'])
    await create(page, '/api/admin/devices', { siteId, name, externalId: name, expectedIntervalSeconds: 900 });
  const now = Temporal.Now.zonedDateTimeISO('Europe/Berlin');
  const data = [now.startOfDay(), now.startOfDay().add({ minutes: 1 })].map((time, index) => ({
    externalId: 'main',
    time: time.toInstant().toString(),
    activePowerKw: 2,
    energyImportedKwh: 100 + index * 6,
  }));
  const answer = await page.request.post('/api/ingest/measurements', { data });
  expect(await answer.json()).toMatchObject({ accepted: 2 });
}

it('after sign-in the requested page opens', async () => {
  await using opened = await stage.open();
  const { page, problems } = opened;
  await page.goto('/sites');
  await page.getByRole('textbox', { name: 'Email' }).fill('admin@example.com');
  await page.getByLabel('Password', { exact: true }).fill('ChangeMe123!');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Sites' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/sites');
  expect(problems).toEqual([]);
});

it('the check of accessibility is not blind: it names what breaks a rule', async () => {
  await using opened = await stage.open();
  const { page } = opened;
  await page.setContent(
    '<html lang="en"><title>A picture</title><main><h1>A picture</h1><img src="data:,"></main></html>',
  );
  await expect(checkAccessibility(page)).rejects.toThrow(/image-alt/);
});
