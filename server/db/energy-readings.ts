import type { EnergyReading, RegisterSpan, RegisterSpans } from '../domain/energy.ts';
import type { RegisterSide, Side, Stretch, Surroundings } from '../domain/energy-window.ts';
import { type FixedUnits, fromFixedUnits, milliOfKilo } from '../domain/fixed-units.ts';
import type { Reading } from '../domain/readings.ts';
import { instantOf, micros } from './energy-marks.ts';
import type { Queryable } from './pool.ts';

/** Readings of one device are asked for between two instants, both included. */
export interface ReadingsFilter extends Stretch {
  deviceNumber: number;
}

const asked = `unnest($1::integer[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS asked (d, f, t, position)`;
const isBetween = `m.device_number = asked.d AND m.time >= ${instantOf('asked.f')} AND m.time <= ${instantOf('asked.t')}`;
// Index measurements_device_time_key; $4 and $5 enclose all stretches, so that the planner leaves out other months.
const isWithinAll = `m.time >= ${instantOf('$4::bigint')} AND m.time <= ${instantOf('$5::bigint')}`;

const LIST_READINGS = {
  text: `SELECT asked.position::integer AS position, ${micros('m.time')} AS "timeMicros",
                m.active_power_milliwatts AS "activePower", m.reactive_power_millivars AS "reactivePower",
                m.apparent_power_millivoltamperes AS "apparentPower", m.power_factor_millionths AS "powerFactor",
                m.voltage_millivolts AS voltage, m.frequency_tenth_millihertz AS frequency,
                m.energy_imported_milliwatthours AS "energyImported", m.energy_exported_milliwatthours AS "energyExported"
         FROM ${asked} JOIN monitoring.measurements m ON ${isBetween} WHERE ${isWithinAll}`,
};
const LIST_SPANS = {
  text: `SELECT asked.position::integer AS position,
                ${micros('min(m.time) FILTER (WHERE m.energy_imported_milliwatthours IS NOT NULL)')} AS "importedFirst",
                ${micros('max(m.time) FILTER (WHERE m.energy_imported_milliwatthours IS NOT NULL)')} AS "importedLast",
                ${micros('min(m.time) FILTER (WHERE m.energy_exported_milliwatthours IS NOT NULL)')} AS "exportedFirst",
                ${micros('max(m.time) FILTER (WHERE m.energy_exported_milliwatthours IS NOT NULL)')} AS "exportedLast"
         FROM ${asked} JOIN monitoring.measurements m ON ${isBetween} WHERE ${isWithinAll}
         GROUP BY 1`,
};

/** For each stretch its readings, ascending by time. */
export async function listReadings(db: Queryable, stretches: readonly ReadingsFilter[]): Promise<Reading[][]> {
  const found = stretches.map((): Reading[] => []);
  if (stretches.length === 0) return found;
  const { rows } = await db.query<Reading & { position: number }>(LIST_READINGS, valuesOf(stretches));
  for (const row of rows) found[row.position - 1]?.push(row);
  for (const readings of found) if (!isAscending(readings)) readings.sort((a, b) => a.timeMicros - b.timeMicros);
  return found;
}

function isAscending(readings: readonly Reading[]): boolean {
  return readings.every((reading, at) => at === 0 || reading.timeMicros > (readings[at - 1]?.timeMicros ?? 0));
}

/** For each stretch the first and last reading in it that has each register. */
export async function listSpansWithin(db: Queryable, stretches: readonly ReadingsFilter[]): Promise<RegisterSpans[]> {
  const spans = stretches.map((): RegisterSpans => ({ imported: null, exported: null }));
  if (stretches.length === 0) return spans;
  interface Row {
    position: number;
    importedFirst: number | null;
    importedLast: number | null;
    exportedFirst: number | null;
    exportedLast: number | null;
  }
  const { rows } = await db.query<Row>(LIST_SPANS, valuesOf(stretches));
  for (const row of rows) {
    spans[row.position - 1] = {
      imported: spanOf(row.importedFirst, row.importedLast),
      exported: spanOf(row.exportedFirst, row.exportedLast),
    };
  }
  return spans;
}

const spanOf = (firstMicros: number | null, lastMicros: number | null): RegisterSpan =>
  firstMicros === null || lastMicros === null ? null : { firstMicros, lastMicros };

const valuesOf = (stretches: readonly ReadingsFilter[]) => [
  stretches.map((stretch) => stretch.deviceNumber),
  stretches.map((stretch) => stretch.fromMicros),
  stretches.map((stretch) => stretch.toMicros),
  stretches.reduce((least, { fromMicros }) => Math.min(least, fromMicros), Infinity),
  stretches.reduce((most, { toMicros }) => Math.max(most, toMicros), -Infinity),
];

const surrounding = (part: number, condition: string, order: 'ASC' | 'DESC', limit: string) =>
  `(SELECT ${part} AS part, m.time, m.active_power_milliwatts AS p, m.energy_imported_milliwatthours AS ei,
           m.energy_exported_milliwatthours AS ee
    FROM monitoring.measurements m WHERE m.device_number = asked.d AND ${condition} ORDER BY m.time ${order} LIMIT ${limit})`;
const registers = (part: number, column: string, [first, last]: [string, string]) => {
  const isInSpan = `m.time >= ${instantOf(`asked.${first}`)} AND m.time <= ${instantOf(`asked.${last}`)} AND m.${column} IS NOT NULL`;
  return `${surrounding(part, `m.time < ${instantOf('asked.f')} AND ${isInSpan}`, 'DESC', '$4')}
          UNION ALL ${surrounding(part + 1, `m.time > ${instantOf('asked.t')} AND ${isInSpan}`, 'ASC', '$4')}`;
};
// Six probes a stretch on measurements_device_time_key. The span of a register keeps the search for its readings from going
// through years that have none. Prepared, because planning it over the partitions of years takes longer than running it.
const LIST_SURROUNDINGS = {
  name: 'energy_list_surroundings',
  text: `SELECT asked.position::integer AS position, near.part, ${micros('near.time')} AS "timeMicros", near.p, near.ei, near.ee
         FROM unnest($1::integer[], $2::bigint[], $3::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])
           WITH ORDINALITY AS asked (d, f, t, a, b, c, e, position)
         CROSS JOIN LATERAL (
           ${surrounding(0, `m.time < ${instantOf('asked.f')}`, 'DESC', '1')}
           UNION ALL ${surrounding(1, `m.time > ${instantOf('asked.t')}`, 'ASC', '1')}
           UNION ALL ${registers(2, 'energy_imported_milliwatthours', ['a', 'b'])}
           UNION ALL ${registers(4, 'energy_exported_milliwatthours', ['c', 'e'])}
         ) near
         ORDER BY 1, 3`,
};

interface SurroundingRow {
  position: number;
  part: number;
  timeMicros: number;
  p: FixedUnits;
  ei: FixedUnits | null;
  ee: FixedUnits | null;
}

/** For each stretch the nearest reading on both sides, and the nearest `count` of each register within its span. */
export async function listSurroundings(
  db: Queryable,
  stretches: readonly (ReadingsFilter & { spans: RegisterSpans })[],
  count: number,
): Promise<Surroundings[]> {
  if (stretches.length === 0) return [];
  const { rows } = await db.query<SurroundingRow>(LIST_SURROUNDINGS, [
    stretches.map((stretch) => stretch.deviceNumber),
    stretches.map((stretch) => stretch.fromMicros),
    stretches.map((stretch) => stretch.toMicros),
    count,
    stretches.map(({ spans }) => spans.imported?.firstMicros ?? null),
    stretches.map(({ spans }) => spans.imported?.lastMicros ?? null),
    stretches.map(({ spans }) => spans.exported?.firstMicros ?? null),
    stretches.map(({ spans }) => spans.exported?.lastMicros ?? null),
  ]);
  const byPosition = Map.groupBy(rows, (row) => row.position);
  return stretches.map((_, at) => {
    const own = Map.groupBy(byPosition.get(at + 1) ?? [], (row) => row.part);
    const side = (offset: 0 | 1): Side => ({
      sample: sampleOf(own.get(offset)?.[0]),
      imported: registerSide(own.get(2 + offset) ?? [], 'ei', count),
      exported: registerSide(own.get(4 + offset) ?? [], 'ee', count),
    });
    return { before: side(0), after: side(1) };
  });
}

function registerSide(rows: readonly SurroundingRow[], column: 'ei' | 'ee', count: number): RegisterSide {
  const readings = rows.map((row) => ({
    timeMicros: row.timeMicros,
    kwh: fromFixedUnits(row[column] ?? 0, milliOfKilo),
  }));
  return { readings, isComplete: rows.length < count };
}

function sampleOf(row: SurroundingRow | undefined): EnergyReading | null {
  if (row === undefined) return null;
  return {
    timeMicros: row.timeMicros,
    activePowerKw: fromFixedUnits(row.p, milliOfKilo),
    importedKwh: null,
    exportedKwh: null,
  };
}

/** A stored reading as energy is computed from it. */
export const energyReadingOf = (reading: Reading): EnergyReading => ({
  timeMicros: reading.timeMicros,
  activePowerKw: fromFixedUnits(reading.activePower, milliOfKilo),
  importedKwh: reading.energyImported === null ? null : fromFixedUnits(reading.energyImported, milliOfKilo),
  exportedKwh: reading.energyExported === null ? null : fromFixedUnits(reading.energyExported, milliOfKilo),
});
