import { setTimeout as sleep } from 'node:timers/promises';
import type { ChosenDevice } from '../energy/measurements.sql.ts';
import { restInTransactionMs } from '../base/budgets.ts';
import type { Database, Transaction } from '../database/pool.ts';
import { type ReadingColumns, readReadingColumns } from '../energy/reading-columns.sql.ts';
import { slotMicros, slotsPerDay } from '../energy/energy.rules.ts';
import { countByDay, countBySlot, type CountedSpan, cutSpan, keptParts, startOfSlot } from './raw-readings.ts';
import type { AskedRange } from '../base/ranges.ts';
import { dayMicros, listOffsets, type MicrosRange, offsetsIn, overlapOf } from '../base/instants.ts';
import type { DeviceScope } from '../base/scopes.ts';
import type { EnergyReader } from '../energy/energy-reader.ts';
import { readEnergy } from '../energy/read-energy.ts';
import type { ExportFormat } from '../../shared/reports.ts';
import { quantities } from '../../shared/quantities.ts';
import type { Say } from './say.ts';
import { type Column, type Columns, serialOf, type Sheet } from '../workbook/sheet.ts';
import { dateTime, instant, number, offsetColumn, text } from './export-formats.ts';

/** Known before the first reading is read. */
export interface ReadingsHead {
  /** The number of all matching readings. */
  totalCount: number;
  /** How many of them, the newest, are exported. */
  rowCount: number;
  devices: readonly ChosenDevice[];
  /** The range of all readings. */
  range: MicrosRange;
}

const STAY_AWAKE = { text: 'SELECT 1' };
const awakeMs = restInTransactionMs / 3;
/** Readings per part: two hundred kilobytes, and a few milliseconds of the event loop. */
const readingsPerPart = 2_000;

/**
 * Reads the newest readings of a range, at most `rowCap`, from one snapshot, newest first and then by device number. `open` gets
 * the counts and returns the receiver of the parts; it is called a second time if the database connection was lost and reading
 * starts over. Throws if the export cannot be completed.
 */
export async function exportReadings(
  database: Database,
  { scope, range, rowCap }: { scope: DeviceScope; range: AskedRange; rowCap: number },
  open: (head: ReadingsHead) => Promise<(part: ReadingColumns) => Promise<void>>,
): Promise<ReadingsHead> {
  return readEnergy(database, { scope, range, isExport: true }, async (snapshot) => {
    const { tx, devices } = snapshot;
    const parts: { part: EnergyReader; kept: MicrosRange; counts: Map<number, number> }[] = [];
    for (const one of await keptParts(snapshot, range)) {
      parts.push({ ...one, counts: await countByDay(one.part, one.kept) });
    }
    const counts = parts.flatMap((part) => [...part.counts]);
    const totalCount = counts.reduce((sum, [, count]) => sum + count, 0);
    const rowCount = Math.min(totalCount, rowCap);
    const days = counts.map(([day]) => day);
    const head = { totalCount, rowCount, devices, range: spanOfDays(days) };
    const take = await open(head);
    let left = rowCount;
    for (const { part, kept, counts } of parts) {
      const numbers = part.devices.map((device) => device.number);
      for await (const some of partsOf(part, kept, counts)) {
        if (left === 0) break;
        const columns = await readReadingColumns(tx, numbers, some, left);
        left -= columns.timeMicros.length;
        await awake(tx, take(columns));
      }
    }
    if (left !== 0) throw new Error(`${left} readings fewer than the slots had counted`);
    return head;
  });
}

/** Keeps the transaction alive while waiting for a slow client, because idle transactions are ended. */
export async function awake(tx: Transaction, work: Promise<void>): Promise<void> {
  const over = new AbortController();
  const ended = work.then(() => true).finally(() => over.abort());
  const pause = () => sleep(awakeMs, false, { signal: over.signal, ref: false }).catch(() => false);
  try {
    while (!(await Promise.race([ended, pause()]))) if (!over.signal.aborted) await tx.query(STAY_AWAKE);
  } finally {
    await ended;
  }
}

function spanOfDays(days: readonly number[]): MicrosRange {
  const [first, last] = [Math.min(...days), Math.max(...days)];
  return days.length === 0
    ? { fromMicros: 0, toMicros: 0 }
    : { fromMicros: first * dayMicros, toMicros: (last + 1) * dayMicros };
}

/** Splits the range into parts of about the size that is read at once, newest first. */
async function* partsOf(
  snapshot: EnergyReader,
  range: MicrosRange,
  counts: ReadonlyMap<number, number>,
): AsyncGenerator<MicrosRange> {
  let open: CountedSpan | null = null;
  for await (const span of spansOf(snapshot, range, counts)) {
    if (open !== null && open.count + span.count <= readingsPerPart) {
      open = { fromMicros: span.fromMicros, toMicros: open.toMicros, count: open.count + span.count };
      continue;
    }
    if (open !== null) yield open;
    open = span.count > readingsPerPart ? null : span;
    if (open === null) yield* cutSpan(span, readingsPerPart);
  }
  if (open !== null) yield open;
}

/** Days, or quarter-hours of days with too many readings, newest first. */
async function* spansOf(
  snapshot: EnergyReader,
  range: MicrosRange,
  counts: ReadonlyMap<number, number>,
): AsyncGenerator<CountedSpan> {
  const inRange = (fromMicros: number, lengthMicros: number, count: number): CountedSpan => ({
    ...overlapOf(range, { fromMicros, toMicros: fromMicros + lengthMicros }),
    count,
  });
  for (const [day, count] of [...counts].toSorted(([a], [b]) => b - a)) {
    if (count <= readingsPerPart) {
      if (count > 0) yield inRange(day * dayMicros, dayMicros, count);
      continue;
    }
    const slots = [...(await countBySlot(snapshot, range, day)).entries()].toReversed();
    for (const [slot, own] of slots) {
      if (own > 0) yield inRange(startOfSlot(day * slotsPerDay + slot), slotMicros, own);
    }
  }
}

/** A sheet of readings and its rows. */
interface ReadingSheet {
  sheet: Sheet;
  toColumns: (readings: ReadingColumns) => Columns;
}

/**
 * Readings as a sheet. A workbook has local times, with the reader's zone in the header, and the offset from UTC, which
 * distinguishes the hour that autumn repeats; the plain formats have the fields of a RawMeasurementRow with times in UTC.
 */
export function readingSheet(
  say: Say,
  format: ExportFormat,
  head: Pick<ReadingsHead, 'devices' | 'range'>,
  timeZone: string,
): ReadingSheet {
  return format === 'xlsx' ? localSheet(say, head, timeZone) : plainSheet(say, head);
}

function plainSheet(say: Say, { devices }: Pick<ReadingsHead, 'devices'>): ReadingSheet {
  const places = placesOf(say, devices);
  const columns = [{ header: say('Time'), field: 'time', format: instant }, ...places.columns, ...quantityColumns(say)];
  return {
    sheet: { name: say('Measurements'), columns },
    toColumns: ({ timeMicros, deviceNumber, quantities }) => [
      timeMicros,
      ...places.toColumns(deviceNumber),
      ...quantities,
    ],
  };
}

function localSheet(
  say: Say,
  { devices, range }: Pick<ReadingsHead, 'devices' | 'range'>,
  timeZone: string,
): ReadingSheet {
  const places = placesOf(say, devices);
  const offsetOf = offsetsIn(range, timeZone);
  const offsets = listOffsets(range, [timeZone]);
  const offsetNumbers = new Map(offsets.map((offset, at) => [offset, at]));
  const columns: Column[] = [
    { header: say('Time', timeZone), field: 'time', format: dateTime },
    ...places.columns,
    ...quantityColumns(say),
    offsetColumn(say, offsets),
  ];
  return {
    sheet: { name: say('Measurements'), columns },
    toColumns({ timeMicros, deviceNumber, quantities }) {
      const offset = timeMicros.map(offsetOf);
      return [
        timeMicros.map((micros, at) => serialOf(micros + (offset[at] ?? 0))),
        ...places.toColumns(deviceNumber),
        ...quantities,
        offset.map((micros) => offsetNumbers.get(micros) ?? Number.NaN),
      ];
    },
  };
}

/** The columns of site and device. */
function placesOf(say: Say, devices: ReadingsHead['devices']) {
  const siteNames = new Map(devices.map(({ siteId, siteName }) => [siteId, siteName]));
  const siteNumbers = new Map([...siteNames.keys()].map((siteId, at) => [siteId, at]));
  const deviceOf = byNumber(devices, (_, at) => at);
  const siteOf = byNumber(devices, ({ siteId }) => siteNumbers.get(siteId) ?? Number.NaN);
  const columns: Column[] = [
    { header: say('Device'), field: 'deviceName', format: text, texts: devices.map((device) => device.name) },
    { header: say('Site'), field: 'siteName', format: text, texts: [...siteNames.values()] },
  ];
  const toColumns = (deviceNumber: Float64Array<ArrayBuffer>): Columns => [
    deviceNumber.map((number) => deviceOf[number] ?? Number.NaN),
    deviceNumber.map((number) => siteOf[number] ?? Number.NaN),
  ];
  return { columns, toColumns };
}

/** A value of each device by its number. */
function byNumber(
  devices: ReadingsHead['devices'],
  valueOf: (device: ReadingsHead['devices'][number], at: number) => number,
): number[] {
  const values: number[] = [];
  for (const [at, device] of devices.entries()) values[device.number] = valueOf(device, at);
  return values;
}

/** With all stored decimals. */
const quantityColumns = (say: Say): Column[] =>
  quantities.map(({ name, label, unit, decimals, exportDecimals }) => ({
    header: say(label, unit),
    field: name,
    format: number(unit, exportDecimals, decimals - exportDecimals),
  }));
