import { shares } from '../base/budgets.ts';
import { warns } from '../base/log.ts';
import type { Database } from '../database/pool.ts';
import { pause, startRepeating } from '../database/turns.ts';
import type { Context } from '../http/context.ts';
import { startEnergyWorker } from './energy-worker.ts';
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
