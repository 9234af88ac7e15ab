import type { FleetFailure } from './fleet-answer.ts';
import type { Ending, PushParts } from './parts.ts';
import { acknowledge, ensureRecording } from './push.ts';
import { findNextRemoval } from './push-removals.sql.ts';

const resource = 'removals';
const perTick = 3;

/**
 * Sends the fleet removals, at most three a tick. They come before readings, which may replace removed rows. If the answer to a
 * removal was lost, the removal is sent again. That does no harm, because the rows that are stored in the range by then follow
 * it (docs/adr/0084).
 */
export function createRemovalPush({ database, client, target, now }: PushParts) {
  return async ({ stopping, givenUp }: Ending): Promise<FleetFailure | null> => {
    for (let sent = 0; sent < perTick && !stopping.aborted; sent += 1) {
      const removal = await findNextRemoval(database);
      if (removal === null) return null;
      await ensureRecording(database, { fleet: target, customerId: client.customerId() }, now());
      const { id, ...record } = removal;
      const cursor = `removals/${record.deviceId}/${record.from}`;
      const answer = await client.send({ type: resource, cursor, part: null, body: JSON.stringify([record]) }, givenUp);
      if (answer.kind === 'failed') return answer;
      const rejected = answer.rejected === 0 ? null : { rows: 1, error: answer.reason };
      const progress = { removalId: id };
      await acknowledge(database, { resource, progress, sent: { cursor, batchSize: null }, rejected, nowMs: now() });
    }
    return null;
  };
}
