import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser.ts';
import { stageOfFile } from '../support/stage.ts';

const run = promisify(execFile);
const stage = stageOfFile();

async function signIn(page: Page, email = 'admin@example.com', password = 'ChangeMe123!') {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

it('a meter that sends before there is a site: the site is created, then the device, and its rows are stored', async () => {
  await using opened = await stage.open();
  const { page, problems } = opened;
  await page.goto('/settings/incoming');
  await signIn(page);
  await page.getByText('Waiting for readings').waitFor();
  const data = [{ externalId: 'early', time: new Date().toISOString(), activePowerKw: 1 }];
  expect((await page.request.post('/api/ingest/measurements', { data })).status()).toBe(200);
  await page.getByRole('link', { name: 'Create this device: early' }).click();
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'New site' }).first().click();
  await dialog.getByLabel('Name', { exact: true }).fill('Early works');
  await dialog.getByLabel('Municipality name').fill('Early');
  await dialog.getByRole('button', { name: 'Create site' }).click();
  const form = page.getByRole('dialog', { name: 'New device' });
  expect(await form.getByLabel('External ID').inputValue()).toBe('early');
  await form.getByLabel('Name', { exact: true }).fill('Early meter');
  await form.getByRole('button', { name: 'Add device' }).click();
  await page.waitForURL('/settings/incoming');
  await page.getByRole('link', { name: 'Early meter' }).and(page.locator(':focus')).waitFor();
  // The others begin with an empty portal.
  const remove = async (path: string) => expect((await page.request.delete(path)).status(), path).toBe(204);
  const read = async <T>(path: string): Promise<T[]> => (await page.request.get(path)).json();
  for (const device of await read<{ id: string }>('/api/sites/devices'))
    await remove(`/api/admin/devices/${device.id}`);
  for (const site of await read<{ id: string }>('/api/sites')) await remove(`/api/admin/sites/${site.id}`);
  for (const { id } of await read<{ id: string }>('/api/rates')) await remove(`/api/admin/rates/municipalities/${id}`);
  expect(problems).toEqual([]);
});

it('from an empty portal to the first reading on the screen: site, device, key, command, test row', async () => {
  await using opened = await stage.open();
  const { page, problems } = opened;
  await page.goto('/');
  await signIn(page);
  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.getByText('0 of 5 done').waitFor();
  await checkAccessibility(page);
  for (const path of ['/compare', '/report']) {
    await page.goto(path);
    await page.getByRole('main').getByText('No sites yet').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Go to Sites' }).waitFor();
  }

  await page.getByRole('link', { name: 'Go to Sites' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor();
  await page.getByRole('button', { name: 'New site' }).first().click();
  const siteDialog = page.getByRole('dialog');
  await siteDialog.getByLabel('Name', { exact: true }).fill('Works');
  await siteDialog.getByLabel('Municipality name').fill('Pune');
  await checkAccessibility(page);
  await siteDialog.getByRole('button', { name: 'Create site' }).click();
  await page.getByRole('heading', { level: 1, name: 'Works' }).waitFor();

  await page.getByRole('button', { name: 'Add device' }).first().click();
  const deviceDialog = page.getByRole('dialog');
  await deviceDialog.getByLabel('Name', { exact: true }).fill('Main meter');
  await deviceDialog.getByLabel('External ID').fill('meter-1');
  await checkAccessibility(page);
  await deviceDialog.getByRole('button', { name: 'Add device' }).click();
  await deviceDialog.waitFor({ state: 'hidden' });
  await page.getByText('No data yet').first().waitFor();

  await page.goto('/settings/api-keys');
  await page.getByRole('button', { name: 'New API key' }).first().click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Gateway');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByText('You won’t see it again').waitFor();
  await checkAccessibility(page);

  // The command that the page shows, run as an installer would run it.
  const command = await page.locator('code, pre').filter({ hasText: 'curl' }).first().innerText();
  expect(command).toContain('meter-1');
  const { stdout } = await run('bash', ['-c', command]);
  expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({ rejected: 0, duplicates: 0 });

  await page.getByLabel('Power', { exact: true }).fill('1,234.50');
  await page.getByText('Interpreted as 1,234.5').waitFor();
  await page.getByLabel('Power', { exact: true }).fill('42.5');
  await page.getByRole('button', { name: 'Send test reading' }).click();
  await page.getByText(/accepted 1/).waitFor();

  // The command has stored its reading; the test request was only checked.
  await page.goto('/dashboard');
  await page.getByText('12.5').first().waitFor();
  // One step is left until there are costs; afterwards the panel is gone.
  await steps.getByText('4 of 5 done').waitFor();
  expect(await steps.getByRole('link').allTextContents()).toEqual(['Add a tariff']);
  const [{ id: municipalityId }] = await (await page.request.get('/api/rates')).json();
  const tariff = { municipalityId, name: 'Flat', currency: 'INR', effectiveFrom: '2025-01-01', periods: [] };
  const rate = await page.request.post('/api/admin/rates/tariffs', { data: { ...tariff, defaultRatePerKwh: 8 } });
  expect(rate.status(), await rate.text()).toBe(201);
  await page.reload();
  await page.getByRole('region', { name: 'Status' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(await steps.count()).toBe(0);
  await page.goto('/measurements');
  await page.getByRole('table', { name: 'Readings' }).getByText('12.5').first().waitFor();
  expect(await page.getByText('42.5').count()).toBe(0);
  expect(problems).toEqual([]);
});

it('a new reading is on the dashboard within 30 s, without a reload', async () => {
  await using opened = await stage.open();
  const { page } = opened;
  // Half a minute on the page's clock passes at once.
  await page.clock.install();
  await page.goto('/dashboard');
  await signIn(page);
  await page.getByText('Power now').first().waitFor();
  // Its first answers have arrived.
  await page.waitForLoadState('networkidle');
  const rows = [{ externalId: 'meter-1', time: new Date().toISOString(), activePowerKw: 77.7 }];
  expect((await page.request.post('/api/ingest/measurements', { data: rows })).status()).toBe(200);
  await page.clock.fastForward(30_000);
  await page.getByText('77.7').first().waitFor();
  // Other tests must not get this clock.
  await page.context().close();
});

it('every reading of 60,000 can be reached: the table jumps to the last position, which is the oldest', async () => {
  await using opened = await stage.open();
  const { page, problems } = opened;
  await page.goto('/sites');
  await signIn(page);
  await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor();
  const start = Date.UTC(2026, 0, 1);
  for (let part = 0; part < 6; part += 1) {
    const rows = Array.from({ length: 10_000 }, (_, at) => ({
      externalId: 'meter-1',
      time: new Date(start + (part * 10_000 + at) * 60_000).toISOString(),
      activePowerKw: part === 0 && at === 0 ? 123.456 : 5,
    }));
    expect((await page.request.post('/api/ingest/measurements', { data: rows })).status()).toBe(200);
  }
  await page.goto('/measurements?from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z&tz=UTC');
  const table = page.getByRole('table', { name: 'Readings' });
  // The total arrives with the first page of rows: 60,000 rows and the header.
  await page.locator('[aria-rowcount="60001"]').waitFor();
  await page.getByRole('button', { name: /Go to/ }).click();
  await page.getByLabel(/^Row, 1 to/).fill('60000');
  await page.getByRole('button', { name: 'Go', exact: true }).last().click();
  await table.getByText('123.456').waitFor();
  await checkAccessibility(page);

  // A link reproduces the view, in a session of its own.
  const address = page.url().replace(stage.portal.url, '');
  await using other = await stage.open();
  await other.page.goto(address);
  await signIn(other.page);
  await other.page.getByRole('table', { name: 'Readings' }).getByRole('row').nth(3).waitFor();
  expect(other.page.url().replace(stage.portal.url, '')).toBe(address);

  await page.getByRole('button', { name: 'Remove…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^60,000 readings of Main meter/).waitFor();
  await checkAccessibility(page);
  await dialog.getByRole('textbox').fill('Main meter');
  await dialog.getByRole('button', { name: 'Remove readings' }).click();
  await page.getByText('60,000 rows removed').waitFor();
  await page.getByText('No readings', { exact: true }).first().waitFor();
  expect(problems).toEqual([]);
});

it('branding applies at once: name in the title and at the top; it is there after a new visit', async () => {
  await using opened = await stage.open();
  const { page } = opened;
  await page.goto('/settings/branding');
  await signIn(page);
  // The second time over what the first has stored.
  for (const name of ['Northwind', 'Northwind Energy']) {
    await page.getByLabel('Portal name').fill(name);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect.poll(() => page.title()).toMatch(new RegExp(`${name}$`));
  }
  await using other = await stage.open();
  await other.page.goto('/');
  await expect.poll(() => other.page.title()).toContain('Northwind Energy');
});

it('the page speaks the language of the browser, or the one that was chosen before signing in, and says in it what the portal refuses', async () => {
  await using opened = await stage.open({ locale: 'fr-FR', viewport: { width: 390, height: 844 } });
  const { page, problems } = opened;
  await page.goto('/sign-in');
  await page.getByRole('combobox', { name: 'Langue' }).selectOption('Deutsch');
  await page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('Français');
  await page.getByRole('textbox', { name: 'E-mail' }).fill('admin@example.com');
  await page.getByLabel('Mot de passe', { exact: true }).fill('ChangeMe123!');
  expect(await page.locator('html').getAttribute('lang')).toBe('fr');
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await page.getByRole('heading', { level: 1, name: 'Synthèse' }).waitFor();

  await page.goto('/settings/users');
  await page.getByRole('button', { name: 'Nouvel utilisateur' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Nom affiché').fill('Seconde');
  await dialog.getByLabel('E-mail').fill('admin@example.com');
  await dialog.getByLabel('Mot de passe', { exact: true }).fill('Another-Pass-2');
  await dialog.getByRole('button', { name: 'Créer' }).click();
  await dialog.getByText('Il existe déjà un compte avec admin@example.com').waitFor();
  expect(problems).toEqual([]);
});

it('by keyboard alone: sign in, skip to the content, open a page', async () => {
  await using opened = await stage.open();
  const { page } = opened;
  await page.goto('/dashboard');
  await page.getByRole('textbox', { name: 'Email' }).focus();
  await page.keyboard.type('admin@example.com');
  await page.getByLabel('Password', { exact: true }).focus();
  await page.keyboard.type('ChangeMe123!');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.getByRole('link', { name: 'Sites', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor();
});

it('a deactivated account: its open page returns to the sign-in', async () => {
  await using admin = await stage.open();
  await admin.page.goto('/sites');
  await signIn(admin.page);
  await admin.page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor();
  const account = { email: 'leaver@example.com', displayName: 'Leaver', password: 'Leaver-Pass-1' };
  const created = await admin.page.request.post('/api/users', { data: account });
  const { id }: { id: string } = await created.json();

  await using leaver = await stage.open();
  await leaver.page.goto('/sites');
  await signIn(leaver.page, account.email, account.password);
  await leaver.page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor();
  const { email, displayName } = account;
  const off = await admin.page.request.put(`/api/users/${id}`, {
    data: { email, displayName, roles: [], isActive: false },
  });
  expect(off.status()).toBe(200);
  // The page may have asked the server by itself, and be gone before the click.
  const left = leaver.page.getByRole('button', { name: 'Sign in' }).waitFor();
  await Promise.race([leaver.page.getByRole('link', { name: 'Overview', exact: true }).click(), left]).catch(
    () => undefined,
  );
  await left;
});

it('five wrong passwords lock the account, and the page says for how long', async () => {
  await using opened = await stage.open();
  const { page } = opened;
  await page.goto('/sign-in');
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const answered = page.waitForResponse('**/api/auth/login');
    await signIn(page, 'stranger@example.com', `Wrong-${attempt}`);
    expect((await answered).status()).toBe(401);
    await page.getByText('Wrong email or password.').waitFor();
  }
  await signIn(page, 'stranger@example.com', 'Wrong-6');
  await page.getByText(/Too many failed attempts/).waitFor();
  await checkAccessibility(page);
});
