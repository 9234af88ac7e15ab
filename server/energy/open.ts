import { shares } from '../base/budgets.ts';
import { busyRowsPerSecond } from '../base/incoming-rows.ts';
import { warns } from '../base/log.ts';
import type { Database } from '../database/pool.ts';
import { pause, startRepeating } from '../database/turns.ts';
import type { Context } from '../http/context.ts';
import { materializeSome } from './materialize-energy.ts';
import { applyRetention } from './retention.ts';

/** Partitions are created a month ahead and removed by month, so a few times a day is enough. */
const everyMs = 6 * 3_600_000;
/** Not during the start, which is busy enough. */
const firstAfterMs = 60_000;

/** A task that runs a few times a day. */
export type Upkeep = (database: Database, signal: AbortSignal) => Promise<unknown>;

/** Removes measurements that are past their retention. */
export const retention =
  ({ config, engine, now, log }: Context): Upkeep =>
  (database, signal) =>
    applyRetention({ database, engine, months: config.database.retentionMonths, now, log, signal });

/** A function that materializes some dirty ranges and returns their number; 0 when none is left. */
export type CreateMaterializer = (
  database: Database,
  onFailure: (error: unknown) => void,
) => (signal: AbortSignal) => Promise<number>;
export const ownMaterializer: CreateMaterializer = (database, onFailure) => () =>
  materializeSome(database, { within: null, skip: true, onFailure });

/** Keeps the quarter-hours up to date and the measurements in order, as long as the portal runs. */
export function openEnergy(
  { database, engine, log }: Context,
  createMaterializer: CreateMaterializer,
  upkeep: readonly Upkeep[],
) {
  const onProblem = warns(log, 'could not materialize new measurements; reads compute them until then');
  const materialize = createMaterializer(database.within(shares.worker), onProblem);
  const worker = startEnergyWorker({ materialize, onProblem });
  const ofMaintenance = database.within(shares.background);
  const maintenance = startRepeating({
    async work(signal) {
      await engine.prepare(ofMaintenance);
      for (const one of upkeep) await one(ofMaintenance, signal);
    },
    onProblem: warns(log, 'maintenance of the measurements failed; will retry'),
    firstAfterMs,
    rest: (signal) => pause(everyMs, signal),
  });
  return { wake: worker.wake, stop: () => Promise.all([worker.stop(), maintenance.stop()]) };
}

/** Rows stored within this time are materialized together. */
const gatherMs = 300;
/** Another portal on the same database, or a killed one, may have left dirty ranges. */
const lookAgainMs = 5_000;
/** The worker uses at most a quarter of the time; reads do not depend on it. */
const restFactor = 3;
/** While rows arrive fast, ingest has priority and the worker waits longer. */
const busyGatherMs = 1_000;
const busyRestFactor = 5;
/** The longest rest, also after a round that took unusually long. */
const longestRestMs = 10_000;

/** Keeps the slots up to date in the background, so that reads find little that is not materialized. */
function startEnergyWorker(parts: {
  /** Materializes some dirty ranges; returns their number, 0 when none is left. */
  materialize: (signal: AbortSignal) => Promise<number>;
  onProblem: (error: unknown) => void;
}) {
  const { materialize, onProblem } = parts;
  let woken = new AbortController();
  let [before, stored, isBusy] = [performance.now(), 0, false];
  const { stop } = startRepeating({
    onProblem,
    async work(signal) {
      woken = new AbortController();
      const started = performance.now();
      isBusy = stored > ((started - before) / 1000) * busyRowsPerSecond;
      [before, stored] = [started, 0];
      return materialize(signal);
    },
    async rest(signal, tookMs, materialized = 0) {
      if (materialized === 0) await pause(lookAgainMs, signal, woken.signal);
      const restMs = isBusy ? Math.max(busyGatherMs, tookMs * busyRestFactor) : Math.max(gatherMs, tookMs * restFactor);
      await pause(Math.min(longestRestMs, restMs), signal);
    },
  });
  return {
    stop,
    /** Tells the worker how many rows were stored. */
    wake(rows: number) {
      stored += rows;
      // Without a reason, each call would make an exception with its stack.
      woken.abort('rows were stored');
    },
  };
}
