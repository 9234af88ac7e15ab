import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { markMeasuredDaysDirty } from '../../server/energy/dirty-ranges.sql.ts';
import { Database } from '../../server/database/pool.ts';
import { checkAccessibility } from '../support/browser.ts';
import { countClicks } from '../support/clicks.ts';
import { describeEveryPage } from '../support/every-page.ts';
import { readPdf } from '../support/pdf-text.ts';
import { signIn } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';
import { openWorkbook } from '../support/xlsx/workbook.ts';

const stage = stageOfFile('Admin');
const idOf = (number: number) => `018f4ad0-0000-7000-8000-${String(number).padStart(12, '0')}`;
const recordId = '018f4ad0-0000-7000-9000-000000000001';

beforeAll(() => fill(stage.connectionString));

/** 500 customers that push once an hour; five have problems, one is inactive, one has never pushed. */
async function fill(connectionString: string): Promise<void> {
  const database = new Database(connectionString);
  const run = (text: string) => database.query({ text });
  const uuid = `('018f4ad0-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
  try {
    await run(`INSERT INTO fleet.customers (id, code, name, is_active, token_hash, token_issued_at, created_at)
      SELECT ${uuid}, 'works-' || n, 'Works ' || n, n <> 77, sha256(n::text::bytea), now(), now()
      FROM generate_series(1, 500) n`);
    await run(`INSERT INTO fleet.customer_state (customer_id, first_seen_at, last_seen_at, last_batch_at, last_error, measurement_count,
        last_measured_at, push_gaps_seconds, last_failed_at, failing_since, last_failure, is_refused,
        batch_count)
      SELECT ${uuid}, CASE WHEN n <> 78 THEN now() - interval '90 days' END, seen.at, seen.at,
             CASE n WHEN 301 THEN 'time: must be at most 24 hours ahead' WHEN 412 THEN 'tariffs: no such municipality' END, 1000,
             CASE n WHEN 200 THEN now() - interval '20 hours' ELSE seen.at END, '{3600,3600,3600}', seen.at, seen.at - interval '1 hour',
             CASE n WHEN 301 THEN 'time: must be at most 24 hours ahead' WHEN 412 THEN 'tariffs: no such municipality' END, true, 21
      FROM generate_series(1, 500) n
      CROSS JOIN LATERAL (SELECT CASE n WHEN 78 THEN NULL WHEN 137 THEN now() - interval '2 days' WHEN 301 THEN now() - interval '9 hours'
                                 ELSE now() - interval '20 seconds' END AS at) seen`);
    await run(`INSERT INTO fleet.ingest_events
        (customer_id, id, received_at, batch_type, rows_accepted, rows_rejected, payload_bytes, cursor, error)
      SELECT s.customer_id, gen_random_uuid(), s.last_seen_at - hours * interval '1 hour', 'measurements', 60, 0, 2000, '', NULL
      FROM fleet.customer_state s, generate_series(0, 20) hours WHERE s.last_seen_at IS NOT NULL`);
    await run(`UPDATE fleet.customer_state SET client_reported_at = last_seen_at, client_report =
        '{"version": "1.2.3", "backlogRows": 7, "lastError": {"kind": "unreachable", "text": "<b>No answer</b>", "at": "2026-03-10T10:00:00Z"}}'
      WHERE customer_id = '${idOf(137)}'`);
    await run(`INSERT INTO fleet.ingest_events
        (customer_id, id, received_at, batch_type, rows_accepted, rows_rejected, payload_bytes, cursor, error)
      VALUES ('${idOf(412)}', gen_random_uuid(), now() - interval '3 hours', 'tariffs', 0, 0, 400, '', 'tariffs: no such municipality')`);
    await run(`INSERT INTO fleet.municipalities (customer_id, id, name, time_zone, created_at)
      VALUES ('${idOf(412)}', '${recordId}', 'Pune', 'Asia/Kolkata', now())`);
    await run(`INSERT INTO fleet.sites (customer_id, id, name, municipality_id, created_at, number)
      VALUES ('${idOf(412)}', '${recordId}', 'Mill', '${recordId}', now(), 1)`);
    await run(`INSERT INTO fleet.devices (customer_id, id, number, announced_at, site_id, name, external_id, created_at)
      VALUES ('${idOf(412)}', '${recordId}', 1, now(), '${recordId}', 'Main meter', 'meter-1', now())`);
    await run(`INSERT INTO fleet.tariffs (customer_id, id, municipality_id, name, currency, is_active, effective_from,
        default_rate_per_kwh, fixed_charge_per_month, vat_percent, created_at)
      VALUES ('${idOf(412)}', '${recordId}', '${recordId}', 'Industry', 'EUR', true, '2026-01-01', 0.2, 12, 18, now())`);
    await run(`INSERT INTO fleet.tariff_periods (customer_id, id, tariff_id, position, name, days_of_week, start_minute, end_minute, rate_per_kwh)
      VALUES ('${idOf(412)}', '${recordId}', '${recordId}', 0, 'Day', 31, 420, 1200, 0.3)`);
    await run(`INSERT INTO fleet.measurements (time, received_at, active_power_milliwatts, energy_imported_milliwatthours,
        customer_id, device_number)
      SELECT date_trunc('minute', now()) - n * interval '1 minute', now(), 12500000, CASE n WHEN 1 THEN 269066800000 END,
             '${idOf(412)}', 1 FROM generate_series(1, 60) n`);
    await run(`INSERT INTO fleet.energy_state (customer_id, device_number, first_time, last_time)
      VALUES ('${idOf(412)}', 1, now() - interval '1 hour', now() - interval '1 minute')`);
    await markMeasuredDaysDirty(database.forCustomer(idOf(412)), 1);
  } finally {
    await database.close();
  }
}

const worstFirst = ['Works 137', 'Works 301', 'Works 200', 'Works 412', 'Works 78', 'Works 77'];

describe('the Dashboard of the fleet', () => {
  it('of 500 customers, those in trouble come first: silent ones by their usual interval, then errors, with time and reason', async () => {
    await using opened = await stage.signedIn();
    const { page, problems } = opened;
    await page.goto('/');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/fleet');
    const table = page.getByRole('table', { name: 'Customers' });
    await table.getByRole('rowheader').first().waitFor();
    const names = await table.getByRole('rowheader').getByRole('link').allTextContents();
    expect(names.slice(0, 6)).toEqual(worstFirst);
    expect(names).toHaveLength(50);
    await table.getByRole('row', { name: /Works 137.*Silent.*Typical interval: 1 hour.*2 days ago.*since/ }).waitFor();
    await table.getByRole('row', { name: /Works 301.*Silent.*9 hours ago/ }).waitFor();
    await table.getByRole('row', { name: /Works 200.*Silent.*Check gateways.*since/ }).waitFor();
    await table.getByRole('row', { name: /Works 412.*Failing.*no such municipality/ }).waitFor();
    await table.getByRole('row', { name: /Works 78.*Never sent.*Never connected.*– ?0 measurements/ }).waitFor();
    await page.getByText('3 silent · 1 failing · 1 never sent').waitFor();
    await page.getByText(/^Updated /).waitFor();
    await checkAccessibility(page);

    await page.getByRole('button', { name: 'Show 50 more of 500' }).click();
    expect(await table.getByRole('rowheader').count()).toBe(100);
    const rows = () => table.getByRole('rowheader').allTextContents();
    await page.getByRole('button', { name: 'Failing 1' }).click();
    await expect.poll(rows).toEqual(['Works 412works-412']);
    await page.getByRole('button', { name: 'All 500' }).click();
    await page.getByRole('searchbox', { name: 'Search by name or code' }).fill('WORKS-499');
    await expect.poll(rows).toEqual(['Works 499works-499']);
    await page.getByRole('searchbox', { name: 'Search by name or code' }).fill('nobody');
    await page.getByText('No matching customers').waitFor();
    expect(problems).toEqual([]);
  });

  it('says that it could not be loaded, and tries again; without an answer a search is made among the loaded customers', async () => {
    await using opened = await stage.signedIn();
    const { page } = opened;
    const refuse = () =>
      page.route('**/api/fleet/dashboard?*', (route) =>
        route.fulfill({ status: 429, json: { error: 'Too many people ask.' } }),
      );
    const refused = await refuse();
    await page.goto('/fleet');
    await page.getByText('Too many people ask.').waitFor();
    await refused.dispose();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Works 137').waitFor();
    const refusedLater = await refuse();
    await page.getByRole('searchbox', { name: 'Search by name or code' }).fill('works-30');
    await page.getByText('Couldn’t refresh.').waitFor();
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(11);
    await refusedLater.dispose();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/^Updated /).waitFor();
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(11);
  });

  it.each([
    ['en', '/api/fleet/dashboard/export.xlsx', '/fleet', 'Customers', ['Customer', ...worstFirst]],
    [
      'de',
      `/api/fleet/customers/${idOf(412)}/cost/export.xlsx`,
      `/customers/${idOf(412)}`,
      'Geräte',
      ['Gerät', 'Main meter'],
    ],
  ])(
    '%s: %s is saved from %s as a workbook, in the language and order of the page',
    async (language, path, from, sheet, firstColumn) => {
      await using opened = await stage.signedIn();
      const { page } = opened;
      await page.evaluate((chosen) => localStorage.setItem('language', chosen), language);
      await page.goto(from);
      const saved = page.waitForEvent('download');
      const asked = page.waitForRequest((request) => request.url().includes(path));
      await page
        .getByRole('button', { name: language === 'de' ? 'Nach Excel exportieren' : 'Export to Excel' })
        .click();
      expect(new URL((await asked).url()).pathname).toBe(path);
      const { sheets } = openWorkbook(await readFile(await (await saved).path()));
      const rows = sheets.find(({ name }) => name === sheet)?.rows ?? [];
      expect(rows.slice(0, firstColumn.length).map(([cell]) => cell?.value)).toEqual(firstColumn);
    },
  );
});

it('where the system chooses the colors, the filter that is chosen looks chosen', async () => {
  await using opened = await stage.signedIn({ forcedColors: 'active' });
  const { page } = opened;
  await page.goto('/fleet');
  const background = (name: string) =>
    page.evaluate(
      `getComputedStyle([...document.querySelectorAll('button')].find((one) => one.textContent === '${name}')).backgroundColor`,
    );
  await page.getByRole('button', { name: 'Failing 1' }).click();
  expect(await background('Failing 1')).not.toBe(await background('All 500'));
});

it('on paper a list over several sheets repeats its column headers and its time with the time zone on each', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  await page.goto('/fleet');
  await page.getByText('Works 137').waitFor();
  const sheets = readPdf(await page.pdf({ preferCSSPageSize: true }));
  expect(sheets.length).toBeGreaterThan(2);
  for (const sheet of sheets) {
    expect(sheet).toMatch(/Customer.*Status.*Lastbatch.*Energytoday/s);
    expect(sheet).toMatch(/\d+[A-Z][a-z]+20\d\d,\d\d:\d\d·UTC/);
  }
});

describe('the page of a customer', () => {
  it('shows the data of the customer: batches with errors first, sites, devices, measurements, tariffs with periods; on paper no fields or buttons', async () => {
    await using opened = await stage.signedIn();
    const { page, problems } = opened;
    const controls = page.locator('#root :is(input, [aria-pressed]):visible');
    const onlyReadOnPaper = async () => {
      expect(await controls.count()).toBeGreaterThan(0);
      await page.emulateMedia({ media: 'print' });
      expect(await controls.count()).toBe(0);
      await page.emulateMedia({ media: null });
    };
    await page.goto('/fleet');
    const { click, take } = countClicks();
    // Which customers are in trouble: 0 clicks, the worst first.
    await page.getByRole('row').nth(1).getByText('Works 137').waitFor();
    // Why a customer is silent, with what to do about it: 1 click.
    await click(page.getByRole('link', { name: 'Works 137' }));
    const status = page.getByRole('region', { name: /^Silent since / });
    await status.getByText(/^Nothing since .*\. Check that its portal runs and reaches this one\./).waitFor();
    await status.getByText('Version 1.2.3').waitFor();
    await status.getByText('Fleet unreachable').waitFor();
    await status.getByText('<b>No answer</b>').waitFor();
    expect(take()).toBeLessThanOrEqual(1);
    for (const action of ['Rotate token', 'Edit', 'Deactivate']) {
      await status.getByRole('button', { name: action }).waitFor();
    }
    await checkAccessibility(page);
    await page.goBack();
    await page.getByRole('link', { name: 'Works 412' }).waitFor();
    await onlyReadOnPaper();
    await page.getByRole('link', { name: 'Works 412' }).click();
    await page.getByRole('heading', { level: 1, name: 'Works 412' }).waitFor();
    await onlyReadOnPaper();
    const batches = page.getByRole('table', { name: 'Batches' });
    expect(await batches.getByRole('row').nth(1).textContent()).toContain('tariffs: no such municipality');
    await page
      .getByRole('table', { name: 'Sites' })
      .getByRole('row', { name: /Mill.*Online.*Pune.*Asia\/Kolkata/ })
      .waitFor();
    await page
      .getByRole('table', { name: 'Devices' })
      .getByRole('row', { name: /Main meter.*Online/ })
      .waitFor();
    await page
      .getByRole('table', { name: 'Last measurements' })
      .getByRole('row', { name: /12\.5.kW.*269,066\.800.kWh/ })
      .first()
      .waitFor();
    await page
      .getByRole('table', { name: 'Tariffs' })
      .getByRole('row', { name: /Industry.*Mon–Fri 07:00–20:00.*default/ })
      .waitFor();
    await checkAccessibility(page);

    // A customer that has never sent anything: said once, and no empty lists.
    await page.goto(`/customers/${idOf(78)}`);
    const figures = page.getByRole('main').getByText('Never', { exact: true });
    await figures.waitFor();
    expect(await figures.count()).toBe(1);
    expect(await page.getByRole('main').getByRole('region').count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it('of thousands of sites the first 2,000 are loaded, with a note, and the others page by page', async () => {
    const crowded = idOf(411);
    const database = new Database(stage.connectionString);
    const uuid = `md5('site' || n)::uuid`;
    await database.query({
      text: `INSERT INTO fleet.sites (customer_id, id, name, municipality_id, created_at, number)
             SELECT '${crowded}', ${uuid}, 'Site ' || n, ${uuid}, now(), n FROM generate_series(1, 4100) n`,
    });
    await database.close();
    await using opened = await stage.signedIn();
    const { page, problems } = opened;
    await page.goto(`/customers/${crowded}`);
    const sites = page.getByRole('region', { name: 'Sites' });
    await page.getByText('in 4,100 sites').waitFor();
    await sites.getByText('Search covers the 2,000 of 4,100 loaded rows.').waitFor();
    await checkAccessibility(page);
    await sites.getByRole('button', { name: 'Load 2,000 more' }).click();
    await sites.getByRole('button', { name: 'Load 100 more' }).click();
    await sites.getByRole('button', { name: 'Show 10 more of 4,100' }).waitFor();
    expect(await sites.getByText('loaded rows').count()).toBe(0);
    await sites.getByRole('searchbox').fill('Site 4099');
    await sites.getByRole('rowheader', { name: 'Site 4099' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('an unknown customer has an error page with a link back', async () => {
    await using opened = await stage.signedIn();
    const { page } = opened;
    await page.goto(`/customers/${idOf(999)}`);
    await page.getByRole('heading', { level: 1, name: 'Customer not found' }).waitFor();
    await checkAccessibility(page);
  });
});

describe('Measurements in the Admin mode', () => {
  it('the user chooses a customer first; then the page is that of its Client, and its URL is the view', async () => {
    await using opened = await stage.open();
    const { page, problems } = opened;
    const askedOfNobody: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 404) askedOfNobody.push(response.url());
    });
    await signIn(page);
    await page.goto('/fleet');
    const navigation = page.getByRole('navigation', { name: 'Main navigation' });
    await navigation.getByRole('link', { name: 'Measurements' }).click();
    await page.getByText('Select a customer').waitFor();
    await checkAccessibility(page);
    const names = page.getByRole('table', { name: 'Customers' }).getByRole('rowheader');
    // By name, descending, and back to the default order.
    const byName = page.getByRole('columnheader', { name: 'Customer' });
    for (const [sorted, first] of [
      ['ascending', 'Works 1'],
      ['descending', 'Works 500'],
      [null, 'Works 1'],
    ]) {
      await byName.getByRole('button').click();
      await expect.poll(() => names.first().innerText()).toMatch(new RegExp(`^${first}\\b`));
      expect(await byName.getAttribute('aria-sort')).toBe(sorted);
    }
    await page.getByRole('searchbox', { name: 'Search by name or code' }).fill('works-412');
    await page.getByRole('table', { name: 'Customers' }).getByRole('link', { name: 'Works 412' }).click();
    await page.getByText('Main meter · Mill').first().waitFor();
    expect(new URL(page.url()).searchParams.get('customer')).toBe(idOf(412));
    await page.goto(`/measurements?customer=${idOf(412)}&range=last24h`);
    await page.getByText('of 60', { exact: false }).waitFor();
    await page.getByRole('cell', { name: '12.500' }).first().waitFor();
    await page.getByRole('combobox', { name: 'Quantity' }).click();
    await page.getByRole('option', { name: 'Voltage' }).click();
    await checkAccessibility(page);

    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Export readings' });
    await dialog.getByRole('radio', { name: 'CSV' }).check();
    const saved = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(/^measurements-works-412-1meter-.*\.csv$/);
    expect((await readFile(await download.path(), 'utf8')).trim().split('\n')).toHaveLength(61);
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();

    const customer = page.getByRole('combobox', { name: 'Customer' });
    await customer.fill('works-137');
    await page.getByRole('option', { name: /works-137/ }).click();
    await page.getByText('No devices yet').waitFor();
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ customer: idOf(137), quantity: 'voltageV', range: 'last24h' });
    expect([problems, askedOfNobody]).toEqual([[], []]);
  });

  it('the page of a customer leads to the readings of each device', async () => {
    await using opened = await stage.signedIn();
    const { page, problems } = opened;
    await page.goto(`/customers/${idOf(412)}`);
    await page.getByRole('table', { name: 'Devices' }).getByRole('link', { name: 'Main meter' }).click();
    await page.getByRole('heading', { level: 1, name: 'Measurements' }).waitFor();
    await page.getByText('Main meter · Mill').first().waitFor();
    expect(new URL(page.url()).searchParams.get('devices')).toBe(recordId);
    await page.getByRole('link', { name: 'Go to Works 412' }).click();
    await page.getByRole('heading', { level: 1, name: 'Works 412' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('an unknown customer has an error page with a link back to the choice', async () => {
    await using opened = await stage.signedIn();
    const { page } = opened;
    await page.goto(`/measurements?customer=${idOf(999)}`);
    await page.getByText('Customer not found').waitFor();
    await checkAccessibility(page);
    await page.getByRole('link', { name: 'Choose another customer' }).click();
    await page.getByRole('searchbox', { name: 'Search by name or code' }).waitFor();
  });
});

describeEveryPage({
  pages: [
    { path: '/fleet', heading: 'Overview', content: 'Works 137' },
    { path: '/customers', heading: 'Customers', content: 'Works 1' },
    { path: `/customers/${idOf(412)}`, heading: 'Works 412', content: 'Main meter' },
    { path: '/measurements', heading: 'Measurements', content: 'Works 1' },
    { path: `/measurements?customer=${idOf(412)}&range=last24h`, heading: 'Measurements', content: /^1[–-]\d+ .* 60$/ },
    { path: '/settings/users', heading: 'Settings', content: 'admin@example.com' },
    { path: '/settings/audit', heading: 'Settings', content: 'admin@example.com' },
  ],
  looks: [
    { width: 390, locale: 'de-DE', accessibleIn: ['dark'] },
    { width: 1440, accessibleIn: ['light', 'dark'] },
  ],
  stage,
});

it('a restricted administrator sees the assigned customers and no others', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  const account = { email: 'restricted@example.com', password: 'Fleet-User-1' };
  const made = await page.request.post('/api/users', {
    data: { ...account, displayName: 'Restricted', roles: ['RestrictedAdmin'] },
  });
  const { id }: { id: string } = await made.json();
  await signIn(page, account);
  await page.goto('/');
  await page.getByText('No customers are assigned to you.').waitFor();
  expect(await page.getByRole('link', { name: 'Customers' }).count()).toBe(0);
  await signIn(page);
  await page.request.put(`/api/users/${id}/customers`, { data: { customerIds: [idOf(137)] } });
  await signIn(page, account);
  await page.goto('/fleet');
  await page.getByRole('link', { name: 'Works 137' }).waitFor();
  expect(await page.getByRole('rowheader').count()).toBe(1);
  // Works 301 is silent, too.
  await page.goto('/alarms');
  const alarms = page.getByRole('table', { name: 'Open alarms' });
  await alarms.getByRole('link', { name: 'Works 137' }).waitFor();
  expect(await alarms.getByRole('rowheader').count()).toBe(1);
  await page.goto(`/customers/${idOf(412)}`);
  await page.getByRole('heading', { level: 1, name: 'Customer not found' }).waitFor();
  await page.goto(`/measurements?customer=${idOf(412)}`);
  await page.getByText('Customer not found').waitFor();
  // With a single customer there is no choice: it is shown at once.
  await page.goto('/measurements');
  await page.getByRole('link', { name: 'Go to Works 137' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('w');
  await page.getByRole('option', { name: 'Works 137' }).waitFor();
  const found = await page.getByRole('option').allTextContents();
  expect(found.filter((text) => /Works|New/.test(text))).toHaveLength(1);
});

it('one of 2,000 customers can be chosen by keyboard, before and beside the readings; only a short list is drawn', async () => {
  const database = new Database(stage.connectionString);
  await database.query({
    text: `INSERT INTO fleet.customers (id, code, name, is_active, token_hash, token_issued_at, created_at)
      SELECT ('018f4ad0-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'works-' || n, 'Works ' || n, true, sha256(n::text::bytea), now(), now()
      FROM generate_series(501, 2000) n`,
  });
  await database.query({
    text: `INSERT INTO fleet.customer_state (customer_id)
      SELECT id FROM fleet.customers c WHERE NOT EXISTS (SELECT FROM fleet.customer_state WHERE customer_id = c.id)`,
  });
  await database.close();
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto('/measurements');
  const search = page.getByRole('searchbox', { name: 'Search by name or code' });
  const rows = page.getByRole('table', { name: 'Customers' }).getByRole('rowheader');
  await page.getByRole('button', { name: 'Show 50 more of 2,000' }).waitFor();
  expect(await rows.count()).toBe(50);
  await search.focus();
  await page.keyboard.type('works-41');
  await page.getByText('Works 419', { exact: true }).waitFor();
  expect(await rows.count()).toBe(11);
  await page.keyboard.type('2');
  await expect.poll(() => rows.count()).toBe(1);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Main meter · Mill').first().waitFor();
  expect(new URL(page.url()).searchParams.get('customer')).toBe(idOf(412));

  const customer = page.getByRole('combobox', { name: 'Customer' });
  await customer.focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option').first().waitFor();
  expect(await page.getByRole('option').count()).toBeLessThanOrEqual(100);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('works-1999');
  await expect.poll(() => page.getByRole('option').count()).toBe(1);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Go to Works 1999' }).waitFor();
  expect(new URL(page.url()).searchParams.get('customer')).toBe(idOf(1999));

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('works 19');
  await page.getByText('119 more; keep typing').waitFor();
  expect(await page.getByRole('option').first().innerText()).toMatch(/^Works 19\b/);
  await page.keyboard.press('Escape');

  // The name of a chosen customer is there even if it is not among the first ones.
  await page.goto('/settings/notifications');
  const chosen = page.getByRole('combobox', { name: 'Customers' });
  await chosen.fill('works-1999');
  await page.getByRole('option', { name: 'Works 1999' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Notifications saved').waitFor();
  await page.reload();
  await page.getByText('Works 1999 · works-1999').waitFor();

  // The overview has loaded half of them. The portal finds and sorts the others.
  await page.goto('/fleet');
  await page.getByRole('button', { name: 'Show 50 more of 2,000' }).waitFor();
  await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
  await page.getByText('The first 1,000 of 2,000. Search or filter to see others.').waitFor();
  expect(await rows.count()).toBe(1000);
  await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
  for (const first of ['Works 1', 'Works 2000']) {
    await page.getByRole('columnheader', { name: 'Customer' }).getByRole('button').click();
    await expect.poll(() => rows.first().innerText()).toMatch(new RegExp(`^${first}\\b`));
  }
  await search.fill('works-1999');
  await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringMatching(/^Works 1999\b/)]);
  expect(problems).toEqual([]);
});
