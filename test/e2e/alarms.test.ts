import { beforeAll, expect, it } from 'vitest';
import { Database } from '../../server/database/pool.ts';
import { checkAccessibility } from '../support/browser.ts';
import { overflowOf } from '../support/every-page.ts';
import { create } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';

const stage = stageOfFile();
const minute = 60_000;
let siteId = '';
let deviceId = '';

beforeAll(async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  const municipalityId = await create(page, '/api/admin/rates/municipalities', {
    name: 'Bonn',
    timeZone: 'Europe/Berlin',
  });
  siteId = await create(page, '/api/admin/sites', { name: 'Works', municipalityId });
  deviceId = await create(page, '/api/admin/devices', { siteId, name: 'Cold room', externalId: 'cold' });
});

it('a rule is previewed and created; its alarm fires, is counted everywhere, acknowledged and snoozed', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  const deliver = async (atMs: number, ...powers: number[]) => {
    const data = powers.map((activePowerKw, n) => ({
      externalId: 'cold',
      time: new Date(atMs + n * minute).toISOString(),
      activePowerKw,
    }));
    expect((await page.request.post('/api/ingest/measurements', { data })).status()).toBe(200);
  };
  await deliver(Date.now() - 5 * 1440 * minute, 5, 20, 21, 5, 30, 5);

  await page.goto('/settings/alarm-rules');
  await page.getByRole('button', { name: 'New alarm rule' }).click();
  const form = page.getByRole('dialog', { name: 'New alarm rule' });
  await form.getByLabel('Name').fill('Too much power');
  await form.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Limit exceeded' }).click();
  await form.getByText('Complete the condition for a preview.').waitFor();
  await form.getByLabel('Above').fill('25');
  await form.getByText('Would have fired once in the last 90 days').waitFor();
  await form.getByRole('row', { name: /Cold room.*1 min.*30/ }).waitFor();
  await checkAccessibility(page);
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Alarm rule Too much power created').waitFor();
  await page.getByRole('row', { name: /Too much power.*Active power.*Above 25/ }).waitFor();

  await deliver(Date.now() - minute, 42);
  const firing = async () => (await (await page.request.get('/api/alarms?state=firing')).json()).length;
  await expect.poll(firing, { timeout: 20_000, interval: 200 }).toBe(1);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Cold room: Too much power, 42 kW' }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/sites/${siteId}/devices/${deviceId}`);
  await page.getByRole('region', { name: 'Open alarms' }).getByText(': Too much power, 42 kW').waitFor();
  const counted = page
    .getByRole('navigation', { name: 'Main navigation' })
    .getByRole('link', { name: /^Alarms.*1 unacknowledged$/ });
  await counted.click();
  await page.getByRole('heading', { level: 1, name: 'Alarms' }).waitFor();
  const row = page.getByRole('table', { name: 'Open alarms' }).getByRole('row', { name: /Cold room.*Warning/ });
  await row.getByText('Firing').waitFor();
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await checkAccessibility(page);
  await row.getByRole('button', { name: 'Acknowledge: Cold room' }).click();
  await row.getByText('Acknowledged by Administrator').first().waitFor();
  await counted.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Snooze 1 .*: Cold room/ }).click();
  await page.getByText(/^Snoozed until/).waitFor();
  expect(problems).toEqual([]);
});

it('a report by mail is set up on a phone; a sent one says what readings have changed since', async () => {
  await using opened = await stage.signedIn({ viewport: { width: 390, height: 844 } });
  const { page, problems } = opened;
  const database = new Database(stage.connectionString);
  const figures = { energyImportedKwh: 4, energyExportedKwh: 0, peakPowerKw: null, costs: [] };
  await database.query(
    {
      text: `INSERT INTO portal.kept_reports (id, subscription_id, name, period, from_date, to_date, subject_ids, recipients,
               has_workbook, read_at, figures, contents)
             VALUES (gen_random_uuid(), gen_random_uuid(), 'Board', 'month', '2026-01-01', '2026-02-01', '{}', '[]', false,
               '2026-02-01T06:00:00Z', $1, '{"kind": "client"}')`,
    },
    [JSON.stringify(figures)],
  );
  await database.close();
  await page.goto('/report');
  await page.getByRole('link', { name: 'Reports by mail' }).click();
  const sent = page.getByRole('table', { name: 'Sent reports' }).getByRole('row', { name: /Board.*January 2026/ });
  await sent.getByText('Energy -4.00 kWh').waitFor();
  await page.getByRole('button', { name: 'New report' }).click();
  const form = page.getByRole('dialog', { name: 'New report' });
  await form.getByLabel('Name').fill('Monthly for the board');
  await form.getByLabel('Other email addresses').fill('eva@example.com');
  await page.keyboard.press('Enter');
  await checkAccessibility(page);
  await form.getByRole('button', { name: 'Create' }).click();
  const own = page.getByRole('row', { name: /Monthly for the board.*1 recipient/ });
  await own.getByRole('button', { name: 'Actions for Monthly for the board' }).click();
  await page.getByRole('menuitem', { name: 'Send me one now' }).click();
  await page.getByText(/The portal sends no mail/).waitFor();
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  expect(problems.filter((problem) => !problem.includes('409'))).toEqual([]);
});
