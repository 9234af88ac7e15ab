import type { RemovedKind } from '../../shared/removals.ts';
import { formatInstant, type MicrosRange } from '../base/instants.ts';
import type { Transaction } from '../database/pool.ts';
import { execute } from '../database/rows.ts';

// A removal is recorded even if no push is configured: the fleet that is configured later may still have the rows.
const INSERT = `INSERT INTO monitoring.push_removals (device_number, kind, from_time, to_time) VALUES ($1, $2, $3, $4)`;

/** Records a removal, so that the fleet removes the same rows. Call this in the transaction that removes them here. */
export const recordRemoval = (
  tx: Transaction,
  { deviceNumber, kind, fromMicros, toMicros }: MicrosRange & { deviceNumber: number; kind: RemovedKind },
) => execute(tx, INSERT, deviceNumber, kind, formatInstant(fromMicros), formatInstant(toMicros));
