import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser.ts';
import { create, signIn } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';

const stage = stageOfFile();
const reader = { email: 'reader@example.com', displayName: 'Reader', password: 'Reader-Pass-1' };
const ids = { site: '', other: '', odd: '', rollover: '', power: '', fresh: '' };

/** A power of 20 kW is 5 kWh in a quarter-hour. `register` is null for a meter without one. */
const reading = (externalId: string, time: string, register: number | null) => ({
  externalId,
  time: `2026-03-10T${time}:00Z`,
  activePowerKw: 20,
  energyImportedKwh: register,
});

/** The registers of energy-and-cost.md 2, one case after the other; 10 March 2026, in UTC. */
const oddReadings: [time: string, register: number][] = [
  ['00:00', 1000],
  ['00:15', 1005],
  ['00:30', 0],
  ['00:45', 1010],
  ['01:00', 1015],
  ['01:15', 920],
  ['01:30', 925],
  ['01:45', 1425],
  ['02:00', 1430],
  ['02:15', 10],
  ['02:30', 15],
  ['06:30', 35],
  ['06:45', 40],
];
const range = 'from=2026-03-10T00:00:00Z&to=2026-03-10T07:15:00Z';

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
  ids.site = await create(page, '/api/admin/sites', { name: 'Works', municipalityId });
  ids.other = await create(page, '/api/admin/sites', { name: 'Depot', municipalityId });
  const device = (externalId: string, name: string, settings: object = {}) =>
    create(page, '/api/admin/devices', { siteId: ids.site, name, externalId, ...settings });
  ids.odd = await device('odd', 'Odd meter', { ratedPowerKw: 50, expectedIntervalSeconds: 900 });
  ids.rollover = await device('rollover', 'Old meter', { registerMaxKwh: 10_000 });
  ids.power = await device('power', 'Power meter');
  ids.fresh = await device('fresh', 'Fresh meter');
  await create(page, '/api/users', reader);
  const rows = [
    ...oddReadings.map(([time, register]) => reading('odd', time, register)),
    ...[9990, 9995, 4, 9].map((register, at) =>
      reading('rollover', `00:${String(at * 15).padStart(2, '0')}`, register),
    ),
    ...['00:00', '00:15', '00:30', '03:30', '03:45'].map((time) => reading('power', time, null)),
  ];
  const answer = await page.request.post('/api/ingest/measurements', { data: rows });
  expect(await answer.json()).toMatchObject({ accepted: rows.length, rejected: 0 });
}

const open = async (page: Page, device: keyof typeof ids, search = range) => {
  await page.goto(`/sites/${ids.site}/devices/${ids[device]}?${search}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
};
const quality = (page: Page) => page.getByRole('region', { name: 'Data quality' });
const flag = (page: Page, kind: string) =>
  page.getByRole('table', { name: 'Anomalies' }).getByRole('row', { name: new RegExp(`^${kind}`) });

it('a device is reached by its name in the table of its site, and the breadcrumbs lead back', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto(`/sites/${ids.site}`);
  await page.getByRole('link', { name: 'Odd meter', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Odd meter' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/sites/${ids.site}/devices/${ids.odd}`);
  await page.getByText('Offline', { exact: true }).waitFor();
  // In the zone of the site: 06:45 in UTC.
  await page.getByText('10 Mar 2026, 07:45', { exact: true }).waitFor();
  const settings = page.getByRole('region', { name: 'Settings' });
  await settings.getByText('50 kW').waitFor();
  await settings.getByText('15 minutes').waitFor();
  await page.getByRole('region', { name: 'Data quality' }).getByText('No readings in this time range').waitFor();
  await checkAccessibility(page);
  await page
    .getByRole('region', { name: 'Data quality' })
    .getByRole('button', { name: 'Show Tue, 10 Mar 2026' })
    .click();
  await flag(page, 'Reset').waitFor();
  expect(new URL(page.url()).search).not.toBe('');

  const breadcrumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
  await breadcrumbs.getByRole('link', { name: 'Works' }).click();
  await page.getByRole('heading', { level: 1, name: 'Works' }).waitFor();
  expect(problems).toEqual([]);
});

it('energy-and-cost.md 2: glitch, step back, implausible step, reset and interpolated gap are listed, newest first, in the time zone of the site', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await open(page, 'odd');
  const table = page.getByRole('table', { name: 'Anomalies' });
  await table.waitFor();
  const kinds = await table.getByRole('rowheader').allInnerTexts();
  expect(kinds.map((text) => text.split('\n')[0])).toEqual([
    'Interpolated',
    'Reset',
    'Implausible',
    'Backward step',
    'Spike',
  ]);
  const told = async (kind: string) =>
    (await flag(page, kind).innerText()).replaceAll('\u202f', ' ').replaceAll('\u00a0', ' ');
  expect(await told('Spike')).toContain('10 Mar 2026, 01:30:00');
  expect(await told('Spike')).toContain('This reading is ignored.');
  expect(await told('Backward step')).toContain('10 Mar 2026, 02:15:00');
  expect(await told('Backward step')).toContain('Counted as 0');
  expect(await told('Implausible')).toContain('10 Mar 2026, 02:45:00');
  expect(await told('Implausible')).toContain('120 % of rated power');
  expect(await told('Reset')).toContain('10 Mar 2026, 03:15:00');
  expect(await told('Reset')).toContain('Its new value counts as the energy since then.');
  expect(await told('Interpolated')).toMatch(/10 Mar 2026, 03:30\s*–\s*07:30/);
  expect(await told('Interpolated')).toContain('20.0 kWh');
  expect(await told('Interpolated')).toContain('Import');
  await page.getByText('5 of 5, newest first').waitFor();

  // 29 quarter-hours: 10 before the gap, 16 in it, two after it, and one without a reading at the end.
  await quality(page).getByText('12 quarter-hours', { exact: true }).waitFor();
  await quality(page).getByText('16 quarter-hours', { exact: true }).waitFor();
  await quality(page).getByText('1 quarter-hour', { exact: true }).waitFor();
  await checkAccessibility(page);
  await quality(page).getByRole('button', { name: 'Show as table' }).click();
  const days = page.getByRole('table', { name: 'Data quality by day' });
  expect((await days.getByRole('row', { name: /10 Mar 2026/ }).innerText()).split(/\s+/).slice(-4)).toEqual([
    '12',
    '16',
    '1',
    '29',
  ]);
  await checkAccessibility(page);

  await page.getByRole('button', { name: /^Reset/ }).click();
  await page.getByText('1 of 1, newest first').waitFor();
  expect(await table.getByRole('rowheader').count()).toBe(1);
  expect(problems).toEqual([]);
});

it('a flag leads to the readings around it', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await open(page, 'odd');
  await flag(page, 'Spike').getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: 'Measurements' }).waitFor();
  const search = new URL(page.url()).searchParams;
  expect(search.get('devices')).toBe(ids.odd);
  // The readings from 00:00 to 01:15 lie between 23:30 and 01:30 in UTC.
  await page.locator('[aria-rowcount="7"]').waitFor();
  expect(problems).toEqual([]);
});

it('energy-and-cost.md 2 and 4: a rollover is counted across, a gap of a meter without registers is unknown', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await open(page, 'rollover');
  await flag(page, 'Rollover').getByText('counted in full').waitFor();
  await open(page, 'power');
  const gap = flag(page, 'Gap');
  await gap.getByText('No energy is counted for this time.').waitFor();
  expect(await gap.innerText()).toMatch(/10 Mar 2026, 01:30\s*–\s*04:30/);
  await open(page, 'power', 'from=2026-03-10T00:00:00Z&to=2026-03-10T00:30:00Z');
  await page.getByText('No anomalies').waitFor();
  await checkAccessibility(page);
  expect(problems).toEqual([]);
});

it('a device that has sent nothing yet shows how to connect it', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await open(page, 'fresh');
  await page.getByText('Connect a gateway').waitFor();
  expect(await quality(page).count()).toBe(0);
  await checkAccessibility(page);
  expect(problems).toEqual([]);
});

it('administrators change a device, and its energy is recomputed; they move and delete it', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await open(page, 'odd');
  await flag(page, 'Implausible').waitFor();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Rated power').fill('5000');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await flag(page, 'Implausible').waitFor({ state: 'hidden' });
  await page.getByText('4 of 4, newest first').waitFor();

  await open(page, 'fresh');
  await page.getByRole('button', { name: 'Actions for Fresh meter' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog.getByRole('combobox', { name: 'Site' }).click();
  await page.getByRole('option', { name: 'Depot' }).click();
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await page.waitForURL(`**/sites/${ids.other}/devices/${ids.fresh}**`);
  await page.getByRole('button', { name: 'Actions for Fresh meter' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog.getByRole('textbox').fill('Fresh meter');
  await dialog.getByRole('button', { name: 'Delete device' }).click();
  await page.getByRole('heading', { level: 1, name: 'Depot' }).waitFor();
  await page.goto(`/sites/${ids.other}/devices/${ids.fresh}`);
  await page.getByRole('heading', { level: 1, name: 'Device not found' }).waitFor();
  await checkAccessibility(page);
  expect(problems).toEqual([]);
});

it('a plain user views a device, at 390 px in dark mode and in German, and cannot change it', async () => {
  const options = { viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'de-DE' } as const;
  await using opened = await stage.open(options);
  const { page, problems } = opened;
  await signIn(page, reader);
  await open(page, 'odd');
  const row = page.getByRole('table', { name: 'Anomalien' }).getByRole('row', { name: /^Neustart/ });
  await row.getByText('10.03.2026, 03:15:00').waitFor();
  expect(await page.getByRole('button', { name: 'Bearbeiten' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Aktionen/ }).count()).toBe(0);
  await checkAccessibility(page);
  expect(
    await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
  ).toBeLessThanOrEqual(0);
  expect(problems).toEqual([]);
});

it('a device is deleted with its readings: their number is shown first, and its name is typed', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await open(page, 'odd');
  await page.getByRole('button', { name: 'Actions for ' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`Its ${oddReadings.length} readings will be lost`).waitFor();
  await checkAccessibility(page);
  const button = dialog.getByRole('button', { name: 'Delete device and readings' });
  expect(await button.isEnabled()).toBe(false);
  const name = await page.locator('h1').innerText();
  await dialog.getByRole('textbox').fill(name);
  await button.click();
  await dialog.waitFor({ state: 'hidden' });
  await page.goto(`/sites/${ids.site}/devices/${ids.odd}`);
  await page.getByRole('heading', { level: 1, name: 'Device not found' }).waitFor();
  expect(problems).toEqual([]);
});
