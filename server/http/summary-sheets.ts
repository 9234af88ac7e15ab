import type { DashboardSummary } from '../../shared/dashboard.ts';
import { hasTree, inTreeOrder, type PlacedDevice, placeOf } from '../../shared/device-tree.ts';
import type { ChosenDevice } from '../db/measurements.ts';
import { parseInstant } from '../domain/instants.ts';
import { type Cell, type Part, serialOf } from '../export/sheet.ts';
import { breakdownSheet } from './breakdown-sheet.ts';
import {
  clockOf,
  count,
  date,
  factor,
  instantCell,
  kw,
  kwh,
  moneyOf,
  month,
  rateOf,
  table,
  type TableColumn,
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
  const isSeveral = summary.costs.length > 1;
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
        const label = isSeveral ? `${name} in ${cost.currency}` : name;
        return [
          { value: label, isBold },
          { value: cost[part], format: moneyOf(cost.currency), isBold },
        ];
      }),
    ),
  ];
  return table<readonly Cell[]>(
    'Totals',
    [
      ['Figure', text, ([figure = null]) => figure],
      ['Value', kwh, ([, value = null]) => value],
    ],
    rows,
  );
}

type SummaryDevice = DashboardSummary['devices'][number];

function devicesSheet(summary: DashboardSummary, devices: readonly ChosenDevice[], timeZone: string): Part[] {
  const zones = new Map(devices.map((device) => [device.id, device.timeZone]));
  const zoneOf = ({ deviceId }: { deviceId: string }) => zones.get(deviceId) ?? timeZone;
  const clock = clockOf(devices, timeZone);
  const names = new Map(summary.devices.map(({ deviceId, deviceName }) => [deviceId, deviceName]));
  const isTree = hasTree(summary.devices);
  const columns: TableColumn<SummaryDevice>[] = [
    ['Device', text, (device) => device.deviceName],
    ['Site', text, (device) => device.siteName],
    ...(isTree
      ? [['Counted in', text, ({ countedIn }: PlacedDevice) => names.get(countedIn ?? '') ?? null] as const]
      : []),
    ...(new Set(zones.values()).size > 1 ? [['Time zone', text, zoneOf] as const] : []),
    ['Energy imported (kWh)', kwh, (device) => device.energyImportedKwh],
    ['Energy exported (kWh)', kwh, (device) => device.energyExportedKwh],
    ['Interpolated (kWh)', kwh, (device) => device.estimatedEnergyKwh],
    ...(isTree
      ? [['Not sub-metered (kWh)', kwh, ({ notSubMeteredKwh }: SummaryDevice) => notSubMeteredKwh] as const]
      : []),
    ['Average power (kW)', kw, (device) => device.averagePowerKw],
    ['Peak demand (kW)', kw, (device) => device.peakPowerKw],
    [`Peak from (${clock})`, text, (device) => instantCell(device.peakAt, zoneOf(device))],
    ['Power now (kW)', kw, (device) => device.currentPowerKw],
    [`Last reading (${clock})`, text, (device) => instantCell(device.lastMeasuredAt, zoneOf(device))],
    ...summary.costs.map(({ currency }): TableColumn<SummaryDevice> => [
      `Energy cost (${currency})`,
      moneyOf(currency),
      ({ costs }) => costs.find((cost) => cost.currency === currency)?.energyCost ?? null,
    ]),
  ];
  const rows = inTreeOrder(summary.devices, placeOf).map(({ device }) => device);
  return table('Devices', columns, rows);
}

function sitesSheet(
  summary: DashboardSummary,
  devices: readonly ChosenDevice[],
  energy: SummaryContents['siteEnergy'],
): Part[] {
  const zones = new Map(devices.map((device) => [device.siteId, device.timeZone]));
  return table(
    'Sites',
    [
      ['Site', text, (site) => site.siteName],
      ['Time zone', text, ({ siteId }) => zones.get(siteId) ?? null],
      ['Energy imported (kWh)', kwh, (site) => site.energyImportedKwh],
      ['Energy exported (kWh)', kwh, (site) => site.energyExportedKwh],
      ['Interpolated (kWh)', kwh, ({ siteId }) => energy.get(siteId)?.interpolatedKwh ?? null],
      ['Without a price (kWh)', kwh, ({ siteId }) => energy.get(siteId)?.unpricedKwh ?? null],
      ...costColumns<DashboardSummary['sites'][number]>(summary, ({ costs }, currency) =>
        costs.find((cost) => cost.currency === currency),
      ),
    ],
    summary.sites,
  );
}

const periodsSheet = ({ periods }: DashboardSummary): Part[] =>
  table(
    'Periods',
    [
      ['Period', text, (period) => period.name],
      ['Rate per kWh', text, ({ ratePerKwh, currency }) => ({ value: ratePerKwh, format: rateOf(currency) })],
      ['Energy (kWh)', kwh, (period) => period.energyKwh],
      ['Energy cost', text, ({ cost, currency }) => ({ value: cost, format: moneyOf(currency) })],
      ['Currency', text, (period) => period.currency],
    ],
    periods,
  );

/** The parts of the cost in each currency of a summary. */
const costColumns = <Row>(
  { costs }: DashboardSummary,
  find: (row: Row, currency: string) => CostParts | undefined,
): TableColumn<Row>[] =>
  costs.flatMap(({ currency }) =>
    costParts.map(([part, name]): TableColumn<Row> => [
      `${name} (${currency})`,
      moneyOf(currency),
      (row) => find(row, currency)?.[part] ?? null,
    ]),
  );

/** One row per local day or month, all sites together, and a chart. */
function timeSheet({ group, rows }: SummaryByTime, summary: DashboardSummary, clock: string): Part[] {
  const [name, first, format] =
    group === 'day' ? ['Days', `Day (${clock})`, date] : ['Months', `Month (${clock})`, month];
  const parts = table(
    name,
    [
      [first, format, ({ key }) => dateCell(key)],
      ['Energy imported (kWh)', kwh, ({ energy }) => energy.importedKwh],
      ['Energy exported (kWh)', kwh, ({ energy }) => energy.exportedKwh],
      ['Interpolated (kWh)', kwh, ({ energy }) => energy.interpolatedKwh],
      ['Without a price (kWh)', kwh, ({ energy }) => energy.unpricedKwh],
      ...costColumns<SummaryByTime['rows'][number]>(summary, ({ costs }, currency) => costs.get(currency)),
    ],
    rows,
  );
  if (rows.length < fewestDrawn) return parts;
  const series = rows.some(({ energy }) => energy.exportedKwh > 0) ? [1, 2] : [1];
  const chart = {
    name: 'Chart',
    title: `Energy by ${group}`,
    sheet: name,
    rowCount: rows.length,
    categories: 0,
    series,
  };
  return [...parts, { kind: 'chart', chart }];
}

/** `2026-03-29`, or the first day of `2026-03`; a text if spreadsheets have no such date. */
function dateCell(key: string): Cell {
  const micros = parseInstant(`${key.length > '2026-03'.length ? key : `${key}-01`}T00:00:00Z`);
  const serial = micros === null ? Number.NaN : serialOf(micros);
  return Number.isNaN(serial) ? key : serial;
}
