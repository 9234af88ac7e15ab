import {
  addDeliveryHours,
  areArrivalsWatched,
  lockArrivals,
  pruneArrivals,
  putArrivals,
  watchArrivals,
} from './arrivals.sql.ts';
import type { Database } from '../database/pool.ts';
import { Arrivals, type Delivered } from './arrivals.rules.ts';

/** How long arrivals are kept. */
export const arrivalsKeptMs = 24 * 3_600_000;
/** Another portal notices within this time that someone looks at arrivals. */
const writeEveryMs = 5_000;
const writeWatchedEveryMs = 1_000;
const watchedForMs = 30_000;

export interface ArrivalLog {
  note: (sender: string, delivered: Delivered) => void;
  /** To be called when someone looks at arrivals. Writes the current notes and, for the next half minute, accepted rows too. */
  watch: () => Promise<void>;
  /** Writes the notes that are still in memory. */
  write: () => Promise<void>;
}

/**
 * Writes all notes together every few seconds, so that no request waits for them. If a portal is killed, the notes that it has
 * not written are lost, which is acceptable. Without new arrivals nothing is written.
 */
export function createArrivalLog({
  database,
  now,
  onProblem,
}: {
  database: Database;
  /** Epoch milliseconds. */
  now: () => number;
  onProblem: (error: unknown) => void;
}): ArrivalLog {
  const arrivals = new Arrivals();
  let timer: NodeJS.Timeout | undefined;
  let hasNews = false;
  let watchedUntilMs = -Infinity;
  let writing: Promise<void> | undefined;

  const isWatched = () => now() < watchedUntilMs;
  const store = async () => {
    clearTimeout(timer);
    timer = undefined;
    if (!isWatched() && (await areArrivalsWatched(database, new Date(now())))) watchedUntilMs = now() + writeEveryMs;
    hasNews = false;
    const { hours, arrivals: latest } = arrivals.take(isWatched());
    if (hours.length + latest.length === 0) return;
    await database.transaction(async (tx) => {
      await lockArrivals(tx);
      await addDeliveryHours(tx, hours);
      await putArrivals(tx, latest);
      await pruneArrivals(tx, new Date(now() - arrivalsKeptMs));
    });
  };
  const begin = () => {
    writing = store()
      .catch(onProblem)
      .finally(() => {
        writing = undefined;
        if (hasNews) arm();
      });
    return writing;
  };
  // A write under way may have taken its rows before this call, so only the next one includes everything.
  const write = async () => {
    await writing;
    await (writing ?? begin());
  };
  const arm = () => {
    timer ??= setTimeout(() => void write(), isWatched() ? writeWatchedEveryMs : writeEveryMs).unref();
  };

  return {
    note(sender, delivered) {
      arrivals.note(sender, now(), delivered);
      hasNews = true;
      if (timer === undefined && writing === undefined) arm();
    },
    async watch() {
      watchedUntilMs = now() + watchedForMs;
      await watchArrivals(database, new Date(watchedUntilMs), new Date(now() + watchedForMs / 2));
      await write();
    },
    write,
  };
}
