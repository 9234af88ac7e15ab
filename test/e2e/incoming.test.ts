import { beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser.ts';
import { stageOfFile } from '../support/stage.ts';

const stage = stageOfFile();
let key = '';

beforeAll(async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  const create = async (url: string, data: object): Promise<{ id: string; key?: string }> => {
    const answer = await page.request.post(url, { data });
    expect(answer.ok(), `${url}: ${await answer.text()}`).toBe(true);
    return answer.json();
  };
  const berlin = { name: 'Berlin', timeZone: 'Europe/Berlin' };
  const { id: municipalityId } = await create('/api/admin/rates/municipalities', berlin);
  const { id: siteId } = await create('/api/admin/sites', { name: 'Works', municipalityId });
  await create('/api/admin/sites', { name: 'Depot', municipalityId });
  await create('/api/admin/devices', { siteId, name: 'Main meter', externalId: 'main' });
  await create('/api/admin/devices', { siteId, name: 'Yard meter', externalId: 'yard' });
  key = (await create('/api/api-keys', { name: 'Gateway' })).key ?? '';
});

const deliver = async (...rows: object[]) => {
  const time = new Date().toISOString();
  const answer = await fetch(`${stage.portal.url}/api/ingest/measurements`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(rows.map((row) => ({ time, ...row }))),
  });
  expect(answer.status).toBe(200);
};

it('on a phone at the meter: rows appear automatically, a rejected one becomes a device, and its next row is stored', async () => {
  await using opened = await stage.signedIn({ viewport: { width: 390, height: 844 } });
  const { page, problems } = opened;
  await page.goto('/settings/incoming');
  await page.getByText('Waiting for readings').waitFor();
  await deliver({ externalId: 'main', activePowerKw: 12.5 }, { externalId: 'new-meter', activePowerKw: 3 });
  const table = page.getByRole('table', { name: 'Incoming' });
  const row = (name: RegExp) => table.getByRole('row', { name });
  await row(/Main meter.*Stored.*12\.5/).waitFor();
  await row(/new-meter.*Rejected.*No device has this external ID/).waitFor();
  await checkAccessibility(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);

  await page.getByRole('link', { name: 'Create this device: new-meter' }).click();
  const dialog = page.getByRole('dialog', { name: 'New device' });
  expect(await dialog.getByLabel('External ID').inputValue()).toBe('new-meter');
  await dialog.getByLabel('Name').fill('New meter');
  await dialog.getByRole('button', { name: 'Add device' }).click();
  await dialog.getByText('Required').waitFor();
  await dialog.getByRole('combobox', { name: 'Site' }).fill('Depot');
  await page.getByRole('option', { name: 'Depot' }).click();
  await dialog.getByRole('button', { name: 'Add device' }).click();
  await page.waitForURL('/settings/incoming');
  await page.getByText('New meter created. Readings for new-meter are stored from now on.').waitFor();
  await page.getByText('Device created. The next reading will be stored.').waitFor();
  await page.getByRole('link', { name: 'New meter' }).and(page.locator(':focus')).waitFor();
  await deliver({ externalId: 'new-meter', activePowerKw: 4 });
  await row(/New meter.*Depot.*Stored.*4/).waitFor();
  // A short list needs no search.
  await deliver(...Array.from({ length: 6 }, (_, n) => ({ externalId: `unknown-${n}` })));
  await page.getByRole('searchbox', { name: 'Search meters' }).fill('depot');
  await row(/Main meter/).waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});

it('cancelling the new device returns to its row, or to the rows of the key', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await deliver({ externalId: 'left-out', activePowerKw: 3 }, { externalId: 'of-key', activePowerKw: 3 });
  await page.goto('/settings/incoming');
  await page.getByRole('link', { name: 'Create this device: left-out' }).click();
  const form = page.getByRole('dialog', { name: 'New device' });
  await form.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL('/settings/incoming');
  await page.getByRole('link', { name: 'Create this device: left-out' }).and(page.locator(':focus')).waitFor();

  await page.goto('/settings/api-keys');
  await page.getByRole('button', { name: 'Requests with Gateway' }).click();
  const deliveries = page.getByRole('dialog', { name: 'Requests with Gateway' });
  await deliveries.getByRole('link', { name: 'Create this device: of-key' }).click();
  await form.getByLabel('Name').fill('Seen in deliveries');
  await form.getByRole('combobox', { name: 'Site' }).fill('Depot');
  await page.getByRole('option', { name: 'Depot' }).click();
  await form.getByRole('button', { name: 'Add device' }).click();
  await deliveries.getByRole('link', { name: 'Seen in deliveries' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Requests with Gateway' }).and(page.locator(':focus')).waitFor();
  expect(problems).toEqual([]);
});

it('"Measured" is in the time zone of the portal, which every page names, wherever the browser is', async () => {
  const measuredAt = async (timezoneId: string) => {
    await using opened = await stage.signedIn({ timezoneId, viewport: { width: 390, height: 844 } });
    const { page } = opened;
    await page.goto('/settings/incoming');
    await page.waitForResponse('**/api/incoming');
    const row = page.getByRole('table', { name: 'Incoming' }).getByRole('row', { name: /Yard meter/ });
    // Accepted rows are recorded only while someone watches.
    await deliver({ externalId: 'yard', time: '2026-03-10T10:00:00Z', activePowerKw: 2 });
    await row.waitFor();
    await page.getByRole('button', { name: 'Account and preferences' }).click();
    await page.getByRole('link', { name: 'Times in Central European' }).waitFor();
    return row.innerText();
  };
  expect(await measuredAt('America/New_York')).toMatch(/11:00:00/);
});

it('a long external ID leaves the other columns their width, and is not offered for a device, because it is shortened', async () => {
  await using opened = await stage.signedIn({ viewport: { width: 1440, height: 900 } });
  const { page } = opened;
  await deliver({ externalId: 'x'.repeat(300), activePowerKw: 3 });
  await page.goto('/settings/incoming');
  const row = page
    .getByRole('table', { name: 'Incoming' })
    .getByRole('row', { name: /xxx.*No device has this external ID/ });
  const meter = row.locator('code');
  expect((await meter.boundingBox())?.width).toBeLessThan(300);
  expect(await meter.getAttribute('title')).toMatch(/^x{200}…$/);
  expect(await row.getByRole('link').count()).toBe(0);
});

it('each API key shows its rows of a day, and the rejected ones with their reason, in the language of the page', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  const headers = { authorization: `Bearer ${key}` };
  expect((await page.request.post('/api/ingest/measurements', { headers, data: {} })).status()).toBe(400);
  await deliver({ externalId: 'main', activePowerKw: 'much' }, { externalId: 'main', activePowerKw: 1 });
  await page.goto('/settings/api-keys');
  await page.getByRole('button', { name: 'Requests with Gateway' }).click();
  const dialog = page.getByRole('dialog', { name: 'Requests with Gateway' });
  await dialog.getByRole('row', { name: /Main meter.*Rejected.*activePowerKw is the text "much"/ }).waitFor();
  await checkAccessibility(page);
  await using french = await stage.signedIn({ locale: 'fr-FR' });
  await french.page.goto('/settings/api-keys');
  await french.page.getByRole('button', { name: 'Requêtes avec Gateway' }).click();
  const refusal = 'La requête doit être une liste JSON de lignes\u202f; rien n’a été enregistré.';
  await french.page.getByRole('dialog').getByText(refusal, { exact: true }).waitFor();
  expect(problems).toEqual([]);
});
