import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/pool.ts';
import type { JudgedReading } from '../ingest/readings.rules.ts';
import { type DemoGap, insertDemoGap, listDemoGaps, shrinkDemoGap } from './demo.sql.ts';
import { type DemoMeter, readingsAt } from './meter.ts';

export type GapFiller = ReturnType<typeof createGapFiller>;

interface GapFillerParts {
  database: Database;
  meters: readonly DemoMeter[];
  store: (readings: readonly JudgedReading[]) => Promise<void>;
  /** No reading before this instant is written; epoch seconds. */
  earliest: number;
  onProgress: (progress: Progress) => void;
}

export interface Progress {
  /** Whole tens, ascending; 100 once nothing is missing. */
  percent: number;
  rows: number;
  /** All readings from this instant on have been written; epoch seconds. */
  backTo: number;
}

const secondsPerDay = 86_400;
/** Past readings are written at whole minutes. */
export const stepSeconds = 60;
/**
 * After each piece of work it rests for this share of the time that the work took, because other work matters more than the
 * demo.
 */
const restShare = 0.3;

/**
 * Writes missing readings, the newest day first, for one device and one day at a time. The database records which readings are
 * missing.
 */
export function createGapFiller({ database, meters, store, earliest, onProgress }: GapFillerParts) {
  let gaps: DemoGap[] | undefined;
  let rows = 0;
  let filledSeconds = 0;
  let percent = 0;

  const writeMeter = async (meter: DemoMeter, gap: DemoGap, from: number) => {
    const seconds: number[] = [];
    for (let at = Math.ceil(from / stepSeconds) * stepSeconds; at < gap.to; at += stepSeconds) seconds.push(at);
    const readings = readingsAt([meter], ...seconds);
    await store(readings);
    rows += readings.length;
  };

  const writeDay = async (gap: DemoGap, from: number, signal: AbortSignal) => {
    for (const meter of meters) {
      const began = performance.now();
      await writeMeter(meter, gap, from);
      signal.throwIfAborted();
      // Before the first day there is no rest, because someone is waiting for it.
      if (filledSeconds > 0) await sleep(restShare * (performance.now() - began), undefined, { signal });
    }
    filledSeconds += gap.to - from;
  };

  const report = (left: readonly DemoGap[], backTo: number) => {
    const leftSeconds = left.reduce((sum, gap) => sum + Math.max(0, gap.to - Math.max(gap.from, earliest)), 0);
    const reached = Math.floor((filledSeconds / (filledSeconds + leftSeconds)) * 10) * 10;
    if (reached <= percent) return;
    percent = reached;
    onProgress({ percent, rows, backTo });
  };

  return {
    /** Notes that the readings of an interval are missing. */
    async add(gap: DemoGap) {
      await insertDemoGap(database, gap);
      gaps = undefined;
    },
    /** Writes the newest day that is missing. False if none is missing. */
    async fillDay(signal: AbortSignal): Promise<boolean> {
      gaps ??= await listDemoGaps(database);
      const [gap] = gaps;
      if (gap === undefined) {
        rows = filledSeconds = percent = 0;
        return false;
      }
      const startOfDay = Math.floor((gap.to - 1) / secondsPerDay) * secondsPerDay;
      const from = Math.max(gap.from, startOfDay, earliest);
      if (from < gap.to) await writeDay(gap, from, signal);
      await shrinkDemoGap(database, gap, startOfDay <= earliest ? gap.from : from);
      gaps = await listDemoGaps(database);
      report(gaps, from);
      return true;
    },
  };
}
