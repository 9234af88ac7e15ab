import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser.ts';
import { signIn } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';
import { packParts, tinyParts } from '../support/xlsx/tiny-workbook.ts';

const stage = stageOfFile();
const reader = { email: 'reader@example.com', displayName: 'Reader', password: 'Reader-Pass-1' };

beforeAll(async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  await page.request.post('/api/admin/rates/municipalities', { data: { name: 'Berlin', timeZone: 'Europe/Berlin' } });
  await page.request.post('/api/users', { data: reader });
});
const text = (page: Page) => page.getByRole('textbox', { name: 'Table' });
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' });
const upload = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
/** A workbook with one sheet. */
const workbook = (sheetData: string) => {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const sheet = `<worksheet xmlns="${main}"><sheetData>${sheetData}</sheetData></worksheet>`;
  return packParts({ ...tinyParts, 'xl/worksheets/sheet1.xml': sheet });
};
const words = (...cells: string[]) =>
  `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`;

it('a pasted table shows every bad cell; once all are right, everything is created', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto('/sites');
  await page.getByRole('link', { name: 'Import a table' }).click();
  const head = 'Site;Municipality;Name;External ID;Part of;Rated power;Colour;End use\n';
  await text(page).fill(`${head}Works;Berlin;Pump;pump;pump;7,5;red;Pumps\nWorks;;Gate;pump;;much;blue;`);
  await preview(page).getByText('3 cells need fixing').waitFor();
  await preview(page).getByRole('table').getByText('already used by row 2').waitFor();
  await preview(page).getByRole('table').getByText('its own main meter').waitFor();
  await page.getByText('Ignored column: Colour').waitFor();
  await checkAccessibility(page);
  expect(await preview(page).getByRole('button', { name: 'Create' }).isEnabled()).toBe(false);
  await text(page).fill(`${head}Works;Berlin;Pump;pump;;7,5;red;Pumps\nWorks;;Gate;gate;pump;1.200,5;blue;`);
  await preview(page).getByText('Ready to import').waitFor();
  await preview(page).getByText('Interpreted as 7.5').waitFor();
  await preview(page).getByText('Interpreted as 1200.5').waitFor();
  await preview(page).getByRole('button', { name: 'Create one site and 2 devices' }).click();
  await page.getByText('Created: one site and 2 devices.').waitFor();
  await page.getByRole('link', { name: 'Works' }).click();
  await page.getByRole('link', { name: 'Gate', exact: true }).waitFor();
  await page.getByText('rated 7.5').waitFor();
  await page.getByText('part of Pump').waitFor();
  await page.getByText('Pumps', { exact: true }).waitFor();
  expect(problems).toEqual([]);
});

it('an Excel file becomes text that can be corrected: numbers, formulas as their result; on a phone', async () => {
  await using opened = await stage.signedIn({ viewport: { width: 390, height: 844 } });
  const { page, problems } = opened;
  await page.goto('/sites/import');
  const file = workbook(
    `${words('Site', 'Municipality', 'Name', 'External ID')}
     <row><c t="str"><f>"De"&amp;"pot"</f><v>Depot</v></c><c t="inlineStr"><is><t>Berlin</t></is></c>
          <c t="inlineStr"><is><t>=1+1</t></is></c><c><v>4711000000001</v></c></row>`,
  );
  await upload(page, 'sites.xlsx', file);
  await preview(page).getByText('Ready to import').waitFor();
  expect(await text(page).inputValue()).toContain('Depot\tBerlin\t=1+1\t4711000000001');
  // A table that is being edited cannot be created: the check is of an older text.
  await text(page).focus();
  expect(
    await page.evaluate(`(async () => {
      document.execCommand('insertText', false, 'x');
      await new Promise(requestAnimationFrame);
      return document.querySelector('[data-sends]').getAttribute('aria-disabled');
    })()`),
  ).toBe('true');
  await text(page).press('Backspace');
  await preview(page).getByText('Ready to import').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await checkAccessibility(page);
  expect(problems).toEqual([]);
});

it('every error is listed above the table with a link to its cell, and rows are counted as the spreadsheet shows them', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto('/sites/import');
  const head = words(
    'Site',
    'Municipality',
    'Name',
    'External ID',
    'Active',
    'Energy source',
    'Rated power',
    'Register maximum',
    'Main meter',
    'Expected interval',
  );
  const line = (r: number, ...cells: string[]) => words(...cells).replace('<row>', `<row r="${r}">`);
  const endless = 'N'.repeat(180);
  const file = workbook(
    `${head.replace('<row>', '<row r="1">')}${line(3, 'Mill', 'Berlin', endless, 'mill-1', 'yes', 'auto', '5', '5', '', '0')}
     ${line(4, 'Mill', 'Bern', 'Saw', 'mill-1', 'yes', 'auto', '5', '5', '', '60')}`,
  );
  await upload(page, 'mill.xlsx', file);
  const listed = preview(page).getByRole('list', { name: 'Problems' });
  await listed.getByText('row 3 has Berlin for this site').waitFor();
  await listed.getByText('already used by row 3').waitFor();
  const cell = preview(page).getByRole('cell').getByText('must be at least 1; got 0');
  await listed.getByRole('button', { name: /Row 3, Expected interval/ }).click();
  const { x = 0, width = 0 } = (await cell.boundingBox()) ?? {};
  expect(x).toBeGreaterThan(0);
  expect(x + width).toBeLessThanOrEqual(1440);
  expect(await page.evaluate('document.activeElement.textContent')).toContain('must be at least 1');
  // A name that cannot wrap stays in its column.
  const name = await preview(page)
    .getByText(endless)
    .evaluate((one) => [one.scrollWidth, one.closest('td')?.clientWidth ?? 0]);
  expect(name[0]).toBeLessThanOrEqual(name[1] ?? 0);
  await checkAccessibility(page);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await checkAccessibility(page);
  expect(problems).toEqual([]);
});

it('errors in cells use the words and language of the page, and these words are accepted as values', async () => {
  await using opened = await stage.signedIn({ locale: 'de-DE' });
  const { page, problems } = opened;
  await page.goto('/sites/import');
  const table = page.getByRole('textbox', { name: 'Tabelle' });
  const shown = page.getByRole('region', { name: 'Vorschau' });
  const cells = shown.getByRole('table');
  const head = 'Standort;Gemeinde;Name;Externe Kennung;Aktiv;Energiequelle;Nennleistung (kW)\n';
  await table.fill(`${head}Lager;Berlin;Tor;tor;vielleicht;sonne;-3`);
  await cells.getByText('muss „Ja“ oder „Nein“ sein').waitFor();
  await cells.getByText('„Automatisch“, „Nur Zählerstand“, „Nur Leistung“').waitFor();
  await cells.getByText('muss größer als 0 sein; erhalten: -3').waitFor();
  await table.fill(`${head}Lager;Berlin;Tor;tor;ja;nur Leistung;3,5`);
  await shown.getByText('Bereit zum Import').waitFor();
  expect(problems).toEqual([]);
});

it('hostile files: each is rejected in words, and the page stays', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto('/sites/import');
  const alert = page.getByRole('alert');
  await upload(page, 'bomb.xlsx', workbook(words('x'.repeat(1000)).repeat(60_000)));
  await alert.getByText('bomb.xlsx isn’t a table').waitFor();
  await upload(page, 'old.xls', Buffer.from([0xd0, 0xcf, 0x11, 0xe0]));
  await alert.getByText('old.xls is an old or password-protected Excel file').waitFor();
  await upload(page, 'large.csv', Buffer.alloc(5_000_000, 'x'));
  await alert.getByText('large.csv is 5').waitFor();
  await upload(page, 'cut.xlsx', workbook(words('Site')).subarray(0, 700));
  await alert.getByText('cut.xlsx isn’t a table').waitFor();
  await upload(page, 'utf16.csv', Buffer.from('\uFEFFSite;Name\nWörks;"Gate', 'utf16le'));
  await page.getByText('a quote may not be closed').waitFor();
  expect(await text(page).inputValue()).toContain('Wörks');
  await text(page).fill(`Name\n${'x\n'.repeat(2)}`);
  await page.getByText('Column “Site” is missing').waitFor();
  await text(page).fill(`Site\n${'x\n'.repeat(1_001)}`);
  await page.getByText('The table has 1,001 rows; the limit is 1,000').waitFor();
  expect(problems).toEqual([]);
});

it('several devices of a site are deactivated and moved together, after a question', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  const device = (name: string) => ({ site: 'Bulk', municipality: 'Berlin', name, externalId: `bulk ${name}` });
  const rows = [device('One'), device('Two'), device('Three'), { site: 'Goal', municipality: 'Berlin' }];
  expect((await page.request.post('/api/admin/site-table', { data: { rows } })).status()).toBe(201);
  await page.goto('/sites');
  await page.getByRole('link', { name: 'Bulk' }).click();
  // By keyboard the focus stays on the button, which becomes the way back.
  const focused = (name: string) => page.locator('button:focus', { hasText: name }).waitFor({ timeout: 5000 });
  await page.getByRole('button', { name: 'Select' }).press('Enter');
  await focused('Done');
  await page.keyboard.press('Enter');
  await focused('Select');
  await page.keyboard.press('Enter');
  const one = page.getByRole('checkbox', { name: 'Select One' });
  // A touch beside the checkbox also counts.
  const { x = 0, y = 0, height = 0 } = (await one.boundingBox()) ?? {};
  await page.mouse.click(x - 10, y + height / 2);
  expect(await one.isChecked()).toBe(true);
  for (const box of [one, page.getByRole('checkbox', { name: 'All', exact: true })]) {
    const target = (await box.locator('xpath=ancestor::label').boundingBox()) ?? { width: 0, height: 0 };
    expect(Math.min(target.width, target.height)).toBeGreaterThanOrEqual(44);
  }
  await page.getByRole('checkbox', { name: 'Select Two' }).check();
  await page.getByText('2 selected').waitFor();
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Deactivate' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('One, Two').waitFor();
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('2 devices changed').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await focused('Select');
  expect(await page.getByText('Inactive', { exact: true }).count()).toBe(2);
  await page.getByRole('button', { name: 'Select' }).click();
  await page.getByRole('checkbox', { name: 'All' }).check();
  await page.getByRole('button', { name: 'Move' }).click();
  await dialog.getByRole('combobox', { name: 'Site' }).fill('Goal');
  await page.getByRole('option', { name: 'Goal' }).click();
  await dialog.getByRole('button', { name: 'Move' }).click();
  await page.getByText('3 devices changed').waitFor();
  await page.getByText('No devices yet').waitFor();
  // "Select" is gone, and the next possible action has the focus.
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement?.textContent'), { timeout: 5000 }).toBe('Add device');
  expect(problems).toEqual([]);
});

it('devices of all sites are found, selected as found, changed and moved; a tree of meters only as a whole', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  const device = (name: string, site: string, parent = '') => ({
    site,
    municipality: 'Berlin',
    name,
    externalId: `all ${name}`,
    parentExternalId: parent,
  });
  const rows = [
    ...['North 1', 'North 2', 'North 3', 'North 4'].map((name) => device(name, 'North')),
    ...['South 1', 'South 2', 'South 3'].map((name) => device(name, 'South')),
    device('Part of North 1', 'North', 'all North 1'),
  ];
  expect((await page.request.post('/api/admin/site-table', { data: { rows } })).status()).toBe(201);
  await page.goto('/sites');
  await page.getByRole('link', { name: 'All devices' }).click();
  await page.getByRole('button', { name: 'Select' }).click();
  const search = page.getByRole('searchbox', { name: 'Search devices and sites' });
  await search.fill('all 1');
  await page.getByRole('checkbox', { name: 'Select all 3' }).check();
  await page.getByRole('checkbox', { name: 'Select Part of North 1' }).uncheck();
  await page
    .getByRole('status')
    .filter({ hasText: /^3 results$/ })
    .waitFor();
  await search.fill('South 2');
  await page.getByRole('checkbox', { name: 'Select it' }).check();
  await page.getByText('3 selected').waitFor();
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Expected interval' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('North 1, South 1, South 2').waitFor();
  const interval = dialog.getByRole('textbox', { name: 'Expected interval' });
  await interval.fill('0');
  await dialog.getByText('Enter whole seconds').waitFor();
  await interval.fill('900');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('3 devices changed').waitFor();
  await search.fill('all 1');
  await page.getByText('every 15').first().waitFor();
  await page.getByRole('button', { name: 'Select' }).click();
  await page.getByRole('checkbox', { name: 'Select all 3' }).check();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('menuitem', { name: 'End use' }).click();
  await dialog.getByRole('combobox', { name: 'End use' }).fill('Cold rooms');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('3 devices changed').waitFor();
  await search.fill('cold rooms');
  await expect.poll(() => page.getByText('Cold rooms', { exact: true }).count()).toBe(3);
  await search.fill('all 1');
  await page.getByRole('button', { name: 'Select' }).click();
  await page.getByRole('checkbox', { name: 'Select North 1' }).check();
  await page.getByRole('button', { name: 'Move' }).click();
  await dialog.getByText('Part of North 1 must move with them.').waitFor();
  await dialog.getByRole('combobox', { name: 'Site' }).fill('South');
  await page.getByRole('option', { name: 'South' }).click();
  expect(await dialog.getByRole('button', { name: 'Move' }).isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: 'Add it' }).click();
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Move' }).click();
  await page.getByText('2 devices changed').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.locator('button:focus', { hasText: 'Select' }).waitFor({ timeout: 5000 });
  await search.fill('');
  await page
    .getByRole('row', { name: /Part of North 1/ })
    .getByRole('link', { name: 'South' })
    .waitFor();
  expect(problems).toEqual([]);
});

it('a plain user cannot open it', async () => {
  await using opened = await stage.open();
  const { page } = opened;
  await signIn(page, reader);
  await page.goto('/sites');
  await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor();
  expect(await page.getByRole('link', { name: 'Import a table' }).count()).toBe(0);
  await page.getByRole('link', { name: 'All devices' }).click();
  await page.getByRole('searchbox', { name: 'Search devices and sites' }).waitFor();
  expect(await page.getByRole('button', { name: 'Select' }).count()).toBe(0);
  await page.goto('/sites/import');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await text(page).count()).toBe(0);
});
