import { allDevices } from '../base/scopes.ts';
import { calendarRange } from '../base/ranges.ts';
import { customerStateNames } from '../../messages/en/page/states.ts';
import { aboutSheet } from '../reports/answer-export.ts';
import { summarySheets } from '../reports/answer-summary.ts';
import { count, figuresTable, kwh, moneyOf, table, type TableColumn, text } from '../reports/export-formats.ts';
import type { Say } from '../reports/say.ts';
import { ExportFile } from '../workbook/export-file.ts';
import type { Part } from '../workbook/sheet.ts';
import {
  type FleetContents,
  figuresOf,
  type ReportContents,
  type ReportedCustomer,
  unpackSummary,
} from './contents.ts';

/** The workbook of a kept report: the sheets of the export of a summary, or of a fleet. */
export async function writeWorkbook(
  contents: ReportContents,
  subjectIds: readonly string[],
  say: Say,
): Promise<Buffer> {
  const { brand, dates, readAt, timeZone } = contents;
  const madeAtMs = Date.parse(readAt);
  const isClient = contents.kind === 'client';
  const properties = { title: say('Summary'), creator: brand.applicationName, madeAtMs };
  const file = new ExportFile({ format: 'xlsx', properties });
  const whole = collect(file);
  const about = aboutSheet(say, {
    applicationName: brand.applicationName,
    content: isClient ? 'Summary of energy, cost and data quality' : 'Fleet overview by customer',
    range: calendarRange(dates),
    timeZone,
    devices: isClient ? contents.summary.devices : null,
    scope: isClient && subjectIds.length > 0 ? { devices: [], sites: subjectIds } : allDevices,
    madeAtMs,
    madeBy: { displayName: '', email: brand.applicationName },
    notes: [],
  });
  const sheets = isClient ? summarySheets(say, unpackSummary(contents.summary), timeZone) : fleetSheets(say, contents);
  for (const parts of [sheets, about]) for (const part of parts) await file.send(part);
  await file.send({ kind: 'end' });
  return whole;
}

async function collect({ output }: ExportFile): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of output) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

function* fleetSheets(say: Say, contents: FleetContents): Generator<Part, void> {
  const { customers } = contents;
  const { energyImportedKwh, energyExportedKwh, costs } = figuresOf(contents);
  yield* figuresTable(say, [
    [say('Customers'), { value: customers.length, format: count }],
    [say('Energy imported'), { value: energyImportedKwh, format: kwh }],
    [say('Energy exported'), { value: energyExportedKwh, format: kwh }],
    ...costs.map(({ currency, total }) => [
      say('Total cost', currency),
      { value: total, format: moneyOf(currency), isBold: true },
    ]),
  ]);
  yield* table<ReportedCustomer>(
    say('Customers'),
    [
      [say('Customer'), text, ({ name }) => name],
      [say('Code'), text, ({ code }) => code],
      [say('Status'), text, ({ state }) => say(customerStateNames[state])],
      [say('Devices'), count, ({ deviceCount }) => deviceCount],
      [say('Energy imported', 'kWh'), kwh, (one) => one.energyImportedKwh],
      [say('Energy exported', 'kWh'), kwh, (one) => one.energyExportedKwh],
      ...costs.map(({ currency }): TableColumn<ReportedCustomer> => [
        say('Total cost', currency),
        moneyOf(currency),
        (one) => one.costs.find((cost) => cost.currency === currency)?.total ?? null,
      ]),
    ],
    customers,
  );
}
