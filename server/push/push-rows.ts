import { setTimeout as sleep } from 'node:timers/promises';
import { acknowledge, type Acknowledged, ensureRecording, type Progress } from './push.ts';
import { listUnpushed } from './push-intervals.sql.ts';
import { findHorizon, listDueRows } from './push-outbox.sql.ts';
import type { PushedRows, PushPosition } from './pushed-rows.sql.ts';
import { listWalkedRows, type Recording, setRecordingUsed } from './push-recording.sql.ts';
import { type PushState, setBatchSize } from './push-state.sql.ts';
import { batchWaitMs } from '../base/incoming-rows.ts';
import type { FleetFailure } from './fleet-answer.ts';
import type { Ending, PushParts } from './parts.ts';
import { type Batch, createSendInHalves } from './send-in-halves.ts';

const batchesPerTick = 3;
/** The batches a tick for recorded rows while older rows wait. The third batch is for the older rows (the walk). */
const batchesBesideWalk = 2;
/** The number of batches in a row that the fleet must accept before a larger batch is tried. */
const successesToGrow = 10;

interface RowSource {
  resource: 'measurements' | 'intervals';
  /** More rows than this never fit into a body. */
  maxRowsPerBatch: number;
  /** The next batch after some of this tick, with at most `size` rows; null if there is nothing. */
  nextOf: (recording: Recording, batches: number, size: number) => Promise<DueBatch | null>;
}

interface DueBatch {
  /** The number of rows. Without rows, only the progress is recorded. */
  count: number;
  body: () => Buffer | string;
  cursor: string;
  progress: Progress;
  isCorrection?: boolean;
  /** The first row in words, for the case that it is too large. */
  first: string;
}

/** Returns a function that pushes up to three batches of rows a tick. */
function createRowPush(parts: PushParts, { resource, maxRowsPerBatch, nextOf }: RowSource) {
  const { database, client, target, batchSize, now, quietInMs } = parts;
  const intervalMs = parts.intervalSeconds * 1000;
  const sendInHalves = createSendInHalves({
    maxSize: Math.min(batchSize, maxRowsPerBatch),
    successesToGrow,
    keepSize: (size) => setBatchSize(database, resource, size),
  });

  /** Pauses for a while, so that incoming rows go first. */
  const waitForIncoming = async (batchesSent: number, began: number, stopping: AbortSignal) => {
    for (;;) {
      const elapsedMs = performance.now() - began;
      const turn = { quietInMs: quietInMs(), elapsedMs, batchesSent, batchesOfRound: batchesPerTick, intervalMs };
      const waitMs = batchWaitMs(turn);
      if (waitMs === 0 || stopping.aborted) return;
      await sleep(Math.ceil(waitMs), undefined, { signal: stopping }).catch(() => undefined);
    }
  };

  /** Returns the failure that ended the push, or null if there was none. */
  return async (state: PushState, { stopping, givenUp }: Ending): Promise<FleetFailure | null> => {
    const recording = await ensureRecording(database, { fleet: target, customerId: client.customerId() }, now());
    const began = performance.now();
    let batches = 0;
    const next = async (size: number): Promise<Batch | null> => {
      for (;;) {
        if (batches === batchesPerTick) return null;
        await waitForIncoming(batches, began, stopping);
        if (stopping.aborted) return null;
        const due = await nextOf(recording, batches, size);
        if (due === null) return null;
        const { count, body, cursor, progress, isCorrection = false, first } = due;
        const moveOn = async (sent: Acknowledged['sent'], rejected: Acknowledged['rejected']) => {
          await acknowledge(database, { resource, progress, sent, rejected, nowMs: now() });
          if ('walk' in progress) recording.walk = progress.walk;
        };
        if (count > 0) {
          return {
            send: () => client.send({ type: resource, cursor, part: null, body: body(), isCorrection }, givenUp),
            count: () => count,
            async acknowledge({ rejected, reason }, newSize) {
              batches += 1;
              const sent = { cursor, batchSize: newSize };
              await moveOn(sent, rejected === 0 ? null : { rows: rejected, error: reason });
              return null;
            },
            async leaveOut(text) {
              const error = `${first} was skipped, because it is too large. ${text}`;
              await moveOn(null, { rows: 1, error });
            },
          };
        }
        await moveOn(null, null);
      }
    };
    return sendInHalves(state.batchSize, next);
  };
}

/** Pushes readings, from the outbox and from rows stored before the recording began. */
export function createMeasurementPush(parts: PushParts) {
  const { database, now } = parts;
  const batchOf = (rows: PushedRows) => ({
    count: rows.count,
    body: () => rows.body(),
    first: `A row of device ${rows.first?.deviceId} at ${rows.first?.time}`,
  });
  return createRowPush(parts, {
    resource: 'measurements',
    maxRowsPerBatch: 100_000,
    async nextOf(recording, batches, size) {
      const isOutboxTurn = recording.walk === null || batches < batchesBesideWalk;
      const horizon = isOutboxTurn ? await findHorizon(database) : '-infinity';
      const due = await database.snapshot((tx) => listDueRows(tx, horizon, size));
      if (due !== null) {
        const { rows, isResend: isCorrection } = due;
        const cursor = rows.last === null ? '' : cursorOf(rows.last);
        return { ...batchOf(rows), cursor, progress: { due }, isCorrection };
      }
      const { beganAt, walk } = recording;
      if (walk === null) {
        await setRecordingUsed(database, now() * 1000);
        return null;
      }
      const { rows, next } = await database.snapshot((tx) => listWalkedRows(tx, beganAt, walk, size));
      const cursor = `stored/${rows.last?.deviceId}/${rows.last?.time}`;
      return { ...batchOf(rows), cursor, progress: { walk: next } };
    },
  });
}

/** Pushes intervals that the fleet has not acknowledged (docs/adr/0081). */
export const createIntervalPush = (parts: PushParts) =>
  createRowPush(parts, {
    resource: 'intervals',
    maxRowsPerBatch: 20_000,
    async nextOf(_, _batches, size) {
      const intervals = await listUnpushed(parts.database, size);
      const [first, last] = [intervals[0], intervals.at(-1)];
      if (first === undefined || last === undefined) return null;
      const rows = intervals.map(({ deviceNumber: _number, fromMicros: _micros, ...row }) => row);
      return {
        count: rows.length,
        body: () => JSON.stringify(rows),
        cursor: `intervals/${last.deviceId}/${last.from}`,
        progress: { intervals },
        first: `An interval of device ${first.deviceId} from ${first.from}`,
      };
    },
  });

/** Compared as texts, cursors have the same order as their rows. */
const cursorOf = ({ receivedAt, time, deviceId }: PushPosition) =>
  `${withMicros(receivedAt)}/${withMicros(time)}/${deviceId}`;

const withMicros = (instant: string) => `${instant.slice(0, 19)}.${instant.slice(20, -1).padEnd(6, '0')}Z`;
