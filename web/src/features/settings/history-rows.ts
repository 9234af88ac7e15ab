import { readDecimal, readFileDecimal } from '../../lib/decimal.ts';
import type { DelimitedRecord } from '../../lib/delimited.ts';
import { type DateOrder, type HistoryTimes, readLocal, type TimeProblem } from './history-times.ts';

/** The quantities of a row of the ingest. */
export const quantities = [
  'activePowerKw',
  'energyImportedKwh',
  'energyExportedKwh',
  'reactivePowerKvar',
  'apparentPowerKva',
  'powerFactor',
  'voltageV',
  'frequencyHz',
] as const;
export type Quantity = (typeof quantities)[number];
export const historyFields = ['time', 'clock', 'externalId', ...quantities] as const;
export type HistoryField = (typeof historyFields)[number];

/** How a file is to be read. */
export interface HistoryMapping {
  /** The column of each field, from 0. */
  columns: Partial<Record<HistoryField, number>>;
  /** Of the device of all rows, where no column names it; empty for none. */
  externalId: string;
  timeZone: string;
  dateOrder: DateOrder;
  decimalSeparator: '.' | ',';
  /** What the power of the file is divided by to be in kW. */
  powerPerKw: 1 | 1000;
}

export type HistoryRow = { externalId: string; time: string } & Partial<Record<Quantity, number | null>>;

export type RowProblem = TimeProblem | 'noExternalId' | 'noPower' | 'notANumber' | 'otherDecimals';

/** A row as it is sent, or what is wrong with which field. */
export type JudgedHistoryRow =
  | { line: number; externalId: string; time: string; row: HistoryRow }
  | { line: number; externalId: string; time: string; problem: RowProblem; field: HistoryField };

/** The external ids of the rows, each once. */
export function listExternalIds(
  records: readonly DelimitedRecord[],
  { columns: { externalId }, externalId: ofAll }: HistoryMapping,
): string[] {
  const ids = externalId === undefined ? [ofAll] : records.map(({ fields }) => fields[externalId]?.trim() ?? '');
  return [...new Set(ids)].filter((id) => id !== '');
}

/** A file that has energy but no power: it cannot be sent, because a reading has its power. */
export const lacksPower = ({ columns }: HistoryMapping): boolean =>
  columns.activePowerKw === undefined &&
  (columns.energyImportedKwh !== undefined || columns.energyExportedKwh !== undefined);

/** As a part of all steps of a device's values. */
const oftenShare = 0.05;

/** The registers whose values go up as well as down: those of energy of each interval do, and would be summed as resets. */
export function listIntervalEnergies(
  records: readonly DelimitedRecord[],
  { columns, decimalSeparator }: HistoryMapping,
): Quantity[] {
  return (['energyImportedKwh', 'energyExportedKwh'] as const).filter((register) => {
    const column = columns[register];
    if (column === undefined) return false;
    const last = new Map<string, number>();
    let [ups, downs] = [0, 0];
    for (const { fields } of records) {
      const device = columns.externalId === undefined ? '' : (fields[columns.externalId] ?? '');
      const value = readFileDecimal(fields[column]?.trim() ?? '', decimalSeparator);
      if (typeof value !== 'number') continue;
      const before = last.get(device) ?? value;
      if (value > before) ups += 1;
      if (value < before) downs += 1;
      last.set(device, value);
    }
    return Math.min(ups, downs) > Math.max(1, oftenShare * (ups + downs));
  });
}

/** Reads a record of the file; nothing is guessed. */
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
  const row: HistoryRow = { externalId, time: new Date(at).toISOString() };
  for (const field of quantities) {
    if (columns[field] === undefined) continue;
    const value = readFileDecimal(cell(field), decimalSeparator);
    if (value === undefined) {
      const isNumber = readDecimal(cell(field), decimalSeparator) !== undefined;
      return { ...told, problem: isNumber ? 'otherDecimals' : 'notANumber', field };
    }
    row[field] = value === null || field !== 'activePowerKw' ? value : value / powerPerKw;
  }
  if (row.activePowerKw === null || row.activePowerKw === undefined) {
    return { ...told, problem: 'noPower', field: 'activePowerKw' };
  }
  return { ...told, row };
}

/** What the cells themselves tell, where they do; else what files with this delimiter mostly have. */
export function guessDecimalSeparator(records: readonly DelimitedRecord[], delimiter: string): '.' | ',' {
  const cells = records.flatMap(({ fields }) => fields);
  const readOnlyWith = (separator: '.' | ',', other: '.' | ',') =>
    cells.filter((cell) => readFileDecimal(cell, separator) !== undefined && readFileDecimal(cell, other) === undefined)
      .length;
  const [points, commas] = [readOnlyWith('.', ','), readOnlyWith(',', '.')];
  if (points === commas) return delimiter === ';' ? ',' : '.';
  return points > commas ? '.' : ',';
}

/** Month first where a day behind it says so: 12/31/2026 is no day of a month. */
export const guessDateOrder = (records: readonly DelimitedRecord[], column: number | undefined): DateOrder => {
  const dates = records.map(({ fields }) => `${fields[column ?? -1]?.trim().split(/[T, ]/, 1)[0]} 00:00`);
  const reads = (order: DateOrder) => dates.filter((date) => readLocal(date, order) !== null).length;
  return reads('mdy') > reads('dmy') ? 'mdy' : 'dmy';
};

/** In six languages, without accents; a register of export has to be known as one, or it is taken for that of import. */
const guesses: readonly [HistoryField, RegExp][] = [
  ['time', /date|datum|fecha|^data|horodat|stamp|stempel/],
  ['time', /time|zeit|^heure|^hora|^ora|^tijd/],
  ['clock', /^(time|timeofday|clock|zeit|uhrzeit|heure|hora|ora|tijd)$/],
  [
    'externalId',
    /^(external|externekennung|kennung|meter|device|zahler|zahlernummer|gerat|identifiant|identificador|idesterno|externe|compteur|appareil|contador|equipo|contatore|dispositivo|apparaat)(id|externe|externo)?$/,
  ],
  ['reactivePowerKvar', /reacti|reattiv|blind|kvar/],
  ['apparentPowerKva', /apparent|aparente|schein|schijnba|kva/],
  ['powerFactor', /factor|faktor|facteur|fattore|cosphi/],
  ['energyExportedKwh', /export|einspeis|injecti|inyecci|immission|immess|teruglever|invoeding|280/],
  ['energyImportedKwh', /import|bezug|soutir|preliev|afname|regist|index|zahlerstand|telwerk|180|kwh/],
  ['activePowerKw', /power|leistung|puissance|potencia|potenza|vermogen|kw/],
  ['voltageV', /voltage|spannung|tension|spanning/],
  ['frequencyHz', /frequen|frecuen/],
];

/** What the headings suggest; each field and each column once. */
export function guessColumns(headings: readonly string[]): Partial<Record<HistoryField, number>> {
  const columns: Partial<Record<HistoryField, number>> = {};
  const taken = new Set<number>();
  const plain = headings.map((heading) =>
    heading
      .toLowerCase()
      .normalize('NFD')
      .replaceAll(/[^\p{L}\p{N}]/gu, ''),
  );
  for (const [field, shape] of guesses) {
    if (columns[field] !== undefined) continue;
    const at = plain.findIndex((heading, column) => !taken.has(column) && shape.test(heading));
    if (at === -1) continue;
    columns[field] = at;
    taken.add(at);
  }
  return columns;
}

/** Watts where the heading of the power ends in W, such as `power_w` or `Leistung [W]`. */
export const guessPowerPerKw = (heading = ''): HistoryMapping['powerPerKw'] =>
  /(?:^|[\s([_])W[)\]\s]*$/i.test(heading) ? 1000 : 1;
