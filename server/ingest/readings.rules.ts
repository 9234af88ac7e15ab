import type { Message, MessageParam } from '../../shared/messages.ts';
import { about, message } from '../base/errors.ts';
import {
  type FixedUnits,
  milli,
  millionth,
  milliOfKilo,
  tenthOfMilli,
  toFixedUnits,
  type UnitScale,
} from '../base/fixed-units.ts';
import { formatInstant, microsPerSecond, parseInstant } from '../base/instants.ts';
import type { Reading } from '../base/reading.ts';

/** A valid row of an ingest request, whose device is not known yet. */
export interface JudgedReading extends Reading {
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

interface QuantityRule {
  field: string;
  scale: UnitScale;
  accepted: Message;
  min?: number;
  max?: number;
}

const rules = {
  activePower: { field: 'activePowerKw', scale: milliOfKilo, accepted: message('finiteNumber', { unit: 'kW' }) },
  reactivePower: {
    field: 'reactivePowerKvar',
    scale: milliOfKilo,
    accepted: message('finiteNumberOrNull', { unit: 'kvar' }),
  },
  apparentPower: {
    field: 'apparentPowerKva',
    scale: milliOfKilo,
    accepted: message('finiteNumberOrNull', { unit: 'kVA' }),
  },
  powerFactor: { field: 'powerFactor', scale: millionth, accepted: message('factorOrNull'), min: -1, max: 1 },
  voltage: { field: 'voltageV', scale: milli, accepted: message('positiveOrNull', { unit: 'V' }), min: 0 },
  frequency: { field: 'frequencyHz', scale: tenthOfMilli, accepted: message('positiveOrNull', { unit: 'Hz' }), min: 0 },
  energyImported: {
    field: 'energyImportedKwh',
    scale: milliOfKilo,
    accepted: message('finiteNumberOrNull', { unit: 'kWh' }),
  },
  energyExported: {
    field: 'energyExportedKwh',
    scale: milliOfKilo,
    accepted: message('finiteNumberOrNull', { unit: 'kWh' }),
  },
} as const satisfies Record<Exclude<keyof Reading, 'timeMicros'>, QuantityRule>;

/** The earliest accepted instant: 2000-01-01T00:00:00Z. */
export const earliestMicros = 946_684_800 * microsPerSecond;
const microsPerHour = 3600 * microsPerSecond;
const listedTextLength = 200;

/** How a row identifies its device, and how far its time may be ahead. */
export interface RowRules {
  field: string;
  accepted: Message;
  /** The identifier to look up; null if the value is none. */
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
/** For rows that a Client pushes: they were judged there, by a clock that may be wrong by up to two days. */
export const byDeviceId: RowRules = {
  field: 'deviceId',
  accepted: message('guidOfDevice'),
  read: (value) => (typeof value === 'string' && guid.test(value) ? value.toLowerCase() : null),
  hoursAhead: 72,
};

/**
 * Validates rows of ingest requests by the rules of decisions.md 4, with a clock in epoch microseconds. The reason of a
 * rejection names the field, what came and what is accepted.
 */
export function judgeRow(
  row: IngestRow,
  index: number,
  nowMicros: number,
  { field, accepted, read, hoursAhead }: RowRules = byExternalId,
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
  const activePower = quantity(row['activePowerKw'], rules.activePower);
  if (activePower === null) return reject(takes('activePowerKw', row['activePowerKw'], rules.activePower.accepted));
  const reactivePower = quantity(row['reactivePowerKvar'], rules.reactivePower);
  const apparentPower = quantity(row['apparentPowerKva'], rules.apparentPower);
  const powerFactor = quantity(row['powerFactor'], rules.powerFactor);
  const voltage = quantity(row['voltageV'], rules.voltage);
  const frequency = quantity(row['frequencyHz'], rules.frequency);
  const energyImported = quantity(row['energyImportedKwh'], rules.energyImported);
  const energyExported = quantity(row['energyExportedKwh'], rules.energyExported);

  if (isMessage(activePower)) return reject(activePower);
  if (isMessage(reactivePower)) return reject(reactivePower);
  if (isMessage(apparentPower)) return reject(apparentPower);
  if (isMessage(powerFactor)) return reject(powerFactor);
  if (isMessage(voltage)) return reject(voltage);
  if (isMessage(frequency)) return reject(frequency);
  if (isMessage(energyImported)) return reject(energyImported);
  if (isMessage(energyExported)) return reject(energyExported);
  return {
    index,
    externalId,
    timeMicros,
    activePower,
    reactivePower,
    apparentPower,
    powerFactor,
    voltage,
    frequency,
    energyImported,
    energyExported,
  };
}

const isMessage = (value: FixedUnits | null | Message): value is Message => typeof value === 'object' && value !== null;

type JudgedRow = Pick<JudgedReading, 'index' | 'externalId' | 'timeMicros'>;

export function unknownDevice(reading: JudgedRow): RejectedRow {
  return {
    index: reading.index,
    externalId: listed(reading.externalId),
    problem: about('externalId', message('rowOfNoDevice')),
    timeMicros: reading.timeMicros,
  };
}

/** The row is older than what is kept. */
export function noLongerKept(reading: JudgedRow, keptFromMicros: number): RejectedRow {
  const [time, from] = [formatInstant(reading.timeMicros), formatInstant(keptFromMicros)];
  return {
    index: reading.index,
    externalId: listed(reading.externalId),
    problem: about('time', message('rowNotKept', { time, from })),
    timeMicros: reading.timeMicros,
  };
}

/** Fixed units, null if the field is absent, or the reason of a rejection. Nothing is coerced. */
function quantity(value: unknown, rule: QuantityRule): FixedUnits | null | Message {
  if (value === undefined || value === null) return null;
  if (
    typeof value !== 'number' ||
    !Number.isFinite(value) ||
    (rule.min !== undefined && value < rule.min) ||
    (rule.max !== undefined && value > rule.max)
  ) {
    return takes(rule.field, value, rule.accepted);
  }
  return toFixedUnits(value, rule.scale) ?? about(rule.field, message('rowTooLarge', { got: describe(value) }));
}

const takes = (field: string, value: unknown, accepted: Message): Message =>
  about(field, message('rowTakes', { got: describe(value), accepted }));

function describe(value: unknown): MessageParam {
  if (value === undefined) return message('missingValue');
  if (typeof value === 'string') return message('theText', { text: JSON.stringify(value.slice(0, 40)) });
  if (typeof value === 'number') return Number.isFinite(value) ? value : message('notFinite');
  if (typeof value === 'object' && value !== null) return message(Array.isArray(value) ? 'aList' : 'anObject');
  return String(value);
}

const listed = (text: string) => (text.length > listedTextLength ? `${text.slice(0, listedTextLength)}…` : text);
