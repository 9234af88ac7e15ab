import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Response } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { dashboardSummary } from '../../shared/dashboard.ts';
import { storedDashboard, totalsAnswer } from '../../shared/dashboard-tool.ts';
import { dashboardToolStatus, embeddedDashboards } from '../../shared/embedded-dashboards.ts';
import { checkAccessibility } from '../support/browser.ts';
import { countClicks } from '../support/clicks.ts';
import { overflowOf } from '../support/every-page.ts';
import { create, signIn } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';

const stage = stageOfFile('Client', { Dashboard__Start: 'true' });
const plain = { email: 'plain@example.com', password: 'Plain-User-1' };
const hostile = '<img src=x onerror=alert(1)> & "Süd"';
const startsWithinMs = 60_000;

beforeAll(async () => {
  await using opened = await stage.open();
  await fill(opened.page);
  await untilToolRuns(opened.page);
}, startsWithinMs + 60_000);

/** A site with a tariff, two devices, and three hours of readings that end now. */
async function fill(page: Page): Promise<void> {
  await signIn(page);
  const municipalityId = await create(page, '/api/admin/rates/municipalities', {
    name: 'Pune',
    timeZone: 'Asia/Kolkata',
  });
  await create(page, '/api/admin/rates/tariffs', {
    municipalityId,
    name: 'Flat',
    currency: 'INR',
    effectiveFrom: '2020-01-01',
    defaultRatePerKwh: 8,
    fixedChargePerMonth: 0,
    vatPercent: 18,
    periods: [],
  });
  const siteId = await create(page, '/api/admin/sites', { name: 'Works', municipalityId });
  await create(page, '/api/admin/devices', { siteId, name: 'Main meter', externalId: 'main' });
  await create(page, '/api/admin/devices', { siteId, name: hostile, externalId: 'named' });
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  const rows = Array.from({ length: 360 }, (_, index) => ({
    externalId: index % 2 === 0 ? 'main' : 'named',
    time: new Date(minute - Math.floor(index / 2) * 60_000).toISOString(),
    activePowerKw: 10 + (index % 17),
    voltageV: 230 + (index % 3),
    frequencyHz: 50,
    powerFactor: 0.9,
  }));
  await page.request.post('/api/ingest/measurements', { data: rows });
  await create(page, '/api/users', { ...plain, displayName: 'Plain' });
}

async function untilToolRuns(page: Page): Promise<void> {
  const endsAt = Date.now() + startsWithinMs;
  for (;;) {
    const status = dashboardToolStatus.parse(await (await page.request.get('/api/embedded-dashboards/status')).json());
    if (status.state === 'running') return;
    expect(status.state, status.reason ?? '').not.toBe('failed');
    expect(Date.now()).toBeLessThan(endsAt);
    await sleep(200);
  }
}

/** High enough for all panels: panels outside the window are not drawn. */
const high = { width: 1440, height: 1700 };
/** Where a test looks at the first panels only. */
const usual = { width: 1440, height: 900 };

const open = async (page: Page, name: string, title: string, size = high) => {
  await page.setViewportSize(size);
  await page.goto(`/dash/dashboards/${name}`);
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
};

/** In both color schemes; what the pointer has opened is closed before. */
async function checkBothSchemes(page: Page, without: readonly string[] = []): Promise<void> {
  await page.mouse.move(0, 0);
  await expect.poll(() => page.getByRole('tooltip').count()).toBe(0);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const shown = () => page.evaluate<string>('getComputedStyle(document.documentElement).colorScheme');
    await expect.poll(shown).toBe(colorScheme);
    await checkAccessibility(page, without);
  }
}

const panelOf = (page: Page, name: string) =>
  page
    .getByTestId('panel')
    .filter({ has: page.getByText(name, { exact: true }) })
    .first();

/** Keeps the texts of each chart that reach over an edge of its canvas, until it is drawn again. */
const watchCanvases = `if (window.watchesCanvases !== true) {
  window.watchesCanvases = true;
  const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    this.canvas.cutTexts = [];
    return clearRect.call(this, ...box);
  };
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
    if (this.canvas.isConnected) {
      const { a, e } = this.getTransform();
      const width = this.measureText(text).width;
      const start = x - width * ({ center: 0.5, right: 1, end: 1 }[this.textAlign] ?? 0);
      if (a * start + e < -1 || a * (start + width) + e > this.canvas.width + 1) (this.canvas.cutTexts ??= []).push(text);
    }
    return fillText.call(this, text, x, y, ...rest);
  };
}`;
const cutTexts = `[...document.querySelectorAll('[data-testid="panel"] canvas')].flatMap((one) => one.cutTexts ?? [])`;

const shipped = [
  { name: 'overview', title: 'Overview', panel: 'Energy', shows: /kWh/ },
  { name: 'energy-and-cost', title: 'Energy and cost', panel: 'Cost', shows: /₹/ },
  { name: 'power-quality', title: 'Power quality', panel: 'By device', shows: /Main meter.*Hz/s },
  {
    name: 'device-comparison',
    title: 'Device comparison',
    panel: 'Side by side',
    shows: /Main meter\s*Online.*kWh.*kW/s,
  },
];

it.each(shipped)('$title shows what is measured, at any width, and asks no other origin', async (dashboard) => {
  const { name, title, panel, shows } = dashboard;
  await using opened = await stage.open();
  const { page, problems } = opened;
  const asked = new Set<string>();
  page.on('request', (request) => asked.add(new URL(request.url()).origin));
  await page.addInitScript(watchCanvases);
  await signIn(page);
  await open(page, name, title);
  await expect.poll(() => panelOf(page, panel).innerText()).toMatch(shows);
  await page.waitForLoadState('networkidle');
  expect(await page.getByRole('alert').allInnerTexts()).toEqual([]);
  await checkBothSchemes(page);
  await expect.poll(() => overflowOf(page)).toBe(0);
  await expect.poll(() => page.evaluate(cutTexts)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflowOf(page)).toBe(0);
  await expect.poll(() => page.evaluate(cutTexts)).toEqual([]);
  expect([...asked].filter((origin) => origin !== stage.portal.url && origin !== 'null')).toEqual([]);
  expect(problems).toEqual([]);
});

it("days go by name or date into address, questions and defaults, with the numbers of the portal's pages", async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await open(page, 'energy-and-cost', 'Energy and cost', usual);
  const picker = page.getByRole('button', { name: /^Time range/ });
  const ofDays = z.looseObject({
    measure: z.literal('cost'),
    split: z.literal('none'),
    fromDate: z.iso.date(),
    toDate: z.iso.date(),
  });
  /** The days of the next cost query, and its answer; an earlier query may still be running. */
  const nextCost = async (isAsked: (fromDate: string) => boolean) => {
    const read = (answer: Response) => ofDays.safeParse(answer.request().postDataJSON() ?? null).data;
    const answer = await page.waitForResponse(
      (one) => one.url().endsWith('/api/totals') && isAsked(read(one)?.fromDate ?? ''),
    );
    const { fromDate = '', toDate = '' } = read(answer) ?? {};
    return { dates: { fromDate, toDate }, ...totalsAnswer.parse(await answer.json()) };
  };
  expect(await picker.innerText()).toBe('This month');
  for (const [name, shift] of [
    ['Today', 0],
    ['Yesterday', -1],
  ] as const) {
    // The only site is in India.
    const dayThere = () => Temporal.Now.plainDateISO('Asia/Kolkata').add({ days: shift }).toString();
    const before = dayThere();
    await picker.click();
    const answer = nextCost((fromDate) => [before, dayThere()].includes(fromDate));
    await page.getByRole('menuitem', { name, exact: true }).click();
    const { dates, totals } = await answer;
    expect(dates.toDate).toBe(Temporal.PlainDate.from(dates.fromDate).add({ days: 1 }).toString());
    const portals = await page.request.get('/api/dashboard/summary', { params: dates });
    const { costs } = dashboardSummary.parse(await portals.json());
    expect(totals.map(({ unit, value }) => [unit, value])).toEqual(
      costs.map(({ currency, total }) => [currency, total]),
    );
    await expect.poll(() => new URL(page.url()).searchParams.get('start')).toBe(name.toLowerCase());
  }
  await page.reload();
  await expect.poll(() => picker.innerText()).toBe('Yesterday');

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('checkbox', { name: /^Save time range/ }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  await open(page, 'energy-and-cost', 'Energy and cost', usual);
  await expect.poll(() => picker.innerText()).toBe('Yesterday');
  expect((await page.request.delete('/dash/api/dashboards/energy-and-cost')).ok()).toBe(true);

  await picker.click();
  await page.getByRole('menuitem', { name: 'Custom range…' }).click();
  await page.getByLabel('First day').fill('2026-03-01');
  await page.getByLabel('Last day').fill('2026-03-31');
  const march = nextCost((fromDate) => fromDate === '2026-03-01');
  await page.getByRole('button', { name: 'Apply' }).click();
  expect((await march).dates).toEqual({ fromDate: '2026-03-01', toDate: '2026-04-01' });
  expect(await picker.innerText()).toBe('March 2026');
  const zoomed = page.waitForRequest((asked) => 'from' in Object(asked.postDataJSON()));
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await zoomed;
  expect(problems).toEqual([]);
});

it('an Admin changes the query and title of a panel, saves, and sees it after a reload; a version can be restored', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await open(page, 'overview', 'Overview');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await panelOf(page, 'Peak demand').hover();
  await page.getByRole('button', { name: 'edit panel Peak demand' }).click();
  const drawer = page.locator('.MuiDrawer-paper').last();
  await drawer.getByRole('textbox', { name: 'Name' }).fill('Average load');
  await drawer.getByRole('combobox', { name: 'Measure' }).click();
  await page.getByRole('option', { name: 'Power', exact: true }).click();
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  // The editor is that of Perses as published: one button has no name, and the headings skip a level (ADR 50).
  await checkBothSchemes(page, ['button-name', 'heading-order']);
  await drawer.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();

  await page.reload();
  await expect.poll(() => panelOf(page, 'Average load').innerText()).toMatch(/kW/);
  const stored = storedDashboard.parse(await (await page.request.get('/dash/api/dashboards/overview')).json());
  expect(stored).toMatchObject({ version: 1, updatedBy: 'Administrator' });
  const changed = Object.values(stored.spec.panels).find(({ spec }) => spec.display?.name === 'Average load');
  expect(changed?.spec.queries?.[0]?.spec.plugin.spec).toMatchObject({ measure: 'power', sites: ['$site'] });

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Reset to default' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset to default' }).click();
  // A table has a column of that name too. The page without a changed panel is the one that was drawn again.
  await panelOf(page, 'Average load').waitFor({ state: 'detached' });
  await panelOf(page, 'Peak demand').waitFor();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Versions' }).click();
  const versions = page.getByRole('dialog');
  await versions.getByText('Current').waitFor();
  await checkBothSchemes(page);
  await versions.getByRole('button', { name: 'Restore' }).click();
  await panelOf(page, 'Average load').waitFor();
  expect(problems).toEqual([]);
});

it('a version saved by another user is not overwritten; mine becomes a copy', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  await open(page, 'power-quality', 'Power quality', usual);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Mine');

  const url = '/dash/api/dashboards/power-quality';
  const { version, spec } = storedDashboard.parse(await (await page.request.get(url)).json());
  const theirs = { version, spec: { ...spec, display: { name: 'Theirs' } } };
  expect((await page.request.put(url, { data: theirs })).status()).toBe(200);

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Changed by someone else' });
  await dialog.waitFor();
  await checkBothSchemes(page);
  await dialog.getByRole('button', { name: 'Save mine as a copy' }).click();
  await page.getByRole('heading', { level: 1, name: 'Mine (copy)' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/dash/dashboards/mine-copy');
  await open(page, 'power-quality', 'Theirs', usual);
});

it('a new dashboard with two panels is saved and in the menu after 12 clicks, each panel right at once', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  const { click, take } = countClicks();
  await page.goto('/dashboards');
  const tool = page.frameLocator('iframe');
  const drawer = tool.locator('.MuiDrawer-paper').last();
  const name = drawer.getByRole('textbox', { name: 'Name' });
  await click(page.getByRole('link', { name: 'New dashboard' }));
  await tool.getByRole('dialog').getByRole('textbox', { name: 'Title' }).fill('Kälte & Wärme');
  await click(tool.getByRole('button', { name: 'Create' }));

  await click(tool.getByRole('button', { name: 'Add panel', exact: true }));
  await click(name);
  await page.keyboard.type('Load');
  // The preview runs by itself.
  await drawer.getByTestId('panel').locator('canvas').waitFor();
  await click(drawer.getByRole('button', { name: 'Add', exact: true }));
  await drawer.waitFor({ state: 'detached' });

  await click(tool.getByRole('button', { name: 'Add panel', exact: true }));
  await click(name);
  await page.keyboard.type('Use');
  await click(drawer.getByRole('combobox', { name: /^Type/ }));
  await click(tool.getByRole('option', { name: 'Number' }));
  await drawer
    .getByTestId('panel')
    .getByText(/\d\skWh$/)
    .waitFor();
  await click(drawer.getByRole('button', { name: 'Add', exact: true }));
  await drawer.waitFor({ state: 'detached' });
  await click(tool.getByRole('button', { name: 'Save', exact: true }));
  await page.getByRole('navigation').getByRole('link', { name: 'Kälte & Wärme' }).waitFor();
  expect(take()).toBeLessThanOrEqual(12);
  await expect.poll(() => new URL(page.url()).pathname).toBe('/dashboards/kalte-warme');
  const titles = async () =>
    embeddedDashboards.parse(await (await page.request.get('/api/embedded-dashboards')).json());
  expect((await titles()).at(-1)).toMatchObject({ title: 'Kälte & Wärme', path: '/dash/dashboards/kalte-warme' });

  // The number equals the total on the portal's page.
  const range = { from: new Date(Date.now() - 86_400_000).toISOString(), to: new Date().toISOString() };
  const portals = await page.request.get('/api/dashboard/summary', { params: range });
  const { energyImportedKwh } = dashboardSummary.parse(await portals.json());
  const shown = tool.getByTestId('panel').filter({ hasText: 'Use' }).getByText(/kWh$/);
  await expect.poll(async () => Number.parseFloat(await shown.innerText())).toBeCloseTo(energyImportedKwh, -1);

  await page.goto('/dash/dashboards/kalte-warme');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect.poll(() => page.getByRole('checkbox', { name: 'Show in menu' }).isChecked()).toBe(true);
  // Its entry in the menu is renamed with it.
  await page.getByRole('textbox', { name: 'Title' }).fill('Kälte');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Kälte', exact: true }).waitFor();
  await expect.poll(async () => (await titles()).at(-1)?.title).toBe('Kälte');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'JSON' }).click();
  await page.getByRole('textbox', { name: 'JSON' }).filter({ hasText: '"PortalQuery"' }).waitFor();
  await checkBothSchemes(page);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'New dashboard' }).waitFor();
  await checkBothSchemes(page);
  // It is also gone from the menu.
  await expect.poll(async () => (await titles()).map(({ title }) => title)).not.toContain('Kälte');
  expect(problems).toEqual([]);
});

it('Settings → Dashboards offers those that exist', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto('/settings/dashboards');
  await page.getByRole('button', { name: 'Add dashboard' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Dashboard' }).click();
  await page.getByRole('option', { name: 'Device comparison' }).click();
  expect(await dialog.getByLabel('Title').inputValue()).toBe('Device comparison');
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await page.getByText('Device comparison added to the menu').first().waitFor();
  expect(problems).toEqual([]);
});

it('a panel that is added on a slow line has a type', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  // The code that draws charts loads after the editor.
  await page.route(/\/assets\/EChart-.*\.js$/, async (route) => {
    await sleep(2_000);
    await route.continue();
  });
  await page.goto('/dash/');
  await page.getByRole('button', { name: 'New dashboard' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Slow line');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Add panel', exact: true }).click();
  const drawer = page.locator('.MuiDrawer-paper').last();
  await drawer.getByRole('textbox', { name: 'Name' }).fill('Devices');
  await drawer.getByRole('combobox', { name: 'Split by' }).waitFor();
  expect(problems).toEqual([]);
});

it('users without the role Admin see the dashboards without editing controls, and the server rejects changes', async () => {
  await using opened = await stage.open();
  const { page, problems } = opened;
  await signIn(page, plain);
  await open(page, 'device-comparison', 'Device comparison');
  await panelOf(page, 'Side by side').getByText('Main meter').waitFor();
  // Without a pointer the button is reachable by keyboard.
  await page.getByRole('button', { name: 'Energy as a table' }).filter({ visible: true }).press('Enter');
  const table = page.getByRole('dialog', { name: 'Energy' });
  await table.getByRole('row', { name: /^Main meter .*kWh$/ }).waitFor();
  await table.getByRole('button', { name: 'Close' }).click();
  await table.waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: /^(?:edit|save|add panel)/i }).count()).toBe(0);
  await page.getByRole('button', { name: 'More' }).click();
  await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['All dashboards', 'JSON', 'Versions']);
  const url = '/dash/api/dashboards/device-comparison';
  const { version, spec } = storedDashboard.parse(await (await page.request.get(url)).json());
  expect((await page.request.put(url, { data: { version, spec } })).status()).toBe(403);
  expect((await page.request.delete(url)).status()).toBe(403);
  expect(problems).toEqual([]);
});

it('names that are HTML stay text, in bars, tables and what a chart shows under the pointer', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await open(page, 'device-comparison', 'Device comparison');
  await panelOf(page, 'Peak demand').getByText(hostile, { exact: true }).waitFor();
  await panelOf(page, 'Side by side').getByText(hostile, { exact: true }).waitFor();
  const chart = panelOf(page, 'Power').locator('canvas');
  await chart.waitFor();
  const box = await chart.boundingBox();
  // The readings are of the last hours of a week.
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 40, (box?.y ?? 0) + (box?.height ?? 0) * 0.5);
  await panelOf(page, 'Power').locator('div', { hasText: hostile }).filter({ hasText: 'kW' }).first().waitFor();
  expect(await page.locator('img').count()).toBe(0);
  expect(problems).toEqual([]);
});

it('a page with a missing file is loaded again', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  await page.route(/\/assets\/index-.*\.js$/, (route) => route.abort(), { times: 1 });
  await page.goto('/dash/');
  await page.getByRole('button', { name: 'New dashboard' }).waitFor();
});

it('a German user reads German in panels and menus and English in the editor, and saved texts stay English for others', async () => {
  await using opened = await stage.signedIn({ locale: 'de-DE' });
  const { page, problems } = opened;
  await open(page, 'energy-and-cost', 'Energie und Kosten');
  await panelOf(page, 'Nach Gerät').getByText('Gerät', { exact: true }).waitFor();
  await expect.poll(() => panelOf(page, 'Kosten').innerText()).toMatch(/\d,\d\d\s*₹/);
  await page.getByRole('button', { name: 'Bearbeiten', exact: true }).click();
  await panelOf(page, 'Lastspitze').hover();
  await page.getByRole('button', { name: 'edit panel Lastspitze' }).filter({ visible: true }).click();
  const drawer = page.locator('.MuiDrawer-paper').last();
  await drawer.getByRole('textbox', { name: 'Description' }).fill('Gut zu wissen');
  await drawer.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: 'Speichern', exact: true }).click();
  await page.getByRole('button', { name: 'Bearbeiten', exact: true }).waitFor();
  const url = '/dash/api/dashboards/energy-and-cost';
  const { title, spec } = storedDashboard.parse(await (await page.request.get(url)).json());
  const displays = Object.values(spec.panels).map((one) => one.spec.display);
  expect(title).toBe('Energy and cost');
  expect(displays).toContainEqual({ name: 'Peak demand', description: 'Gut zu wissen' });
  expect(displays).toContainEqual(expect.objectContaining({ name: 'By device' }));
  expect((await page.request.delete(url)).ok()).toBe(true);
  expect(problems).toEqual([]);
});
