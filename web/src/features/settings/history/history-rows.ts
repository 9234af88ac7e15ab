import { readDecimal, readFileDecimal } from '../../../lib/decimal.ts';
import type { DelimitedRecord } from '../../../lib/delimited.ts';
import { quantities } from '../../../../../shared/quantities.ts';
import type { IntervalMinutes, IntervalStamp } from './history-intervals.ts';
import { type DateOrder, HistoryTimes, type TimeProblem } from './history-times.ts';

export const registerFields = ['energyImportedKwh', 'energyExportedKwh'] as const;
export type RegisterField = (typeof registerFields)[number];
const powerFields = ['activePowerKw', ...registerFields] as const;
/** For load profiles: the energy of each interval. Such a file has no readings. */
export const intervalFields = ['importedPerInterval', 'exportedPerInterval'] as const;
const quantityFields = quantities.map(({ name }) => name);
/** The numeric fields, in the order of the page. */
export const numberFields = [
  ...powerFields,
  ...intervalFields,
  ...quantities.flatMap(({ name }) => (powerFields.some((one) => one === name) ? [] : [name])),
] as const;
export type NumberField = (typeof numberFields)[number];
export const historyFields = ['time', 'clock', 'externalId', ...numberFields] as const;
export type HistoryField = (typeof historyFields)[number];

/** The way in which a file is read. */
export interface HistoryMapping {
  /** The column of each field, counted from 0. */
  columns: Partial<Record<HistoryField, number>>;
  /** The device of all rows, if no column names devices. Empty if there is none. */
  externalId: string;
  timeZone: string;
  dateOrder: DateOrder;
  decimalSeparator: '.' | ',';
  /** The divisor that converts the file's power or interval energy to kW or kWh. */
  powerPerKw: 1 | 1000;
  intervalMinutes: IntervalMinutes;
  intervalStamp: IntervalStamp;
}

export type HistoryReading = { externalId: string; time: string } & Partial<
  Record<Exclude<NumberField, (typeof intervalFields)[number]>, number | null>
>;
export interface HistoryInterval {
  externalId: string;
  from: string;
  to: string;
  importedKwh: number | null;
  exportedKwh: number | null;
}

export type RowProblem = TimeProblem | 'noExternalId' | 'noPower' | 'noEnergy' | 'notANumber' | 'otherDecimals';

interface HistoryLine {
  line: number;
  externalId: string;
  /** The value as it is in the file. */
  time: string;
}

/** A row as it was read from the file, and the row to send. */
export interface ReadHistoryRow extends HistoryLine {
  startMs: number;
  values: Partial<Record<NumberField, number | null>>;
  row: HistoryReading | HistoryInterval;
}

/** A row, or the problem of one of its fields. */
export type JudgedHistoryRow = ReadHistoryRow | (HistoryLine & { problem: RowProblem; field: HistoryField });

/** Whether the energy in a file is that of intervals. */
export const hasIntervals = ({ columns }: Pick<HistoryMapping, 'columns'>): boolean =>
  intervalFields.some((field) => columns[field] !== undefined);

/** Assigns a column to a field. A file has either energy of intervals or readings. */
export function withColumn(
  columns: HistoryMapping['columns'],
  field: HistoryField,
  column: number | null,
): HistoryMapping['columns'] {
  const { [field]: _, ...rest } = columns;
  if (column === null) return rest;
  const isInterval = intervalFields.some((one) => one === field);
  const excluded: readonly HistoryField[] = isInterval
    ? quantityFields
    : quantityFields.some((one) => one === field)
      ? intervalFields
      : [];
  const kept = Object.entries(rest).filter(([other]) => !excluded.some((one) => one === other));
  return { ...Object.fromEntries(kept), [field]: column };
}

/** The external IDs of the rows, each once. */
export function listExternalIds(
  records: readonly DelimitedRecord[],
  { columns: { externalId }, externalId: ofAll }: HistoryMapping,
): string[] {
  const ids = externalId === undefined ? [ofAll] : records.map(({ fields }) => fields[externalId]?.trim() ?? '');
  return [...new Set(ids)].filter((id) => id !== '');
}

/** Whether a file has registers but no power, although every reading needs power. */
export const lacksPower = ({ columns }: Pick<HistoryMapping, 'columns'>): boolean =>
  columns.activePowerKw === undefined && registerFields.some((field) => columns[field] !== undefined);

/** Whether the readings of a file have power, or energy from which power follows. */
export const hasEnergy = ({ columns }: Pick<HistoryMapping, 'columns'>): boolean =>
  [...powerFields, ...intervalFields].some((field) => columns[field] !== undefined);

/** Reads the times of a file. */
export const createTimes = (mapping: HistoryMapping): HistoryTimes => {
  const { timeZone, dateOrder, intervalMinutes, intervalStamp } = mapping;
  const areEnds = hasIntervals(mapping) && intervalStamp === 'end';
  return new HistoryTimes(timeZone === '' ? 'UTC' : timeZone, dateOrder, areEnds ? intervalMinutes * minuteMs : 0);
};

/** Reads a record of the file. Nothing is guessed. If the file {@link lacksPower}, the readings have none either. */
export function readHistoryRow(
  { line, fields }: DelimitedRecord,
  mapping: HistoryMapping,
  times: HistoryTimes,
): JudgedHistoryRow {
  const { columns, decimalSeparator, powerPerKw } = mapping;
  const cell = (field: HistoryField) => {
    const at = columns[field];
    return at === undefined ? '' : (fields[at]?.trim() ?? '');
  };
  const externalId = columns.externalId === undefined ? mapping.externalId : cell('externalId');
  const time = `${cell('time')} ${cell('clock')}`.trim();
  const told = { line, externalId, time };
  if (externalId === '') return { ...told, problem: 'noExternalId', field: 'externalId' };
  const at = times.read(time, externalId);
  if (typeof at !== 'number') return { ...told, problem: at, field: 'time' };
  const values: Partial<Record<NumberField, number | null>> = {};
  for (const field of hasIntervals(mapping) ? intervalFields : numberFields) {
    if (columns[field] === undefined) continue;
    const value = readFileDecimal(cell(field), decimalSeparator);
    if (value === undefined) {
      const isNumber = readDecimal(cell(field), decimalSeparator) !== undefined;
      return { ...told, problem: isNumber ? 'otherDecimals' : 'notANumber', field };
    }
    values[field] = value === null || !scaled.has(field) ? value : value / powerPerKw;
  }
  const { importedPerInterval = null, exportedPerInterval = null, ...quantities } = values;
  if (!hasIntervals(mapping)) {
    const needed = lacksPower(mapping) ? registerFields : (['activePowerKw'] as const);
    if (!needed.some((field) => typeof values[field] === 'number')) {
      const [field] = needed;
      return { ...told, problem: field === 'activePowerKw' ? 'noPower' : 'noEnergy', field };
    }
    const row = { ...quantities, externalId, time: new Date(at).toISOString() };
    return { ...told, startMs: at, values, row };
  }
  if (importedPerInterval === null && exportedPerInterval === null) {
    const field = columns.importedPerInterval === undefined ? 'exportedPerInterval' : 'importedPerInterval';
    return { ...told, problem: 'noEnergy', field };
  }
  const startMs = mapping.intervalStamp === 'end' ? at - mapping.intervalMinutes * minuteMs : at;
  const [from, to] = [startMs, startMs + mapping.intervalMinutes * minuteMs].map((ms) => new Date(ms).toISOString());
  const row = {
    externalId,
    from: from ?? '',
    to: to ?? '',
    importedKwh: importedPerInterval,
    exportedKwh: exportedPerInterval,
  };
  return { ...told, startMs, values, row };
}

const minuteMs = 60_000;
const scaled: ReadonlySet<HistoryField> = new Set(['activePowerKw', ...intervalFields]);
