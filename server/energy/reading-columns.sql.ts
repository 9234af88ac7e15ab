import { formatInstant, type MicrosRange } from '../base/instants.ts';
import { type EnergyLayout, layoutOf, postgresEpochMicros, readBinaryRows } from '../database/rows.ts';
import type { Transaction } from '../database/pool.ts';
import { yieldToOthers } from '../database/turns.ts';
import { fromFixedUnits, quantityColumns, storedQuantities } from '../base/quantities.ts';

/** Readings column by column; all columns have the same length. */
export interface ReadingColumns {
  /** Epoch microseconds. */
  timeMicros: Float64Array<ArrayBuffer>;
  deviceNumber: Float64Array<ArrayBuffer>;
  /** In the order of their table and the units of their names; NaN if a quantity was not sent. */
  quantities: Float64Array<ArrayBuffer>[];
}

// Index measurements_device_time_key; every value in the text is a number or an instant of ours. The part is small, so sorting
// it costs little.
const selectReadings = (
  t: EnergyLayout,
  deviceNumbers: readonly number[],
  { fromMicros, toMicros }: MicrosRange,
  limit: number,
) =>
  `SELECT m.time, m.device_number, ${quantityColumns('m')}
   FROM ${t.table('measurements')} m
   WHERE ${t.own('m')}m.device_number = ANY ('{${deviceNumbers.join(',')}}'::integer[])
     AND m.time >= '${formatInstant(fromMicros)}' AND m.time < '${formatInstant(toMicros)}'
   ORDER BY m.time DESC, m.device_number LIMIT ${limit}`;

/** The fields with their lengths, without the quantities that may be absent. */
const minRowBytes = 2 + (2 + storedQuantities.length) * 4 + 8 + 4 + 8;
/** Rows decoded before other requests may run: about a millisecond. */
const rowsAtOnce = 500;

/** At most `limit` readings between two instants, newest first, then by device number. */
export async function readReadingColumns(
  tx: Transaction,
  deviceNumbers: readonly number[],
  part: MicrosRange,
  limit: number,
): Promise<ReadingColumns> {
  const rows = await readBinaryRows(tx, selectReadings(layoutOf(tx), deviceNumbers, part, limit));
  const capacity = Math.min(limit, Math.ceil(rows.bytes.length / minRowBytes));
  const timeMicros = new Float64Array(capacity);
  const deviceNumber = new Float64Array(capacity);
  const columns = storedQuantities.map(({ scale }) => ({ scale, values: new Float64Array(capacity) }));
  let count = 0;
  for (; rows.next(); count += 1) {
    if (count % rowsAtOnce === rowsAtOnce - 1) await yieldToOthers();
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
