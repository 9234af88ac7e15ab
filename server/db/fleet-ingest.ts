import type { SortedReadings } from '../domain/sorted-readings.ts';
import { type DirtyRange, instantOf } from './dirty-ranges.ts';
import { newRangeId } from './energy-layout.ts';
import type { Step, TextRow } from './exchange.ts';
import { type Destination, insertReadings, statementsFor, writeInt4 } from './ingest.ts';
import { fleetMeasurements } from './measurement-table.ts';

/** A device of the fleet. */
export interface FleetDevice {
  customerId: string;
  id: string;
  number: number;
}

/**
 * The devices of a group, by customer and number; what stands for a device in readings is its place among them, so that they are
 * sorted as the table is.
 */
export type PlacedDevices = readonly FleetDevice[];

// Primary key devices_pkey. Under the shared ingest lock, so no customer whose device it finds can be deleted before the commit.
const FIND_DEVICES = {
  name: 'fleet_find_devices',
  text: `SELECT d.customer_id, d.id, d.number
         FROM unnest($1::uuid[], $2::uuid[]) AS asked (customer, id)
         JOIN fleet.devices d ON d.customer_id = asked.customer AND d.id = asked.id`,
};
const INSERT_DIRTY_RANGES = {
  name: 'fleet_insert_dirty_ranges',
  text: `INSERT INTO fleet.energy_dirty_ranges (customer_id, device_number, id, from_time, to_time)
         SELECT customer, device, $1::bigint + row_number() OVER (), ${instantOf('f')}, ${instantOf('t')}
         FROM unnest($2::uuid[], $3::integer[], $4::bigint[], $5::bigint[]) AS row (customer, device, f, t)`,
};
const statements = statementsFor(fleetMeasurements);

const literal = <Item>(items: readonly Item[], pick: (item: Item) => string | number) =>
  `{${items.map(pick).join(',')}}`;

/** Finds devices by their ids; for {@link placedDevicesOf}. */
export const findFleetDevices = (asked: readonly Pick<FleetDevice, 'customerId' | 'id'>[]): Step => ({
  ...FIND_DEVICES,
  values: [literal(asked, ({ customerId }) => customerId), literal(asked, ({ id }) => id)],
});

export const placedDevicesOf = (rows: readonly TextRow[]): PlacedDevices =>
  rows
    .map(([customerId, id, number]) => ({ customerId: customerId ?? '', id: id ?? '', number: Number(number) }))
    .toSorted((a, b) => (a.customerId < b.customerId ? -1 : a.customerId > b.customerId ? 1 : a.number - b.number));

/** Stores readings unless they are stored already; the last step is for {@link storedInFleet}. Their partitions must exist. */
export function insertFleetReadings(readings: SortedReadings, devices: PlacedDevices, receivedAt: Date): Step[] {
  const words = new Map<string, readonly [bigint, bigint]>();
  const wordsOf = (customerId: string) =>
    words.getOrInsertComputed(customerId, () => {
      const hex = customerId.replaceAll('-', '');
      return [BigInt(`0x${hex.slice(0, 16)}`), BigInt(`0x${hex.slice(16)}`)];
    });
  const customers = devices.map(({ customerId }) => wordsOf(customerId));
  const numberOf = (place: number) => devices[place]?.number ?? 0;
  const into: Destination = {
    statements,
    keyFields: 2,
    keyBytes: 4 + 16 + 4 + 4,
    writeKey(view, at, place) {
      const [high, low] = customers[place] ?? [0n, 0n];
      view.setInt32(at, 16);
      view.setBigUint64(at + 4, high);
      view.setBigUint64(at + 12, low);
      return writeInt4(view, at + 20, numberOf(place));
    },
    keyTexts: [(place) => devices[place]?.customerId ?? '', numberOf],
    received: [receivedAt.toISOString()],
  };
  return insertReadings(readings, () => true, readings.count, into);
}

/** Where the readings are that were stored. */
export function* storedInFleet(
  readings: SortedReadings,
  devices: PlacedDevices,
  rows: readonly TextRow[],
): Generator<number> {
  const places = new Map(devices.map(({ customerId, number }, place) => [`${customerId} ${number}`, place]));
  let next = 0;
  for (const [customerId, number, timeMicros] of rows) {
    const at = readings.find(places.get(`${customerId} ${number}`) ?? -1, Number(timeMicros), next);
    if (at === undefined) throw new Error('A row was stored that is none of the group.');
    yield at;
    next = at + 1;
  }
}

/** Records the intervals that an ingest changed, in its own transaction; the number of a device is its place. */
export function insertFleetDirtyRanges(ranges: readonly DirtyRange[], devices: PlacedDevices): Step {
  return {
    ...INSERT_DIRTY_RANGES,
    values: [
      newRangeId(),
      literal(ranges, ({ deviceNumber }) => devices[deviceNumber]?.customerId ?? ''),
      literal(ranges, ({ deviceNumber }) => devices[deviceNumber]?.number ?? 0),
      literal(ranges, ({ fromMicros }) => fromMicros),
      literal(ranges, ({ toMicros }) => toMicros),
    ],
  };
}
