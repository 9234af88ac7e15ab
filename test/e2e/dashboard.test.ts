import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser.ts';
import { countClicks } from '../support/clicks.ts';
import { panel, textOf, tile, words } from '../support/dashboard-page.ts';
import { readPdf } from '../support/pdf-text.ts';
import { create, signIn } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';
import { uniqueName, fillWorks, quarterMs, registerRows, worksDay } from '../support/works.ts';
import { openWorkbook } from '../support/xlsx/workbook.ts';

const stage = stageOfFile();
let works = '';
let municipalityId = '';
let mainMeter = '';
const plain = { email: 'plain@example.com', password: 'Plain-User-1' };

beforeAll(async () => {
  await using opened = await stage.open();
  ({ municipalityId, works, mainMeter } = await fillWorks(opened.page));
  await create(opened.page, '/api/users', { ...plain, displayName: 'Plain' });
});

it('without a tariff: no cost of 0, but unpriced energy and a link to the rates for administrators', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto(worksDay);
  await tile(page, 'Cost').getByText('103 kWh not priced').waitFor();
  expect(await textOf(tile(page, 'Cost'))).not.toMatch(/\d[.,]\d\d\s|€/);
  await panel(page, 'Cost by tariff period and day').getByText('No tariff yet').waitFor();
  await checkAccessibility(page);
  const link = tile(page, 'Cost').getByRole('link', { name: 'Add a tariff' });
  await page.emulateMedia({ media: 'print' });
  expect(await link.isVisible()).toBe(false);
  await page.emulateMedia({ media: null });
  await link.click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/settings/rates');
  expect(problems).toEqual([]);

  await using other = await stage.open();
  await signIn(other.page, plain);
  await other.page.goto(worksDay);
  await tile(other.page, 'Cost').getByText('103 kWh not priced').waitFor();
  expect(await other.page.getByRole('link', { name: 'Add a tariff' }).count()).toBe(0);
});

it('energy, cost and peak of a day follow from readings and tariff, compared with the day before', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  const daily = { daysOfWeek: 127, startTime: '22:00', endTime: '06:00' };
  await create(page, '/api/admin/rates/tariffs', {
    municipalityId,
    name: 'Grid',
    currency: 'EUR',
    effectiveFrom: '2025-01-01',
    defaultRatePerKwh: 0.3,
    fixedChargePerMonth: 31,
    vatPercent: 20,
    exportRatePerKwh: 0.08,
    periods: [{ name: 'Night', ratePerKwh: 0.2, ...daily }],
  });
  await page.goto(worksDay);

  // 95 quarter-hours of 1 kWh and one of 2.5, and 5 kWh of the annex; 48 kWh the day before.
  const energy = tile(page, 'Energy');
  await energy.getByText('+114%').waitFor();
  const energyText = await textOf(energy);
  expect(energyText).toMatch(/^Energy\s+103 kWh/);
  expect(energyText).toContain('Sun, 9 Mar 2025');
  expect(energyText).toContain('48.0 kWh');
  expect(energyText).toContain('Exported: 2.00 kWh');
  expect(energyText).toContain('8.00 kWh');

  // (32 x 0.20 + 65.5 x 0.30 + 31 / 31 - 2 x 0.08) x 1.2; the day before (16 x 0.20 + 32 x 0.30 + 1) x 1.2.
  const cost = await textOf(tile(page, 'Cost'));
  expect(cost).toContain('€32.27');
  expect(cost).toContain('+95%');
  expect(cost).toContain('€16.56');
  expect(cost).toContain('5.00 kWh not priced');

  const peak = await textOf(tile(page, 'Peak demand'));
  expect(peak).toContain('10.0 kW');
  expect(peak).toContain('10 Mar 2025, 18:00');
  expect(await textOf(tile(page, 'Power now'))).toContain('0 of 3 devices');

  const devices = panel(page, 'Energy by device').getByRole('listitem');
  await devices.first().waitFor();
  expect(await words(devices)).toEqual([
    expect.stringMatching(/^Main meter[\s\S]*interpolated 8\.00 kWh[\s\S]*97\.5 kWh[\s\S]*€26\.05/),
    expect.stringMatching(/^Annex meter[\s\S]*5\.00 kWh/),
    expect.stringMatching(/^Roof[\s\S]*exported 2\.00 kWh/),
  ]);
  await checkAccessibility(page);
  expect(problems).toEqual([]);
});

it('if a tariff ended within the range, its cost has no percentage: part of the energy has no price', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  const rates = '/api/admin/rates/tariffs';
  const municipalities: { id: string; tariffs: { id: string; name: string }[] }[] = await (
    await page.request.get('/api/rates')
  ).json();
  const grid = municipalities.flatMap(({ tariffs }) => tariffs).find(({ name }) => name === 'Grid');
  const save = async (effectiveTo: string | null) => {
    const answer = await page.request.put(`${rates}/${grid?.id}`, { data: { ...grid, effectiveTo } });
    expect(answer.status(), await answer.text()).toBe(200);
  };
  await save('2025-03-11');
  await page.goto('/dashboard?from=2025-03-10&to=2025-03-11&tz=Europe/Berlin');
  await tile(page, 'Cost').getByText('Partly unpriced').waitFor();
  const cost = await textOf(tile(page, 'Cost'));
  await save(null);
  expect(cost).toContain('€17.76 in 8');
  expect(cost).not.toContain('%');
});

it('"Cost breakdown" has every line of the total, and each can be recomputed', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto(worksDay);
  await tile(page, 'Cost').getByRole('button', { name: 'Cost breakdown' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cost breakdown' });
  const bill = dialog.getByRole('table', { name: 'Works: Grid' });
  await bill.waitFor();
  const cells = (name: string) => words(bill.getByRole('row', { name: new RegExp(`^${name}`) }).getByRole('cell'));
  expect(await cells('Night')).toEqual(['32.000 kWh', '€0.20/kWh', '€6.40']);
  expect(await cells('Default rate')).toEqual([
    expect.stringMatching(/^65\.500 kWh\s+8\.000 kWh interpolated$/),
    '€0.30/kWh',
    '€19.65',
  ]);
  expect(await cells('Export credit')).toEqual(['2.000 kWh', '-€0.08/kWh', '-€0.16']);
  expect(await cells('Fixed charge')).toEqual([
    expect.stringMatching(/^1 day\s+March 2025: 1 of 31 days$/),
    '€31.00 per month',
    '€1.00',
  ]);
  expect(await cells('VAT')).toEqual(['€26.89', '20%', '€5.38']);
  expect(await cells('Total')).toEqual(['€32.27']);
  expect(6.4 + 19.65 - 0.16 + 1 + 5.38).toBeCloseTo(32.27, 9);
  await dialog.getByText('€32.27').last().waitFor();
  expect(await dialog.getByRole('table', { name: 'Annex: No tariff' }).innerText()).toContain('5.000');
  await checkAccessibility(page);

  // It has its own link, and prints as it is shown.
  await dialog.getByRole('button', { name: 'Print or save as PDF' }).waitFor();
  expect(new URL(page.url()).searchParams.get('why')).toBe('lines');
  await page.reload();
  await bill.waitFor();
  const paper = readPdf(await page.pdf({ preferCSSPageSize: true })).join();
  expect(paper).toContain('Exportcredit');
  expect(paper).not.toMatch(/Loadcurve|Copylink|Whatchanged/);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(new URL(page.url()).searchParams.has('why')).toBe(false);

  const byDay = panel(page, 'Cost by tariff period and day');
  await byDay.getByRole('button', { name: 'Show as table' }).click();
  const row = byDay.getByRole('row', { name: /10 Mar 2025/ });
  for (const amount of ['€6.40', '€19.65', '-€0.16', '€1.00', '€5.38', '€32.27']) {
    expect(await row.innerText()).toContain(amount);
  }
  const downloaded = page.waitForEvent('download');
  await byDay.getByRole('button', { name: 'Download as CSV' }).click();
  const file = await readFile(await (await downloaded).path(), 'utf8');
  expect(file).toMatch(/^\ufeffTime,.*\r\n2025-03-10,.*,32\.27\r\n$/);
  expect(problems).toEqual([]);
});

it('data quality counts the gap, and leads to the page of the device with the same range', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto(worksDay);
  const quality = panel(page, 'Data quality');
  const trouble = quality.getByRole('listitem').filter({ hasText: 'Main meter' });
  // 88 of 96 quarter-hours.
  await trouble.getByText('91.7% measured').waitFor();
  await trouble.getByText('Interpolated: 1').waitFor();
  await quality.getByRole('img', { name: /interpolated/ }).waitFor();
  await trouble.getByRole('link', { name: 'Main meter' }).click();
  await page.getByRole('heading', { level: 1, name: 'Main meter' }).waitFor();
  const address = new URL(page.url());
  expect(address.pathname).toBe(`/sites/${works}/devices/${mainMeter}`);
  expect(address.searchParams.get('from')).toBe('2025-03-09T23:00:00.000Z');
  expect(problems).toEqual([]);
});

it('the height of a day in the quality strip is its number of quarter-hours, and the zone of the days is named', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  // From noon of 9 March in Berlin: 48 quarter-hours of one device; then 96 of it, 48 of the roof and 56 of the annex.
  await page.goto('/dashboard?from=2025-03-09T11:00:00.000Z&to=2025-03-10T23:00:00.000Z&tz=Europe/Berlin');
  const quality = panel(page, 'Data quality');
  await quality.getByText('Days in Central European Time.').waitFor();
  const heights = await quality.getByRole('img', { name: /interpolated/ }).evaluate((strip) =>
    [...strip.children].map((column) => {
      const parts = [...column.querySelectorAll('[data-state]')];
      return parts.reduce((sum, part) => sum + part.getBoundingClientRect().height, 0) / strip.clientHeight;
    }),
  );
  expect(heights).toHaveLength(2);
  expect(heights[0]).toBeCloseTo(48 / 200, 1);
  expect(heights[1]).toBeCloseTo(1, 1);
  await quality.getByRole('button', { name: 'Show as table' }).click();
  const counts = quality.getByRole('row').locator('[role=cell]:last-child, td:last-child');
  await expect.poll(() => words(counts)).toEqual(['48', '200']);
});

it('the heatmap shows the repeated hour of autumn once, as the mean of both, with a note', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  await page.goto('/dashboard?from=2025-10-25T22:00:00.000Z&to=2025-10-26T23:00:00.000Z&tz=Europe/Berlin');
  const heatmap = panel(page, 'Average power by hour and day');
  await heatmap.getByRole('img', { name: /Highest: 3\.00 kW/ }).waitFor();
  await heatmap.getByRole('button', { name: 'Show as table' }).click();
  const cells = heatmap.getByRole('row', { name: /26 Oct 2025/ }).getByRole('cell');
  await cells.nth(23).waitFor();
  const hours = await cells.allInnerTexts();
  expect(hours).toHaveLength(24);
  expect(hours[1]).toBe('2.00');
  expect(hours[2]).toMatch(/^3\.00 \(average of 2 hours/);
  expect(hours[3]).toBe('2.00');
  await checkAccessibility(page);
  // Of a long range a phone shows the newest days first.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/dashboard?from=2025-01-25T23:00:00.000Z&to=2025-10-26T23:00:00.000Z&tz=Europe/Berlin');
  const field = await heatmap.getByRole('img', { name: /Highest/ }).boundingBox();
  expect(field?.width).toBeGreaterThan(400);
  expect((field?.x ?? 0) + (field?.width ?? 0)).toBeLessThanOrEqual(390);
});

it('a chart is read by pointer, finger and keys, and zoomed by drag, slider and keys', async () => {
  await using opened = await stage.signedIn({ hasTouch: true });
  const { page, problems } = opened;
  await page.goto('/dashboard?from=2025-03-09T23:00:00.000Z&to=2025-03-10T23:00:00.000Z&tz=Europe/Berlin');
  const curve = panel(page, 'Load curve');
  const chart = curve.getByRole('img', { name: /^Load curve/ });
  await chart.locator('path').first().waitFor();
  await chart.scrollIntoViewIfNeeded();
  const { x = 0, y = 0, width = 0, height = 0 } = (await chart.boundingBox()) ?? {};
  const tooltip = chart.locator('dl');
  const zoomOf = () =>
    new URL(page.url()).searchParams
      .get('zoom')
      ?.split('..')
      .map((at) => Date.parse(at));
  const hoursOf = ([from = 0, to = 0]: readonly number[] = []) => (to - from) / 3_600_000;

  await page.mouse.move(x + width * 0.8, y + height / 2);
  await tooltip.getByText(/kW$/).first().waitFor();
  await page.mouse.move(x, y - 40);
  await tooltip.waitFor({ state: 'detached' });
  await page.touchscreen.tap(x + width * 0.7, y + height / 2);
  await tooltip.getByText(/kW$/).first().waitFor();

  // A drag over half of the chart shows about twelve hours.
  await page.mouse.move(x + width * 0.4, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.9, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await expect.poll(zoomOf).toHaveLength(2);
  const dragged = zoomOf() ?? [];
  expect(hoursOf(dragged)).toBeGreaterThan(11);
  expect(hoursOf(dragged)).toBeLessThan(14);

  // The end by its handle, then the whole window to the start.
  const slider = { left: x + 8, right: x + width - 8, y: y + height - 14 };
  const at = (ms: number) =>
    slider.left + ((ms - Date.parse('2025-03-09T23:00:00Z')) / 86_400_000) * (slider.right - slider.left);
  const slide = async (from: number, to: number) => {
    await page.mouse.move(from, slider.y);
    await page.mouse.down();
    await page.mouse.move(to, slider.y, { steps: 4 });
    await page.mouse.up();
  };
  await slide(at(dragged[1] ?? 0), at((dragged[1] ?? 0) - 6 * 3_600_000));
  await expect.poll(() => Math.round(hoursOf(dragged) - hoursOf(zoomOf()))).toBe(6);
  expect(Math.abs((zoomOf()?.[0] ?? 0) - (dragged[0] ?? 0))).toBeLessThan(1_000);
  const shorter = zoomOf() ?? [];
  await slide(at(((shorter[0] ?? 0) + (shorter[1] ?? 0)) / 2), slider.left);
  await expect.poll(() => zoomOf()?.[0]).toBe(Date.parse('2025-03-09T23:00:00Z'));
  expect(hoursOf(zoomOf())).toBeCloseTo(hoursOf(shorter), 1);

  await chart.focus();
  await page.keyboard.press('Home');
  const said = curve.getByRole('status').filter({ hasText: /kW$/ });
  await said.waitFor();
  const first = await said.innerText();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => said.innerText()).not.toBe(first);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect.poll(zoomOf).toBeUndefined();
  expect(problems).toEqual([]);
});

it('a range without earlier readings says that there is nothing to compare', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  await page.goto('/dashboard?from=2025-03-08T23:00:00.000Z&to=2025-03-09T23:00:00.000Z&tz=Europe/Berlin');
  await tile(page, 'Energy').getByText('No earlier data for Sat, 8 Mar 2025').waitFor();
  await tile(page, 'Cost').getByText('No earlier data for Sat, 8 Mar 2025').waitFor();
  expect(await page.getByText('∞').count()).toBe(0);
  // Nor is there a band to show or hide.
  const legend = panel(page, 'Load curve').getByRole('list', { name: 'Legend' });
  await legend.getByRole('button', { name: 'Previous day' }).waitFor();
  await expect.poll(() => legend.getByRole('button', { name: 'Typical' }).count()).toBe(0);
});

/** Number of rows of controls above the first number, and the bottom of the lowest control in px. */
const headOf = (page: Page) =>
  page.evaluate<[number, number]>(`(() => {
    const end = document.querySelector('main section').getBoundingClientRect().top;
    const boxes = [...document.querySelectorAll('main :is(button, a, input)')]
      .map((each) => each.getBoundingClientRect())
      .filter(({ top, height }) => height > 0 && top < end);
    return [new Set(boxes.map(({ top }) => Math.round(top))).size, Math.min(...boxes.map(({ height }) => height))];
  })()`);

it.each(['en-GB', 'de-DE'])(
  'at 390 px in %s: accessible, no wider than the screen, also the explanation',
  async (locale) => {
    await using opened = await stage.signedIn({ viewport: { width: 390, height: 844 }, locale });
    const { page, problems } = opened;
    await page.goto(worksDay.replace('&tz=Europe/Berlin', ''));
    await page
      .getByRole('main')
      .getByText(locale === 'de-DE' ? /^Zeitzone: / : /^Times in /)
      .waitFor();
    await page
      .getByRole('button', { name: locale === 'de-DE' ? 'Kostenaufstellung' : 'Cost breakdown' })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('table').first().waitFor();
    await checkAccessibility(page);
    await page.keyboard.press('Escape');
    await page.waitForLoadState('networkidle');
    expect(await headOf(page), 'title, devices, range and the rest in two rows of 44 px').toEqual([2, 44]);
    expect(
      await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    ).toBeLessThanOrEqual(0);
    await checkAccessibility(page);
    expect(problems).toEqual([]);
  },
);

/** What an energy manager and an installer do every day, each from the Overview. */
async function expectFewClicks(page: Page): Promise<void> {
  const { click, take } = countClicks();
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const place = async (name: string) => {
    await click(page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name, exact: true }));
    await page.getByRole('heading', { level: 1, name: name === 'Reports' ? 'Energy report' : name }).waitFor();
  };
  const chooseRange = async (name: string) => {
    await click(button('Today').first());
    await click(button(name));
  };
  const dialog = page.getByRole('dialog');
  const rejected = { externalId: uniqueName('nobody'), time: new Date().toISOString(), activePowerKw: 1 };
  await page.request.post('/api/ingest/measurements', { data: [rejected] });
  const device = uniqueName('Clicked');
  const tasks: Record<string, [most: number, task: () => Promise<unknown>]> = {
    'the cost of last month': [
      1,
      async () => {
        await place('Reports');
        const figures = page.getByRole('region', { name: 'Key figures' });
        await figures.getByRole('row', { name: /^Cost/ }).getByText('€').first().waitFor();
      },
    ],
    'who uses most at night': [
      2,
      async () => {
        await click(button('By device').first());
        await dialog
          .getByRole('row', { name: /Noon meter/ })
          .first()
          .waitFor();
      },
    ],
    'the last 24 hours of a device': [
      3,
      async () => {
        await place('Measurements');
        await click(button(/^Devices/).first());
        await click(page.getByRole('option', { name: /^Noon meter/ }).first());
        await button('Last 24 hours').waitFor();
        await expect.poll(() => new URL(page.url()).searchParams.has('devices')).toBe(true);
        await page.getByRole('region', { name: 'Active power' }).getByRole('img').first().waitFor();
      },
    ],
    'this month against last month': [
      3,
      async () => {
        await place('Compare');
        await chooseRange('This month');
        await button('Last month').waitFor();
      },
    ],
    'last month as a workbook': [
      3,
      async () => {
        await chooseRange('Last month');
        const saved = page.waitForEvent('download');
        await click(button('Export to Excel'));
        expect((await saved).suggestedFilename()).toMatch(/^summary-.*01-.*\.xlsx$/);
      },
    ],
    'the report on paper': [
      2,
      async () => {
        await place('Reports');
        await page.getByRole('region', { name: 'Key figures' }).waitFor();
        await page.evaluate('window.print = () => { window.printed = true }');
        await click(button('Print or save as PDF'));
        await expect.poll(() => page.evaluate('window.printed')).toBe(true);
      },
    ],
    'a new device': [
      4,
      async () => {
        await place('Sites');
        await click(page.getByRole('main').getByRole('link', { name: 'Works', exact: true }).first());
        await click(button('Add device'));
        await dialog.getByRole('textbox', { name: 'Name' }).fill(device);
        await dialog.getByRole('textbox', { name: 'External ID' }).fill(device);
        await click(dialog.getByRole('button', { name: 'Add device' }));
        await page.getByRole('row', { name: device }).waitFor();
      },
    ],
    'a key for a gateway': [
      4,
      async () => {
        await place('Settings');
        await click(page.getByRole('link', { name: 'API keys' }));
        await click(button('New API key'));
        await dialog.getByRole('textbox', { name: 'Name' }).fill(device);
        await click(dialog.getByRole('button', { name: 'Create API key' }));
        await dialog.getByText('Copy the key now.').waitFor();
      },
    ],
    'a rejected reading': [
      2,
      async () => {
        await place('Settings');
        await click(page.getByRole('link', { name: 'Incoming' }));
        await page.getByRole('row', { name: new RegExp(`${rejected.externalId}.*Rejected`) }).waitFor();
      },
    ],
    'another time zone': [
      3,
      async () => {
        await click(page.getByRole('link', { name: /^Times in / }));
        await click(page.getByRole('combobox', { name: 'Time zone' }));
        await page.keyboard.type('Tokyo');
        await page.keyboard.press('Enter');
        await click(button('Save changes'));
        await page.getByRole('link', { name: 'Times in Japan Standard Time' }).waitFor();
      },
    ],
  };
  for (const [name, [most, task]] of Object.entries(tasks)) {
    await page.goto('/dashboard');
    await page.getByRole('region', { name: 'Status' }).waitFor();
    take();
    await task();
    expect(take(), name).toBeLessThanOrEqual(most);
  }
  const profile = { displayName: 'Administrator', timeZone: null };
  expect((await page.request.put('/api/auth/me', { data: profile })).status()).toBe(200);
}

/** px between the comparison and the link that explains it. */
const aboveWhy = `(() => {
  const why = [...document.querySelectorAll('dl button')].find(({ textContent }) => textContent === 'What changed?');
  const compared = document.createRange();
  compared.selectNodeContents(why.parentElement.previousElementSibling);
  return why.getBoundingClientRect().top - compared.getBoundingClientRect().bottom;
})()`;

it('today is drawn over usual consumption of eight weeks: a band with its median, and the difference so far; nothing moves when it loads', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  // A time zone where it is about noon, so that today has begun and is not over.
  const hour = new Date().getUTCHours();
  const timeZone = hour === 12 ? 'Etc/GMT' : `Etc/GMT${hour > 12 ? '+' : '-'}${Math.abs(hour - 12)}`;
  const today = Temporal.Now.zonedDateTimeISO(timeZone).startOfDay();
  const noon = await create(page, '/api/admin/rates/municipalities', { name: uniqueName('Noon'), timeZone });
  const tariff = { name: 'Flat', currency: 'EUR', effectiveFrom: '2025-01-01', defaultRatePerKwh: 0.3, periods: [] };
  await create(page, '/api/admin/rates/tariffs', { ...tariff, municipalityId: noon });
  const externalId = randomUUID();
  const siteId = await create(page, '/api/admin/sites', { name: uniqueName('Noon works'), municipalityId: noon });
  await create(page, '/api/admin/devices', { siteId, name: 'Noon meter', externalId });
  // From 1.65 kW eight weeks ago to 2.35 kW last week, with a median of 2 kW; today 2.24 kW, until an hour from now.
  const weekMs = 7 * 86_400_000;
  const start = today.epochMilliseconds - 8 * weekMs;
  const until = Math.ceil((Date.now() + 3_600_000) / quarterMs) * quarterMs;
  const data = registerRows(externalId, new Date(start).toISOString(), new Date(until).toISOString(), (at) =>
    at >= today.epochMilliseconds ? 2.24 : 1.65 + 0.1 * Math.floor((at - start) / weekMs),
  );
  const answer = await page.request.post('/api/ingest/measurements', { data });
  expect(await answer.json()).toMatchObject({ accepted: data.length, rejected: 0 });

  const compared = Promise.withResolvers<undefined>();
  await page.route('**/api/dashboard/usual?*', async (route) => {
    await compared.promise;
    await route.continue();
  });
  const ofSite = `/dashboard?sites=${siteId}&tz=${encodeURIComponent(timeZone)}`;
  await page.goto(ofSite);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await tile(page, 'Energy').getByText('kWh').waitFor();
  // Lines in the typeface are higher by a fraction of a pixel.
  await expect.poll(() => page.evaluate("document.fonts.check('1em Inter Variable')")).toBe(true);
  const cost = tile(page, 'Cost so far');
  const status = page.getByRole('region', { name: 'Status' });
  const places = () => Promise.all([cost, status].map((place) => place.boundingBox()));
  const before = await places();
  compared.resolve(undefined);
  const weekday = today.toLocaleString('en-GB', { weekday: 'long' });
  // Is today normal? 0 clicks.
  await status.getByText('Consumption is normal').waitFor();
  await status.getByText(`12% above a typical ${weekday} so far (8 weeks)`).waitFor();
  await cost.getByRole('button', { name: 'What changed?' }).waitFor();
  expect(await page.evaluate<number>(aboveWhy), 'no empty line above it').toBeLessThan(8);
  expect(await places()).toEqual(before);
  const curve = panel(page, 'Load curve');
  await curve.getByRole('button', { name: 'Typical', pressed: true }).waitFor();
  // All of it is visible without scrolling.
  await page.setViewportSize({ width: 1440, height: 900 });
  const chart = await curve.locator('[role=img]').first().boundingBox();
  expect((chart?.y ?? Infinity) + (chart?.height ?? Infinity)).toBeLessThan(900);
  await curve.getByRole('button', { name: 'Show as table' }).click();
  const row = curve.getByRole('row', { name: /00:00/ }).first();
  await row.getByText('2.24').waitFor();
  expect((await textOf(row)).split(/\s+/).slice(-4)).toEqual(['2.24', '2.00', '1.72', '2.28']);
  expect(problems).toEqual([]);
  await expectFewClicks(page);

  await page.route('**/api/dashboard/cost-breakdown?*', (route) =>
    route.fulfill({ status: 500, json: { error: 'It failed.' } }),
  );
  await page.goto(ofSite);
  await cost.getByText('Couldn’t load').waitFor();
  await cost.getByText('vs.').waitFor();
  expect(await textOf(cost), 'nothing is told beside a number that is not there').not.toContain('by this time');
});

it('in the current year the bars, their explanation and the workbook have the cost so far, without charges of future months', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  const charged = await create(page, '/api/admin/rates/municipalities', {
    name: uniqueName('Charged'),
    timeZone: 'UTC',
  });
  const tariff = { name: 'Flat', currency: 'EUR', effectiveFrom: '2025-01-01', defaultRatePerKwh: 0.3, periods: [] };
  const fixedChargePerMonth = 310;
  await create(page, '/api/admin/rates/tariffs', { ...tariff, fixedChargePerMonth, municipalityId: charged });
  const externalId = randomUUID();
  const siteId = await create(page, '/api/admin/sites', { name: uniqueName('Charged works'), municipalityId: charged });
  await create(page, '/api/admin/devices', { siteId, name: 'Charged meter', externalId });
  const nowMs = Date.parse('2026-03-10T12:00:00Z');
  const data = registerRows(externalId, '2026-03-10T00:00:00Z', '2026-03-10T12:00:00Z', () => 2);
  const answer = await page.request.post('/api/ingest/measurements', { data });
  expect(await answer.json()).toMatchObject({ accepted: data.length, rejected: 0 });

  // 24 kWh, January, February and nine and a half days of March.
  const total = 24 * 0.3 + 310 + 310 + 95;
  await page.clock.setFixedTime(nowMs);
  await page.goto(`/dashboard?range=this-year&sites=${siteId}`);
  await tile(page, 'Cost so far')
    .getByText(`€${total.toFixed(2)}`)
    .waitFor();
  const byMonth = panel(page, 'Cost by tariff period and month');
  await byMonth.getByRole('button', { name: 'Show as table' }).click();
  await byMonth.getByRole('row', { name: /March/ }).getByText('€102.20').waitFor();
  expect(await byMonth.getByRole('row').count()).toBe(1 + 3);
  await byMonth.getByRole('button', { name: 'Cost breakdown' }).click();
  await page
    .getByRole('dialog')
    .getByText(`€${total.toFixed(2)}`)
    .last()
    .waitFor();
  await page.keyboard.press('Escape');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export to Excel' }).click(),
  ]);
  const bytes = Buffer.concat(await Array.fromAsync(await download.createReadStream()));
  const rows = openWorkbook(bytes).sheets.flatMap((sheet) =>
    sheet.rows.map((row) => row.map((cell) => cell?.value ?? null)),
  );
  expect(rows).toContainEqual(['Total cost', total]);
  expect(rows).toContainEqual(['Data until (Europe/Berlin)', expect.anything(), '2026-03-10T12:00:00Z']);
  expect(problems).toEqual([]);
});

it('a cost so far that cannot be loaded shows an error, not only a dash', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  await page.route('**/api/dashboard/cost-breakdown?*', (route) =>
    route.fulfill({ status: 500, json: { error: 'It failed.' } }),
  );
  await page.goto(`/dashboard?range=this-year&sites=${works}`);
  const cost = tile(page, 'Cost so far');
  await cost.getByText('Couldn’t load').waitFor();
  expect(await textOf(cost)).toContain('–');
});
