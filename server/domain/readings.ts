import {
  type FixedUnits,
  milli,
  millionth,
  milliOfKilo,
  tenthOfMilli,
  toFixedUnits,
  type UnitScale,
} from './fixed-units.ts';
import { formatInstant, microsPerSecond, parseInstant } from './instants.ts';

/** One measurement of one device: the instant in epoch microseconds, the quantities in fixed units. */
export interface Reading {
  timeMicros: number;
  activePower: FixedUnits;
  reactivePower: FixedUnits | null;
  apparentPower: FixedUnits | null;
  powerFactor: FixedUnits | null;
  voltage: FixedUnits | null;
  frequency: FixedUnits | null;
  energyImported: FixedUnits | null;
  energyExported: FixedUnits | null;
}

/** A valid row of an ingest request, whose device is not known yet. */
export interface JudgedReading extends Reading {
  index: number;
  externalId: string;
}

export interface RejectedRow {
  index: number;
  externalId: string | null;
  reason: string;
  /** Epoch microseconds, where the row had a valid time. */
  timeMicros?: number;
}

type IngestRow = Readonly<Record<string, unknown>>;

interface QuantityRule {
  field: string;
  scale: UnitScale;
  accepted: string;
  min?: number;
  max?: number;
}

const rules = {
  activePower: { field: 'activePowerKw', scale: milliOfKilo, accepted: 'a finite number of kW' },
  reactivePower: { field: 'reactivePowerKvar', scale: milliOfKilo, accepted: 'a finite number of kvar or null' },
  apparentPower: { field: 'apparentPowerKva', scale: milliOfKilo, accepted: 'a finite number of kVA or null' },
  powerFactor: { field: 'powerFactor', scale: millionth, accepted: 'a number from -1 to 1 or null', min: -1, max: 1 },
  voltage: { field: 'voltageV', scale: milli, accepted: 'a number of V, 0 or more, or null', min: 0 },
  frequency: { field: 'frequencyHz', scale: tenthOfMilli, accepted: 'a number of Hz, 0 or more, or null', min: 0 },
  energyImported: { field: 'energyImportedKwh', scale: milliOfKilo, accepted: 'a finite number of kWh or null' },
  energyExported: { field: 'energyExportedKwh', scale: milliOfKilo, accepted: 'a finite number of kWh or null' },
} as const satisfies Record<Exclude<keyof Reading, 'timeMicros'>, QuantityRule>;

/** The earliest accepted instant: 2000-01-01T00:00:00Z. */
export const earliestMicros = 946_684_800 * microsPerSecond;
const microsPerHour = 3600 * microsPerSecond;
const listedTextLength = 200;

/** How a row identifies its device, and how far its time may be ahead. */
export interface RowRules {
  field: string;
  accepted: string;
  /** The identifier to look up; null if the value is none. */
  read: (value: unknown) => string | null;
  hoursAhead: number;
}

/** For the ingest of a Client. */
export const byExternalId: RowRules = {
  field: 'externalId',
  accepted: 'the external id of a device',
  read: (value) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null),
  hoursAhead: 24,
};

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** For rows that a Client pushes: they were judged there, by a clock that may be wrong by up to two days. */
export const byDeviceId: RowRules = {
  field: 'deviceId',
  accepted: 'the GUID of a device',
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
    return { index, externalId: null, reason: `${field} is ${describe(row[field])}; it takes ${accepted}` };
  }
  const rejectTime = (reason: string): RejectedRow => ({ index, externalId: listed(externalId), reason });

  const time = row['time'];
  const timeMicros = typeof time === 'string' ? parseInstant(time) : null;
  if (timeMicros === null) {
    return rejectTime(
      `time is ${describe(time)}; it takes an ISO 8601 instant with an offset or Z, such as 2026-03-10T10:00:00Z`,
    );
  }
  if (timeMicros < earliestMicros)
    return rejectTime(`time is ${describe(time)}; it takes instants from 2000-01-01T00:00:00Z on`);
  if (timeMicros > nowMicros + hoursAhead * microsPerHour) {
    return rejectTime(
      `time is ${describe(time)}; it may be at most ${hoursAhead} h ahead of now, ${formatInstant(Math.floor(nowMicros / 1e6) * 1e6)}`,
    );
  }

  const reject = (reason: string): RejectedRow => ({ ...rejectTime(reason), timeMicros });
  const activePower = quantity(row['activePowerKw'], rules.activePower);
  if (activePower === null)
    return reject(`activePowerKw is ${describe(row['activePowerKw'])}; it takes ${rules.activePower.accepted}`);
  const reactivePower = quantity(row['reactivePowerKvar'], rules.reactivePower);
  const apparentPower = quantity(row['apparentPowerKva'], rules.apparentPower);
  const powerFactor = quantity(row['powerFactor'], rules.powerFactor);
  const voltage = quantity(row['voltageV'], rules.voltage);
  const frequency = quantity(row['frequencyHz'], rules.frequency);
  const energyImported = quantity(row['energyImportedKwh'], rules.energyImported);
  const energyExported = quantity(row['energyExportedKwh'], rules.energyExported);

  if (typeof activePower === 'string') return reject(activePower);
  if (typeof reactivePower === 'string') return reject(reactivePower);
  if (typeof apparentPower === 'string') return reject(apparentPower);
  if (typeof powerFactor === 'string') return reject(powerFactor);
  if (typeof voltage === 'string') return reject(voltage);
  if (typeof frequency === 'string') return reject(frequency);
  if (typeof energyImported === 'string') return reject(energyImported);
  if (typeof energyExported === 'string') return reject(energyExported);
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

type JudgedRow = Pick<JudgedReading, 'index' | 'externalId' | 'timeMicros'>;

export function unknownDevice(reading: JudgedRow): RejectedRow {
  return {
    index: reading.index,
    externalId: listed(reading.externalId),
    reason: 'externalId belongs to no device; create the device under Sites first',
    timeMicros: reading.timeMicros,
  };
}

/** The row is older than what is kept. */
export function noLongerKept(reading: JudgedRow, keptFromMicros: number): RejectedRow {
  const [time, from] = [formatInstant(reading.timeMicros), formatInstant(keptFromMicros)];
  return {
    index: reading.index,
    externalId: listed(reading.externalId),
    reason: `time ${time} is before ${from}; older measurements are no longer kept`,
    timeMicros: reading.timeMicros,
  };
}

/** Fixed units, null if the field is absent, or the reason of a rejection. Nothing is coerced. */
function quantity(value: unknown, rule: QuantityRule): FixedUnits | null | string {
  if (value === undefined || value === null) return null;
  if (
    typeof value !== 'number' ||
    !Number.isFinite(value) ||
    (rule.min !== undefined && value < rule.min) ||
    (rule.max !== undefined && value > rule.max)
  ) {
    return `${rule.field} is ${describe(value)}; it takes ${rule.accepted}`;
  }
  return toFixedUnits(value, rule.scale) ?? `${rule.field} is ${describe(value)}, which is too large to be kept`;
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') return `the text ${JSON.stringify(value.slice(0, 40))}`;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'not a finite number';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return String(value);
}

const listed = (text: string) => (text.length > listedTextLength ? `${text.slice(0, listedTextLength)}…` : text);
