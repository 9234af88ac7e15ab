import { listDirtyCustomers } from '../db/fleet-upkeep.ts';
import type { Database } from '../db/pool.ts';
import { materializeSome } from './materialize-energy.ts';

/**
 * Materializes some of the dirty ranges of each customer, one after the other, so that one with millions of them does not hold up
 * the others; what fails for one does not either. Returns how many there were; 0 when none is left.
 */
export async function materializeFleet(
  database: Database,
  { signal, onProblem }: { signal: AbortSignal; onProblem: (error: unknown) => void },
): Promise<number> {
  let materialized = 0;
  for (const customerId of await listDirtyCustomers(database)) {
    if (signal.aborted) break;
    try {
      const own = database.forCustomer(customerId);
      materialized += await materializeSome(own, { deviceNumbers: null, skip: true, onFailure: onProblem });
    } catch (error) {
      onProblem(error);
    }
  }
  return materialized;
}
