import { readFileDecimal } from '../../../lib/decimal.ts';
import type { DelimitedRecord } from '../../../lib/delimited.ts';
import { type IntervalMinutes, type ReadTime, usualStep } from './history-intervals.ts';
import {
  createTimes,
  type HistoryField,
  type HistoryMapping,
  lacksPower,
  type RegisterField,
  registerFields,
  withColumn,
} from './history-rows.ts';
import { type DateOrder, readLocal } from './history-times.ts';

/** The times of the readable rows. */
function timesOf(records: readonly DelimitedRecord[], mapping: HistoryMapping): ReadTime[] {
  const times = createTimes(mapping);
  const { time, clock, externalId } = mapping.columns;
  const cell = (fields: readonly string[], at: number | undefined) => (at === undefined ? '' : (fields[at] ?? ''));
  return records.flatMap(({ fields }) => {
    const device = cell(fields, externalId).trim();
    const atMs = times.read(`${cell(fields, time)} ${cell(fields, clock)}`.trim(), device);
    return typeof atMs === 'number' ? [{ device, atMs }] : [];
  });
}

/** The most common interval between the rows of a device. Null if its length is unusual. */
export const stepOf = (records: readonly DelimitedRecord[], mapping: HistoryMapping): IntervalMinutes | null =>
  usualStep(timesOf(records, mapping));

/** As a share of all steps of a device's values. */
const oftenShare = 0.05;

/**
 * The registers whose values go up and down. These are really energy per interval; as registers they would look like resets. If
 * no other column has energy, a single step down is enough.
 */
export function listIntervalEnergies(
  records: readonly DelimitedRecord[],
  { columns, decimalSeparator }: Pick<HistoryMapping, 'columns' | 'decimalSeparator'>,
): RegisterField[] {
  return registerFields.filter((register) => {
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
    return Math.min(ups, downs) > (lacksPower({ columns }) ? 0 : Math.max(1, oftenShare * (ups + downs)));
  });
}

/** The format that the cells show. If they do not show it, the format that files with this delimiter usually have. */
export function guessDecimalSeparator(records: readonly DelimitedRecord[], delimiter: string): '.' | ',' {
  const cells = records.flatMap(({ fields }) => fields);
  const readOnlyWith = (separator: '.' | ',', other: '.' | ',') =>
    cells.filter((cell) => readFileDecimal(cell, separator) !== undefined && readFileDecimal(cell, other) === undefined)
      .length;
  const [points, commas] = [readOnlyWith('.', ','), readOnlyWith(',', '.')];
  if (points === commas) return delimiter === ';' ? ',' : '.';
  return points > commas ? '.' : ',';
}

/** The month comes first if some day can only be read this way: in 12/31/2026, 31 is not a month. */
export const guessDateOrder = (records: readonly DelimitedRecord[], column: number | undefined): DateOrder => {
  const dates = records.map(({ fields }) => `${fields[column ?? -1]?.trim().split(/[T, ]/, 1)[0]} 00:00`);
  const reads = (order: DateOrder) => dates.filter((date) => readLocal(date, order) !== null).length;
  return reads('mdy') > reads('dmy') ? 'mdy' : 'dmy';
};

/**
 * In six languages, without accents. A register of export must be recognized; otherwise it would be taken for a register of
 * import.
 */
const guesses: readonly [HistoryField, RegExp][] = [
  ['time', /date|datum|fecha|^data|horodat|stamp|stempel/],
  ['time', /time|zeit|^heure|^hora|^ora|^tijd/],
  [
    'clock',
    /^(time|timeofday|clock|zeit|uhrzeit|heure|hora|ora|tijd)(from|start|von|beginn|debut|de|desde|da|inizio|van)?$/,
  ],
  ['clock', /^(time|zeit|uhrzeit|heure|hora|ora|tijd)(to|end|bis|ende|fin|a|hasta|fine|tot|einde)$/],
  [
    'externalId',
    /^(external|externekennung|kennung|meter|device|zahler|zahlernummer|gerat|identifiant|identificador|idesterno|externe|compteur|appareil|contador|equipo|contatore|dispositivo|apparaat)(id|externe|externo)?$/,
  ],
  ['reactivePowerKvar', /reacti|reattiv|blind|kvar/],
  ['apparentPowerKva', /apparent|aparente|schein|schijnba|kva/],
  ['powerFactor', /factor|faktor|facteur|fattore|cosphi/],
  ['energyExportedKwh', /export|einspeis|injecti|inyecci|immission|immess|teruglever|invoeding|280/],
  [
    'energyImportedKwh',
    /import|bezug|soutir|preliev|afname|regist|index|zahlerstand|telwerk|180|consum|consom|verbrauch|verbruik|kwh/,
  ],
  ['activePowerKw', /power|leistung|puissance|potencia|potenza|vermogen|kw/],
  ['voltageV', /voltage|spannung|tension|spanning/],
  ['frequencyHz', /frequen|frecuen/],
];

/** The fields that the headings suggest. Each field and each column is used once. */
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

/** Watts if the heading of the power ends in W, such as `power_w` or `Leistung [W]`; watt-hours if that of energy ends in Wh. */
export const guessPowerPerKw = (heading = ''): HistoryMapping['powerPerKw'] =>
  /(?:^|[\s([_])Wh?[)\]\s]*$/i.test(heading) ? 1000 : 1;

/**
 * If the values of a guessed register go up and down, all guessed registers are treated as energy of intervals. The times are
 * the ends of intervals if a day ends at 24:00 or begins a whole interval after midnight.
 */
export function guessIntervals(records: readonly DelimitedRecord[], mapping: HistoryMapping): HistoryMapping {
  if (listIntervalEnergies(records, mapping).length === 0) return mapping;
  let { columns } = mapping;
  // This includes the other direction: at night a solar roof exports 0 in row after row.
  for (const register of registerFields) {
    if (mapping.columns[register] === undefined) continue;
    const field = register === 'energyImportedKwh' ? 'importedPerInterval' : 'exportedPerInterval';
    columns = withColumn(columns, field, mapping.columns[register] ?? null);
  }
  const intervalMinutes = stepOf(records, mapping) ?? mapping.intervalMinutes;
  const { time, clock } = columns;
  const clocks = records.map(({ fields }) => `${fields[time ?? -1] ?? ''} ${fields[clock ?? -1] ?? ''}`);
  const first = /(\d{1,2}):(\d{2})/.exec(clocks[0] ?? '');
  const minuteOfFirst = first === null ? 0 : Number(first[1]) * 60 + Number(first[2]);
  const isEnd = minuteOfFirst === intervalMinutes || clocks.some((text) => /\b24:00/.test(text));
  return { ...mapping, columns, intervalMinutes, intervalStamp: isEnd ? 'end' : 'start' };
}
