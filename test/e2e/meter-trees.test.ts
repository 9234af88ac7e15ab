import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser.ts';
import { create, signIn } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';

const stage = stageOfFile();
const range = 'from=2026-03-10T00:00:00Z&to=2026-03-11T00:00:00Z';
/** kW all day; the office is a sub-meter of the main meter from the start, the hall becomes one in the form. */
const powers = { main: 10, hall: 6, press: 4, office: 2.5, gate: 1 };
const names = { main: 'Main meter', hall: 'Hall', press: 'Press', office: 'Office', gate: 'Gate' };
type Name = keyof typeof powers;
const ids: Partial<Record<Name, string>> = {};
let site = '';

beforeAll(async () => {
  await using opened = await stage.open();
  await fill(opened.page);
});
async function fill(page: Page): Promise<void> {
  await signIn(page);
  const municipalityId = await create(page, '/api/admin/rates/municipalities', {
    name: 'Berlin',
    timeZone: 'Europe/Berlin',
  });
  await create(page, '/api/admin/rates/tariffs', {
    municipalityId,
    name: 'Flat',
    currency: 'EUR',
    effectiveFrom: '2026-01-01',
    defaultRatePerKwh: 0.3,
    fixedChargePerMonth: 0,
    vatPercent: 0,
  });
  site = await create(page, '/api/admin/sites', { name: 'Works', municipalityId });
  const add = async (externalId: Name, parent?: Name) => {
    const parentDeviceId = parent === undefined ? null : ids[parent];
    const fields = { siteId: site, name: names[externalId], externalId, parentDeviceId, expectedIntervalSeconds: 900 };
    ids[externalId] = await create(page, '/api/admin/devices', fields);
  };
  await add('main');
  await add('hall');
  await add('press', 'hall');
  await add('office', 'main');
  await add('gate');
  const rows = Object.entries(powers).flatMap(([externalId, activePowerKw]) =>
    Array.from({ length: 97 }, (_, quarter) => ({
      externalId,
      time: new Date(Date.parse('2026-03-10T00:00:00Z') + quarter * 900_000).toISOString(),
      activePowerKw,
    })),
  );
  expect((await page.request.post('/api/ingest/measurements', { data: rows })).ok()).toBe(true);
}

it('an administrator sets the main meter of a device; the page of the site shows the tree', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  await page.goto(`/sites/${site}/devices/${ids.hall ?? ''}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const choice = page.getByRole('combobox', { name: 'Main meter' });
  await choice.click();
  // Neither the meter itself nor its sub-meters.
  expect(await page.getByRole('option').allTextContents()).toEqual(['Gate', 'Main meter', 'Office']);
  await page.getByRole('option', { name: 'Main meter' }).click();
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Device Hall saved').waitFor();
  await page.goto(`/sites/${site}`);
  const rows = page
    .getByRole('table', { name: 'Devices' })
    .getByRole('row')
    .filter({ has: page.getByRole('link') });
  await expect
    .poll(async () => (await rows.allTextContents()).map((text) => /Gate|Main meter|Hall|Press|Office/.exec(text)?.[0]))
    .toEqual(['Gate', 'Main meter', 'Hall', 'Press', 'Office']);
  await page.getByText('part of Main meter').first().waitFor();
  await checkAccessibility(page);
});

it('the Dashboard counts energy once and shows the energy flow, as a picture and as a table', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  await page.request.put(`/api/admin/devices/${ids.hall ?? ''}`, {
    data: { siteId: site, name: names.hall, externalId: 'hall', parentDeviceId: ids.main },
  });
  await page.goto(`/dashboard?${range}`);
  await page.getByText('264 kWh').first().waitFor();
  await page.getByRole('img', { name: /flows of energy from main meters/ }).waitFor();
  await checkAccessibility(page);
  const panel = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Energy flow' }) });
  await panel.getByRole('button', { name: 'Show as table' }).click();
  const table = panel.getByRole('table', { name: 'Main meters and sub-meters' });
  await table.getByText('Other').first().waitFor();
  expect(await table.getByRole('row').allTextContents()).toEqual([
    expect.stringContaining('Device'),
    // Each row begins with the site, which a phone shows first.
    expect.stringMatching(/^Works264/),
    expect.stringMatching(/^Gate24/),
    expect.stringMatching(/^Main meter240/),
    expect.stringMatching(/^Hall144.*60/),
    expect.stringMatching(/^Press96.*66\.7/),
    expect.stringMatching(/^Other48.*33\.3/),
    expect.stringMatching(/^Office60.*25/),
    expect.stringMatching(/^Other36.*15/),
  ]);
  const downloaded = page.waitForEvent('download');
  await panel.getByRole('button', { name: 'Download as CSV' }).click();
  const file = await downloaded;
  // Its days are in its name, and in each row.
  expect(file.suggestedFilename()).toMatch(/^main-meters-and-sub-meters-\d{4}-\d\d-\d\d.*\.csv$/);
  const rows = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  expect(rows[0]).toMatch(/,From,To$/);
  expect(rows.slice(1).every((row) => /(,\d{4}-\d\d-\d\dT[\d:]+[+-]\d\d:\d\d){2}$/.test(row))).toBe(true);
  await checkAccessibility(page);
});

it('on a phone names of meters have two lines: "Autres" was cut off', async () => {
  await using opened = await stage.signedIn({ viewport: { width: 390, height: 844 }, locale: 'fr-FR' });
  const { page } = opened;
  await page.goto(`/dashboard?${range}`);
  const rest = page.getByText('Autres', { exact: true }).first();
  await rest.waitFor();
  const cut = (node: { scrollWidth: number; clientWidth: number; scrollHeight: number; clientHeight: number }) => [
    node.scrollWidth > node.clientWidth,
    node.scrollHeight > node.clientHeight,
  ];
  expect(await rest.evaluate(cut)).toEqual([false, false]);
});

it('a device gets an end use, in the spelling of the others; it is found by it, and load curve and energy count each once', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  const put = async (name: Name, fields: object) => {
    const data = { siteId: site, name: names[name], externalId: name, ...fields };
    expect((await page.request.put(`/api/admin/devices/${ids[name] ?? ''}`, { data })).ok()).toBe(true);
  };
  await put('hall', { parentDeviceId: ids.main });
  for (const name of ['office', 'press', 'gate'] as const) await put(name, { endUse: null });
  await page.goto(`/dashboard?${range}`);
  const stacked = page.getByRole('radiogroup', { name: 'Stack by' });
  await stacked.waitFor();
  expect(await stacked.getByRole('radio', { name: 'End use' }).count()).toBe(0);

  await put('gate', { endUse: 'Lighting' });
  await put('press', { endUse: 'Compressed air' });
  await page.goto(`/sites/${site}/devices/${ids.office ?? ''}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByRole('combobox', { name: 'End use' });
  await field.click();
  // First the categories in use, then common ones.
  expect((await page.getByRole('option').allTextContents()).slice(0, 3)).toEqual([
    'Compressed air',
    'Lighting',
    'Heating',
  ]);
  await field.fill(' LIGHTING ');
  await page.keyboard.press('Tab');
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Device Office saved').waitFor();
  await page.getByRole('region', { name: 'Settings' }).getByText('Lighting', { exact: true }).waitFor();

  await page.goto(`/dashboard?${range}`);
  await page.getByRole('button', { name: 'Devices: All devices' }).click();
  await page.getByRole('combobox', { name: 'Search devices and sites' }).fill('compressed');
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Works5 devices', 'Press']);
  await page.keyboard.press('Escape');
  await stacked.getByText('End use').click();
  await expect.poll(() => new URL(page.url()).searchParams.get('group')).toBe('endUse');
  const panel = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Load curve' }) });
  await panel.getByRole('button', { name: 'Show as table' }).click();
  const table = panel.getByRole('table');
  await table.getByText('No end use').waitFor();
  const [head, , noon] = await table.getByRole('row').allTextContents();
  expect(head).toMatch(/^Time.*Compressed air.*Lighting.*No end use.*Total/);
  expect(noon).toContain('4.003.503.5011.0');

  const energy = page.locator('section').filter({ has: page.getByRole('heading', { name: /^Energy by/ }) });
  await energy.getByRole('radiogroup', { name: 'Group by' }).getByText('End use').click();
  await energy.getByRole('heading', { name: 'Energy by end use' }).waitFor();
  const lines = await energy.getByRole('listitem').allTextContents();
  expect(lines.map((line) => line.replaceAll('\u00a0', ' '))).toEqual([
    'Compressed air96.0 kWh€28.80',
    'Lighting84.0 kWh€25.20',
    'No end use84.0 kWh€25.20',
  ]);
  await checkAccessibility(page);

  // More choices than fit side by side on a phone.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/dashboard?${range}&group=changed`);
  await page.getByRole('combobox', { name: 'Stack by' }).selectOption('End use');
  await expect.poll(() => new URL(page.url()).searchParams.get('group')).toBe('endUse');
});

it('shows the energy of devices in the unit of the largest, and gives a long name its share of the width', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  const mill = {
    siteId: site,
    name: 'Mill of the upper works '.repeat(6),
    externalId: 'mill',
    expectedIntervalSeconds: 900,
  };
  await create(page, '/api/admin/devices', mill);
  const rows = Object.entries({ mill: 5000, gate: 3000 }).flatMap(([externalId, activePowerKw]) =>
    Array.from({ length: 97 }, (_, quarter) => ({
      externalId,
      time: new Date(Date.parse('2026-03-20T00:00:00Z') + quarter * 900_000).toISOString(),
      activePowerKw,
    })),
  );
  expect((await page.request.post('/api/ingest/measurements', { data: rows })).ok()).toBe(true);
  await page.goto('/dashboard?from=2026-03-20T00:00:00Z&to=2026-03-21T00:00:00Z');
  const bars = page.getByRole('list', { name: 'Energy by device' }).getByRole('listitem');
  await bars.filter({ hasText: 'Mill' }).getByText('120.0 MWh').waitFor();
  await bars.filter({ hasText: 'Gate' }).getByText('72.00 MWh').waitFor();
  const name = await bars.filter({ hasText: 'Mill' }).getByRole('link').boundingBox();
  const bar = await bars.filter({ hasText: 'Mill' }).boundingBox();
  expect((name?.width ?? 0) / (bar?.width ?? 1)).toBeGreaterThan(0.35);
});
