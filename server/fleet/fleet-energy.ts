import { listDirtyCustomers } from './fleet-maintenance.sql.ts';
import { knownReach, readWithinReach } from '../database/engines/reach.ts';
import type { Database } from '../database/pool.ts';
import { materializeSome } from '../energy/materialize-energy.ts';

/** The longest a round takes before the worker rests: with many customers, going through all of them takes minutes. */
const roundMs = 500;

/**
 * Materializes some dirty ranges of each customer, one customer after the other, so that one with millions of them does not delay
 * the others. Failures of one customer do not affect the others either. A round continues where the previous one ended. Returns
 * the number of materialized dirty ranges plus the number of customers left to do; 0 when none is left.
 */
export function createFleetMaterializer(
  database: Database,
  onProblem: (error: unknown) => void,
): (signal: AbortSignal) => Promise<number> {
  let waiting: string[] = [];
  return async (signal) => {
    const end = performance.now() + roundMs;
    if (waiting.length === 0) waiting = await readWithinReach(database, listDirtyCustomers);
    let materialized = 0;
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      // It was listed before its node stopped answering.
      if (knownReach(database).away.has(id)) continue;
      try {
        const own = database.forCustomer(id);
        materialized += await materializeSome(own, { within: null, skip: true, onFailure: onProblem });
      } catch (error) {
        onProblem(error);
      }
      if (signal.aborted || performance.now() > end) break;
    }
    return materialized + waiting.length;
  };
}
