import { setImmediate as letOthersRun } from 'node:timers/promises';
import { fromFixedUnits, milli, millionth, milliOfKilo, tenthOfMilli, type UnitScale } from '../domain/fixed-units.ts';
import { formatInstant, type MicrosRange } from '../domain/instants.ts';
import { postgresEpochMicros, readBinaryRows } from './binary-rows.ts';
import type { Transaction } from './pool.ts';

/** The quantities of a reading in the order of {@link ReadingColumns}. */
export const readingQuantities = [
  'activePowerKw',
  'reactivePowerKvar',
  'apparentPowerKva',
  'powerFactor',
  'voltageV',
  'frequencyHz',
  'energyImportedKwh',
  'energyExportedKwh',
] as const;

/** Readings column by column; all columns have the same length. */
export interface ReadingColumns {
  /** Epoch microseconds. */
  timeMicros: Float64Array<ArrayBuffer>;
  deviceNumber: Float64Array<ArrayBuffer>;
  /** In the units of their names; NaN if a quantity was not sent. */
  quantities: Float64Array<ArrayBuffer>[];
}

const scales: readonly UnitScale[] = [
  milliOfKilo,
  milliOfKilo,
  milliOfKilo,
  millionth,
  milli,
  tenthOfMilli,
  milliOfKilo,
  milliOfKilo,
];

// Index measurements_device_time_key; every value in the text is a number or an instant of ours. The part is small, so sorting
// it costs little.
const selectReadings = (deviceNumbers: readonly number[], { fromMicros, toMicros }: MicrosRange, limit: number) =>
  `SELECT m.time, m.device_number, m.active_power_milliwatts, m.reactive_power_millivars,
     m.apparent_power_millivoltamperes, m.power_factor_millionths, m.voltage_millivolts, m.frequency_tenth_millihertz,
     m.energy_imported_milliwatthours, m.energy_exported_milliwatthours
   FROM monitoring.measurements m
   WHERE m.device_number = ANY ('{${deviceNumbers.join(',')}}'::integer[])
     AND m.time >= '${formatInstant(fromMicros)}' AND m.time < '${formatInstant(toMicros)}'
   ORDER BY m.time DESC, m.device_number LIMIT ${limit}`;

/** The fields with their lengths, without the quantities that may be absent. */
const fewestBytesOfRow = 2 + 10 * 4 + 8 + 4 + 8;
/** Rows decoded before other requests get a turn: about a millisecond. */
const rowsAtOnce = 500;

/** At most `limit` readings between two instants, newest first, then by device number. */
export async function readReadingColumns(
  tx: Transaction,
  deviceNumbers: readonly number[],
  part: MicrosRange,
  limit: number,
): Promise<ReadingColumns> {
  const rows = await readBinaryRows(tx, selectReadings(deviceNumbers, part, limit));
  const capacity = Math.min(limit, Math.ceil(rows.bytes.length / fewestBytesOfRow));
  const timeMicros = new Float64Array(capacity);
  const deviceNumber = new Float64Array(capacity);
  const columns = scales.map((scale) => ({ scale, values: new Float64Array(capacity) }));
  let count = 0;
  for (; rows.next(); count += 1) {
    if (count % rowsAtOnce === rowsAtOnce - 1) await letOthersRun();
    timeMicros[count] = Number(rows.integer()) + postgresEpochMicros;
    deviceNumber[count] = Number(rows.integer());
    for (const { scale, values } of columns) {
      const units = rows.integer();
      values[count] = units === null ? Number.NaN : fromFixedUnits(units, scale);
    }
  }
  return {
    timeMicros: timeMicros.slice(0, count),
    deviceNumber: deviceNumber.slice(0, count),
    quantities: columns.map(({ values }) => values.slice(0, count)),
  };
}
