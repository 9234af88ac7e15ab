import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser.ts';
import { panel, textOf, words } from '../support/dashboard-page.ts';
import { readPdf } from '../support/pdf-text.ts';
import { create } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';
import { cost } from '../support/vectors.ts';
import { uniqueName, fillWorks, registerRows, worksDay } from '../support/works.ts';

const stage = stageOfFile();
let mainMeter = '';

beforeAll(async () => {
  await using opened = await stage.open();
  ({ mainMeter } = await fillWorks(opened.page));
});

it('on paper, from a dark phone: light sheets with brand and range on each, charts as lines to the last day', async () => {
  const options = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
  await using opened = await stage.signedIn(options);
  const { page, problems } = opened;
  await page.goto('/dashboard?from=2025-02-28T23:00:00.000Z&to=2025-03-31T22:00:00.000Z&tz=Europe/Berlin');
  for (const name of ['Load curve', 'Average power by hour and day']) {
    await panel(page, name).locator('[role=img] path').first().waitFor();
  }
  const sheets = readPdf(await page.pdf({ preferCSSPageSize: true }));
  expect(sheets.length).toBeGreaterThan(1);
  expect(sheets.length).toBeLessThan(6);
  for (const [index, sheet] of sheets.entries()) {
    expect(sheet).toContain('PowerMonitoring');
    expect(sheet).toContain('March2025');
    expect(sheet).toContain(`${index + 1}/${sheets.length}`);
    expect(sheet).not.toContain('Measurements');
  }
  expect(sheets.at(-1)).toContain('Lastreading');
  for (const title of ['Loadcurve', 'Averagepowerbyhourandday']) {
    const [, chart] = sheets.join('').split(title);
    expect(chart, title).toContain('31Mar');
  }
  await panel(page, 'Load curve').locator('[role=img] path').first().waitFor();
  const seen = () => page.locator('html').getAttribute('data-mantine-color-scheme');
  expect(await seen()).toBe('dark');
  await page.evaluate('dispatchEvent(new Event("beforeprint"))');
  expect(await seen()).toBe('light');
  const widths = await page
    .locator('main [role=img][tabindex] > svg')
    .evaluateAll((all) => all.map((one) => one.getAttribute('viewBox')?.split(' ')[2]));
  expect(widths.length).toBeGreaterThan(1);
  // On paper charts are drawn at one width and scaled to the sheet.
  expect(new Set(widths)).toEqual(new Set(['680']));
  await page.evaluate('dispatchEvent(new Event("afterprint"))');
  expect(problems).toEqual([]);
});

it('on paper a long list has its head on each sheet and all loaded rows, and nothing that scrolls is cut', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  const zone = 'tz=Europe/Berlin';
  const print = async () => readPdf(await page.pdf({ preferCSSPageSize: true }));
  await page.goto(
    `/measurements?from=2025-03-08T23:00:00.000Z&to=2025-10-26T23:00:00.000Z&devices=${mainMeter}&${zone}`,
  );
  await page.locator('[role=row][aria-busy=false]').first().waitFor();
  const [chart, ...readings] = await print();
  expect(chart).toContain('Activepower');
  expect(readings.length).toBeGreaterThan(2);
  for (const sheet of readings) expect(sheet).toContain('Importregister');
  expect(readings.at(-1)).toMatch(/200of\d+rows/);
  expect(readings.at(-1)).not.toContain('Exporttogetall');

  await page.goto(worksDay.replace('/dashboard', '/compare'));
  await panel(page, 'Differences').getByRole('row').nth(8).waitFor();
  expect((await print()).join('')).toContain('10Mar2025,23:00');
  expect(problems).toEqual([]);
});

it('on paper there are no buttons, and parts that have not loaded show that instead of gray blocks', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  const print = async () => readPdf(await page.pdf({ preferCSSPageSize: true })).join('');
  await page.goto('/measurements');
  await page.getByRole('main').getByRole('link', { name: 'Compare', exact: true }).waitFor();
  expect(await print()).not.toMatch(/Compare|Quantity/);
  await page.goto(worksDay.replace('/dashboard', '/compare'));
  await panel(page, 'Differences').getByRole('row').nth(8).waitFor();
  const compared = await print();
  expect(compared).not.toMatch(/Weekday|Useyourtimezone/);
  expect(compared.match(/Alldevices/g)).toHaveLength(2);
  await page.emulateMedia({ media: 'print' });
  const borders = await page.evaluate(
    `[...document.querySelectorAll('main button')]
      .filter((one) => one.textContent.startsWith('All devices'))
      .map((one) => getComputedStyle(one).borderTopColor)`,
  );
  expect(borders).toEqual(['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
  await page.emulateMedia({ media: null });

  const held = Promise.withResolvers<undefined>();
  await page.route('**/api/dashboard/cost-breakdown?*', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(worksDay);
  await panel(page, 'Data quality').getByText('Main meter').waitFor();
  expect(await print()).toContain('Notloadedwhenprinted');
  await page.emulateMedia({ media: 'print' });
  const blocks = page.locator('.mantine-Skeleton-root');
  // In one step, because a request that is not held back may be answered between two steps.
  const heights = await blocks.evaluateAll((all) => all.map((block) => block.getBoundingClientRect().height));
  expect(heights).not.toEqual([]);
  expect(Math.max(...heights)).toBeLessThan(40);
  await page.emulateMedia({ media: null });
  held.resolve(undefined);
  await expect.poll(() => blocks.count()).toBe(0);
  expect(await print()).not.toContain('Notloaded');
  expect(problems).toEqual([]);
});

it('the report of a month of 300 devices in three currencies has at most four sheets, the printed Dashboard all devices', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  const run = randomUUID().slice(0, 8);
  const places = Object.entries({ EUR: 'Europe/Berlin', CHF: 'Europe/Zurich', GBP: 'Europe/London' });
  for (const [currency, timeZone] of places) {
    const name = `${currency} ${run}`;
    const municipality = await create(page, '/api/admin/rates/municipalities', { name, timeZone });
    const period = (of: string, startTime: string, endTime: string) => ({
      name: of,
      daysOfWeek: 127,
      startTime,
      endTime,
      ratePerKwh: 0.1,
    });
    await create(page, '/api/admin/rates/tariffs', {
      municipalityId: municipality,
      name,
      currency,
      effectiveFrom: '2024-01-01',
      effectiveTo: '2024-07-01',
      defaultRatePerKwh: 0.3,
      fixedChargePerMonth: 25,
      vatPercent: 19,
      periods: [period('Night', '22:00', '06:00'), period('Peak', '17:00', '20:00')],
    });
  }
  const rows = Array.from({ length: 300 }, (_, at) => ({
    site: `Plant ${at % 20} ${run}`,
    municipality: `${places[at % 3]?.[0]} ${run}`,
    name: `Meter ${at}`,
    externalId: `${run} ${at}`,
    expectedIntervalSeconds: 900,
  }));
  // Sites of one municipality each.
  for (const row of rows) row.municipality = `${places[Number(row.site.split(' ')[1]) % 3]?.[0]} ${run}`;
  const table = await page.request.post('/api/admin/site-table', { data: { rows } });
  expect(await table.json()).toEqual({ sites: 20, devices: 300 });
  const data = rows.flatMap(({ externalId }) =>
    registerRows(externalId, '2024-05-14T00:00:00Z', '2024-05-14T12:00:00Z', () => 4),
  );
  const stored = await page.request.post('/api/ingest/measurements', { data });
  expect(await stored.json()).toMatchObject({ accepted: data.length, rejected: 0 });
  const listed: { id: string; name: string }[] = await (await page.request.get('/api/sites')).json();
  const sites = listed.flatMap(({ id, name }) => (name.endsWith(run) ? [id] : [])).join(',');
  const print = async () => readPdf(await page.pdf({ preferCSSPageSize: true }));

  await page.goto(`/report?month=2024-05&sites=${sites}`);
  await panel(page, 'Share of each device').getByText('285 more devices').waitFor();
  await panel(page, 'By site').getByText('more sites').first().waitFor();
  await panel(page, 'Average power by hour and day').locator('[role=img] path').first().waitFor();
  await page.getByRole('region', { name: /^Peak/ }).getByRole('row').nth(5).waitFor();
  await expect.poll(() => page.locator('.mantine-Skeleton-root').count()).toBe(0);
  expect((await print()).length).toBeLessThanOrEqual(4);
  // No panel touches the next.
  await page.emulateMedia({ media: 'print' });
  const gaps = await page.evaluate<number[]>(`[...document.querySelectorAll('main section[aria-label]')]
    .map((one) => one.getBoundingClientRect())
    .map(({ top }, at, all) => top - (all[at - 1]?.bottom ?? 0))`);
  expect(gaps.length).toBeGreaterThan(6);
  expect(Math.min(...gaps)).toBeGreaterThan(8);
  await page.emulateMedia({ media: null });

  await page.goto(`/dashboard?from=2024-05-01&to=2024-05-31&tz=Europe/Berlin&sites=${sites}`);
  await page.getByRole('button', { name: 'Show all 300 devices' }).waitFor();
  await expect.poll(() => page.locator('.mantine-Skeleton-root').count()).toBe(0);
  const sheets = await print();
  // Every device with readings is listed.
  for (const last of ['Meter0', 'Meter150', 'Meter299']) expect(sheets.join()).toContain(last);
  expect(sheets.join()).not.toContain('Excelfile');
  expect(sheets.length).toBeLessThanOrEqual(14);
  expect(problems).toEqual([]);
});

it('the report of a month has the amounts of vector C08 on at most four sheets, also in a language of its own', async () => {
  const vector = cost.find(({ id }) => id === 'C08');
  if (vector === undefined) throw new Error('The vectors have no case C08.');
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  const municipality = await create(page, '/api/admin/rates/municipalities', {
    name: uniqueName('Bonn'),
    timeZone: vector.timeZone,
  });
  const externalId = randomUUID();
  const [tariff] = vector.tariffs;
  await create(page, '/api/admin/rates/tariffs', { municipalityId: municipality, ...tariff });
  const siteId = await create(page, '/api/admin/sites', { name: uniqueName('Mill'), municipalityId: municipality });
  await create(page, '/api/admin/devices', { siteId, name: 'Mill meter', externalId });
  const data = registerRows(externalId, vector.from, vector.to, () => 4);
  const stored = await page.request.post('/api/ingest/measurements', { data });
  expect(await stored.json()).toMatchObject({ accepted: data.length, rejected: 0 });

  await page.goto(`/report?month=2026-03&sites=${siteId}`);
  await page.getByRole('heading', { level: 1, name: 'Energy report: March 2026' }).waitFor();
  const lines = panel(page, 'Cost by tariff period').getByRole('row');
  await lines.nth(5).waitFor();
  const { expect: wanted } = vector;
  const euro = (amount: number) => new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(amount);
  const line = (period: string) => wanted.lines.find((one) => one.period === period);
  expect((await words(lines)).map((text) => text.split(/\s*[\t\n]\s*/u).filter((cell) => cell !== ''))).toEqual([
    ['Line', 'Quantity', 'Price', 'Amount'],
    ['Default rate', '1,984.000 kWh', '€0.30/kWh', euro(line('Default')?.cost ?? NaN)],
    ['Night', '988.000 kWh', '€0.10/kWh', euro(line('Night')?.cost ?? NaN)],
    ['Fixed charge', euro(wanted.fixedCharge)],
    ['VAT', '19%', '€134.24'],
    ['Total', euro(wanted.totalRounded)],
  ]);
  const figures = panel(page, 'Key figures');
  await figures.getByText('No data for February 2026.').waitFor();
  expect(await figures.getByRole('columnheader').allInnerTexts()).toEqual(['Metric', 'March 2026']);
  await figures.getByText('Clock change: 29 Mar 2026 had 23 hours.').waitFor();
  expect(await textOf(figures.getByRole('row', { name: /^Energy/ }))).toContain('2,972 kWh');
  for (const name of ['Energy by day', 'Load curve', 'Average power by hour and day']) {
    await panel(page, name).locator('[role=img] path').first().waitFor();
  }
  await panel(page, 'Data quality').getByText('100%').waitFor();
  await figures.getByRole('button', { name: 'Add a remark' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Remark' }).fill('The press stood still.\nFor two weeks.');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await figures.getByText('The press stood still.').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await checkAccessibility(page);
  const sheets = readPdf(await page.pdf({ preferCSSPageSize: true }));
  expect(sheets.length).toBeLessThanOrEqual(4);
  for (const sheet of sheets) expect(sheet).toContain('Energyreport·March2026·Mill');
  expect(sheets.join()).toContain('Fortwoweeks.');
  expect(sheets.join()).not.toContain('Changetheremark');

  await page.goto(`/report?month=2026-03&sites=${siteId}&lang=de`);
  await page.getByRole('heading', { level: 1, name: 'Energiebericht: März 2026' }).waitFor();
  await panel(page, 'Kosten je Tarifzeit')
    .getByText(/^840,74\s€$/u)
    .waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Measurements' }).waitFor();
  expect(problems).toEqual([]);
});
