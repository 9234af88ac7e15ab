import type { Message, MessageParam } from '../../shared/messages.ts';
import { about, message } from '../base/errors.ts';
import {
  type FixedUnits,
  nothingRead,
  type Reading,
  storedQuantities,
  type StoredQuantity,
  toFixedUnits,
} from '../base/quantities.ts';
import { formatInstant, microsPerSecond, parseInstant } from '../base/instants.ts';

/** A valid row of an ingest request, whose device is not known yet. */
export interface JudgedReading extends Pick<Reading, 'timeMicros' | 'quantities'> {
  index: number;
  externalId: string;
}

export interface RejectedRow {
  index: number;
  externalId: string | null;
  problem: Message;
  /** Epoch microseconds, where the row had a valid time. */
  timeMicros?: number;
}

type IngestRow = Readonly<Record<string, unknown>>;

const rules = storedQuantities.map((quantity) => {
  const { at, name, scale, statistic, limits: [min = -Infinity, max = Infinity] = [] } = quantity;
  return { at, name, scale, isRequired: statistic === 'power', min, max, accepted: acceptedOf(quantity) };
});
type QuantityRule = (typeof rules)[number];

function acceptedOf({ statistic, limits, unit = '' }: StoredQuantity): Message {
  if (statistic === 'power') return message('finiteNumber', { unit });
  if (limits === undefined) return message('finiteNumberOrNull', { unit });
  const [min, max] = limits;
  return max === undefined ? message('positiveOrNull', { unit }) : message('withinOrNull', { min, max });
}

/** The earliest accepted instant: 2000-01-01T00:00:00Z. */
export const earliestMicros = 946_684_800 * microsPerSecond;
const microsPerHour = 3600 * microsPerSecond;
const listedTextLength = 200;

/** How a row identifies its device, and how far in the future its time may be. */
export interface RowRules {
  field: string;
  accepted: Message;
  /** Reads the identifier of the device; null if the value is not valid. */
  read: (value: unknown) => string | null;
  hoursAhead: number;
}

/** For the ingest of a Client. */
export const byExternalId: RowRules = {
  field: 'externalId',
  accepted: message('anExternalId'),
  read: (value) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null),
  hoursAhead: 24,
};

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The rules for rows that a Client pushes. The Client has judged them, by a clock that may be wrong by up to two days. */
export const byDeviceId: RowRules = {
  field: 'deviceId',
  accepted: message('guidOfDevice'),
  read: (value) => (typeof value === 'string' && guid.test(value) ? value.toLowerCase() : null),
  hoursAhead: 72,
};

/**
 * Validates rows of ingest requests by the rules of decisions.md 4, with a clock in epoch microseconds. The reason of a rejection
 * names the field, the received value and what is accepted. The quantities are written to `quantities`. A caller that copies them
 * can reuse that array, because an array per row creates much garbage.
 */
export function judgeRow(
  row: IngestRow,
  index: number,
  nowMicros: number,
  { field, accepted, read, hoursAhead }: RowRules = byExternalId,
  quantities: (FixedUnits | null)[] = nothingRead.slice(),
): JudgedReading | RejectedRow {
  const externalId = read(row[field]);
  if (externalId === null) {
    return { index, externalId: null, problem: takes(field, row[field], accepted) };
  }
  const rejectTime = (problem: Message): RejectedRow => ({ index, externalId: listed(externalId), problem });

  const time = row['time'];
  const timeMicros = typeof time === 'string' ? parseInstant(time) : null;
  if (timeMicros === null) {
    return rejectTime(takes('time', time, message('isoInstant')));
  }
  if (timeMicros < earliestMicros)
    return rejectTime(takes('time', time, message('instantsFrom', { first: formatInstant(earliestMicros) })));
  if (timeMicros > nowMicros + hoursAhead * microsPerHour) {
    const now = formatInstant(Math.floor(nowMicros / 1e6) * 1e6);
    return rejectTime(about('time', message('rowTooFarAhead', { got: describe(time), hours: hoursAhead, now })));
  }

  const reject = (problem: Message): RejectedRow => ({ ...rejectTime(problem), timeMicros });
  for (const rule of rules) {
    const units = judgeQuantity(row[rule.name], rule);
    if (isMessage(units)) return reject(units);
    quantities[rule.at] = units;
  }
  return { index, externalId, timeMicros, quantities };
}

const isMessage = (value: FixedUnits | null | Message): value is Message => typeof value === 'object' && value !== null;

type JudgedRow = Pick<JudgedReading, 'index' | 'externalId' | 'timeMicros'>;

/** A rejection for a reason that only the database knows. */
export const rejectedRow = ({ index, externalId, timeMicros }: JudgedRow, problem: Message): RejectedRow => ({
  index,
  externalId: listed(externalId),
  problem,
  timeMicros,
});

/** The reason for rejecting a row older than the kept readings. */
export const noLongerKept = (timeMicros: number, keptFromMicros: number): Message =>
  about('time', message('rowNotKept', { time: formatInstant(timeMicros), from: formatInstant(keptFromMicros) }));

/**
 * The quantity in fixed units; null if the field is absent; or the reason of a rejection. No value is converted from another
 * type.
 */
function judgeQuantity(value: unknown, rule: QuantityRule): FixedUnits | null | Message {
  if ((value === undefined || value === null) && !rule.isRequired) return null;
  if (typeof value !== 'number' || !Number.isFinite(value) || value < rule.min || value > rule.max) {
    return takes(rule.name, value, rule.accepted);
  }
  return toFixedUnits(value, rule.scale) ?? about(rule.name, message('rowTooLarge', { got: describe(value) }));
}

/** The received value of a field, and what the field accepts. */
export const takes = (field: string, value: unknown, accepted: Message): Message =>
  about(field, message('rowTakes', { got: describe(value), accepted }));

export function describe(value: unknown): MessageParam {
  if (value === undefined) return message('missingValue');
  if (typeof value === 'string') return message('theText', { text: JSON.stringify(value.slice(0, 40)) });
  if (typeof value === 'number') return Number.isFinite(value) ? value : message('notFinite');
  if (typeof value === 'object' && value !== null) return message(Array.isArray(value) ? 'aList' : 'anObject');
  return String(value);
}

export const listed = (text: string) => (text.length > listedTextLength ? `${text.slice(0, listedTextLength)}…` : text);
