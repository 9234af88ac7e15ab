import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetFailure } from './fleet-answer.ts';
import type { Ending, PushParts } from './parts.ts';
import { acknowledge, ensureRecording } from './push.ts';
import { listUnpushed } from './push-intervals.sql.ts';
import { type PushState, setBatchSize } from './push-state.sql.ts';
import { batchWaitMs } from '../base/incoming-rows.ts';
import { createSendInHalves } from './send-in-halves.ts';

const batchesPerTick = 3;
const maxRowsPerBatch = 20_000;
const successesToGrow = 10;

/** Pushes intervals that the fleet has not acknowledged, at most three batches a tick (docs/adr/0081). */
export function createIntervalPush(parts: PushParts) {
  const { database, client, target, batchSize, now, quietInMs } = parts;
  const resource = 'intervals';
  const sendInHalves = createSendInHalves({
    maxSize: Math.min(batchSize, maxRowsPerBatch),
    successesToGrow,
    keepSize: (size) => setBatchSize(database, resource, size),
  });
  return async (state: PushState, { stopping, givenUp }: Ending): Promise<FleetFailure | null> => {
    await ensureRecording(database, { fleet: target, customerId: client.customerId() }, now());
    const began = performance.now();
    let batches = 0;
    return sendInHalves(state.batchSize, async (size) => {
      if (batches === batchesPerTick) return null;
      const intervals = await listUnpushed(database, size);
      const last = intervals.at(-1);
      if (last === undefined) return null;
      const waitMs = batchWaitMs({
        quietInMs: quietInMs(),
        elapsedMs: performance.now() - began,
        batchesSent: batches,
        batchesOfRound: batchesPerTick,
        intervalMs: parts.intervalSeconds * 1000,
      });
      await sleep(Math.ceil(waitMs), undefined, { signal: stopping }).catch(() => undefined);
      if (stopping.aborted) return null;
      const cursor = `intervals/${last.deviceId}/${last.from}`;
      const body = JSON.stringify(
        intervals.map(({ deviceId, from, to, importedKwh, exportedKwh }) => ({
          deviceId,
          from,
          to,
          importedKwh,
          exportedKwh,
        })),
      );
      const progress = { intervals };
      return {
        send: () => client.send({ type: resource, cursor, part: null, body }, givenUp),
        count: () => intervals.length,
        async acknowledge({ rejected, reason }, newSize) {
          batches += 1;
          const rows = rejected === 0 ? null : { rows: rejected, error: reason };
          await acknowledge(database, {
            resource,
            progress,
            sent: { cursor, batchSize: newSize },
            rejected: rows,
            nowMs: now(),
          });
          return null;
        },
        async leaveOut(text) {
          const error = `An interval of device ${last.deviceId} from ${last.from} was skipped, because it is too large. ${text}`;
          await acknowledge(database, { resource, progress, sent: null, rejected: { rows: 1, error }, nowMs: now() });
        },
      };
    });
  };
}
