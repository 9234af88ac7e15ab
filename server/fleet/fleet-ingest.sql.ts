import { arrayText, type Step, type TextRow } from '../database/exchange.ts';
import { instantOf, micros, newRangeId } from '../database/rows.ts';
import { arrayLiterals, columnsBefore, columnsBehind, type Guess } from '../ingest/ingest.sql.ts';
import { plannedFor } from './ingest-events.sql.ts';
import type { Choice, PlacedRange, SortedReadings } from '../ingest/sorted-readings.rules.ts';

// Uses primary key devices_pkey. The customers are named twice, so that no other node is asked (decisions.md 9). Call this
// under the shared ingest lock: then no customer whose device it finds can be deleted before the commit.
const FIND_DEVICES = {
  name: 'fleet_find_devices',
  text: `SELECT asked.at - 1, NULL, d.number
         FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS asked (customer, id, at)
         JOIN fleet.devices d ON d.customer_id = asked.customer AND d.id = asked.id
         WHERE d.customer_id = ANY ($3::uuid[])`,
};
// Uses the same index. Fails, so that nothing is copied, unless each device still has its number. A deleted customer has no
// devices.
const CHECK_DEVICES = {
  name: 'fleet_check_devices',
  text: `SELECT 1 / (count(*) = $4::integer)::integer
         FROM unnest($1::uuid[], $2::uuid[], $3::integer[]) AS asked (customer, id, number)
         JOIN fleet.devices d ON d.customer_id = asked.customer AND d.id = asked.id AND d.number = asked.number
         WHERE d.customer_id = ANY ($5::uuid[])`,
};
const INSERT_DIRTY_RANGES = {
  name: 'fleet_insert_dirty_ranges',
  text: `INSERT INTO fleet.energy_dirty_ranges (customer_id, device_number, id, from_time, to_time)
         SELECT customer, device, $1::bigint + row_number() OVER (), ${instantOf('f')}, ${instantOf('t')}
         FROM unnest($2::uuid[], $3::integer[], $4::bigint[], $5::bigint[]) AS row (customer, device, f, t)`,
};

const columns = [...columnsBefore, ...columnsBehind];
const listed = (alias: string) => columns.map(({ name }) => `${alias}.${name}`).join(', ');
const arrays = columns.map(({ type }, at) => `$${at + 2}::${type}[]`).join(', ');
const [customer, device, from, to, received] = [2, 3, 4, 5, 6].map((at) => `$${columns.length + at}`);
// Index measurements_device_time_key. Customer, device and range of times are plain values, so that only the matching parts of
// compressed chunks are decompressed.
const CORRECT = `UPDATE fleet.measurements m
  SET (${columns.map(({ name }) => name).join(', ')}, received_at) = ROW(${listed('r')}, ${received}::timestamptz)
  FROM unnest($1::bigint[], ${arrays}) AS r (micros, ${columns.map(({ name }) => name).join(', ')})
  WHERE m.customer_id = ${customer}::uuid AND m.device_number = ${device}::integer
    AND m.time >= ${instantOf(`${from}::bigint`)} AND m.time <= ${instantOf(`${to}::bigint`)} AND m.time = ${instantOf('r.micros')}
    AND (${listed('m')}) IS DISTINCT FROM (${listed('r')})
  RETURNING m.customer_id, m.device_number, ${micros('m.time')}`;

/** Finds devices by their ids; returns the position among them and the number of each, because ids would be most of the answer. */
export function findFleetDevices(asked: readonly { customerId: string | null; id: string }[]): Step {
  const customers = asked.map(({ customerId }) => customerId);
  const distinct = [...new Set(customers)];
  return {
    ...plannedFor(distinct.length, FIND_DEVICES),
    values: [arrayText(customers), arrayText(asked.map(({ id }) => id)), arrayText(distinct)],
  };
}

/** Fails the transaction unless each device still has its number. */
export function checkFleetDevices({ devices }: Guess): Step {
  const customers = devices.map(({ customerId }) => customerId);
  const distinct = [...new Set(customers)];
  return {
    ...plannedFor(distinct.length, CHECK_DEVICES),
    values: [
      arrayText(customers),
      arrayText(devices.map(({ id }) => id)),
      arrayText(devices.map(({ number }) => number)),
      String(devices.length),
      arrayText(distinct),
    ],
  };
}

/** The numbers of the devices that were found, by their ids. */
export const numbersById = (asked: readonly { id: string }[], found: readonly TextRow[]): Map<string, number> =>
  new Map(found.map(([position, , number]) => [asked[Number(position)]?.id ?? '', Number(number)]));

/** Records the intervals that an ingest changed, in its own transaction. */
export const insertFleetDirtyRanges = (ranges: readonly PlacedRange[]): Step => ({
  ...INSERT_DIRTY_RANGES,
  values: [
    newRangeId(),
    arrayText(ranges.map(({ place }) => place.customerId)),
    arrayText(ranges.map(({ place }) => place.number)),
    arrayText(ranges.map(({ fromMicros }) => fromMicros)),
    arrayText(ranges.map(({ toMicros }) => toMicros)),
  ],
});

/** Overwrites stored readings that have other values, one statement per device; returns what an insertion does. */
export const correctReadings = (readings: SortedReadings, isMeant: Choice, receivedAt: Date): Step[] =>
  [...Map.groupBy(readings.positions(isMeant), (at) => readings.place(at))].map(([{ customerId, number }, own]) => ({
    text: CORRECT,
    values: [
      ...arrayLiterals(readings, own, []),
      customerId ?? '',
      String(number),
      String(readings.timeMicros(own[0] ?? 0)),
      String(readings.timeMicros(own.at(-1) ?? 0)),
      receivedAt.toISOString(),
    ],
  }));
