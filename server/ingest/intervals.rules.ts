import { intervalLimits } from '../../shared/intervals.ts';
import type { Message } from '../../shared/messages.ts';
import { about, message } from '../base/errors.ts';
import { dayMicros, formatInstant, microsPerSecond, type MicrosRange, parseInstant } from '../base/instants.ts';
import { type FixedUnits, milliOfKilo, toFixedUnits } from '../base/quantities.ts';
import { describe, earliestMicros, listed, type RejectedRow, type RowRules, takes } from './readings.rules.ts';

/** A valid interval of a request, whose device is not known yet; mWh. */
export interface JudgedInterval extends MicrosRange {
  index: number;
  externalId: string;
  imported: FixedUnits | null;
  exported: FixedUnits | null;
}

type IntervalRow = Readonly<Record<string, unknown>>;

const longestMicros = intervalLimits.days * dayMicros;
const isMessage = (value: FixedUnits | null | Message): value is Message =>
  typeof value === 'object' && value !== null && 'code' in value;

/** Judges a row of an ingest of intervals (docs/energy.md), with a clock in epoch microseconds. */
export function judgeInterval(
  row: IntervalRow,
  index: number,
  nowMicros: number,
  { field, accepted, read, hoursAhead }: RowRules,
): JudgedInterval | RejectedRow {
  const externalId = read(row[field]);
  if (externalId === null) return { index, externalId: null, problem: takes(field, row[field], accepted) };
  const reject = (problem: Message, timeMicros?: number): RejectedRow => ({
    index,
    externalId: listed(externalId),
    problem,
    ...(timeMicros === undefined ? {} : { timeMicros }),
  });
  const fromMicros = judgeTime('from', row['from']);
  if (isMessage(fromMicros)) return reject(fromMicros);
  const toMicros = judgeTime('to', row['to']);
  if (isMessage(toMicros)) return reject(toMicros, fromMicros);
  const length = toMicros - fromMicros;
  const got = describe(row['to']);
  if (length <= 0) {
    return reject(about('to', message('intervalReversed', { got, from: formatInstant(fromMicros) })), fromMicros);
  }
  if (length < microsPerSecond || length > longestMicros) {
    return reject(about('to', message('intervalLength', { got, days: intervalLimits.days })), fromMicros);
  }
  if (toMicros > nowMicros + hoursAhead * 3_600 * microsPerSecond) {
    const now = formatInstant(Math.floor(nowMicros / microsPerSecond) * microsPerSecond);
    return reject(about('to', message('rowTooFarAhead', { got, hours: hoursAhead, now })), fromMicros);
  }
  const imported = judgeEnergy('importedKwh', row['importedKwh']);
  if (isMessage(imported)) return reject(imported, fromMicros);
  const exported = judgeEnergy('exportedKwh', row['exportedKwh']);
  if (isMessage(exported)) return reject(exported, fromMicros);
  if (imported === null && exported === null) {
    return reject(about('importedKwh', message('intervalWithoutEnergy')), fromMicros);
  }
  return { index, externalId, fromMicros, toMicros, imported, exported };
}

function judgeTime(field: string, value: unknown): number | Message {
  const micros = typeof value === 'string' ? parseInstant(value) : null;
  if (micros === null) return takes(field, value, message('isoInstant'));
  if (micros >= earliestMicros) return micros;
  return takes(field, value, message('instantsFrom', { first: formatInstant(earliestMicros) }));
}

/** No value is converted from another type. */
function judgeEnergy(field: string, value: unknown): FixedUnits | null | Message {
  if (value === undefined || value === null) return null;
  const { kwh: max } = intervalLimits;
  if (typeof value !== 'number' || !(value >= 0 && value <= max))
    return takes(field, value, message('withinOrNull', { min: 0, max }));
  return toFixedUnits(value, milliOfKilo);
}
