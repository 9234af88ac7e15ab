import type { DashboardSummary } from '../../shared/dashboard.ts';
import type { ChosenDevice } from '../db/measurements.ts';
import { parseInstant } from '../domain/instants.ts';
import { type Cell, type Column, type Part, serialOf } from '../export/sheet.ts';
import { breakdownSheet } from './breakdown-sheet.ts';
import {
  clockOf,
  column,
  count,
  date,
  factor,
  instantCell,
  kw,
  kwh,
  moneyOf,
  month,
  rateOf,
  text,
} from './export-formats.ts';
import { qualitySheets } from './quality-sheets.ts';
import type { SummaryByTime, SummaryContents } from './summary-contents.ts';

/** With fewer rows, a chart shows nothing that the table does not. */
const fewestDrawn = 2;

const costParts = [
  ['energyCost', 'Energy cost'],
  ['fixedCharge', 'Fixed charge'],
  ['vat', 'VAT'],
  ['total', 'Total cost'],
] as const;
type CostParts = Record<(typeof costParts)[number][0], number>;

/** The sheets of a summary, without "About". `timeZone` is the zone of times that belong to all devices. */
export function summarySheets(contents: SummaryContents, timeZone: string): Part[] {
  const { summary, byTime, breakdown, quality, siteEnergy, devices } = contents;
  return [
    ...totalsSheet(summary, timeZone),
    ...devicesSheet(summary, devices, timeZone),
    ...sitesSheet(summary, devices, siteEnergy),
    ...periodsSheet(summary),
    ...(byTime === null ? [] : timeSheet(byTime, summary, clockOf(devices, timeZone))),
    ...breakdownSheet(breakdown),
    ...qualitySheets(quality, devices, timeZone),
  ];
}

function totalsSheet(summary: DashboardSummary, timeZone: string): Part[] {
  const currencies = summary.costs.length > 1;
  const rows: Cell[][] = [
    ['Active devices', { value: summary.activeDeviceCount, format: count }],
    ['Power now', { value: summary.currentPowerKw, format: kw }],
    ['Devices with a current reading', { value: summary.currentDeviceCount, format: count }],
    ['Peak demand', { value: summary.peakPowerKw, format: kw }],
    [`Peak demand from (${timeZone})`, instantCell(summary.peakAt, timeZone)],
    ['Average power factor', { value: summary.averagePowerFactor, format: factor }],
    ['Energy imported', { value: summary.energyImportedKwh, format: kwh }],
    ['Energy exported', { value: summary.energyExportedKwh, format: kwh }],
    ['Energy interpolated over gaps', { value: summary.estimatedEnergyKwh, format: kwh }],
    ['Energy without a price', { value: summary.unpricedEnergyKwh, format: kwh }],
    ...summary.costs.flatMap((cost) =>
      costParts.map(([part, name]): Cell[] => {
        const isBold = part === 'total';
        const label = currencies ? `${name} in ${cost.currency}` : name;
        return [
          { value: label, isBold },
          { value: cost[part], format: moneyOf(cost.currency), isBold },
        ];
      }),
    ),
  ];
  return [
    { kind: 'sheet', sheet: { name: 'Totals', columns: [column('Figure', text), column('Value', kwh)] } },
    { kind: 'rows', rows },
  ];
}

function devicesSheet(summary: DashboardSummary, devices: readonly ChosenDevice[], timeZone: string): Part[] {
  const zones = new Map(devices.map((device) => [device.id, device.timeZone]));
  const hasSeveral = new Set(zones.values()).size > 1;
  const clock = clockOf(devices, timeZone);
  const currencies = summary.costs.map(({ currency }) => currency);
  const columns = [
    column('Device', text),
    column('Site', text),
    ...(hasSeveral ? [column('Time zone', text)] : []),
    column('Energy imported (kWh)', kwh),
    column('Energy exported (kWh)', kwh),
    column('Interpolated (kWh)', kwh),
    column('Average power (kW)', kw),
    column('Peak demand (kW)', kw),
    column(`Peak from (${clock})`, text),
    column('Power now (kW)', kw),
    column(`Last reading (${clock})`, text),
    ...currencies.map((currency) => column(`Energy cost (${currency})`, moneyOf(currency))),
  ];
  const rows = summary.devices.map((device): Cell[] => {
    const zone = zones.get(device.deviceId) ?? timeZone;
    const at = (instant: string | null) => instantCell(instant, zone);
    return [
      device.deviceName,
      device.siteName,
      ...(hasSeveral ? [zone] : []),
      device.energyImportedKwh,
      device.energyExportedKwh,
      device.estimatedEnergyKwh,
      device.averagePowerKw,
      device.peakPowerKw,
      at(device.peakAt),
      device.currentPowerKw,
      at(device.lastMeasuredAt),
      ...currencies.map((currency) => device.costs.find((cost) => cost.currency === currency)?.energyCost ?? null),
    ];
  });
  return [
    { kind: 'sheet', sheet: { name: 'Devices', columns } },
    { kind: 'rows', rows },
  ];
}

function sitesSheet(
  summary: DashboardSummary,
  devices: readonly ChosenDevice[],
  energy: SummaryContents['siteEnergy'],
): Part[] {
  const zones = new Map(devices.map((device) => [device.siteId, device.timeZone]));
  const currencies = summary.costs.map(({ currency }) => currency);
  const columns = [
    column('Site', text),
    column('Time zone', text),
    column('Energy imported (kWh)', kwh),
    column('Energy exported (kWh)', kwh),
    column('Interpolated (kWh)', kwh),
    column('Without a price (kWh)', kwh),
    ...costColumns(currencies),
  ];
  const rows = summary.sites.map((site): Cell[] => [
    site.siteName,
    zones.get(site.siteId) ?? null,
    site.energyImportedKwh,
    site.energyExportedKwh,
    energy.get(site.siteId)?.interpolatedKwh ?? null,
    energy.get(site.siteId)?.unpricedKwh ?? null,
    ...costCells(currencies, (currency) => site.costs.find((cost) => cost.currency === currency)),
  ]);
  return [
    { kind: 'sheet', sheet: { name: 'Sites', columns } },
    { kind: 'rows', rows },
  ];
}

function periodsSheet({ periods }: DashboardSummary): Part[] {
  const columns = [
    column('Period', text),
    column('Rate per kWh', text),
    column('Energy (kWh)', kwh),
    column('Energy cost', text),
    column('Currency', text),
  ];
  const rows = periods.map(({ name, ratePerKwh, energyKwh, cost, currency }): Cell[] => [
    name,
    { value: ratePerKwh, format: rateOf(currency) },
    energyKwh,
    { value: cost, format: moneyOf(currency) },
    currency,
  ]);
  return [
    { kind: 'sheet', sheet: { name: 'Periods', columns } },
    { kind: 'rows', rows },
  ];
}

const costColumns = (currencies: readonly string[]): Column[] =>
  currencies.flatMap((currency) => costParts.map(([, name]) => column(`${name} (${currency})`, moneyOf(currency))));

const costCells = (currencies: readonly string[], find: (currency: string) => CostParts | undefined): Cell[] =>
  currencies.flatMap((currency) => costParts.map(([part]) => find(currency)?.[part] ?? null));

/** One row per local day or month, all sites together, and a chart. */
function timeSheet({ group, rows }: SummaryByTime, { costs }: DashboardSummary, clock: string): Part[] {
  const currencies = costs.map(({ currency }) => currency);
  const name = group === 'day' ? 'Days' : 'Months';
  const columns = [
    group === 'day' ? column(`Day (${clock})`, date) : column(`Month (${clock})`, month),
    column('Energy imported (kWh)', kwh),
    column('Energy exported (kWh)', kwh),
    column('Interpolated (kWh)', kwh),
    column('Without a price (kWh)', kwh),
    ...costColumns(currencies),
  ];
  const table: Part[] = [
    { kind: 'sheet', sheet: { name, columns } },
    {
      kind: 'rows',
      rows: rows.map(({ key, energy, costs: own }): Cell[] => [
        dateCell(key),
        energy.importedKwh,
        energy.exportedKwh,
        energy.interpolatedKwh,
        energy.unpricedKwh,
        ...costCells(currencies, (currency) => own.get(currency)),
      ]),
    },
  ];
  if (rows.length < fewestDrawn) return table;
  const series = rows.some(({ energy }) => energy.exportedKwh > 0) ? [1, 2] : [1];
  const chart = {
    name: 'Chart',
    title: `Energy by ${group}`,
    sheet: name,
    rowCount: rows.length,
    categories: 0,
    series,
  };
  return [...table, { kind: 'chart', chart }];
}

/** `2026-03-29`, or the first day of `2026-03`; a text if spreadsheets have no such date. */
function dateCell(key: string): Cell {
  const micros = parseInstant(`${key.length > '2026-03'.length ? key : `${key}-01`}T00:00:00Z`);
  const serial = micros === null ? Number.NaN : serialOf(micros);
  return Number.isNaN(serial) ? key : serial;
}
