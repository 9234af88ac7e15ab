import type { StoredFlag } from './energy-flags.sql.ts';
import type { DirtyRange, NamedRange } from './dirty-ranges.sql.ts';
import { listReadings, listSilences, listSpansWithin } from './energy-readings.sql.ts';
import {
  findKnownInterval,
  fromKnown,
  type KnownInterval,
  listKnownIntervals,
  listNeighbours,
  readingsIn,
  spansOf,
} from './energy-neighbours.sql.ts';
import type { Transaction } from '../database/pool.ts';
import {
  type EnergyRules,
  endOfGrid,
  microsPerHour,
  noSpans,
  type ReadingSpans,
  slotMicros,
  dayOf,
  type EnergyPatch,
  slotsPerDay,
  partsOutside,
  rangesOfSpan,
} from './energy.rules.ts';
import { findKeptFrom } from './measurements.sql.ts';
import {
  affectedSlots,
  mergeIntervals,
  type Interval,
  unionOfReadingSpans,
  cutAtSilences,
  type EnergyGap,
  type GridPart,
  minGapDays,
  rangeOfPart,
  silencesBetween,
} from './energy-window.rules.ts';
import { type MicrosRange, dayMicros } from '../base/instants.ts';
import type { Reading } from '../base/quantities.ts';
import { Recent } from '../base/recent.ts';
import type { MeasuredEnergy } from './measure-energy.rules.ts';
import { addReadings, emptyStatistics } from './statistics.rules.ts';
import { fewNeighbours, type MeasuredDevice, measureGrids, moreNeighbours, spansOfInterest } from './measure-grids.ts';

/** A device with the intervals in which readings arrived since its slots were computed. */
export interface TouchedDevice extends MeasuredDevice {
  intervals: Interval[];
}

/** Quarter-hours of a device to be recomputed. */
export interface AffectedPart extends GridPart {
  device: MeasuredDevice;
}

/** Recomputed slots and their flags. */
export interface Recomputed {
  patches: EnergyPatch[];
  /** The gaps, including those whose slots have no energy. */
  gaps: EnergyGap[];
  /** The flags within the slots. */
  flags: StoredFlag[];
  /** Gaps that begin before the slots and reach into them. Those of a later part may begin in an earlier part. */
  reaching: StoredFlag[];
}

/** Dirty ranges closer than this are merged: one query is cheaper than two. */
export const apartMicros = microsPerHour;
const maxDaysInPart = 16;
/** Days computed at once, whose readings are in memory. */
export const maxDaysAtOnce = 32;
/** This many days of slots without readings take the memory of one day with readings every minute. */
const sparseDaysOfOne = 4;
const readingsOfDay = 1440;

/** Earlier reads of devices that have not changed since, apart from new dirty ranges. */
interface EarlierReads {
  /** Identifies the database and the customer. */
  source: string;
  dirtyRanges: readonly NamedRange[];
  versions: ReadonlyMap<number, string>;
}

/** The readings near the dirty ranges of a device that a read has found. */
interface Remembered {
  version: string;
  ids: ReadonlySet<string>;
  known: readonly KnownInterval[];
}

const remembered = new Recent<Remembered>(16 * 1024 * 1024);
/** The approximate memory of a reading. */
const readingBytes = 256;

/** The readings near the dirty ranges of devices: those that an earlier read found, and what has changed since then. */
async function listKnown(
  tx: Transaction,
  touched: readonly TouchedDevice[],
  { source, dirtyRanges, versions }: EarlierReads,
): Promise<ReadonlyMap<number, readonly KnownInterval[]>> {
  const rangesOf = Map.groupBy(dirtyRanges, ({ deviceNumber }) => deviceNumber);
  const changed = new Map<number, readonly KnownInterval[]>();
  const intervals = touched.flatMap(({ deviceNumber }) => {
    const before = remembered.find(`${source} ${deviceNumber}`);
    const own = rangesOf.get(deviceNumber) ?? [];
    if (before === undefined || before.version !== versions.get(deviceNumber)) return [];
    const added = own.filter(({ id }) => !before.ids.has(id));
    if (before.ids.size !== own.length - added.length) return [];
    changed.set(deviceNumber, before.known);
    return mergeIntervals(added, 0).map((interval) => ({ deviceNumber, ...interval }));
  });
  for (const [at, readings] of (await listReadings(tx, intervals)).entries()) {
    const interval = intervals[at];
    if (interval === undefined) continue;
    const known = changed.get(interval.deviceNumber) ?? [];
    changed.set(
      interval.deviceNumber,
      known.map((one) => withChange(one, interval, readings)),
    );
  }
  const unknown = touched.filter(({ deviceNumber }) => !changed.has(deviceNumber));
  const known = new Map([...changed, ...(await listKnownIntervals(tx, unknown))]);
  for (const [deviceNumber, own] of known) {
    const ids = new Set(rangesOf.get(deviceNumber)?.map(({ id }) => id));
    const bytes = own.reduce((sum, { readings }) => sum + readings.length, 0) * readingBytes;
    const version = versions.get(deviceNumber) ?? '';
    remembered.keep(`${source} ${deviceNumber}`, { version, ids, known: own }, bytes);
  }
  return known;
}

/** A known interval whose readings in another interval are replaced by the current ones. */
function withChange(known: KnownInterval, { fromMicros, toMicros }: Interval, now: readonly Reading[]): KnownInterval {
  const isLeft = ({ timeMicros }: Reading) => timeMicros < fromMicros || timeMicros > toMicros;
  const isInside = ({ timeMicros }: Reading) => timeMicros >= known.fromMicros && timeMicros <= known.toMicros;
  const readings = [...known.readings.filter(isLeft), ...now.filter(isInside)];
  return { ...known, readings: readings.toSorted((a, b) => a.timeMicros - b.timeMicros) };
}

/** The devices with dirty ranges, and what their readings show. Their register spans include the new readings. */
export async function openTouched(
  tx: Transaction,
  dirtyRanges: readonly DirtyRange[],
  rules: ReadonlyMap<number, EnergyRules>,
  materialized: ReadonlyMap<number, ReadingSpans>,
  earlier: EarlierReads | null = null,
): Promise<TouchedDevice[]> {
  const touched: TouchedDevice[] = [];
  for (const [deviceNumber, own] of Map.groupBy(dirtyRanges, (dirtyRange) => dirtyRange.deviceNumber)) {
    const ownRules = rules.get(deviceNumber);
    // A deleted device has no measurements, so it is skipped.
    if (ownRules === undefined) continue;
    const spans = materialized.get(deviceNumber) ?? noSpans;
    touched.push({ deviceNumber, rules: ownRules, spans, intervals: mergeIntervals(own, apartMicros) });
  }
  const knownOf = await (earlier === null ? listKnownIntervals(tx, touched) : listKnown(tx, touched, earlier));
  for (const device of touched) device.known = knownOf.get(device.deviceNumber);
  const asked = touched.flatMap((device) =>
    device.intervals.map((interval) => ({
      ...interval,
      device,
      deviceNumber: device.deviceNumber,
      known: device.known,
    })),
  );
  const found = await fromKnown(asked, spansOf, (unknown) => listSpansWithin(tx, unknown));
  for (const [at, { device }] of asked.entries()) {
    device.spans = unionOfReadingSpans(device.spans, found[at] ?? noSpans);
  }
  return touched;
}

/** Exactly the slots that the touched intervals can change; with a range, only parts that reach into its days. */
export async function listAffectedParts(
  tx: Transaction,
  touched: readonly TouchedDevice[],
  range?: MicrosRange,
): Promise<AffectedPart[]> {
  const affected = await withoutDeleted(tx, await listAffected(tx, touched));
  const long = affected.filter(({ fromMicros, toMicros }) => toMicros - fromMicros > minGapDays * dayMicros);
  const found = await fromKnown(
    long.map(({ device: { deviceNumber, known }, fromMicros, toMicros }) => ({
      deviceNumber,
      known,
      fromMicros,
      toMicros: toMicros - 1,
    })),
    silencesBetween,
    (unknown) => listSilences(tx, unknown),
  );
  // On a device with intervals, days without readings may differ from each other.
  const outsideIntervals = ({ device }: (typeof long)[number], own: readonly Interval[]) =>
    own.flatMap((silence) => partsOutside(silence, rangesOfSpan(device.spans.intervals)));
  const silences = new Map(long.map((one, at) => [one, outsideIntervals(one, found[at] ?? [])]));
  return affected.flatMap((one) =>
    cutAtSilences(one, silences.get(one) ?? [], maxDaysInPart)
      .filter((part) => range === undefined || sharesDays(rangeOfPart(part), range))
      .map((part) => ({ device: one.device, ...part })),
  );
}

/**
 * If a device has intervals, slots from before the kept readings stay as they are, because the readings of that time are gone.
 */
async function withoutDeleted<Slots extends { device: MeasuredDevice } & MicrosRange>(
  tx: Transaction,
  affected: readonly Slots[],
): Promise<Slots[]> {
  if (affected.every(({ device }) => device.spans.intervals === null)) return [...affected];
  const keptFrom = await findKeptFrom(tx);
  return affected.flatMap((one) => {
    const { device, fromMicros, toMicros } = one;
    if (device.spans.intervals === null || fromMicros >= keptFrom) return [one];
    return toMicros > keptFrom ? [{ ...one, fromMicros: keptFrom }] : [];
  });
}

const sharesDays = (a: MicrosRange, b: MicrosRange) =>
  dayOf(a.fromMicros) <= dayOf(b.toMicros - 1) && dayOf(b.fromMicros) <= dayOf(a.toMicros - 1);

/**
 * The days that are computed for a part: those of its slots, and those of its readings if there is one a minute. For a gap this
 * is one day.
 */
export function daysToCompute({ grid }: AffectedPart, daysOfReadings = grid.count / slotsPerDay): number {
  const days = Math.ceil(grid.count / slotsPerDay);
  return Math.min(days, days / sparseDaysOfOne + daysOfReadings);
}

/** The share of {@link maxDaysAtOnce} that a part takes: less if its readings are known to be few. */
export function weightOf(part: AffectedPart): number {
  const { fromMicros, toMicros } = rangeOfPart(part);
  const interval = { fromMicros, toMicros: toMicros - 1 };
  const known = findKnownInterval(part.device.known, interval);
  return daysToCompute(part, known && readingsIn(known, interval).length / readingsOfDay);
}

/** Parts that are computed at once. */
export function* piecesOf(parts: readonly AffectedPart[]): Generator<AffectedPart[]> {
  let piece: AffectedPart[] = [];
  let weight = 0;
  for (const part of parts) {
    const own = weightOf(part);
    if (weight + own > maxDaysAtOnce) {
      yield piece;
      [piece, weight] = [[], 0];
    }
    piece.push(part);
    weight += own;
  }
  if (piece.length > 0) yield piece;
}

/** Computes some parts from the readings that `tx` sees. */
export async function recompute(tx: Transaction, parts: readonly AffectedPart[]): Promise<Recomputed> {
  const recomputed: Recomputed = { patches: [], gaps: [], flags: [], reaching: [] };
  for (const [at, { energy, readings }] of (await measureGrids(tx, parts)).entries()) {
    const part = parts[at];
    if (part === undefined) throw new Error('more grids were measured than asked for');
    const { grid, days } = part;
    const { deviceNumber } = part.device;
    const { importedKwh, exportedKwh, interpolatedImportedKwh, interpolatedExportedKwh } = energy;
    for (const flag of flagsOf(deviceNumber, energy)) {
      recomputed[flag.timeMicros < grid.startMicros ? 'reaching' : 'flags'].push(flag);
    }
    if (days !== null) {
      const fromDay = dayOf(grid.startMicros);
      const ofSlot = { importedKwh: importedKwh[0] ?? 0, exportedKwh: exportedKwh[0] ?? 0 };
      recomputed.gaps.push({ deviceNumber, fromDay, toDay: fromDay + days, ...ofSlot });
      continue;
    }
    const statistics = emptyStatistics(grid.count);
    addReadings(statistics, readings, (timeMicros) => Math.floor((timeMicros - grid.startMicros) / slotMicros));
    const buckets = { importedKwh, exportedKwh, interpolatedImportedKwh, interpolatedExportedKwh };
    recomputed.patches.push({ deviceNumber, startMicros: grid.startMicros, ...buckets, statistics });
  }
  return recomputed;
}

/** The slots of each device to be recomputed. */
async function listAffected(
  tx: Transaction,
  touched: readonly TouchedDevice[],
): Promise<({ device: MeasuredDevice } & MicrosRange)[]> {
  const affected = new Map(touched.map((device): [TouchedDevice, Interval[]] => [device, []]));
  let open = touched.flatMap((device) => device.intervals.map((interval) => ({ device, interval })));
  for (let count = fewNeighbours; open.length > 0; count *= moreNeighbours) {
    const asked = open.map(({ device, interval }) => ({
      deviceNumber: device.deviceNumber,
      ...interval,
      spans: spansOfInterest(device),
      known: device.known,
    }));
    const neighbours = await listNeighbours(tx, asked, count);
    open = open.filter(({ device, interval }, at) => {
      const near = neighbours[at];
      if (near === undefined) return false;
      const grid = affectedSlots(interval, near, device.rules);
      if (grid !== null) affected.get(device)?.push({ fromMicros: grid.startMicros, toMicros: endOfGrid(grid) });
      return grid === null;
    });
  }
  // Merge those that overlap or touch.
  return [...affected].flatMap(([device, own]) => mergeIntervals(own, 0).map((interval) => ({ device, ...interval })));
}

/**
 * How many times neighbours are searched: those of a change, those that are needed to judge the readings at its start, and
 * those that are needed to judge these.
 */
const dependenceSteps = 3;

/**
 * The earliest reading on which slots at or after an instant can depend, whatever is stored later. Only for devices with
 * readings before the instant.
 */
export async function listDependence(
  tx: Transaction,
  devices: readonly MeasuredDevice[],
  atMicros: number,
): Promise<{ deviceNumber: number; fromMicros: number }[]> {
  let touched = devices.map((device) => ({ ...device, intervals: [{ fromMicros: atMicros, toMicros: atMicros }] }));
  for (let step = 0; step < dependenceSteps; step += 1) {
    touched = (await listAffected(tx, touched)).map(({ device, fromMicros }) => ({
      ...device,
      intervals: [{ fromMicros, toMicros: fromMicros }],
    }));
  }
  return touched.map(({ deviceNumber, intervals }) => ({
    deviceNumber,
    fromMicros: intervals[0]?.fromMicros ?? atMicros,
  }));
}

function flagsOf(deviceNumber: number, { flags, gaps }: MeasuredEnergy): StoredFlag[] {
  const stored = flags.map(({ timeMicros, kind, direction, untilMicros }): StoredFlag => ({
    deviceNumber,
    timeMicros,
    kind,
    direction: direction ?? 'both',
    untilMicros,
    kwh: null,
  }));
  for (const { fromMicros, untilMicros, direction, kwh } of gaps) {
    stored.push({ deviceNumber, timeMicros: fromMicros, kind: 'interpolated', direction, untilMicros, kwh });
  }
  return stored;
}
