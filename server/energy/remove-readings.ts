import type { RemovedKind } from '../../shared/removals.ts';
import { type MicrosRange, unionOf } from '../base/instants.ts';
import { refuse } from '../base/errors.ts';
import type { Transaction } from '../database/pool.ts';
import {
  allOf,
  type DirtyRange,
  insertDirtyRanges,
  listDirtyRanges,
  listDirtySpans,
  listReadingSpans,
  lockReadingSpans,
  rangeColumns,
  updateReadingSpans,
} from './dirty-ranges.sql.ts';
import { noSpans, type ReadingSpans, type RegisterSpan } from './energy.rules.ts';
import { dirtyRangesOf, rangeOfPart } from './energy-window.rules.ts';
import { listEnergyRules } from './measurements.sql.ts';
import { listAffectedParts, openTouched } from './recompute-energy.ts';
import {
  deleteStored,
  findEnd,
  findIntervalSpan,
  findStored,
  isConverting,
  setIntervalSpan,
  type StoredRows,
} from './removals.sql.ts';

/** The readings of a device in a half-open range, or its intervals that begin in it. */
export interface Removal extends MicrosRange {
  deviceNumber: number;
  kind: RemovedKind;
}

/** The rows to remove, counted up to `maxRows` + 1; null if there are none. */
export const findRemovable = (tx: Transaction, { kind, deviceNumber, ...range }: Removal, maxRows: number) =>
  findStored(tx, kind, deviceNumber, range, maxRows + 1);

/** The range of slots that a removal of these rows can change, from the first slot to the last. */
export async function findAffected(
  tx: Transaction,
  { deviceNumber }: Removal,
  { fromMicros, toMicros }: StoredRows,
): Promise<MicrosRange> {
  const rows = { deviceNumber, fromMicros, toMicros };
  return unionOf([rows, ...(await listAffected(tx, deviceNumber, dirtyRangesOf([rows])))]);
}

/** The slots that changes in the dirty ranges can affect, judged by the readings that are stored now. */
async function listAffected(tx: Transaction, deviceNumber: number, dirty: DirtyRange[]): Promise<MicrosRange[]> {
  const rules = await listEnergyRules(tx, [deviceNumber]);
  const touched = await openTouched(tx, dirty, rules, await listReadingSpans(tx, [deviceNumber]));
  return (await listAffectedParts(tx, touched)).map(rangeOfPart);
}

/** The dirty ranges of a device; from the first to the last of them if there are many. */
async function listPending(tx: Transaction, deviceNumber: number): Promise<DirtyRange[]> {
  const pending = await listDirtyRanges(tx, allOf([deviceNumber]), maxPending);
  return pending.length < maxPending ? pending : listDirtySpans(tx, [deviceNumber]);
}
const maxPending = 1_000;

/**
 * Removes rows of a device in a transaction. Waits for work on the slots of the device. Returns the number of removed rows;
 * if it is more than `maxRows`, nothing was removed.
 *
 * Marks the slots that change. Those are known only before the rows are gone: an increase between two readings that are removed,
 * one after the other, has no reading left to find it by. The same holds for changes that wait to be materialized.
 */
export async function removeReadings(tx: Transaction, removal: Removal, maxRows = Infinity): Promise<number> {
  const { kind, deviceNumber, ...range } = removal;
  if (await isConverting(tx)) throw refuse('databaseBusy');
  const spans = (await lockReadingSpans(tx, [deviceNumber], { skip: false })).get(deviceNumber) ?? noSpans;
  const found = await findStored(tx, kind, deviceNumber, range, maxRows === Infinity ? null : maxRows + 1);
  if (found === null || found.count > maxRows) return found?.count ?? 0;
  const rows = dirtyRangesOf([{ deviceNumber, fromMicros: found.fromMicros, toMicros: found.toMicros }]);
  const pending = await listPending(tx, deviceNumber);
  const affected = await listAffected(tx, deviceNumber, [...rows, ...pending]);
  const dirty = dirtyRangesOf([found, ...affected].map((one) => ({ ...one, deviceNumber })));
  const removed = await deleteStored(tx, kind, deviceNumber, range);
  if (kind === 'readings') await narrowReadings(tx, removal, spans);
  else await narrowIntervals(tx, removal, spans.intervals);
  await tx.send([insertDirtyRanges(tx, rangeColumns(dirty))]);
  return removed;
}

/** Ends the spans at the remaining readings: a register counts between the first and the last reading that has it. */
async function narrowReadings(
  tx: Transaction,
  { deviceNumber, ...range }: Removal,
  spans: ReadingSpans,
): Promise<void> {
  const isGone = (micros: number) => micros >= range.fromMicros && micros < range.toMicros;
  const narrow = async (name: 'any' | 'imported' | 'exported'): Promise<RegisterSpan> => {
    const span = spans[name];
    if (span === null) return null;
    const { firstMicros, lastMicros } = span;
    const first = isGone(firstMicros) ? await findEnd(tx, name, 'first', deviceNumber, span) : firstMicros;
    if (first === null) return null;
    const last = isGone(lastMicros) ? await findEnd(tx, name, 'last', deviceNumber, span) : lastMicros;
    return { firstMicros: first, lastMicros: last ?? first };
  };
  const narrowed = {
    ...spans,
    any: await narrow('any'),
    imported: await narrow('imported'),
    exported: await narrow('exported'),
  };
  await updateReadingSpans(tx, new Map([[deviceNumber, narrowed]]));
}

/** Intervals older than the kept readings are gone, but their slots stay, so the span still begins there. */
async function narrowIntervals(
  tx: Transaction,
  { deviceNumber, fromMicros }: Removal,
  span: RegisterSpan,
): Promise<void> {
  const left = await findIntervalSpan(tx, deviceNumber);
  const isFirstGone = span === null || span.firstMicros >= fromMicros;
  if (isFirstGone) return setIntervalSpan(tx, deviceNumber, left);
  return setIntervalSpan(tx, deviceNumber, {
    firstMicros: span.firstMicros,
    lastMicros: left?.lastMicros ?? fromMicros,
  });
}
