import { beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser.ts';
import { panel } from '../support/dashboard-page.ts';
import { create } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';

const stage = stageOfFile();
/** With the longest name that a site may have. */
const site = 'A name without end '.repeat(11).slice(0, 200).trim();

beforeAll(async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  const zone = { name: 'Berlin', timeZone: 'Europe/Berlin' };
  const municipalityId = await create(page, '/api/admin/rates/municipalities', zone);
  const siteId = await create(page, '/api/admin/sites', { name: site, municipalityId });
  // One device sends, one is offline, one has sent a single reading, one has never sent.
  for (const externalId of ['sends', 'silent', 'single', 'never']) {
    await create(page, '/api/admin/devices', { siteId, name: 'Reserve', externalId, expectedIntervalSeconds: 900 });
  }
  const now = Math.floor(Date.now() / 900_000) * 900_000;
  const row = (externalId: string, quarters: number) => ({
    externalId,
    time: new Date(now - quarters * 900_000).toISOString(),
    activePowerKw: 2,
  });
  const data = Array.from({ length: 200 }, (_, at) => at).flatMap((at) => [
    row('sends', at),
    ...(at > 50 ? [row('silent', at)] : []),
  ]);
  expect((await page.request.post('/api/ingest/measurements', { data: [...data, row('single', 60)] })).ok()).toBe(true);
});

it('at 320 px the links to offline devices and to those without data are a finger apart', async () => {
  await using opened = await stage.signedIn({ viewport: { width: 320, height: 700 } });
  const { page, problems } = opened;
  await page.goto('/dashboard?range=last7d');
  await page.getByRole('button', { name: /^2 devices offline/ }).waitFor();
  await page.getByRole('button', { name: '1 without data' }).waitFor();
  await panel(page, 'Data quality').getByText('0% measured', { exact: true }).waitFor();
  await checkAccessibility(page);
  expect(problems).toEqual([]);
});

it('the picker distinguishes devices of one name and site by their external ids', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  await page.goto('/dashboard?range=last7d');
  const picker = page.getByRole('button', { name: /^Devices: / });
  await picker.click();
  await page.getByRole('option', { name: /^Reserve\s*silent$/ }).click();
  await page.getByRole('button', { name: /Reserve \(silent\) · / }).waitFor();
});

it('on paper data quality breaks names of any length between words, not between letters', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  await page.goto('/dashboard?range=last7d');
  const name = panel(page, 'Data quality').getByRole('link', { name: 'Reserve' }).first();
  await name.waitFor();
  await page.emulateMedia({ media: 'print' });
  const lines = await name.evaluate(
    (node: { getClientRects: () => { length: number } }) => node.getClientRects().length,
  );
  const { height = 0 } = (await name.boundingBox()) ?? {};
  expect(lines).toBe(1);
  expect(height).toBeLessThan(30);
  await page.emulateMedia({ media: null });
});

it('the report shows the peak of a device in the time zone of its site: no hour of November appears in October', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  const ids: string[] = [];
  for (const [name, timeZone] of [
    ['Hut', 'Australia/Lord_Howe'],
    ['Mill', 'Europe/Berlin'],
  ] as const) {
    const municipalityId = await create(page, '/api/admin/rates/municipalities', { name, timeZone });
    const siteId = await create(page, '/api/admin/sites', { name: `Site of ${name}`, municipalityId });
    await create(page, '/api/admin/devices', { siteId, name, externalId: name, expectedIntervalSeconds: 900 });
    ids.push(siteId);
  }
  // The first hours of November on the island, and an evening in Berlin.
  const data = [
    ['Hut', '2025-10-31T13:00:00Z'],
    ['Mill', '2025-11-10T18:00:00Z'],
  ].flatMap(([externalId = '', from = '']) =>
    Array.from({ length: 9 }, (_, at) => ({
      externalId,
      time: new Date(Date.parse(from) + at * 900_000).toISOString(),
      activePowerKw: 3,
    })),
  );
  expect((await page.request.post('/api/ingest/measurements', { data })).ok()).toBe(true);
  await page.goto(`/report?month=2025-11&sites=${ids.join(',')}`);
  const shares = panel(page, 'Share of each device');
  await shares.getByRole('row', { name: /^Hut .* 1 Nov 2025, 00:00/ }).waitFor({ timeout: 8000 });
  await shares.getByRole('row', { name: /^Mill .* 10 Nov 2025, 19:00/ }).waitFor({ timeout: 8000 });
});
