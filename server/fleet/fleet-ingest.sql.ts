import { type DirtyRange } from '../energy/dirty-ranges.sql.ts';
import { instantOf, newRangeId } from '../database/rows.ts';
import { arrayText, type Step, type TextRow } from '../database/exchange.ts';
import { type Destination, statementsFor, writeInt4 } from '../ingest/ingest.sql.ts';
import { fleetMeasurements } from '../database/engines/engine.ts';

/** A device of the fleet whose number is to be found. */
export interface AskedDevice {
  customerId: string;
  id: string;
}

export interface FleetDevice {
  customerId: string;
  number: number;
  /** Its position among those that were asked for. */
  asked: number;
}

/**
 * The devices of a group, by customer and number. Readings refer to a device by its position among them, so that they are sorted
 * like the table.
 */
export type PlacedDevices = readonly FleetDevice[];

// Primary key devices_pkey. Under the shared ingest lock, so no customer whose device it finds can be deleted before the commit.
const FIND_DEVICES = {
  name: 'fleet_find_devices',
  text: `SELECT asked.at - 1, d.number
         FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS asked (customer, id, at)
         JOIN fleet.devices d ON d.customer_id = asked.customer AND d.id = asked.id`,
};
const INSERT_DIRTY_RANGES = {
  name: 'fleet_insert_dirty_ranges',
  text: `INSERT INTO fleet.energy_dirty_ranges (customer_id, device_number, id, from_time, to_time)
         SELECT customer, device, $1::bigint + row_number() OVER (), ${instantOf('f')}, ${instantOf('t')}
         FROM unnest($2::uuid[], $3::integer[], $4::bigint[], $5::bigint[]) AS row (customer, device, f, t)`,
};
const statements = statementsFor(fleetMeasurements);

/** Finds devices by their ids; for {@link placedDevicesOf}. */
export const findFleetDevices = (asked: readonly AskedDevice[]): Step => ({
  ...FIND_DEVICES,
  values: [arrayText(asked.map(({ customerId }) => customerId)), arrayText(asked.map(({ id }) => id))],
});

export const placedDevicesOf = (asked: readonly AskedDevice[], rows: readonly TextRow[]): PlacedDevices =>
  rows
    .flatMap(([at, number]) => {
      const customerId = asked[Number(at)]?.customerId;
      return customerId === undefined ? [] : [{ customerId, number: Number(number), asked: Number(at) }];
    })
    .toSorted((a, b) => (a.customerId < b.customerId ? -1 : a.customerId > b.customerId ? 1 : a.number - b.number));

/** The destination of readings of these devices; the number of a device is its position. */
export function fleetDestination(devices: PlacedDevices, receivedAt: Date): Destination {
  const words = new Map<string, Uint32Array>();
  const wordsOf = (customerId: string) =>
    words.getOrInsertComputed(customerId, () => {
      const hex = customerId.replaceAll('-', '');
      return Uint32Array.from([0, 8, 16, 24], (at) => Number.parseInt(hex.slice(at, at + 8), 16));
    });
  const customers = devices.map(({ customerId }) => wordsOf(customerId));
  const numberOf = (place: number) => devices[place]?.number ?? 0;
  let likely = 0;
  return {
    statements,
    keyFields: 2,
    keyBytes: 4 + 16 + 4 + 4,
    writeKey(view, at, place) {
      view.setInt32(at, 16);
      for (let word = 0; word < 4; word += 1) view.setUint32(at + 4 + word * 4, customers[place]?.[word] ?? 0);
      return writeInt4(view, at + 20, numberOf(place));
    },
    keyTexts: [(place) => devices[place]?.customerId ?? '', numberOf],
    deviceNumberOf([customerId, number]) {
      const isMeant = (device?: FleetDevice) => device?.number === Number(number) && device.customerId === customerId;
      // Rows are returned in the order in which they were sorted.
      while (likely < devices.length && !isMeant(devices[likely])) likely += 1;
      if (likely === devices.length) likely = devices.findIndex(isMeant);
      return likely === -1 ? undefined : likely;
    },
    receivedMicros: receivedAt.getTime() * 1000,
  };
}

/** Records the intervals that an ingest changed, in its own transaction; the number of a device is its position. */
export function insertFleetDirtyRanges(ranges: readonly DirtyRange[], devices: PlacedDevices): Step {
  return {
    ...INSERT_DIRTY_RANGES,
    values: [
      newRangeId(),
      arrayText(ranges.map(({ deviceNumber }) => devices[deviceNumber]?.customerId ?? '')),
      arrayText(ranges.map(({ deviceNumber }) => devices[deviceNumber]?.number ?? 0)),
      arrayText(ranges.map(({ fromMicros }) => fromMicros)),
      arrayText(ranges.map(({ toMicros }) => toMicros)),
    ],
  };
}
