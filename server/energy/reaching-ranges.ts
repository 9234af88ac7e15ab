import { allOf, type DeviceInterval, type DirtyRange, listDirtyRanges, listDirtySpans } from './dirty-ranges.sql.ts';
import { energyReadingOf, listSpansWithin } from './energy-readings.sql.ts';
import { listAround } from './energy-neighbours.sql.ts';
import type { Transaction } from '../database/pool.ts';
import { type EnergyRules, noSpans, type ReadingSpans, unionOfSpans } from './energy.rules.ts';
import { dayOf } from './energy-day.rules.ts';
import { barrierOf, mergeIntervals, type SideName, unionOfReadingSpans } from './energy-window.rules.ts';
import { earliestMicros, lastMicros, type MicrosRange, dayMicros } from '../base/instants.ts';

export interface DirtyDevice extends EnergyRules {
  number: number;
}

/** The dirty ranges that a question has to wait for, or compute. */
export interface Reaching {
  dirtyRanges: DirtyRange[];
  /** The intervals that they touch, one a device; those that touch none of them change nothing that is asked for. */
  within: DeviceInterval[];
  /** The spans of materialized readings; those of all readings include the omitted ranges. */
  materialized: ReadonlyMap<number, ReadingSpans>;
}

/** Up to this many are not worth a search: their exact slots are found in less than a second. */
const few = 1_000;
/** More than the seven that make a barrier where none is a glitch and each has the registers. */
const readingsToJudge = 16;

/**
 * The dirty ranges that can change slots on the days of a range. If there are many, ranges on one side of it are
 * omitted as far as barriers allow: a row of the year 2000 changes slots up to the next readings, not today's
 * (energy-and-cost.md 5). The side that leaves fewer ranges is chosen. Returns at most `limit` ranges and one more.
 */
export async function listReachingRanges(
  tx: Transaction,
  devices: readonly DirtyDevice[],
  {
    range,
    materialized,
    limit,
  }: { range: MicrosRange; materialized: ReadonlyMap<number, ReadingSpans>; limit: number },
): Promise<Reaching> {
  const all = allOf(devices.map(({ number }) => number));
  const firstFew = await listDirtyRanges(tx, all, few + 1);
  if (firstFew.length <= few) return { dirtyRanges: firstFew, within: all, materialized };
  // Days are computed whole.
  const days = {
    fromMicros: dayOf(range.fromMicros) * dayMicros,
    toMicros: (dayOf(range.toMicros - 1) + 1) * dayMicros,
  };
  for (const side of ['before', 'after'] as const) {
    const open =
      side === 'before'
        ? { fromMicros: days.fromMicros, toMicros: lastMicros }
        : { fromMicros: earliestMicros, toMicros: days.toMicros - 1 };
    const kept = all.map(({ deviceNumber }) => ({ deviceNumber, ...open }));
    const others = await listDirtyRanges(tx, kept, few + 1);
    if (others.length > few) continue;
    const dirty = await listDirtySpans(
      tx,
      devices.map(({ number }) => number),
    );
    const barriers = await listBarriers(tx, side, devices, { days, materialized, dirty, others });
    const within = kept.map((one) => {
      const barrier = barriers.get(one.deviceNumber);
      if (barrier === undefined) return one;
      return side === 'before' ? { ...one, fromMicros: barrier } : { ...one, toMicros: barrier };
    });
    const dirtyRanges = await listDirtyRanges(tx, within, limit + 1);
    return { dirtyRanges, within, materialized: withDirty(materialized, dirty) };
  }
  return { dirtyRanges: await listDirtyRanges(tx, all, limit + 1), within: all, materialized };
}

/** Dirty ranges begin and end at readings. */
function withDirty(
  materialized: ReadonlyMap<number, ReadingSpans>,
  dirty: readonly DeviceInterval[],
): ReadonlyMap<number, ReadingSpans> {
  const spans = new Map(materialized);
  for (const { deviceNumber, fromMicros, toMicros } of dirty) {
    const known = spans.get(deviceNumber) ?? noSpans;
    const any = unionOfSpans(known.any, { firstMicros: fromMicros, lastMicros: toMicros });
    spans.set(deviceNumber, { ...known, any });
  }
  return spans;
}

interface Around {
  /** Whole UTC days. */
  days: MicrosRange;
  materialized: ReadonlyMap<number, ReadingSpans>;
  /** From the first to the last of the dirty ranges of each device. */
  dirty: readonly DeviceInterval[];
  /** All dirty ranges in the days and on their other side. */
  others: readonly DirtyRange[];
}

/** The barriers of the devices that have dirty ranges on a side of some days; the end of all time where there is none. */
async function listBarriers(
  tx: Transaction,
  side: SideName,
  devices: readonly DirtyDevice[],
  { days, materialized, dirty, others }: Around,
): Promise<Map<number, number>> {
  const rules = new Map(devices.map((device) => [device.number, device]));
  const atMicros = side === 'before' ? days.fromMicros : days.toMicros;
  const spansOf = await listSpansBeyond(tx, materialized, others);
  const all = withDirty(materialized, dirty);
  const asked = dirty.flatMap(({ deviceNumber, fromMicros, toMicros }) => {
    const any = all.get(deviceNumber)?.any ?? null;
    const isBeyond = side === 'before' ? fromMicros < atMicros : toMicros >= atMicros;
    const edge = side === 'before' ? atMicros : atMicros - 1;
    return isBeyond ? [{ deviceNumber, fromMicros: edge, toMicros: edge, any, sides: [side] }] : [];
  });
  const nearest = await listAround(tx, asked, { beyond: readingsToJudge, inside: 0 });
  return new Map(
    asked.map(({ deviceNumber }, at) => {
      const readings = (nearest[at]?.readings ?? []).map(energyReadingOf);
      const own = rules.get(deviceNumber) ?? { energySource: 'auto' };
      const barrier = barrierOf({ side, atMicros }, readings, spansOf(deviceNumber), own);
      return [deviceNumber, barrier ?? (side === 'before' ? earliestMicros : lastMicros)];
    }),
  );
}

/** The spans of the materialized readings and of some dirty ranges. */
async function listSpansBeyond(
  tx: Transaction,
  materialized: ReadonlyMap<number, ReadingSpans>,
  dirtyRanges: readonly DirtyRange[],
): Promise<(deviceNumber: number) => ReadingSpans> {
  const intervals = [...Map.groupBy(dirtyRanges, ({ deviceNumber }) => deviceNumber)].flatMap(([deviceNumber, own]) =>
    mergeIntervals(own, 0).map((interval) => ({ deviceNumber, ...interval })),
  );
  const found = await listSpansWithin(tx, intervals);
  const spans = new Map(materialized);
  for (const [at, { deviceNumber }] of intervals.entries()) {
    spans.set(deviceNumber, unionOfReadingSpans(spans.get(deviceNumber) ?? noSpans, found[at] ?? noSpans));
  }
  return (deviceNumber) => spans.get(deviceNumber) ?? noSpans;
}
