import { beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser.ts';
import { admin, signIn } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';

const stage = stageOfFile();

beforeAll(async () => {
  await using opened = await stage.open();
  const { request } = opened.page;
  await signIn(opened.page);
  const town = { name: 'Pune', timeZone: 'Asia/Kolkata' };
  const created = await request.post('/api/admin/rates/municipalities', { data: town });
  const { id }: { id: string } = await created.json();
  await request.put(`/api/admin/rates/municipalities/${id}`, { data: { ...town, name: 'Graz' } });
  for (let n = 0; n < 60; n += 1) {
    const data = { applicationName: `Portal ${n}` };
    expect((await request.put('/api/branding', { data })).status()).toBe(200);
  }
  const own = { displayName: 'Administrator 1' };
  expect((await request.put('/api/auth/me', { data: own })).status()).toBe(200);
});

it.each([390, 1440])(
  'the audit trail at %d px: found by words, opened by keyboard, before and after in words',
  async (width) => {
    await using opened = await stage.signedIn({ viewport: { width, height: 900 } });
    const { page, problems } = opened;
    await page.goto('/settings/audit');
    const table = page.getByRole('table', { name: 'Audit trail' });
    await table
      .getByRole('row', { name: /Own name changed/ })
      .first()
      .waitFor();
    await page.getByRole('searchbox').fill('pune');
    const changed = table.getByRole('row', { name: /Municipality changed/ });
    await changed.waitFor();
    await table
      .getByRole('row', { name: /Own name changed/ })
      .first()
      .waitFor({ state: 'detached' });
    await checkAccessibility(page);
    await changed.getByRole('button', { name: /^Details/ }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Municipality changed' });
    await dialog.getByRole('row', { name: /Name.*Pune.*Graz/s }).waitFor();
    expect(await dialog.getByText(admin.email).count()).toBe(1);
    await checkAccessibility(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('nothing is called so');
    await page.getByText('No matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'Show older' }).click();
    await table.getByRole('row', { name: /User created/ }).waitFor();
    expect(problems).toEqual([]);
  },
);
