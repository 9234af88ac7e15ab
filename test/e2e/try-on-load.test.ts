import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser.ts';
import { create, signIn } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';

const stage = stageOfFile();
const reader = { email: 'reader@example.com', displayName: 'Reader', password: 'Reader-Pass-1' };
const ids = { municipality: '', today: '', yearEarlier: '' };

const quarterMs = 15 * 60_000;
/** 10 March 2026 on the clocks of Berlin. */
const dayStart = Date.UTC(2026, 2, 9, 23);

/** A register that rises evenly all day. */
const dayOf = (externalId: string, powerKw: number) =>
  Array.from({ length: 97 }, (_, quarter) => ({
    externalId,
    time: new Date(dayStart + quarter * quarterMs).toISOString(),
    activePowerKw: powerKw,
    energyImportedKwh: 1000 + (quarter * powerKw) / 4,
  }));

beforeAll(async () => {
  await using opened = await stage.open();
  await fill(opened.page);
});

/** A site in Berlin whose 96 kWh a day cost 0.30 a kWh at day and 0.10 at night, and one in Boston that is priced in dollars. */
async function fill(page: Page): Promise<void> {
  await signIn(page);
  const place = async (name: string, timeZone: string, externalId: string) => {
    const municipalityId = await create(page, '/api/admin/rates/municipalities', { name, timeZone });
    const siteId = await create(page, '/api/admin/sites', { name: `Works ${name}`, municipalityId });
    await create(page, '/api/admin/devices', { siteId, name: `Meter ${name}`, externalId });
    return municipalityId;
  };
  ids.municipality = await place('Berlin', 'Europe/Berlin', 'berlin');
  const boston = await place('Boston', 'America/New_York', 'boston');
  const night = { name: 'Night', daysOfWeek: 127, startTime: '22:00', endTime: '06:00', ratePerKwh: 0.1 };
  const terms = { currency: 'EUR', defaultRatePerKwh: 0.3, periods: [night], effectiveFrom: '2026-03-01' };
  const tariff = (values: object) => create(page, '/api/admin/rates/tariffs', { ...terms, ...values });
  ids.today = await tariff({ municipalityId: ids.municipality, name: 'Day and night' });
  ids.yearEarlier = await tariff({
    municipalityId: ids.municipality,
    name: 'Flat',
    effectiveFrom: '2025-01-01',
    effectiveTo: '2026-03-01',
    defaultRatePerKwh: 0.25,
    periods: [],
  });
  await tariff({ municipalityId: boston, name: 'Dollars', currency: 'USD' });
  await create(page, '/api/users', reader);
  const rows = [...dayOf('berlin', 4), ...dayOf('boston', 2)];
  const answer = await page.request.post('/api/ingest/measurements', { data: rows });
  expect(await answer.json()).toMatchObject({ accepted: rows.length, rejected: 0 });
}

const calculator = (page: Page) => page.getByRole('region', { name: 'Calculator' });

async function choose(page: Page, device: string): Promise<void> {
  await calculator(page).getByRole('button', { name: 'Devices' }).click();
  await page.getByRole('option', { name: device }).click();
}

async function calculate(page: Page, day: string): Promise<void> {
  await calculator(page).getByLabel('From', { exact: true }).fill(day);
  await calculator(page).getByLabel('To (inclusive)', { exact: true }).fill(day);
  await calculator(page).getByRole('button', { name: 'Calculate', exact: true }).click();
}

/** The text below the name of an amount. */
const amount = async (page: Page, name: string) => {
  const group = calculator(page).locator('dl > div').filter({ hasText: name });
  return (await group.locator('dd').allInnerTexts()).join(' ').replaceAll(/\s+/g, ' ');
};

it('"what would it have cost on tariff B": the list leads to it, and real history is priced beside what it costs today', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto('/settings/rates');
  await page.getByRole('button', { name: 'Actions for Flat' }).click();
  await page.getByRole('menuitem', { name: 'Test with your usage' }).click();
  await page.getByRole('heading', { level: 1, name: 'Flat' }).waitFor();
  expect(await calculator(page).getByRole('radio', { name: 'My meters' }).isChecked()).toBe(true);
  // The meters of the municipality are selected first.
  await calculator(page).getByText('Meter Berlin · Works Berlin').waitFor();
  await checkAccessibility(page);
  await calculate(page, '2026-03-10');
  // 96 kWh: 24.00 on the flat tariff; today 64 kWh x 0.30 + 32 kWh x 0.10 = 22.40.
  await calculator(page).getByText('This tariff would have been €1.60 more expensive.').waitFor();
  expect(await amount(page, 'On this tariff')).toBe('€24.00');
  expect(await amount(page, 'Actual tariffs')).toBe('€22.40');
  expect(await amount(page, 'Difference')).toBe('+€1.60 +7.1%');
  await page.getByRole('row', { name: /^Total.*96\.0 kWh.*€24\.00/ }).waitFor();
  await checkAccessibility(page);
  expect(problems).toEqual([]);
});

it('unsaved values of the editor, and those of a copied tariff, are tried on the same history', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto(`/settings/rates/new?municipality=${ids.municipality}&copy=${ids.today}`);
  await calculator(page).getByText('My meters').click();
  await choose(page, 'Meter Boston');
  await page.getByPlaceholder('Search devices and sites').waitFor({ state: 'hidden' });
  await choose(page, 'Meter Berlin');
  await calculate(page, '2026-03-10');
  await calculator(page).getByText('No difference.').waitFor();
  expect(await amount(page, 'Difference')).toBe('€0.00 0%');
  await page.getByLabel('Default rate', { exact: true }).first().fill('0.2');
  await calculator(page).getByText('Inputs changed.').waitFor();
  await calculator(page).getByRole('button', { name: 'Calculate', exact: true }).click();
  // 64 kWh x 0.20 + 32 kWh x 0.10 = 16.00, which is 6.40 of 22.40 less.
  await calculator(page).getByText('This tariff would have been €6.40 cheaper.').waitFor();
  expect(await amount(page, 'Difference')).toBe('-€6.40 -29%');
  expect(problems).toEqual([]);
});

it('energy-and-cost.md 7: amounts of two currencies are shown beside each other, never compared', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto(`/settings/rates/${ids.yearEarlier}`);
  await page.getByRole('link', { name: 'Test with your usage' }).click();
  await choose(page, 'All devices (2)');
  await calculate(page, '2026-03-10');
  await calculator(page)
    .getByText(/in another currency/)
    .waitFor();
  expect(await amount(page, 'Actual tariffs')).toMatch(/€22\.40.*US\$/);
  expect(await calculator(page).getByText('Difference', { exact: true }).count()).toBe(0);
  await checkAccessibility(page);
  expect(problems).toEqual([]);
});

it('a range without readings, and one without a tariff in force, are explained; a plain user may try a tariff, too', async () => {
  await using opened = await stage.open();
  const { page, problems } = opened;
  await signIn(page, reader);
  await page.goto(`/settings/rates/${ids.today}#calculator`);
  await choose(page, 'Meter Berlin');
  await calculate(page, '2026-03-20');
  await calculator(page).getByText('No energy in this range.').waitFor();
  await calculate(page, '2024-03-20');
  await calculator(page).getByText('No energy in this range.').waitFor();
  expect(await amount(page, 'Actual tariffs')).toBe('No price');
  await checkAccessibility(page);
  expect(problems).toEqual([]);
});
