import { readFile } from 'node:fs/promises';
import type { Browser, Download, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAccessibility, closePages, launchBrowser, openPage } from '../support/browser.ts';
import { type Cable, layCable } from '../support/cable.ts';
import { type RunningPortal, startPortal } from '../support/portal.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { create, signIn } from '../support/session.ts';

const resources = new AsyncDisposableStack();
let cable: Cable;
let portal: RunningPortal;
let browser: Browser;

/** One meter with a reading a minute from 1 January 2025: 1,000 more than a file can have. */
const allRows = 251_000;
const firstMs = Date.UTC(2025, 0, 1);
const minuteMs = 60_000;
const newestMs = firstMs + (allRows - 1) * minuteMs;

const day = 'from=2025-03-01T00:00:00.000Z&to=2025-03-02T00:00:00.000Z&tz=UTC';
const halfYear = 'from=2025-01-01T00:00:00.000Z&to=2025-07-01T00:00:00.000Z&tz=UTC';
const outOfReach = 'The database is unreachable; try again shortly.';

beforeAll(async () => {
  const database = await createTestDatabase('empty');
  resources.defer(() => database.drop());
  cable = resources.use(await layCable(database.connectionString));
  portal = resources.use(await startPortal({ environment: { Database__ConnectionString: cable.connectionString } }));
  browser = await launchBrowser();
  resources.defer(() => closePages(browser));
  await using opened = await openPage(browser, portal.url);
  await fill(opened.page);
});

afterAll(() => resources.disposeAsync());

async function fill(page: Page): Promise<void> {
  await signIn(page);
  const municipalityId = await create(page, '/api/admin/rates/municipalities', {
    name: 'Greenwich',
    timeZone: 'Etc/UTC',
  });
  const siteId = await create(page, '/api/admin/sites', { name: 'Works', municipalityId });
  await create(page, '/api/admin/devices', { siteId, name: 'Main meter', externalId: 'main' });
  for (let done = 0; done < allRows; done += 10_000) {
    const data = Array.from({ length: Math.min(10_000, allRows - done) }, (_, at) => ({
      externalId: 'main',
      time: new Date(firstMs + (done + at) * minuteMs).toISOString(),
      activePowerKw: 5 + ((done + at) % 97) / 10,
    }));
    expect((await page.request.post('/api/ingest/measurements', { data })).status()).toBe(200);
  }
}

/** Opens the dialog beside the readings of the range. */
async function openExport(page: Page, range: string): Promise<Locator> {
  await page.goto(`/measurements?${range}`);
  await page.getByRole('region', { name: 'Readings' }).getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export readings' });
  await dialog.waitFor();
  return dialog;
}

const startButton = (dialog: Locator) => dialog.getByRole('button', { name: 'Export', exact: true });
const cancelButton = (dialog: Locator) => dialog.getByRole('button', { name: 'Cancel export' });

async function contentsOf(download: Download): Promise<Buffer> {
  expect(await download.failure()).toBeNull();
  return readFile(await download.path());
}
const isZip = (file: Buffer) => file.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004';

/** Counts the files that the page saves. */
function watchDownloads(page: Page): string[] {
  const names: string[] = [];
  page.on('download', (download) => names.push(download.suggestedFilename()));
  return names;
}

/** The network of the page: bytes per second, and the latency of an answer. */
async function setNetwork(page: Page): Promise<(bytesPerSecond: number, latency?: number) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  return async (downloadThroughput, latency = 0) => {
    const conditions = { offline: false, latency, downloadThroughput, uploadThroughput: -1 };
    await session.send('Network.emulateNetworkConditions', conditions);
  };
}
const unlimited = -1;

it('shows the number of rows in advance, and saves a workbook under the name of rule 5', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page, problems } = opened;
  await signIn(page);
  const dialog = await openExport(page, day);
  await dialog.getByText('All 1,440 readings').waitFor();
  await dialog.getByText('Main meter, Sat, 1 Mar 2025').waitFor();
  expect(await dialog.getByRole('radio', { name: 'Excel' }).isChecked()).toBe(true);
  await checkAccessibility(page);

  const downloaded = page.waitForEvent('download');
  await startButton(dialog).click();
  const download = await downloaded;
  expect(download.suggestedFilename()).toBe('measurements-1meter-20250301-20250301.xlsx');
  expect(isZip(await contentsOf(download))).toBe(true);
  await dialog.getByText('Saved: measurements-1meter-20250301-20250301.xlsx').waitFor();
  await dialog.getByText(/^1,440 readings, /).waitFor();
  await checkAccessibility(page);

  // The focus is where the next step is, and returns afterwards.
  expect(await page.evaluate('document.activeElement?.textContent')).toBe('Close');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Export');
  expect(problems).toEqual([]);
});

it('saves the load profile: every quarter-hour of the range, in the time zone of the site', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page, problems } = opened;
  await signIn(page);
  const dialog = await openExport(page, day);
  await dialog.getByText('Load profile', { exact: true }).click();
  await dialog.getByRole('radio', { name: 'Site' }).check();
  await dialog.getByRole('radio', { name: 'CSV' }).check();
  await checkAccessibility(page);
  const downloaded = page.waitForEvent('download');
  await startButton(dialog).click();
  const download = await downloaded;
  expect(download.suggestedFilename()).toBe('load-profile-1meter-20250301-20250301.csv');
  await dialog.getByText(/^96 quarter-hours, /).waitFor();
  const lines = (await contentsOf(download)).toString().trimEnd().split('\r\n');
  expect(lines).toHaveLength(97);
  expect(lines[1]).toMatch(/^2025-03-01T00:00:00\+00:00,2025-03-01T00:15:00\+00:00,Works,.*,measured$/);
  expect(problems).toEqual([]);
});

it('a double click exports once, on either page', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page } = opened;
  await signIn(page);
  const saved = watchDownloads(page);
  const dialog = await openExport(page, day);
  await startButton(dialog).dblclick({ delay: 60 });
  await dialog.getByText(/^Saved: /).waitFor();
  await page.goto(`/dashboard?${day}`);
  await page.getByRole('button', { name: 'Export to Excel' }).dblclick({ delay: 60 });
  await expect.poll(() => saved.length).toBe(2);
  await page.waitForTimeout(500);
  expect(saved).toEqual(['measurements-1meter-20250301-20250301.xlsx', 'summary-20250301-20250301.xlsx']);
});

it('by keyboard alone: CSV and NDJSON with a line for each reading', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page, problems } = opened;
  await signIn(page);
  await page.goto(`/measurements?${day}`);
  const button = page.getByRole('region', { name: 'Readings' }).getByRole('button', { name: 'Export' });
  // There is no information until the readings are counted.
  await expect.poll(() => button.isEnabled()).toBe(true);
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Export readings' });
  for (const [format, lines] of [
    ['csv', 1441],
    ['ndjson', 1440],
  ] as const) {
    const formats = dialog.getByRole('radiogroup', { name: 'Format' });
    await formats.getByRole('radio', { checked: true }).focus();
    await page.keyboard.press('ArrowDown');
    const downloaded = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    const download = await downloaded;
    expect(download.suggestedFilename()).toBe(`measurements-1meter-20250301-20250301.${format}`);
    const text = (await contentsOf(download)).toString('utf8');
    expect(text.trimEnd().split('\n')).toHaveLength(lines);
    await dialog.getByText(`Saved: ${download.suggestedFilename()}`).waitFor();
  }
  expect(problems).toEqual([]);
});

it('raw rule 5: if there are more readings than a file can have, it has the newest and says what is missing', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page, problems } = opened;
  await signIn(page);
  const dialog = await openExport(page, halfYear);
  await dialog.getByText('Latest 250,000 of 251,000 readings').waitFor();
  await dialog.getByText(/Limited to 250,000 rows.*shorter time range or fewer devices/).waitFor();
  await dialog.getByText('NDJSON', { exact: true }).click();
  const downloaded = page.waitForEvent('download');
  await startButton(dialog).click();
  const lines = (await contentsOf(await downloaded)).toString('utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(250_000);
  const first: { time: string } = JSON.parse(lines[0] ?? '');
  expect(Date.parse(first.time)).toBe(newestMs);
  await dialog.getByText(/^Latest 250,000 of 251,000 readings, \d/).waitFor();
  expect(problems).toEqual([]);
});

it('cancelling ends the request and saves nothing; until then the progress is shown', async () => {
  // The accessibility check waits for animations, and a progress bar always moves.
  await using opened = await openPage(browser, portal.url, { reducedMotion: 'reduce' });
  const { page, problems } = opened;
  await signIn(page);
  const names = watchDownloads(page);
  const dialog = await openExport(page, halfYear);
  const limit = await setNetwork(page);
  // Slow enough that everything in between can be checked on any machine.
  await limit(30_000);
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/export.xlsx'));
  await startButton(dialog).click();
  await dialog.getByText(/^About [1-9]\d?% · \d/).waitFor();
  const progress = Number(await dialog.getByRole('progressbar').getAttribute('aria-valuenow'));
  expect(progress).toBeGreaterThan(0);
  expect(progress).toBeLessThan(100);
  await checkAccessibility(page);
  // Only its own button cancels it.
  await page.keyboard.press('Escape');
  expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0);
  await cancelButton(dialog).click();
  expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED');
  await dialog.getByText('Export cancelled').waitFor();
  await checkAccessibility(page);

  // Leaving the page cancels it as well.
  const endedToo = page.waitForEvent('requestfailed', (request) => request.url().includes('/export.xlsx'));
  await startButton(dialog).click();
  await dialog.getByText(/^About \d+% · \d/).waitFor();
  await page.evaluate('history.pushState(null, "", "/sites"), window.dispatchEvent(new PopStateEvent("popstate"))');
  expect((await endedToo).failure()?.errorText).toBe('net::ERR_ABORTED');
  await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor();
  expect(names).toEqual([]);
  expect(problems).toEqual([]);
});

it('an error is shown in the portal’s words, and trying again works', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page } = opened;
  await signIn(page);
  const names = watchDownloads(page);
  const dialog = await openExport(page, day);
  await cable.cut();
  try {
    await startButton(dialog).click();
    await dialog.getByRole('alert').getByText(outOfReach).waitFor();
    await checkAccessibility(page);
  } finally {
    await cable.mend();
  }
  expect(names).toEqual([]);
  const downloaded = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  expect(isZip(await contentsOf(await downloaded))).toBe(true);
  await dialog.getByText(/^Saved: /).waitFor();
});

it('a file that breaks off in the middle is an error, and nothing is saved', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page } = opened;
  await signIn(page);
  const names = watchDownloads(page);
  const dialog = await openExport(page, halfYear);
  const limit = await setNetwork(page);
  await limit(100_000);
  // The headers arrive before the rows are read.
  const begun = page.waitForResponse(/export\.xlsx/);
  await startButton(dialog).click();
  expect((await begun).status()).toBe(200);
  await cable.cut();
  try {
    await limit(unlimited);
    await dialog.getByRole('alert').getByText('Connection interrupted.').waitFor();
  } finally {
    await cable.mend();
  }
  await dialog.getByText('Export failed').waitFor();
  expect(names).toEqual([]);
});

it('without readings to export, the button says so', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page, problems } = opened;
  await signIn(page);
  await page.goto('/measurements?from=2020-01-01T00:00:00.000Z&to=2020-01-02T00:00:00.000Z&tz=UTC');
  const button = page.getByRole('region', { name: 'Readings' }).getByRole('button', { name: 'Export', disabled: true });
  await page.getByText('No readings to export in this time range.').waitFor({ state: 'attached' });
  await button.focus();
  await page.getByRole('tooltip').getByText('No readings to export in this time range.').waitFor();
  await page.keyboard.press('Enter');
  await button.click({ force: true });
  expect(await page.getByRole('dialog').count()).toBe(0);
  await checkAccessibility(page);
  expect(problems).toEqual([]);
});

it('the dashboard of the range is saved as a workbook; cancelling saves nothing, and an error is shown', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page, problems } = opened;
  await signIn(page);
  const names = watchDownloads(page);
  await page.goto(`/dashboard?${day}`);
  const button = page.getByRole('button', { name: 'Export to Excel' });
  const downloaded = page.waitForEvent('download');
  const asked = page.waitForRequest(/summary\/export\.xlsx/);
  await button.click();
  const download = await downloaded;
  expect(download.suggestedFilename()).toMatch(/20250301-20250301\.xlsx$/);
  expect(isZip(await contentsOf(download))).toBe(true);
  const { searchParams } = new URL((await asked).url());
  expect(Object.fromEntries(searchParams)).toEqual({
    fromDate: '2025-03-01',
    toDate: '2025-03-02',
    language: 'en',
  });
  await page.getByText(`Saved: ${download.suggestedFilename()}`).waitFor();
  await checkAccessibility(page);

  const limit = await setNetwork(page);
  await limit(unlimited, 5000);
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/export.xlsx'));
  await button.click();
  await page.getByRole('button', { name: 'Cancel export' }).click();
  expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED');
  await page.getByRole('status').getByText('Export cancelled').waitFor({ state: 'attached' });
  await limit(unlimited);

  await cable.cut();
  try {
    await button.click();
    await page.getByRole('alert').filter({ hasText: 'Export failed' }).getByText(outOfReach).waitFor();
  } finally {
    await cable.mend();
  }
  expect(names).toHaveLength(1);
  expect(problems).toEqual([]);
});

it('at 390 px in German, with its long words: both exports work, and nothing is wider than the screen', async () => {
  const options = { viewport: { width: 390, height: 844 }, locale: 'de-DE', colorScheme: 'dark' } as const;
  await using opened = await openPage(browser, portal.url, options);
  const { page, problems } = opened;
  await signIn(page);
  const fits = async () => {
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate<number>(overflow)).toBeLessThanOrEqual(0);
  };
  await page.goto(`/dashboard?${day}`);
  const workbook = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Weitere Aktionen' }).click();
  await page.getByRole('button', { name: 'Nach Excel exportieren' }).click();
  expect(isZip(await contentsOf(await workbook))).toBe(true);
  await fits();
  await checkAccessibility(page);
  await page.keyboard.press('Escape');
  await checkAccessibility(page);

  await page.goto(`/measurements?${day.replace('&tz=UTC', '')}`);
  await page
    .getByRole('main')
    .getByText(/^Zeitzone: /)
    .waitFor();
  await page.getByRole('button', { name: 'Exportieren', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Alle 1.440 Messwerte').waitFor();
  await fits();
  await checkAccessibility(page);
  const readings = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Exportieren', exact: true }).click();
  expect(isZip(await contentsOf(await readings))).toBe(true);
  await dialog.getByText(/^Gespeichert: /).waitFor();
  await checkAccessibility(page);
  expect(problems).toEqual([]);
});
