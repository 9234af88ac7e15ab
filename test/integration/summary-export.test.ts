import { beforeAll, describe, expect, it, test } from 'vitest';
import { type CostBreakdown, costBreakdown, type DashboardSummary, dashboardSummary } from '../../shared/dashboard.ts';
import { type DataQuality, dataQuality, qualityFlagKind } from '../../shared/data-quality.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice, createSite } from '../support/sites.ts';
import { readWithLibreOffice, withLibreOffice } from '../support/xlsx/libre-office.ts';
import { readWithOpenpyxl, withOpenpyxl } from '../support/xlsx/openpyxl.ts';
import { localTimeOfSerial } from '../support/xlsx/serial-time.ts';
import { openWorkbook, type Workbook } from '../support/xlsx/workbook.ts';

const now = Date.UTC(2026, 2, 31, 12);
/** Over the day on which clocks in Berlin go forward, with a cut day at each end. */
const range = { from: '2026-03-25T10:20:00Z', to: '2026-03-31T09:07:00Z' };
const path = '/api/dashboard/summary';

const portal = appOfFile({ now: () => now });
let headers: { cookie: string };
const devices: Record<string, string> = {};
let answers: { summary: DashboardSummary; days: CostBreakdown; breakdown: CostBreakdown; quality: DataQuality };
let workbook: Workbook;
let bytes: Buffer;

const get = (url: string, query: Record<string, string>) => portal.app.inject({ method: 'GET', url, query, headers });
async function post(url: string, payload: object): Promise<void> {
  const answer = await portal.app.inject({ method: 'POST', url, payload, headers });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
}

/** The values of a sheet below its header, times as local texts, and its header. */
function table(name: string, of = workbook) {
  const sheet = of.sheets.find((one) => one.name === name);
  if (sheet === undefined) throw new Error(`There is no sheet ${name}.`);
  const [header = [], ...cut] = sheet.rows.map((row) =>
    row.map((cell) => {
      const isTime = cell?.numberFormat.startsWith('yyyy') ?? false;
      return isTime && typeof cell?.value === 'number' ? localTimeOfSerial(cell.value) : (cell?.value ?? null);
    }),
  );
  // Empty cells at the end of a row are not in the file.
  const rows = cut.map((row) => [...row, ...Array<null>(header.length - row.length).fill(null)]);
  const column = (title: string) => rows.map((row) => row[header.indexOf(title)] ?? null);
  return { sheet, header, rows, column };
}
const numbers = (values: readonly unknown[]) => values.map((value) => (typeof value === 'number' ? value : 0));
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
const local = (instant: string | null, zone: string) =>
  instant === null ? null : Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDateTime().toString();

beforeAll(async () => {
  headers = await portal.signIn();
  const session = { app: portal.app, headers };
  const office = await createSite(session, { name: '=HYPERLINK("http://x","Office")', timeZone: 'Europe/Berlin' });
  const store = await createSite(session, { name: 'Store', timeZone: 'Asia/Tokyo' });
  const shed = await createSite(session, { name: 'Shed without a tariff', timeZone: 'Europe/Berlin' });
  const sites = new Map([
    ['main', office],
    ['pv', office],
    ['store', store],
    ['shed', shed],
  ]);
  for (const [name, site] of sites)
    devices[name] = await createDevice(session, site, { externalId: name, name: `+${name}` });
  for (const [site, tariff] of [
    [
      office,
      {
        currency: 'EUR',
        defaultRatePerKwh: 0.2537,
        fixedChargePerMonth: 19.99,
        vatPercent: 19,
        exportRatePerKwh: 0.081,
      },
    ],
    [
      store,
      { currency: 'JPY', defaultRatePerKwh: 27.3, fixedChargePerMonth: 1500, vatPercent: 10, exportRatePerKwh: null },
    ],
  ] as const) {
    const { municipalityId } = (await get(`/api/sites/${site}`, {})).json<{ municipalityId: string }>();
    await post('/api/admin/rates/tariffs', {
      ...tariff,
      municipalityId,
      name: `@ ${tariff.currency} day & night`,
      isActive: true,
      effectiveFrom: '2026-01-01',
      effectiveTo: null,
      periods: [{ name: 'Night', daysOfWeek: 127, startTime: '22:00', endTime: '06:10', ratePerKwh: 0.1999 }],
    });
  }
  const start = Date.parse('2026-03-25T00:00:00Z');
  const payload = Array.from({ length: 7 * 96 }, (_, at) => at).flatMap((at) =>
    [...sites.keys()].flatMap((name, device) => {
      // Silent for an hour now, after the range.
      if (name === 'store' && start + at * 900_000 > now - 3_600_000) return [];
      // A gap of some hours, over which the register continues.
      if (name === 'main' && at > 200 && at < 222) return [];
      const time = new Date(start + at * 900_000).toISOString();
      const activePowerKw = name === 'pv' ? -3 : 4 + device;
      const registers =
        name === 'pv' ? { energyExportedKwh: at * 0.731 } : { energyImportedKwh: at * (1.0379 + device) };
      return [{ externalId: name, time, activePowerKw, reactivePowerKvar: 1, ...registers }];
    }),
  );
  await post('/api/ingest/measurements', payload);
  answers = {
    summary: dashboardSummary.parse((await get(path, range)).json()),
    days: costBreakdown.parse((await get('/api/dashboard/cost-breakdown', { ...range, group: 'day' })).json()),
    breakdown: costBreakdown.parse((await get('/api/dashboard/cost-breakdown', { ...range, group: 'period' })).json()),
    quality: dataQuality.parse((await get('/api/data-quality', range)).json()),
  };
  const answer = await get(`${path}/export.xlsx`, range);
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
  expect(answer.headers['content-disposition']).toBe('attachment; filename="summary-20260325-20260331.xlsx"');
  bytes = answer.rawPayload;
  workbook = openWorkbook(bytes);
}, 60_000);

const names = [
  'Totals',
  'Devices',
  'Sites',
  'Periods',
  'Days',
  'Chart',
  'Cost breakdown',
  'Data quality',
  'Gaps and anomalies',
  'About',
];

describe('GET /api/dashboard/summary/export.xlsx has the contents of the dashboard', () => {
  it('one sheet each, with a frozen bold header and a filter, the plain totals first', () => {
    expect(workbook.sheets.map(({ name }) => name)).toEqual(names);
    for (const { name, rows, frozenRows, autoFilter, columnWidths } of workbook.sheets) {
      if (name === 'Chart') continue;
      expect(frozenRows, name).toBe(1);
      expect(
        rows[0]?.every((cell) => cell?.isBold === true && cell.isText),
        name,
      ).toBe(true);
      expect(autoFilter, name).toMatch(/^A1:/);
      expect(columnWidths, name).toHaveLength(rows[0]?.length ?? 0);
    }
  });

  it('totals: each figure of the summary, in its unit, and the money of each currency', () => {
    const { sheet, rows } = table('Totals');
    const { summary } = answers;
    expect(summary.costs.map(({ currency }) => currency)).toEqual(['EUR', 'JPY']);
    const [eur, jpy] = summary.costs;
    expect(rows).toEqual([
      ['Active devices', 4],
      ['Power now', summary.currentPowerKw],
      ['Devices with a current reading', summary.currentDeviceCount],
      ['Peak demand', summary.peakPowerKw],
      ['Peak demand time (Europe/Berlin)', local(summary.peakAt, 'Europe/Berlin')],
      ['Average power factor', summary.averagePowerFactor],
      ['Energy imported', summary.energyImportedKwh],
      ['Energy exported', summary.energyExportedKwh],
      ['Energy interpolated', summary.estimatedEnergyKwh],
      ['Unpriced energy', summary.unpricedEnergyKwh],
      ['Energy cost in EUR', eur?.energyCost],
      ['Fixed charge in EUR', eur?.fixedCharge],
      ['VAT in EUR', eur?.vat],
      ['Total cost in EUR', eur?.total],
      ['Energy cost in JPY', jpy?.energyCost],
      ['Fixed charge in JPY', jpy?.fixedCharge],
      ['VAT in JPY', jpy?.vat],
      ['Total cost in JPY', jpy?.total],
    ]);
    const formats = sheet.rows.slice(1).map((row) => row[1]?.numberFormat);
    expect(formats.slice(0, 7)).toEqual([
      '#,##0',
      '#,##0.000 "kW"',
      '#,##0',
      '#,##0.000 "kW"',
      'yyyy-mm-dd hh:mm:ss',
      '#,##0.000',
      '#,##0.000 "kWh"',
    ]);
    expect(formats.slice(10)).toEqual([...Array(4).fill('#,##0.00 [$EUR]'), ...Array(4).fill('#,##0 [$JPY]')]);
  });

  it('devices and sites: every line of the summary, times in the zone of the reader', () => {
    const ofDevices = table('Devices');
    expect(ofDevices.header).toEqual([
      'Device',
      'Site',
      'Energy imported (kWh)',
      'Energy exported (kWh)',
      'Interpolated (kWh)',
      'Average power (kW)',
      'Peak demand (kW)',
      'Peak time (Europe/Berlin)',
      'Power now (kW)',
      'Last reading (Europe/Berlin)',
      'Status',
      'Energy cost (EUR)',
      'Energy cost (JPY)',
    ]);
    expect(ofDevices.rows).toEqual(
      answers.summary.devices.map((device) => {
        const cost = (currency: string) => device.costs.find((one) => one.currency === currency)?.energyCost ?? null;
        const {
          energyImportedKwh,
          energyExportedKwh,
          estimatedEnergyKwh,
          averagePowerKw,
          peakPowerKw,
          currentPowerKw,
        } = device;
        return [
          device.deviceName,
          device.siteName,
          energyImportedKwh,
          energyExportedKwh,
          estimatedEnergyKwh,
          averagePowerKw,
          peakPowerKw,
          local(device.peakAt, 'Europe/Berlin'),
          currentPowerKw,
          local(device.lastMeasuredAt, 'Europe/Berlin'),
          device.deviceName === '+store' ? 'Offline' : 'Online',
          cost('EUR'),
          cost('JPY'),
        ];
      }),
    );
    const ofSites = table('Sites');
    expect(ofSites.column('Site')).toEqual(answers.summary.sites.map(({ siteName }) => siteName));
    expect(ofSites.rows.map((row) => [row[0], row[ofSites.header.indexOf('Status')]])).toEqual(
      answers.summary.sites.map(({ siteName }) => [siteName, siteName === 'Store' ? 'Offline' : 'Online']),
    );
    expect(ofSites.column('Energy imported (kWh)')).toEqual(
      answers.summary.sites.map((site) => site.energyImportedKwh),
    );
    expect(sum(numbers(ofSites.column('Interpolated (kWh)')))).toBeCloseTo(answers.summary.estimatedEnergyKwh, 9);
    const unpriced = numbers(ofSites.column('Unpriced (kWh)'));
    expect(unpriced.filter((kwh) => kwh > 0)).toEqual([answers.summary.unpricedEnergyKwh]);
    for (const { currency, total } of answers.summary.costs) {
      expect(sum(numbers(ofSites.column(`Total cost (${currency})`)))).toBeCloseTo(total, 9);
    }
    expect(table('Periods').rows).toEqual(
      answers.summary.periods.map(({ name, ratePerKwh, energyKwh, cost, currency }) => [
        name === 'Default' ? 'Default rate' : name,
        ratePerKwh,
        energyKwh,
        cost,
        currency,
      ]),
    );
  });

  it('days: local days, including one of 23 hours, whose energy and amounts add up to the totals, and a chart of them', () => {
    const { column, rows } = table('Days');
    const { summary } = answers;
    const dates = column('Day (site time)');
    expect(dates).toEqual(['25', '26', '27', '28', '29', '30', '31'].map((day) => `2026-03-${day}T00:00:00`));
    expect(sum(numbers(column('Energy imported (kWh)')))).toBeCloseTo(summary.energyImportedKwh, 6);
    expect(sum(numbers(column('Energy exported (kWh)')))).toBeCloseTo(summary.energyExportedKwh, 6);
    expect(sum(numbers(column('Interpolated (kWh)')))).toBeCloseTo(summary.estimatedEnergyKwh, 6);
    expect(sum(numbers(column('Unpriced (kWh)')))).toBeCloseTo(summary.unpricedEnergyKwh, 6);
    for (const cost of summary.costs) {
      const { currency } = cost;
      const parts = [
        ['Energy cost', cost.energyCost],
        ['Fixed charge', cost.fixedCharge],
        ['VAT', cost.vat],
        ['Total cost', cost.total],
      ] as const;
      for (const [name, total] of parts) {
        const cells = numbers(column(`${name} (${currency})`));
        expect(sum(cells), `${name} ${currency}`).toBeCloseTo(total, 6);
        // No digits beyond the smallest coin.
        for (const cell of cells) expect(Number(cell.toFixed(currency === 'EUR' ? 2 : 0))).toBe(cell);
      }
    }
    // The day on which clocks go forward, as in the breakdown by day.
    const spring = answers.days.lines.filter(({ group, currency }) => group === '2026-03-29' && currency === 'EUR');
    const at = dates.indexOf('2026-03-29T00:00:00');
    expect(column('Total cost (EUR)')[at]).toBeCloseTo(sum(spring.map(({ cost }) => cost ?? 0)), 9);
    const chart = workbook.sheets.find(({ name }) => name === 'Chart');
    expect(chart?.charts.flatMap(({ ranges }) => ranges)).toContain(`'Days'!$B$2:$B$${rows.length + 1}`);
  });

  it('the cost breakdown: its lines as displayed, and below them a SUM beside the displayed total', () => {
    const { sheet, rows } = table('Cost breakdown');
    const lines = rows.slice(0, answers.breakdown.lines.length);
    expect(sheet.autoFilter).toBe(`A1:J${lines.length + 1}`);
    const order = ['EUR', 'JPY', null];
    const expected = answers.breakdown.lines.toSorted((a, b) => order.indexOf(a.currency) - order.indexOf(b.currency));
    expect(lines).toEqual(
      expected.map((line) => [
        line.siteName,
        line.tariffName,
        line.name === 'Default' ? 'Default rate' : line.name,
        line.ratePerKwh,
        line.energyKwh,
        line.interpolatedKwh,
        line.days,
        line.vatPercent === null ? null : line.vatPercent / 100,
        line.cost,
        line.currency,
      ]),
    );
    const below = sheet.rows.slice(1 + lines.length);
    expect(below.map((row) => row[0]?.value ?? null)).toEqual([
      null,
      'Total of the lines',
      'Total',
      'Total of the lines',
      'Total',
    ]);
    for (const [at, { currency, total }] of answers.summary.costs.entries()) {
      const [summed, shown] = [below[1 + at * 2]?.[8], below[2 + at * 2]?.[8]];
      const own = lines.flatMap((row, index) => (row[9] === currency ? [index + 2] : []));
      expect(summed).toMatchObject({ value: total, formula: `SUM(I${own[0]}:I${own.at(-1)})` });
      expect(shown).toMatchObject({ value: total, formula: null });
      expect(sum(numbers(lines.filter((row) => row[9] === currency).map((row) => row[8])))).toBeCloseTo(total, 9);
    }
  });

  it('data quality: quarter-hours and flags by device, and each gap with its times', () => {
    const { rows } = table('Data quality');
    expect(rows).toEqual(
      answers.quality.devices.map(({ deviceName, siteName, slots, counts }) => [
        deviceName,
        siteName,
        slots.measured,
        slots.interpolated,
        slots.missing,
        slots.measured / (slots.measured + slots.interpolated + slots.missing),
        ...qualityFlagKind.options.map((kind) => counts[kind]),
      ]),
    );
    const odd = table('Gaps and anomalies');
    const flags = answers.quality.devices.flatMap(({ deviceName, flags }) =>
      flags.map((flag) => ({ ...flag, deviceName })),
    );
    expect(flags.length).toBeGreaterThan(0);
    expect(odd.column('Device')).toEqual(flags.map(({ deviceName }) => deviceName));
    expect(odd.column('From (Europe/Berlin)')).toEqual(flags.map(({ time }) => local(time, 'Europe/Berlin')));
    expect(odd.column('Energy (kWh)')).toEqual(flags.map(({ energyKwh }) => energyKwh));
  });

  it('texts that look like formulas are texts', () => {
    for (const { name, rows } of workbook.sheets) {
      for (const cell of rows.flat())
        if (typeof cell?.value === 'string') expect(cell, name).toMatchObject({ isText: true, formula: null });
    }
    expect(table('Devices').column('Device')).toContain('+main');
  });

  test('LibreOffice computes the same sums', { timeout: 120_000, ...withLibreOffice }, async () => {
    const sheet = (await readWithLibreOffice(bytes)).find(({ name }) => name === 'Cost breakdown');
    const sums = sheet?.rows.filter((row) => row[0]?.value === 'Total of the lines').map((row) => row[8]);
    expect(sums?.map((cell) => cell?.text)).toEqual(
      answers.summary.costs.map(
        ({ currency, total }) =>
          `${total.toLocaleString('en', { minimumFractionDigits: currency === 'EUR' ? 2 : 0 })} ${currency}`,
      ),
    );
    expect(sums?.every((cell) => cell?.formula?.includes('SUM('))).toBe(true);
  });

  test('openpyxl reads all sheets without a warning', { timeout: 120_000, ...withOpenpyxl }, async () => {
    const sheets = await readWithOpenpyxl(bytes);
    expect(sheets.map(({ name }) => name)).toEqual(names.filter((name) => name !== 'Chart'));
    const totals = sheets[0]?.rows.slice(1).map((row) => row[1]?.value);
    expect(totals?.[6]).toBe(answers.summary.energyImportedKwh);
  });
});

describe('GET /api/dashboard/summary/export.xlsx: the rules of the summary', () => {
  it('some devices, named in the file name and on the last sheet; one zone is named in the headers', async () => {
    const query = { ...range, deviceIds: `${devices['main']},${devices['pv']}` };
    const answer = await get(`${path}/export.xlsx`, query);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="summary-2meters-20260325-20260331.xlsx"');
    const own = openWorkbook(answer.rawPayload);
    expect(table('Days', own).header[0]).toBe('Day (Europe/Berlin)');
    expect(table('Devices', own).header).not.toContain('Time zone');
    const about = table('About', own);
    expect(about.rows.filter(([property]) => property === 'Device').map((row) => row[1])).toEqual(['+main', '+pv']);
    expect(about.rows.find(([property]) => property === 'Created by')?.[1]).toBe('Administrator (admin@example.com)');
  });

  it('months replace days if there are too many of them', async () => {
    const answer = await get(`${path}/export.xlsx`, { from: '2010-01-01T00:00:00Z', to: '2026-04-01T00:00:00Z' });
    const own = openWorkbook(answer.rawPayload);
    expect(own.sheets.map(({ name }) => name)).toEqual(names.map((name) => (name === 'Days' ? 'Months' : name)));
    const { column, header } = table('Months', own);
    expect(header[0]).toBe('Month (site time)');
    expect(column('Month (site time)').at(-1)).toBe('2026-04-01T00:00:00');
    expect(table('About', own).rows.find(([property]) => property === 'Days')?.[1]).toMatch(/^months/);
  });

  it('without data: every sheet, with its header', async () => {
    const answer = await get(`${path}/export.xlsx`, { ...range, deviceIds: '00000000-0000-4000-8000-000000000000' });
    expect(answer.statusCode).toBe(200);
    const own = openWorkbook(answer.rawPayload);
    expect(table('Devices', own).rows).toEqual([]);
    expect(table('Cost breakdown', own).rows).toEqual([]);
  });

  it('is rejected like the summary', async () => {
    for (const [query, sentence] of [
      [{ from: range.to, to: range.from }, /to must be after from/],
      [{ ...range, deviceIds: 'x' }, /"x"/],
      [{ from: '1000-01-01T00:00:00Z', to: '2000-01-01T00:00:00Z' }, /36600 days/],
    ] as const) {
      const answer = await get(`${path}/export.xlsx`, query);
      expect(answer.statusCode).toBe(400);
      expect(answer.json<{ error: string }>().error).toMatch(sentence);
    }
  });
});

it('a chosen site: the file has only its devices, its name says how much was chosen, and the sheet About names the sites', async () => {
  const { siteId = '' } = answers.summary.devices.find(({ deviceName }) => deviceName === '+store') ?? {};
  const answer = await get(`${path}/export.xlsx`, { ...range, siteIds: siteId, deviceIds: devices.pv ?? '' });
  expect(answer.headers['content-disposition']).toBe(
    'attachment; filename="summary-1site-1meter-20260325-20260331.xlsx"',
  );
  const own = openWorkbook(answer.rawPayload);
  expect(
    table('Devices', own)
      .column('Device')
      .filter((name) => name !== 'Total'),
  ).toEqual(['+pv', '+store']);
  const about = table('About', own).rows;
  expect(about).toContainEqual(['Devices', 2, 'selected']);
  expect(about.filter(([property]) => property === 'Site')).toEqual([['Site', 'Store', 'all its devices']]);
});
