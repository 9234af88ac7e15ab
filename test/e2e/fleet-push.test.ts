import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { Database } from '../../server/database/pool.ts';
import { checkAccessibility, closePages, launchBrowser, openPage } from '../support/browser.ts';
import { overflowOf } from '../support/every-page.ts';
import { type FleetReceiver, startFleetReceiver } from '../support/fleet-receiver.ts';
import { type RunningPortal, startPortal } from '../support/portal.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { signIn } from '../support/session.ts';

const resources = new AsyncDisposableStack();
let database: TestDatabase;
let receiver: FleetReceiver;
let portal: RunningPortal;
let browser: Browser;
const token = 'a'.repeat(64);

beforeAll(async () => {
  database = await createTestDatabase('empty');
  resources.defer(() => database.drop());
  receiver = resources.use(await startFleetReceiver());
  portal = resources.use(
    await startPortal({
      environment: {
        Database__ConnectionString: database.connectionString,
        FleetIngest__Enabled: 'true',
        FleetIngest__Url: receiver.url,
        FleetIngest__Token: token,
        FleetIngest__IntervalSeconds: '1',
      },
    }),
  );
  browser = await launchBrowser();
  resources.defer(() => closePages(browser));
});
afterAll(() => resources.disposeAsync());
beforeEach(() => {
  receiver.react = () => 'accept';
});

let sites = 0;
const changeSites = async (page: Page) => {
  sites += 1;
  const data = { name: `Town ${sites}`, timeZone: 'Europe/Vienna' };
  expect((await page.request.post('/api/admin/rates/municipalities', { data })).status()).toBe(201);
};

it.each([
  ['light', 1440, 'en-GB'],
  ['dark', 390, 'de-DE'],
] as const)(
  'Settings → Fleet push in %s at %d px in %s: shows the state of each resource, that the token is rejected, and pushes now',
  async (colorScheme, width, locale) => {
    await using opened = await openPage(browser, portal.url, { colorScheme, locale, viewport: { width, height: 900 } });
    const { page, problems } = opened;
    const isEnglish = locale === 'en-GB';
    const words = isEnglish
      ? {
          running: 'Running',
          refused: 'Token rejected',
          now: 'Push now',
          inStep: 'In sync',
          compare: 'Compare now',
          compared: /^Comparison started/,
          begins: /^Push started/,
          waiting: 'Waiting',
        }
      : {
          running: 'Läuft',
          refused: 'Token abgelehnt',
          now: 'Jetzt senden',
          inStep: 'Synchron',
          compare: 'Jetzt abgleichen',
          compared: /^Abgleich gestartet/,
          begins: /^Senden gestartet/,
          waiting: 'Wartet',
        };
    await signIn(page);
    await page.goto('/settings/fleet-push');
    const head = page.getByRole('status').filter({ hasText: words.running });
    await head.waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(7);
    expect(await page.content()).not.toContain(token);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await checkAccessibility(page);

    receiver.react = () => ({ status: 401, body: '{"error":"The token is not one of an active customer."}' });
    await changeSites(page);
    await page.getByRole('alert').filter({ hasText: words.refused }).waitFor();
    await page.getByRole('row').getByText(words.waiting, { exact: true }).first().waitFor();
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await checkAccessibility(page);

    receiver.react = () => 'accept';
    await page.getByRole('button', { name: words.now }).click();
    await page.getByText(words.begins).waitFor();
    await head.waitFor();
    await page.getByText(words.refused).waitFor({ state: 'detached' });

    await page.getByRole('status').filter({ hasText: words.inStep }).waitFor();
    await page.getByRole('button', { name: words.compare }).click();
    await page.getByText(words.compared).waitFor();
    await checkAccessibility(page);
    expect(problems).toEqual([]);
  },
);

it('the newest twenty different days are shown with both counts, in words and without scrolling sideways', async () => {
  await using opened = await openPage(browser, portal.url, { locale: 'de-DE', viewport: { width: 390, height: 900 } });
  const { page, problems } = opened;
  await signIn(page);
  const post = async (url: string, data: object) => {
    const answer = await page.request.post(url, { data });
    expect(answer.status(), await answer.text()).toBe(201);
    return z.object({ id: z.string() }).parse(await answer.json()).id;
  };
  const municipalityId = await post('/api/admin/rates/municipalities', { name: 'Graz', timeZone: 'Europe/Vienna' });
  const siteId = await post('/api/admin/sites', { name: 'Works', municipalityId });
  await post('/api/admin/devices', { siteId, name: 'Main meter', externalId: 'main' });
  const connection = new Database(database.connectionString);
  await connection.query({
    text: `INSERT INTO monitoring.push_differences (device_number, day, own_count, fleet_count, own_checksum, fleet_checksum)
      SELECT number, '2026-03-31'::date - days, 1440, 1441 + days, 'a', 'b' FROM monitoring.devices, generate_series(0, 24) days`,
  });
  await connection.close();
  await page.goto('/settings/fleet-push');
  const table = page.getByRole('table', { name: 'Tage, die abweichen' });
  await table.getByRole('rowheader').first().waitFor();
  expect(await table.getByRole('rowheader').allTextContents()).toEqual(Array.from({ length: 20 }, () => 'Main meter'));
  await table.getByRole('row', { name: /31.*2026.*1\.440.*1\.441/ }).waitFor();
  await table.getByRole('row', { name: /12.*2026.*1\.440.*1\.460/ }).waitFor();
  await page.getByText(/25 Gerätetage weichen nach erneutem Senden noch ab\. Die neuesten 20:/).waitFor();
  await page.getByText('außer 25 Gerätetagen').waitFor();
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await checkAccessibility(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await checkAccessibility(page);
  expect(problems).toEqual([]);
});

it('is for administrators only, and a "push now" that is unavailable says why', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page } = opened;
  await signIn(page);
  await page.goto('/settings/fleet-push');
  await page.route('**/api/admin/push/run', (route) =>
    route.fulfill({ status: 503, json: { error: 'The database is out of reach.' } }),
  );
  await page.getByRole('button', { name: 'Push now' }).click();
  await page.getByText('The database is out of reach.').waitFor();
  const account = { email: 'plain@example.com', password: 'Plain-User-1' };
  expect((await page.request.post('/api/users', { data: { ...account, displayName: 'Plain' } })).status()).toBe(201);
  await signIn(page, account);
  await page.goto('/settings/fleet-push');
  await page.getByText('Administrators only', { exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'Fleet push' }).count()).toBe(0);
});
