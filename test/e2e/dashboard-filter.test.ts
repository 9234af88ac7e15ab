import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser.ts';
import { panel, tile } from '../support/dashboard-page.ts';
import { create, signIn } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';
import { openWorkbook } from '../support/xlsx/workbook.ts';

const stage = stageOfFile();
const sites = { riverside: '', harbour: '' };

/** 10 March 2025 in Berlin. */
const range = 'from=2025-03-10&to=2025-03-10&tz=Europe/Berlin';
const quarterMs = 15 * 60_000;
const midnight = Date.parse('2025-03-09T23:00:00Z');
const peakMs = Date.parse('2025-03-10T17:00:00Z');

const grid = {
  name: 'Grid',
  currency: 'EUR',
  effectiveFrom: '2025-01-01',
  defaultRatePerKwh: 0.3,
  fixedChargePerMonth: 0,
  vatPercent: 0,
  exportRatePerKwh: null,
  periods: [],
};

/**
 * Riverside has a freezer of 4 kW (12 kW from 18:00 to 18:15) and a reserve of 1 kW, Harbour a reserve of 2 kW. The day before,
 * each took half of that, without the quarter-hour at 18:00.
 */
async function fill(page: Page): Promise<void> {
  await signIn(page);
  const municipalityId = await create(page, '/api/admin/rates/municipalities', {
    name: 'Berlin',
    timeZone: 'Europe/Berlin',
  });
  sites.riverside = await create(page, '/api/admin/sites', { name: 'Riverside', municipalityId });
  sites.harbour = await create(page, '/api/admin/sites', { name: 'Harbour', municipalityId });
  await create(page, '/api/admin/rates/tariffs', { ...grid, municipalityId });
  const meters = [
    { siteId: sites.riverside, name: 'Freezer', externalId: 'freezer', kw: 4 },
    { siteId: sites.riverside, name: 'Reserve', externalId: 'reserve-1', kw: 1 },
    { siteId: sites.harbour, name: 'Reserve', externalId: 'reserve-2', kw: 2 },
  ];
  for (const { kw, ...meter } of meters) {
    await create(page, '/api/admin/devices', meter);
    const data = [];
    let energyImportedKwh = 1000;
    for (let at = midnight - 86_400_000; at <= midnight + 86_400_000; at += quarterMs) {
      const power = at < midnight ? kw / 2 : at === peakMs ? kw * 3 : kw;
      data.push({
        externalId: meter.externalId,
        time: new Date(at).toISOString(),
        activePowerKw: power,
        energyImportedKwh,
      });
      energyImportedKwh += power / 4;
    }
    const answer = await page.request.post('/api/ingest/measurements', { data });
    expect(await answer.json()).toMatchObject({ accepted: data.length });
  }
}

beforeAll(async () => {
  await using opened = await stage.open();
  await fill(opened.page);
});
const picker = (page: Page) => page.getByRole('button', { name: /^Devices: / });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
const textOf = async (locator: Locator) => (await locator.innerText()).replaceAll('\u00a0', ' ');
const searchOf = (page: Page) => new URL(page.url()).searchParams;

it('a site chosen on the Overview is in the URL, and every number of the page is that of the site', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto(`/dashboard?${range}`);
  // 96 quarter-hours of 7 kW, and one with three times as much.
  await tile(page, 'Energy').getByText('172').waitFor();
  await picker(page).click();
  await checkAccessibility(page);
  await option(page, /^Riverside/).click();
  await tile(page, 'Energy').getByText('123').waitFor();
  expect(searchOf(page).get('sites')).toBe(sites.riverside);
  expect(await textOf(picker(page))).toBe('Riverside');
  expect(await textOf(tile(page, 'Peak demand'))).toContain('15.0 kW');
  expect(await textOf(tile(page, 'Power now'))).toContain('0 of 2 devices');
  const shown = panel(page, 'Energy by device').getByRole('listitem');
  await expect.poll(() => shown.count()).toBe(2);
  expect(await panel(page, 'Devices').getByRole('row').count()).toBe(3);
  await checkAccessibility(page);

  // After going back, forward and to another page, the choice is the same.
  await page.getByRole('button', { name: 'Previous range' }).click();
  await tile(page, 'Energy').getByText('60.0').waitFor();
  expect(searchOf(page).get('sites')).toBe(sites.riverside);
  await page.getByRole('link', { name: 'Sites' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor();
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await tile(page, 'Energy').getByText('60.0').waitFor();
  expect(await textOf(picker(page))).toBe('Riverside');

  await page.getByRole('button', { name: 'Show all devices' }).click();
  await tile(page, 'Energy').getByText('84.0').waitFor();
  expect(searchOf(page).has('sites')).toBe(false);
  await page.goBack();
  await tile(page, 'Energy').getByText('60.0').waitFor();
  expect(problems).toEqual([]);
});

it('by keyboard: stepping to the last range keeps the focus, and a scrolling list of devices belongs to its search field', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  await page.goto('/dashboard?range=yesterday');
  const next = page.getByRole('button', { name: 'Next range' });
  await next.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Today', exact: true }).waitFor();
  await expect.poll(() => next.getAttribute('aria-disabled')).toBe('true');
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Next range');

  await page.setViewportSize({ width: 640, height: 256 });
  await picker(page).click();
  const list = page.getByRole('listbox', { name: 'Devices' });
  expect(await list.evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(true);
  await checkAccessibility(page);
});

it('devices of several sites are chosen one by one, and the export has the same choice', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto(`/dashboard?${range}&sites=${sites.harbour}`);
  await tile(page, 'Energy').getByText('49.0').waitFor();
  await picker(page).click();
  await page.getByRole('combobox', { name: 'Search devices and sites' }).fill('free');
  await option(page, /^Freezer/)
    .locator('[data-box]')
    .click();
  await tile(page, 'Energy').getByText('147').waitFor();
  expect(searchOf(page).get('devices')?.split(',')).toHaveLength(2);
  await page.keyboard.press('Escape');
  expect(await textOf(picker(page))).toBe('2 devices');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export to Excel' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('summary-2meters-20250310-20250310.xlsx');
  const bytes = await Array.fromAsync(await download.createReadStream());
  const about = openWorkbook(Buffer.concat(bytes)).sheets.find(({ name }) => name === 'About');
  const rows = about?.rows.map((row) => row.map((cell) => cell?.value ?? null)) ?? [];
  expect(rows).toContainEqual(['Devices', 2, 'selected']);
  expect(rows.filter(([property]) => property === 'Device').map(([, device]) => device)).toEqual([
    'Reserve',
    'Freezer',
  ]);
  expect(problems).toEqual([]);
});

it('a link to deleted devices shows that, and links to all devices', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto(`/dashboard?${range}&devices=00000000-0000-4000-8000-000000000000`);
  await page.getByText('Selected devices not found').waitFor();
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Show all devices' }).last().click();
  await tile(page, 'Energy').getByText('172').waitFor();

  await page.goto(`/dashboard?${range}&sites=nonsense`);
  await page.getByText('Selected devices not found').waitFor();

  await page.goto(`/compare?${range}&otherSites=00000000-0000-4000-8000-000000000000`);
  const nothing = page.getByRole('region', { name: 'with', exact: true });
  await nothing.getByText('Selected devices not found').waitFor();
  await checkAccessibility(page);
  await nothing.getByRole('button', { name: 'Show all devices' }).click();
  await page.getByRole('region', { name: 'Differences' }).getByRole('row').nth(1).waitFor();
  expect(problems).toEqual([]);
});

const moment = (page: Page) => page.getByRole('region', { name: /^Power by device/ });
const rowsOf = (table: Locator) => table.getByRole('row').filter({ has: table.page().getByRole('link') });

it('the peak opens its quarter-hour: the zoomed curve, and the power of each device; Back returns', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto(`/dashboard?${range}`);
  await tile(page, 'Peak demand').getByRole('button').click();
  await moment(page).getByText('Total 21.0 kW (3 devices)').waitFor();
  const downloading = page.waitForEvent('download');
  await moment(page).getByRole('button', { name: 'Download as CSV' }).click();
  const saved = await readFile(await (await downloading).path(), 'utf8');
  expect(saved).toContain('Freezer,Riverside,,12,');
  const { at, zoom, group } = Object.fromEntries(searchOf(page));
  expect(at).toBe('2025-03-10T17:00:00Z..2025-03-10T17:15:00Z');
  expect([zoom, group]).toEqual(['2025-03-10T15:00:00Z..2025-03-10T19:15:00Z', 'device']);
  const rows = await rowsOf(moment(page).getByRole('table')).allInnerTexts();
  expect(rows.map((row) => row.replaceAll(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/^Freezer Riverside 12\.0 57\.1/),
    expect.stringMatching(/^Reserve Harbour 6\.00 28\.6/),
    expect.stringMatching(/^Reserve Riverside 3\.00 14\.3/),
  ]);
  // Two devices with the same name have different labels in the curve too.
  await panel(page, 'Load curve').getByRole('button', { name: 'Harbour · Reserve' }).waitFor();
  // What a pointer rests on says its name in a tooltip, within the content of the page.
  await panel(page, 'Load curve').getByRole('button', { name: 'Zoom in' }).hover();
  await page.getByRole('tooltip', { name: 'Zoom in' }).waitFor();
  await checkAccessibility(page);

  // The copied link shows the same, and so does the page after a reload.
  await page.reload();
  await moment(page).getByText('Total 21.0 kW').waitFor();
  await page.goBack();
  await expect.poll(() => searchOf(page).has('at')).toBe(false);
  expect(await moment(page).count()).toBe(0);
  expect(problems).toEqual([]);
});

it('a cell of the heatmap opens its hour, a bar of cost its day, by keyboard too, and Back returns', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto(`/dashboard?${range}`);
  const heatmap = panel(page, 'Average power by hour and day').getByRole('img', { name: /^Average/ });
  await heatmap.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await moment(page).getByText('Total 7.00 kW').waitFor();
  expect(searchOf(page).get('at')).toBe('2025-03-09T23:00:00Z..2025-03-10T00:00:00Z');
  await moment(page).getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => searchOf(page).has('at')).toBe(false);
  await heatmap.click({ position: { x: 300, y: 10 } });
  await moment(page).getByText('Total 7.00 kW').waitFor();

  await page.goto(`/dashboard?from=2025-03-09&to=2025-03-10&tz=Europe/Berlin`);
  const bars = panel(page, 'Cost by tariff period and day').getByRole('img', { name: /^Cost/ });
  await bars.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect.poll(() => searchOf(page).get('from')).toBe('2025-03-10');
  expect(searchOf(page).get('to')).toBe('2025-03-10');
  // The day has one bar, and the keyboard was at the second.
  await panel(page, 'Cost by tariff period and day')
    .getByRole('img', { name: / 10 Mar .*Lowest: .* 10 Mar / })
    .waitFor();
  await page.goBack();
  await expect.poll(() => searchOf(page).get('from')).toBe('2025-03-09');
  expect(problems).toEqual([]);
});

it.each(['mouse', 'finger'] as const)(
  'a bar of cost leads to its day by %s, and the one bar is read there',
  async (by) => {
    await using opened = await stage.signedIn({ hasTouch: by === 'finger' });
    const { page, problems } = opened;
    await page.goto(`/dashboard?from=2025-03-04&to=2025-03-10&tz=Europe/Berlin`);
    const bars = panel(page, 'Cost by tariff period and day').getByRole('img', { name: /^Cost/ });
    await bars.locator('path').first().waitFor();
    await bars.scrollIntoViewIfNeeded();
    const { x = 0, y = 0, width = 0, height = 0 } = (await bars.boundingBox()) ?? {};
    const last = [x + width - 30, y + height / 2] as const;
    if (by === 'mouse') await page.mouse.click(...last);
    else await page.touchscreen.tap(...last);
    await expect.poll(() => searchOf(page).get('from')).toBe('2025-03-10');
    await panel(page, 'Cost by tariff period and day')
      .getByRole('img', { name: / 10 Mar .*Lowest: .* 10 Mar / })
      .waitFor();
    await bars.locator('dl').getByText(/€/).first().waitFor();
    expect(problems).toEqual([]);
  },
);

it('the status names offline devices and since when, and opens their list, which can be searched and sorted', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto('/dashboard');
  const status = page.getByRole('region', { name: 'Status' });
  // Is anything wrong: 0 clicks.
  await status
    .getByRole('button', { name: /^3 devices offline since 1\d Mar 2025, .*: .*(Freezer|Reserve)/ })
    .waitFor();
  await status.getByRole('button').first().click();
  await expect.poll(() => searchOf(page).get('state')).toBe('offline');
  const list = panel(page, 'Devices');
  await expect.poll(() => list.getByRole('row').count()).toBe(4);
  await list.getByRole('searchbox', { name: 'Search devices and sites' }).fill('free');
  await expect.poll(() => list.getByRole('row').count()).toBe(2);
  await checkAccessibility(page);
  await page.goBack();
  await expect.poll(() => searchOf(page).has('state')).toBe(false);
  expect(problems).toEqual([]);
});

it('the page of a site shows energy, cost and peak for the range of the previous page; the peak opens its moment', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto(`/dashboard?${range}`);
  await panel(page, 'Devices').getByRole('link', { name: 'Riverside' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Riverside' }).waitFor();
  const figures = page.getByRole('region', { name: 'Energy and cost' });
  await tile(page, 'Energy').getByText('123').waitFor();
  expect(searchOf(page).get('from')).toBe('2025-03-10');
  // 96 quarters of 1.25 kWh and one of 3.75, at 0.30.
  expect(await textOf(tile(page, 'Cost'))).toContain('€36.75');
  await panel(page, 'Load curve').getByRole('button', { name: 'Freezer' }).waitFor();
  await checkAccessibility(page);
  await tile(page, 'Peak demand').getByRole('button').click();
  await moment(page).getByText('Total 15.0 kW (2 devices)').waitFor();
  await page.goBack();
  await expect.poll(() => searchOf(page).has('at')).toBe(false);
  await figures.getByRole('link', { name: 'Open in the overview' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await expect.poll(() => searchOf(page).get('sites')).toBe(sites.riverside);
  expect(problems).toEqual([]);
});

it('the page of a device has the figures of that device alone', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  const devices = await page.request.get('/api/sites/devices');
  const all: { id: string; name: string }[] = await devices.json();
  const freezer = all.find(({ name }) => name === 'Freezer')?.id ?? '';
  await page.goto(`/sites/${sites.riverside}/devices/${freezer}?${range}`);
  await tile(page, 'Energy').getByText('98.0').waitFor();
  expect(await textOf(tile(page, 'Peak demand'))).toContain('12.0 kW');
  expect(await textOf(tile(page, 'Cost'))).toContain('€29.40');
  await checkAccessibility(page);
  // On a phone the range is as wide as the page.
  await page.setViewportSize({ width: 390, height: 844 });
  const figures = page.getByRole('region', { name: 'Energy and cost' });
  const dates = figures.getByRole('group', { name: 'Time range' });
  await expect.poll(async () => (await dates.boundingBox())?.width).toBeGreaterThan(300);
  expect(problems).toEqual([]);
});

it('a day and the day before share an axis, so do two sites over the same day, and the URL keeps it', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto(`/dashboard?${range}`);
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Compare' }).click();
  await page.getByRole('heading', { level: 1, name: 'Compare' }).waitFor();
  const inAll = page.getByRole('row', { name: /^Total/ });
  await inAll.getByText('+87.5 kWh').waitFor();
  expect(await textOf(inAll)).toMatch(/172 kWh\s+84\.0 kWh\s+\+87\.5 kWh\s+\+104%/);
  // The day before is a flat dashed line below.
  await panel(page, 'Average power').locator('[role=img] path[stroke-linejoin]').last().waitFor();
  const swatch = await page.evaluate(`(() => {
    const { borderTopStyle, backgroundColor } = getComputedStyle(document.querySelector('[data-dashed] span'));
    return [borderTopStyle, backgroundColor];
  })()`);
  expect(swatch).toEqual(['dashed', 'rgba(0, 0, 0, 0)']);
  await page.getByRole('row', { name: /^Cost/ }).getByText('+104%').waitFor();
  await checkAccessibility(page);

  await page.goto(`/compare?${range}&sites=${sites.riverside}&otherSites=${sites.harbour}`);
  await inAll.getByText('+73.5 kWh').waitFor();
  expect(await textOf(page.getByRole('columnheader').nth(1))).toBe('Riverside');
  await page.getByRole('group', { name: 'with' }).getByRole('button', { name: 'Previous range' }).click();
  await inAll.getByText('+98.5 kWh').waitFor();
  expect(searchOf(page).get('otherFrom')).toBe('2025-03-09');
  expect(searchOf(page).get('otherSites')).toBe(sites.harbour);

  // On a phone the numbers are below the name of their row, and all are visible.
  await page.setViewportSize({ width: 390, height: 844 });
  const boxOf = async (locator: Locator) => {
    const { x = 0, y = 0, width = 0 } = (await locator.boundingBox()) ?? {};
    return { y, end: x + width };
  };
  const difference = inAll.getByRole('cell').last();
  const name = await boxOf(inAll.getByRole('rowheader'));
  await expect.poll(async () => (await boxOf(difference)).y).toBeGreaterThan(name.y);
  const table = await boxOf(page.getByRole('group', { name: 'Differences' }));
  expect((await boxOf(difference)).end).toBeLessThanOrEqual(table.end);
  await checkAccessibility(page);
  expect(problems).toEqual([]);
});

it('sites of two clocks are compared each by its own, and each side says which', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  const municipalityId = await create(page, '/api/admin/rates/municipalities', {
    name: `Tokyo ${randomUUID()}`,
    timeZone: 'Asia/Tokyo',
  });
  const tokyo = await create(page, '/api/admin/sites', { name: 'Tokyo works', municipalityId });
  await create(page, '/api/admin/devices', { siteId: tokyo, name: 'Main', externalId: randomUUID() });
  await page.goto(`/compare?from=2025-03-10&to=2025-03-10&sites=${sites.riverside}&otherSites=${tokyo}`);
  await page
    .getByText(
      /Riverside: times in Central European (?:Standard )?Time; Tokyo works: times in Japan (?:Standard )?Time$/,
    )
    .waitFor();
  const zoneOf = (side: string) => page.getByRole('group', { name: side, exact: true }).getByText(/Times in/);
  expect(await textOf(zoneOf('Compare'))).toMatch(/Times in Central European/);
  expect(await textOf(zoneOf('with'))).toMatch(/Times in Japan/);
  expect(problems).toEqual([]);
});

it('the largest changes since the previous range have share and energy, and open their devices', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto(`/dashboard?${range}`);
  const changes = panel(page, 'Biggest changes').getByRole('listitem');
  await changes.first().waitFor();
  expect((await changes.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/^Freezer Riverside 48\.0 kWh → 98\.0 kWh \+50\.0 kWh \+104%/),
    expect.stringMatching(/^Reserve Harbour 24\.0 kWh → 49\.0 kWh \+25\.0 kWh/),
    expect.stringMatching(/^Reserve Riverside 12\.0 kWh → 24\.5 kWh \+12\.5 kWh/),
  ]);

  await tile(page, 'Cost').getByRole('button', { name: 'What changed?' }).click();
  const why = page.getByRole('dialog');
  await why
    .getByRole('table', { name: 'By device' })
    .getByRole('row', { name: /Freezer/ })
    .waitFor();
  expect(await textOf(why.getByRole('row', { name: /^Total/ }))).toMatch(/\+€26\.25\s+(Price )?€0\.00\s+\+€26\.25/);
  await why.getByRole('button', { name: 'Previous range' }).click();
  await why
    .getByRole('row', { name: /^Total/ })
    .getByText('€0.00 → €51.45')
    .waitFor();
  await checkAccessibility(page);
  await page.keyboard.press('Escape');
  await why.waitFor({ state: 'detached' });

  await changes.first().getByRole('link', { name: 'Freezer' }).click();
  await page.getByRole('heading', { level: 1, name: 'Freezer' }).waitFor();
  await tile(page, 'Energy').getByText('98.0').waitFor();
  expect(problems).toEqual([]);
});

it('several currencies are shown smaller and all named; the explanation of one begins with that currency', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  const municipalityId = await create(page, '/api/admin/rates/municipalities', {
    name: 'Potsdam',
    timeZone: 'Europe/Berlin',
  });
  await create(page, '/api/admin/rates/tariffs', { ...grid, municipalityId, currency: 'USD' });
  const moved = await page.request.put(`/api/admin/sites/${sites.harbour}`, {
    data: { name: 'Harbour', municipalityId },
  });
  expect(moved.status()).toBe(200);
  await page.goto(`/dashboard?${range}`);
  // One line until the user asks for sites.
  expect(await textOf(tile(page, 'Cost').locator('dt + dd'))).toMatch(/^€\d+\.\d\d · US\$\d+\.\d\d$/);
  await tile(page, 'Cost').getByRole('button', { name: 'By site' }).click();
  await tile(page, 'Cost in EUR').getByText('Riverside').waitFor();
  const why = page.getByRole('dialog');
  const order = () =>
    why.getByRole('region', { name: /^(EUR|USD)$/ }).evaluateAll((all) => all.map((one) => one.ariaLabel));
  const sizeOf = (place: Locator) => place.evaluate((element) => element.clientHeight);
  const cost = tile(page, 'Cost in EUR');
  await cost.locator('dt').getByText('Cost in USD').waitFor();
  const energy = tile(page, 'Energy').locator('dt + dd');
  expect(await sizeOf(cost.locator('dt + dd').first())).toBeLessThan(0.75 * (await sizeOf(energy)));
  for (const [at, currencies] of [
    ['EUR', 'USD'],
    ['USD', 'EUR'],
  ].entries()) {
    await tile(page, 'Cost in EUR').getByRole('button', { name: 'What changed?' }).nth(at).click();
    await why
      .getByRole('row', { name: /^Total/ })
      .nth(1)
      .waitFor();
    expect(await order()).toEqual(currencies);
    await page.keyboard.press('Escape');
    await why.waitFor({ state: 'detached' });
  }
  expect(problems).toEqual([]);
});

it('Back and a reload restore the scroll position on the Overview, unless the reader has scrolled', async () => {
  await using opened = await stage.open();
  const { page, problems } = opened;
  const top = () => page.evaluate<number>('Math.round(scrollY)');
  await signIn(page);
  await page.goto(`/dashboard?${range}`);
  const list = panel(page, 'Devices');
  await list.waitFor();
  await page.waitForLoadState('networkidle');
  const place = await page.evaluate<number>('document.documentElement.scrollHeight - innerHeight - 50');
  expect(place).toBeGreaterThan(1000);
  await page.mouse.wheel(0, place);
  await expect.poll(top).toBe(place);
  await page.getByRole('navigation').getByRole('link', { name: 'Sites', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor();
  expect(await top()).toBe(0);
  await page.goBack();
  await expect.poll(top).toBe(place);
  await page.reload();
  await expect.poll(top).toBe(place);

  const answers = Promise.withResolvers<undefined>();
  await page.route('**/api/dashboard/summary?*', async (route) => {
    await answers.promise;
    await route.continue();
  });
  await page.reload({ waitUntil: 'commit' });
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.mouse.move(700, 450);
  await page.mouse.wheel(0, 100);
  await expect.poll(top).toBeGreaterThan(99);
  const moved = await top();
  expect(moved).toBeLessThan(place);
  answers.resolve(undefined);
  await list.waitFor();
  await page.waitForLoadState('networkidle');
  expect(await top()).toBe(moved);
  expect(problems).toEqual([]);
});
