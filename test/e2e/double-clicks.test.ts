import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { admin, create, signIn } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';

const stage = stageOfFile();
/** As a hand does it: the second click may come after the answer to the first. */
const doubleClick = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).dblclick({ delay: 60 });

it('a double click sends once: sign-in, a table of sites and devices, a history file, an API key, sessions', async () => {
  await using opened = await stage.open();
  const { page } = opened;
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET' && !pathname.endsWith('/check')) sent.push(pathname);
  });
  /** The requests since the last call, after the answer and what follows it have had time. */
  const taken = async () => {
    await page.waitForLoadState('networkidle');
    return sent.splice(0);
  };

  await page.goto('/');
  await page.getByLabel('Email').fill(admin.email);
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong');
  await doubleClick(page, 'Sign in');
  await page.getByText('Wrong email or password').waitFor();
  expect(await taken()).toEqual(['/api/auth/login']);

  await signIn(page);
  await create(page, '/api/admin/rates/municipalities', { name: 'Berlin', timeZone: 'Europe/Berlin' });
  await page.goto('/sites/import');
  await page.getByRole('textbox', { name: 'Table' }).fill('Site;Municipality;Name;External ID\nWorks;Berlin;Pump;pump');
  await doubleClick(page, 'Create one site and one device');
  await page.getByText('Created: one site and one device.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor();
  expect(await taken()).toEqual(['/api/admin/site-table']);

  await page.goto('/settings/history');
  const buffer = Buffer.from('Time,External ID,Power (kW)\n2026-02-01T00:00Z,pump,1');
  await page.locator('input[type=file]').setInputFiles({ name: 'one.csv', mimeType: 'text/csv', buffer });
  await doubleClick(page, 'Import');
  await page.getByText('Import complete').waitFor();
  expect(await taken()).toEqual(['/api/ingest/measurements']);

  await page.goto('/settings/api-keys');
  await page.getByRole('button', { name: 'New API key' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Gateway');
  await doubleClick(page, 'Create API key');
  await page.getByRole('dialog').getByText(/^pmk_/).first().waitFor();
  expect(await taken()).toEqual(['/api/api-keys']);
});
