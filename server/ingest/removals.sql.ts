import type { RemovedKind } from '../../shared/removals.ts';
import { formatInstant, type MicrosRange } from '../base/instants.ts';
import type { Transaction } from '../database/pool.ts';
import { execute } from '../database/rows.ts';

// Also if nothing is pushed: a fleet that is configured again later may still have the rows.
const INSERT = `INSERT INTO monitoring.push_removals (device_number, kind, from_time, to_time) VALUES ($1, $2, $3, $4)`;

/** Lets the fleet remove the same rows, in the transaction that removes them here. */
export const recordRemoval = (
  tx: Transaction,
  { deviceNumber, kind, fromMicros, toMicros }: MicrosRange & { deviceNumber: number; kind: RemovedKind },
) => execute(tx, INSERT, deviceNumber, kind, formatInstant(fromMicros), formatInstant(toMicros));
