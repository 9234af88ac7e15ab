import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { dashboardSummary } from '../../shared/dashboard.ts';
import { checkAccessibility } from '../support/browser.ts';
import { stageOfFile } from '../support/stage.ts';

const stage = stageOfFile();

beforeAll(async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  await page.request.post('/api/admin/rates/municipalities', { data: { name: 'Berlin', timeZone: 'Europe/Berlin' } });
  const rows = ['Pump', 'Index'].map((name) => {
    return { site: 'Works', municipality: 'Berlin', name, externalId: name.toLowerCase() };
  });
  expect((await page.request.post('/api/admin/site-table', { data: { rows } })).status()).toBe(201);
});
const upload = (page: Page, name: string, text: string | Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
const figure = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')
    .first();
const start = (page: Page) => page.getByRole('button', { name: 'Import' });

it('a German file: decimal comma, local times with both hours of autumn, rejected rows to be saved; what it was is remembered', async () => {
  await using opened = await stage.signedIn({ viewport: { width: 390, height: 844 } });
  const { page, problems } = opened;
  await page.goto('/settings/history');
  const clocks = ['01:30', '01:45', '02:00', '02:30', '02:00', '02:30', '03:00'];
  const lines = clocks.map((clock) => `26.10.2025;${clock};pump;1.234,5`);
  const file = ['Datum;Uhrzeit;Zähler;Wirkleistung', ...lines, '26.10.2025;03:15;nobody;1', '30.02.2025;00:00;pump;1'];
  await upload(page, 'october.csv', Buffer.from(file.join('\r\n'), 'latin1'));
  const preview = page.getByRole('table', { name: 'First rows' });
  await preview.getByRole('row', { name: /Line 10.*Invalid time/ }).waitFor();
  // The interpreted number, without thousands separators: a wrong decimal separator is visible.
  expect(await preview.getByText('1234.5 kW').count()).toBe(7);
  await preview.getByRole('row', { name: /Line 9.*Unknown device.*nobody/ }).waitFor();
  expect(await page.getByRole('link', { name: 'Create this device: nobody' }).getAttribute('href')).toBe(
    '/sites?newDevice=nobody',
  );
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await expect.poll(() => zone.inputValue()).toContain('Berlin');
  await checkAccessibility(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await start(page).click();
  await page.getByText('Import complete').waitFor();
  expect(await figure(page, 'Stored').innerText()).toBe('7');
  expect(await figure(page, 'Rejected').innerText()).toBe('2');
  await page.getByText('4 ambiguous local times were read as summer time first, then winter time.').waitFor();
  const rejected = page.getByRole('table', { name: 'Rejected rows' });
  await rejected.getByRole('row', { name: /Line 9.*nobody.*No device has this external ID/ }).waitFor();
  await rejected.getByRole('row', { name: /Line 10.*pump.*30\.02\.2025.*Invalid time/ }).waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save rejected rows' }).click();
  const saved = await readFile(await (await downloading).path(), 'utf8');
  expect(saved).toContain('10,pump,30.02.2025 00:00,Invalid time');
  expect(saved).toContain('9,nobody,26.10.2025 03:15,No device has this external ID');

  await page.reload();
  await upload(page, 'again.csv', Buffer.from(file.join('\r\n'), 'latin1'));
  expect(await page.getByRole('combobox', { name: 'Time (separate column)' }).inputValue()).toBe('Uhrzeit');
  await start(page).click();
  await page.getByText('Import complete').waitFor();
  expect(await figure(page, 'Stored').innerText()).toBe('0');
  expect(await figure(page, 'Duplicates').innerText()).toBe('7');
  expect(problems).toEqual([]);
});

it('a long file goes in pieces, can be stopped, and the rest comes when it is sent again; every rejected row is told', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto('/settings/history');
  const time = (at: number) => new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString();
  const lines = Array.from(
    { length: 12_000 },
    (_, at) => `${time(at)},${at % 40 === 0 ? 'nobody' : 'pump'},${at % 50}`,
  );
  await upload(page, 'long.csv', `Time,External ID,Power (kW)\n${lines.join('\n')}`);
  const asked: number[] = [];
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  await page.route('**/api/ingest/measurements', async (route) => {
    asked.push(1);
    if (asked.length === 3) await mayGoOn;
    await route.continue().catch(() => undefined);
  });
  await start(page).click();
  await expect.poll(() => asked.length).toBe(3);
  // Leaving the page asks first; if the user stays, it continues.
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Stop the import?' });
  await question.getByText(/^[\d,]+ rows are stored\./).waitFor();
  await question.getByRole('button', { name: 'Stay here' }).click();
  await question.waitFor({ state: 'hidden' });
  expect(new URL(page.url()).pathname).toBe('/settings/history');
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped. Upload the file again').waitFor();
  goOn();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await start(page).click();
  await page.getByText('Import complete').waitFor({ timeout: 60_000 });
  expect(await figure(page, 'Rejected').innerText()).toBe('300');
  const [stored, known] = [await figure(page, 'Stored').innerText(), await figure(page, 'Duplicates').innerText()];
  expect(Number(stored.replace(',', '')) + Number(known.replace(',', ''))).toBe(11_700);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save rejected rows' }).click();
  const saved = await readFile(await (await downloading).path(), 'utf8');
  expect(saved.trim().split('\r\n')).toHaveLength(301);
  await page.getByText('First 100 of 300 rejected rows').waitFor();
  expect(await page.getByRole('table', { name: 'Rejected rows' }).getByRole('row').count()).toBe(101);
  expect(problems).toEqual([]);
});

it('every mapped column is previewed, and registers without power are sent with their mean power', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto('/settings/history');
  await page.evaluate('localStorage.clear()');
  const rows = ['2026-03-01T00:00Z;index;1.234,5;0,5;230,1', '2026-03-01T00:15Z;index;1.235,5;0,5;230,2'];
  const preview = page.getByRole('table', { name: 'First rows' });
  await upload(page, 'all.csv', ['Time;External ID;Import (kWh);Power factor;Voltage', ...rows].join('\n'));
  await page.getByText('No power column: average power is derived').waitFor();
  await preview.getByRole('row', { name: /Line 2.*Readable.*4 kW.*1234\.5.*0\.5.*230\.1/ }).waitFor();
  await checkAccessibility(page);
  await start(page).click();
  await page.getByText('Import complete').waitFor();
  expect([await figure(page, 'Stored').innerText(), await figure(page, 'Rejected').innerText()]).toEqual(['2', '0']);
  const range = 'from=2026-03-01T00:00:00Z&to=2026-03-01T00:15:00Z';
  const answer = await page.request.get(`/api/dashboard/summary?${range}`);
  expect(dashboardSummary.parse(await answer.json()).energyImportedKwh).toBe(1);
  await page.evaluate('localStorage.clear()');
  await upload(
    page,
    'all.csv',
    [
      'Time;External ID;Power;Import (kWh);Power factor;Voltage',
      ...rows.map((row) => row.replace('index;', 'index;2;')),
    ].join('\n'),
  );
  await preview.getByRole('row', { name: /Line 2.*Readable.*2 kW.*1234\.5.*0\.5.*230\.1/ }).waitFor();
  expect(await page.getByText('No power column').count()).toBe(0);
  await page.getByRole('combobox', { name: 'Number format' }).click();
  await page.getByRole('option', { name: /^Point/ }).click();
  await preview.getByText('ambiguous. Choose the number format').first().waitFor();
  await checkAccessibility(page);
  expect(problems).toEqual([]);
});

it('the file of a grid operator: titles above the headings, days that end at 24:00, and energy of intervals, all of which is counted', async () => {
  await using opened = await stage.signedIn({ viewport: { width: 390, height: 844 } });
  const { page, problems } = opened;
  await page.goto('/settings/history');
  await page.evaluate('localStorage.clear()');
  const clocks = ['23:15', '23:30', '23:45', '24:00'];
  const file = [
    'Lastgang Zähler pump, März;;;',
    'Zeitraum;01.03.2026;;',
    'Datum;Zeit;Verbrauch [kWh];kW',
    ...clocks.map((clock, at) => `14.03.2026;${clock};${at % 2 === 0 ? '1,5' : '0,75'};${at + 3},5`),
    ...clocks.map((clock, at) => `15.03.2026;${clock};${at % 2 === 0 ? '1,5' : '0,75'};${at + 3},5`),
  ];
  await upload(page, 'profile.csv', file.join('\r\n'));
  const select = (name: string) => page.getByRole('combobox', { name, exact: true });
  await expect.poll(() => select('Energy imported per interval').inputValue()).toBe('Verbrauch [kWh]');
  expect(await select('Timestamp marks').inputValue()).toBe('interval end');
  expect(await select('Interval').inputValue()).toBe('15 minutes');
  expect(await select('Power').inputValue()).toBe('');
  await page.getByRole('combobox', { name: 'Device' }).fill('pump');
  await page.getByRole('option', { name: /pump/ }).click();
  const preview = page.getByRole('table', { name: 'First rows' });
  await preview
    .getByRole('row', { name: /Line 7.*Readable.*14 Mar 2026, 23:45 – 15 Mar 2026, 00:00.*0\.75 kWh/ })
    .waitFor();
  // Taking it for a register would give wrong energy.
  await select('Import register (kWh)').click();
  await page.getByRole('option', { name: 'Verbrauch [kWh]' }).click();
  await page.getByText('Import register (kWh) goes up and down').waitFor();
  await select('Energy imported per interval').click();
  await page.getByRole('option', { name: 'Verbrauch [kWh]' }).click();
  expect(await select('Import register (kWh)').inputValue()).toBe('');
  await select('Interval').click();
  await page.getByRole('option', { name: '1 hour' }).click();
  await page.getByText('Most times are 15 minutes apart.').waitFor();
  await page.getByText('energy still comes from the register').waitFor();
  await checkAccessibility(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await select('Interval').click();
  await page.getByRole('option', { name: '15 minutes' }).click();
  await start(page).click();
  await page.getByText('Import complete').waitFor();
  expect([await figure(page, 'Stored').innerText(), await figure(page, 'Rejected').innerText()]).toEqual(['8', '0']);
  for (const day of ['14', '15']) {
    const range = `from=2026-03-${day}T22:00:00Z&to=2026-03-${day}T23:00:00Z`;
    const answer = await page.request.get(`/api/dashboard/summary?${range}`);
    const { energyImportedKwh, peakPowerKw } = dashboardSummary.parse(await answer.json());
    expect(energyImportedKwh).toBe(4.5);
    expect(peakPowerKw).toBe(6);
  }
  // They are shown as intervals, and none becomes a reading.
  await page.goto('/measurements?devices=all&from=2026-03-14&to=2026-03-16');
  const intervals = page.getByRole('table', { name: 'Intervals' });
  await intervals.getByText(/14 Mar 2026, 23:45 – 15 Mar 2026, 00:00/).waitFor();
  expect(await intervals.getByText(/^0\.75/).count()).toBe(4);
  await page.getByText('No readings').first().waitFor();
  await checkAccessibility(page);
  expect(problems).toEqual([]);
});

it('an interval whose device is unknown is one rejected row', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto('/settings/history');
  await page.evaluate('localStorage.clear()');
  const rows = ['3', '1', '2', '0', '4', '2', '5', '1'].map(
    (energy, at) => `2026-04-01 0${at}:00;${at === 2 ? 'nobody' : 'pump'};${energy}`,
  );
  await upload(page, 'hours.csv', ['Time;Meter;Consumption (Wh)', ...rows].join('\n'));
  const interval = page.getByRole('combobox', { name: 'Interval', exact: true });
  await expect.poll(() => interval.inputValue()).toBe('1 hour');
  await start(page).click();
  await page.getByText('Import complete').waitFor();
  expect([await figure(page, 'Stored').innerText(), await figure(page, 'Rejected').innerText()]).toEqual(['7', '1']);
  expect(problems).toEqual([]);
});

it('hostile files are refused in words; UTF-16, and a formula in the place of a number, are read as what they are', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto('/settings/history');
  await upload(page, 'sheet.xlsx', Buffer.from('PK\u0003\u0004'));
  await page.getByRole('alert').getByText('sheet.xlsx is an Excel file').waitFor();
  await upload(page, 'endless.csv', `Time,Power\n"${'x'.repeat(100_000)}`);
  await page.getByRole('alert').getByText('endless.csv isn’t valid CSV').waitFor();
  await upload(
    page,
    'one.csv',
    Buffer.from('\uFEFFTime\tPower (kW)\n2026-02-01T00:00Z\t=1+1\n2026-02-01T00:15Z\t2', 'utf16le'),
  );
  await page.getByText('No external ID').first().waitFor();
  expect(await start(page).isEnabled()).toBe(false);
  await page.getByRole('combobox', { name: 'Device' }).fill('pump');
  await page.getByRole('option', { name: /pump/ }).click();
  await page.getByText('Power: not a number').waitFor();
  await start(page).click();
  await page.getByText('Import complete').waitFor();
  expect(await figure(page, 'Stored').innerText()).toBe('1');
  expect(await figure(page, 'Rejected').innerText()).toBe('1');
  expect(problems).toEqual([]);
});
