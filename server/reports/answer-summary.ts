import { deviceStateNames } from '../../messages/en/page/states.ts';
import type { CostBreakdown, CostLine, DashboardSummary } from '../../shared/dashboard.ts';
import { hasTree, inTreeOrder, type PlacedDevice, placeOf } from '../../shared/reports.ts';
import { countStates, type DeviceState, siteState } from '../../shared/states.rules.ts';
import type { ChosenDevice } from '../energy/measurements.sql.ts';
import { exportLineName } from '../rates/costs.rules.ts';
import { parseInstant } from '../base/instants.ts';
import type { ExportText } from '../../messages/en/exports.ts';
import type { Say } from './say.ts';
import { type Cell, type Part, serialOf } from '../workbook/sheet.ts';
import {
  clockOf,
  count,
  date,
  daysIn,
  factor,
  figuresTable,
  instantCell,
  kw,
  kwh,
  moneyOf,
  month,
  rateOf,
  share,
  table,
  type TableColumn,
  text,
  vatRate,
} from './export-formats.ts';
import { type ContentsAsked, readContents, type SummaryByTime, type SummaryContents } from './summary-contents.ts';
import { defaultPeriodName } from '../rates/tariffs.rules.ts';
import { type DataQuality, type QualityFlagKind, qualityFlagKind } from '../../shared/data-quality.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readEnergy } from '../energy/read-energy.ts';
import { answerExport, type ExportToAnswer } from './answer-export.ts';
import type { ClientParts } from '../http/client-parts.ts';

/** With fewer rows a chart would show no more than the table. */
const minChartRows = 2;

/** Of the devices, only their place in the tree and their state are needed. */
export type SheetContents = Omit<SummaryContents, 'devices'> & { devices: readonly SheetDevice[] };
export type SheetDevice = Pick<ChosenDevice, 'id' | 'name' | 'siteId' | 'siteName' | 'timeZone' | 'countedIn'> & {
  state: DeviceState;
};

const costParts = [
  ['energyCost', 'Energy cost'],
  ['fixedCharge', 'Fixed charge'],
  ['vat', 'VAT'],
  ['total', 'Total cost'],
] as const satisfies readonly (readonly [string, ExportText])[];
type CostParts = Record<(typeof costParts)[number][0], number>;

/** The sheets of a summary, without "About". `timeZone` is the zone in which the reader sees times. */
export function* summarySheets(say: Say, contents: SheetContents, timeZone: string): Generator<Part, void> {
  const { summary, byTime, breakdown, quality, devices } = contents;
  yield* totalsSheet(say, summary, timeZone);
  yield* devicesSheet(say, contents, timeZone);
  yield* sitesSheet(say, contents);
  yield* periodsSheet(say, summary);
  if (byTime !== null) yield* timeSheet(say, byTime, summary, clockOf(say, devices, timeZone));
  yield* breakdownSheet(say, breakdown);
  yield* qualitySheets(say, quality, timeZone);
}

function totalsSheet(say: Say, summary: DashboardSummary, timeZone: string): Iterable<Part> {
  const isSeveral = summary.costs.length > 1;
  const rows: Cell[][] = [
    [say('Active devices'), { value: summary.activeDeviceCount, format: count }],
    [say('Power now'), { value: summary.currentPowerKw, format: kw }],
    [say('Devices with a current reading'), { value: summary.currentDeviceCount, format: count }],
    [say('Peak demand'), { value: summary.peakPowerKw, format: kw }],
    [say('Peak demand time', timeZone), instantCell(summary.peakAt, timeZone)],
    [say('Average power factor'), { value: summary.averagePowerFactor, format: factor }],
    [say('Energy imported'), { value: summary.energyImportedKwh, format: kwh }],
    [say('Energy exported'), { value: summary.energyExportedKwh, format: kwh }],
    [say('Energy interpolated'), { value: summary.estimatedEnergyKwh, format: kwh }],
    [say('Unpriced energy'), { value: summary.unpricedEnergyKwh, format: kwh }],
    ...summary.costs.flatMap((cost) =>
      costParts.map(([part, name]): Cell[] => {
        const isBold = part === 'total';
        const label = isSeveral ? `${say(name)} ${say('in')} ${cost.currency}` : say(name);
        return [
          { value: label, isBold },
          { value: cost[part], format: moneyOf(cost.currency), isBold },
        ];
      }),
    ),
  ];
  return figuresTable(say, rows);
}

type SummaryDevice = DashboardSummary['devices'][number];

function devicesSheet(say: Say, { summary, devices }: SheetContents, timeZone: string): Iterable<Part> {
  const names = new Map(summary.devices.map(({ deviceId, deviceName }) => [deviceId, deviceName]));
  const states = new Map(devices.map(({ id, state }) => [id, state]));
  const isTree = hasTree(summary.devices);
  const columns: TableColumn<SummaryDevice>[] = [
    [say('Device'), text, (device) => device.deviceName],
    [say('Site'), text, (device) => device.siteName],
    ...(isTree
      ? [[say('Main meter'), text, ({ countedIn }: PlacedDevice) => names.get(countedIn ?? '') ?? null] as const]
      : []),
    [say('Energy imported', 'kWh'), kwh, (device) => device.energyImportedKwh],
    [say('Energy exported', 'kWh'), kwh, (device) => device.energyExportedKwh],
    [say('Interpolated', 'kWh'), kwh, (device) => device.estimatedEnergyKwh],
    ...(isTree
      ? [[say('Not sub-metered', 'kWh'), kwh, ({ notSubMeteredKwh }: SummaryDevice) => notSubMeteredKwh] as const]
      : []),
    [say('Average power', 'kW'), kw, (device) => device.averagePowerKw],
    [say('Peak demand', 'kW'), kw, (device) => device.peakPowerKw],
    [say('Peak time', timeZone), text, (device) => instantCell(device.peakAt, timeZone)],
    [say('Power now', 'kW'), kw, (device) => device.currentPowerKw],
    [say('Last reading', timeZone), text, (device) => instantCell(device.lastMeasuredAt, timeZone)],
    [say('Status'), text, ({ deviceId }) => say(deviceStateNames[states.get(deviceId) ?? 'never'])],
    ...summary.costs.map(({ currency }): TableColumn<SummaryDevice> => [
      say('Energy cost', currency),
      moneyOf(currency),
      ({ costs }) => costs.find((cost) => cost.currency === currency)?.energyCost ?? null,
    ]),
  ];
  const rows = inTreeOrder(summary.devices, placeOf).map(({ device }) => device);
  return table(say('Devices'), columns, rows);
}

function sitesSheet(say: Say, { summary, devices, siteEnergy: energy }: SheetContents): Iterable<Part> {
  const zones = new Map(devices.map((device) => [device.siteId, device.timeZone]));
  const bySite = Map.groupBy(devices, ({ siteId }) => siteId);
  const stateOf = (siteId: string) => siteState(countStates((bySite.get(siteId) ?? []).map(({ state }) => state)));
  return table(
    say('Sites'),
    [
      [say('Site'), text, (site) => site.siteName],
      [say('Time zone'), text, ({ siteId }) => zones.get(siteId) ?? null],
      [say('Status'), text, ({ siteId }) => say(deviceStateNames[stateOf(siteId)])],
      [say('Energy imported', 'kWh'), kwh, (site) => site.energyImportedKwh],
      [say('Energy exported', 'kWh'), kwh, (site) => site.energyExportedKwh],
      [say('Interpolated', 'kWh'), kwh, ({ siteId }) => energy.get(siteId)?.interpolatedKwh ?? null],
      [say('Unpriced', 'kWh'), kwh, ({ siteId }) => energy.get(siteId)?.unpricedKwh ?? null],
      ...costColumns<DashboardSummary['sites'][number]>(say, summary, ({ costs }, currency) =>
        costs.find((cost) => cost.currency === currency),
      ),
    ],
    summary.sites,
  );
}

const periodsSheet = (say: Say, { periods }: DashboardSummary): Iterable<Part> =>
  table(
    say('Periods'),
    [
      [
        say('Period'),
        text,
        ({ name, cost }) => (name === exportLineName && cost <= 0 ? say(name) : periodName(say, name)),
      ],
      [say('Rate per kWh'), text, ({ ratePerKwh, currency }) => ({ value: ratePerKwh, format: rateOf(currency) })],
      [say('Energy', 'kWh'), kwh, (period) => period.energyKwh],
      [say('Energy cost'), text, ({ cost, currency }) => ({ value: cost, format: moneyOf(currency) })],
      [say('Currency'), text, (period) => period.currency],
    ],
    periods,
  );

/** The parts of the cost in each currency of a summary. */
const costColumns = <Row>(
  say: Say,
  { costs }: DashboardSummary,
  find: (row: Row, currency: string) => CostParts | undefined,
): TableColumn<Row>[] =>
  costs.flatMap(({ currency }) =>
    costParts.map(([part, name]): TableColumn<Row> => [
      say(name, currency),
      moneyOf(currency),
      (row) => find(row, currency)?.[part] ?? null,
    ]),
  );

/** One row per local day or month, all sites together, and a chart. */
function* timeSheet(
  say: Say,
  { group, rows }: SummaryByTime,
  summary: DashboardSummary,
  clock: string,
): Generator<Part, void> {
  const [name, first, format] =
    group === 'day' ? [say('Days'), say('Day', clock), date] : [say('Months'), say('Month', clock), month];
  yield* table(
    name,
    [
      [first, format, ({ key }) => dateCell(key)],
      [say('Energy imported', 'kWh'), kwh, ({ energy }) => energy.importedKwh],
      [say('Energy exported', 'kWh'), kwh, ({ energy }) => energy.exportedKwh],
      [say('Interpolated', 'kWh'), kwh, ({ energy }) => energy.interpolatedKwh],
      [say('Unpriced', 'kWh'), kwh, ({ energy }) => energy.unpricedKwh],
      ...costColumns<SummaryByTime['rows'][number]>(say, summary, ({ costs }, currency) => costs.get(currency)),
    ],
    rows,
  );
  if (rows.length < minChartRows) return;
  const series = rows.some(({ energy }) => energy.exportedKwh > 0) ? [1, 2] : [1];
  const chart = {
    name: say('Chart'),
    title: say(`Energy by ${group}`),
    sheet: name,
    rowCount: rows.length,
    categories: 0,
    series,
  };
  yield { kind: 'chart', chart };
}

/** `2026-03-29`, or the first day of `2026-03`; a text if spreadsheets have no such date. */
function dateCell(key: string): Cell {
  const micros = parseInstant(`${key.length > '2026-03'.length ? key : `${key}-01`}T00:00:00Z`);
  const serial = micros === null ? Number.NaN : serialOf(micros);
  return Number.isNaN(serial) ? key : serial;
}

const columnsIn = (say: Say): readonly TableColumn<CostLine>[] => [
  [say('Site'), text, (line) => line.siteName],
  [say('Tariff'), text, (line) => line.tariffName],
  [say('Line'), text, (line) => lineName(say, line)],
  [say('Rate per kWh'), text, ({ ratePerKwh, currency }) => priced(ratePerKwh, currency, rateOf)],
  [say('Energy', 'kWh'), kwh, (line) => line.energyKwh],
  [say('Interpolated', 'kWh'), kwh, (line) => line.interpolatedKwh],
  [say('Fixed charge for'), daysIn(say), (line) => line.days],
  [say('VAT rate'), vatRate, ({ vatPercent }) => (vatPercent === null ? null : vatPercent / 100)],
  [say('Cost'), text, ({ cost, currency }) => priced(cost, currency, moneyOf)],
  [say('Currency'), text, (line) => line.currency],
];
/** The letter of the cost column. */
const costColumn = 'I';
const beforeCost: Cell[] = [null, null, null, null, null, null, null];

/**
 * The lines of a total, by currency; those without a price come last. Below them follow, for each currency, the sum of the
 * lines as a formula and the total that the portal shows as a value. Both are equal.
 */
function breakdownSheet(say: Say, { lines, costs }: CostBreakdown): Iterable<Part> {
  const rows: CostLine[] = [];
  const sums: Cell[][] = [];
  for (const { currency, total } of costs) {
    // Row 1 is the header.
    const first = rows.length + 2;
    rows.push(...lines.filter((line) => line.currency === currency));
    const value = { value: total, format: moneyOf(currency), isBold: true };
    const formula = `SUM(${costColumn}${first}:${costColumn}${rows.length + 1})`;
    sums.push(
      [{ value: say('Total of the lines'), isBold: true }, ...beforeCost, { ...value, formula }, currency],
      [{ value: say('Total'), isBold: true }, ...beforeCost, value, currency],
    );
  }
  rows.push(...lines.filter((line) => !costs.some(({ currency }) => currency === line.currency)));
  return table(say('Cost breakdown'), columnsIn(say), rows, sums.length === 0 ? [] : [[], ...sums]);
}

const priced = (value: number | null, currency: string | null, formatOf: typeof moneyOf): Cell =>
  value === null || currency === null ? null : { value, format: formatOf(currency) };

const ownLines = {
  export: 'Export',
  fixedCharge: 'Fixed charge',
  vat: 'VAT',
  unpriced: 'Unpriced',
} as const satisfies Record<Exclude<CostLine['kind'], 'energy'>, ExportText>;

const lineName = (say: Say, { kind, name }: CostLine) =>
  kind === 'energy' ? periodName(say, name) : say(ownLines[kind]);

/** The name that people gave the period; for the time outside all periods, the portal's name. */
export const periodName = (say: Say, name: string) => (name === defaultPeriodName ? say('Default rate') : name);

type QualityRow = DataQuality['devices'][number];

export const flagNames = {
  gap: ['Gap', 'Gaps'],
  interpolated: ['Interpolated', 'Interpolated'],
  glitch: ['Spike', 'Spikes'],
  stepBack: ['Backward step', 'Backward steps'],
  rollover: ['Rollover', 'Rollovers'],
  reset: ['Reset', 'Resets'],
  implausible: ['Implausible', 'Implausible'],
} as const satisfies Record<QualityFlagKind, readonly [one: ExportText, several: ExportText]>;

/** How much of the range each device measured, and the anomalies, the newest first. */
function* qualitySheets(say: Say, { devices: found, balances }: DataQuality, timeZone: string): Generator<Part, void> {
  yield* table(
    say('Data quality'),
    [
      [say('Device'), text, (device) => device.deviceName],
      [say('Site'), text, (device) => device.siteName],
      [say('Measured quarter-hours'), count, ({ slots }) => slots.measured],
      [say('Interpolated quarter-hours'), count, ({ slots }) => slots.interpolated],
      [say('Missing quarter-hours'), count, ({ slots }) => slots.missing],
      [say('Measured'), share, ({ slots }) => measuredShare(slots)],
      ...qualityFlagKind.options.map((kind): TableColumn<QualityRow> => [
        say(flagNames[kind][1]),
        count,
        ({ counts }) => counts[kind],
      ]),
    ],
    found,
  );
  const findings = found.flatMap(({ deviceName, siteName, flags }) =>
    flags.map((flag) => ({ ...flag, deviceName, siteName })),
  );
  yield* table(
    say('Gaps and anomalies'),
    [
      [say('Device'), text, (flag) => flag.deviceName],
      [say('Site'), text, (flag) => flag.siteName],
      [say('Type'), text, ({ kind }) => say(flagNames[kind][0])],
      [say('Register'), text, ({ direction }) => (direction === null ? null : say(direction))],
      [say('From', timeZone), text, ({ time }) => instantCell(time, timeZone)],
      [say('Until', timeZone), text, ({ until }) => instantCell(until, timeZone)],
      [say('Energy', 'kWh'), kwh, (flag) => flag.energyKwh],
    ],
    findings,
  );
  if (balances.length === 0) return;
  yield* table(
    say('Meter mismatches'),
    [
      [say('Main meter'), text, (balance) => balance.deviceName],
      [say('Site'), text, (balance) => balance.siteName],
      [say('Not sub-metered', 'kWh'), kwh, (balance) => balance.notSubMeteredKwh],
      [say('Sub-meters report more'), text, ({ isExceeded }) => say(isExceeded ? 'yes' : 'no')],
      [say('Missing quarter-hours'), count, ({ missingSlots }) => missingSlots],
    ],
    balances,
  );
}

function measuredShare({ measured, interpolated, missing }: QualityRow['slots']): number | null {
  const all = measured + interpolated + missing;
  return all === 0 ? null : measured / all;
}

interface AskedSummary extends Omit<ExportToAnswer, 'format'>, Pick<ContentsAsked, 'stateOf'> {
  accountId: string;
}

/** Responds with the summary as a workbook, for the Client, or the customer whose data the database shows. */
export async function answerSummary(
  parts: ClientParts,
  request: FastifyRequest & { query: { language?: unknown } },
  reply: FastifyReply,
  asked: AskedSummary,
): Promise<FastifyReply> {
  const { database } = parts;
  const file = { ...asked, format: 'xlsx' } as const;
  return answerExport(parts, request, reply, file, async ({ signal, open, send, sendAbout, nowMs, say, timeZone }) => {
    const contents = await readEnergy(database.until(signal), asked, async (snapshot) =>
      readContents(snapshot, asked.range, { ...asked, timeZone, nowMs }),
    );
    open();
    const { devices } = contents;
    for (const part of summarySheets(say, contents, timeZone)) await send(part);
    await sendAbout({
      content: 'Summary of energy, cost and data quality',
      devices,
      notes: [
        [say('Days'), say(daysNote(contents.byTime))],
        ...(hasTree(devices)
          ? [[say('Sub-meters'), say('included in the main meter named beside them, not added again')]]
          : []),
        [say('Amounts'), say('rounded once, at the end; the lines of the cost breakdown add up to the totals')],
      ],
    });
  });
}

function daysNote(byTime: SummaryContents['byTime']): ExportText {
  if (byTime === null) return 'omitted: too many rows; choose a shorter range or fewer devices';
  return byTime.group === 'day' ? 'local days at each site' : 'months: too many days for this many sites';
}
