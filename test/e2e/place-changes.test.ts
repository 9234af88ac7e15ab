import { expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser.ts';
import { create } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';

const stage = stageOfFile();

it('moving a site, or changing the time zone of its municipality, first shows the new cost of each month', async () => {
  await using opened = await stage.signedIn({ viewport: { width: 390, height: 844 } });
  const { page, problems } = opened;
  const [north, south, dear] = await Promise.all(
    ['North', 'South', 'Dear'].map((name) =>
      create(page, '/api/admin/rates/municipalities', { name, timeZone: 'Europe/Berlin' }),
    ),
  );
  const tariff = { name: 'Flat', currency: 'EUR', effectiveFrom: '2026-01-01', effectiveTo: '2026-03-01' };
  const [first, second] = [
    { ...tariff, municipalityId: north, defaultRatePerKwh: 0.3 },
    { ...tariff, municipalityId: south, defaultRatePerKwh: 0.2 },
  ];
  await create(page, '/api/admin/rates/tariffs', first);
  await create(page, '/api/admin/rates/tariffs', second);
  await create(page, '/api/admin/rates/tariffs', { ...tariff, municipalityId: dear, defaultRatePerKwh: 1_234_567.89 });
  const siteId = await create(page, '/api/admin/sites', { name: 'Works', municipalityId: north });
  await create(page, '/api/admin/devices', { siteId, name: 'Meter', externalId: 'meter' });
  // 100 kWh in the last two hours of January.
  const rows = ['21:00', '22:00', '23:00'].map((clock, at) => {
    return { externalId: 'meter', time: `2026-01-31T${clock}:00Z`, activePowerKw: 50, energyImportedKwh: 50 * at };
  });
  expect((await page.request.post('/api/ingest/measurements', { data: rows })).status()).toBe(200);

  await page.goto(`/sites/${siteId}`);
  await page.getByRole('button', { name: 'Actions for Works' }).click();
  await page.getByRole('menuitem', { name: 'Edit site' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Municipality' }).click();
  await page.getByRole('option', { name: 'South' }).click();
  const table = dialog.getByRole('table');
  await table.getByRole('row', { name: /Jan 2026 €30\.00 €20\.00 [-−]€10\.00/ }).waitFor();
  await checkAccessibility(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  // Amounts of nine digits: the difference is still visible without scrolling.
  await dialog.getByRole('combobox', { name: 'Municipality' }).click();
  await page.getByRole('option', { name: 'Dear' }).click();
  await table.getByRole('row', { name: /Jan 2026 €30\.00 €123,456,789\.00 \+€123,456,759\.00/ }).waitFor();
  const room = (node: { scrollWidth: number; clientWidth: number }) => node.scrollWidth - node.clientWidth;
  expect(await dialog.getByRole('region', { name: 'Cost impact' }).evaluate(room)).toBe(0);
  await dialog.getByRole('combobox', { name: 'Municipality' }).click();
  await page.getByRole('option', { name: 'North' }).click();
  await table.waitFor({ state: 'detached' });

  await page.goto('/settings/rates');
  await page.getByRole('button', { name: 'Actions for North' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog.getByRole('combobox', { name: 'Time zone' }).fill('Asia/Tokyo');
  await page.getByRole('option', { name: /Tokyo/ }).click();
  // In that zone it is already February.
  await table.getByRole('row', { name: /Feb 2026 €0\.00 €30\.00 \+€30\.00/ }).waitFor();
  await table.getByRole('row', { name: /Jan 2026 €30\.00 €0\.00/ }).waitFor();
  expect(problems).toEqual([]);
});
