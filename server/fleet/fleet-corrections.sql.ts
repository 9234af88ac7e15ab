import type { SortedReadings } from '../ingest/sorted-readings.rules.ts';
import type { Step } from '../database/exchange.ts';
import type { PlacedDevices } from './fleet-ingest.sql.ts';
import { arrayLiterals, type Choice, columnsBefore, columnsBehind } from '../ingest/ingest.sql.ts';
import { instantOf, micros } from '../database/rows.ts';

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

/** Overwrites stored readings that have other values, one statement per device; returns what an insertion returns. */
export function correctFleetReadings(
  readings: SortedReadings,
  devices: PlacedDevices,
  isMeant: Choice,
  receivedAt: Date,
): Step[] {
  const meant = new Map<number, { from: number; to: number }>();
  for (let at = 0; at < readings.count; at += 1) {
    if (!isMeant(at)) continue;
    const place = readings.deviceNumber(at);
    meant.set(place, { from: meant.get(place)?.from ?? readings.timeMicros(at), to: readings.timeMicros(at) });
  }
  return [...meant].map(([place, range]) => ({
    text: CORRECT,
    values: [
      ...arrayLiterals(readings, (at) => readings.deviceNumber(at) === place && isMeant(at), { keyTexts: [] }),
      devices[place]?.customerId ?? '',
      String(devices[place]?.number ?? 0),
      String(range.from),
      String(range.to),
      receivedAt.toISOString(),
    ],
  }));
}
