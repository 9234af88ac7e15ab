import { setTimeout as sleep } from 'node:timers/promises';
import { acknowledge, type Acknowledged, ensureRecording, type Progress } from './push.ts';
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
/** More rows than this never fit into a body. */
const maxRowsPerBatch = 100_000;
/** The number of batches in a row that the fleet must accept before a larger batch is tried. */
const successesToGrow = 10;

interface DueBatch {
  rows: PushedRows;
  cursor: string;
  progress: Progress;
  isCorrection: boolean;
}

/** Pushes up to three batches of readings a tick, from the outbox and from rows stored before the recording began. */
export function createMeasurementPush(parts: PushParts) {
  const { database, client, target, batchSize, now, quietInMs } = parts;
  const intervalMs = parts.intervalSeconds * 1000;
  const maxRows = Math.min(batchSize, maxRowsPerBatch);
  const sendInHalves = createSendInHalves({
    maxSize: maxRows,
    successesToGrow,
    keepSize: (size) => setBatchSize(database, 'measurements', size),
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

  /** The next batch to send; null if there is nothing. */
  const nextOf = async (recording: Recording, batches: number, rows: number): Promise<DueBatch | null> => {
    const isOutboxTurn = recording.walk === null || batches < batchesBesideWalk;
    const horizon = isOutboxTurn ? await findHorizon(database) : '-infinity';
    const due = await database.snapshot((tx) => listDueRows(tx, horizon, rows));
    if (due !== null) {
      const { last } = due.rows;
      return {
        rows: due.rows,
        cursor: last === null ? '' : cursorOf(last),
        progress: { due },
        isCorrection: due.isResend,
      };
    }
    if (recording.walk === null) return null;
    const { beganAt, walk } = recording;
    const walked = await database.snapshot((tx) => listWalkedRows(tx, beganAt, walk, rows));
    const { last } = walked.rows;
    const cursor = `stored/${last?.deviceId}/${last?.time}`;
    return { rows: walked.rows, cursor, progress: { walk: walked.next }, isCorrection: false };
  };

  /** Returns the failure that ended the push, or null if there was none. */
  return async (state: PushState, { stopping, givenUp }: Ending): Promise<FleetFailure | null> => {
    const recording = await ensureRecording(database, { fleet: target, customerId: client.customerId() }, now());
    const { resource } = state;
    const began = performance.now();
    let batches = 0;
    const next = async (size: number): Promise<Batch | null> => {
      for (;;) {
        if (batches === batchesPerTick) return null;
        await waitForIncoming(batches, began, stopping);
        if (stopping.aborted) return null;
        const due = await nextOf(recording, batches, size);
        if (due === null) {
          await setRecordingUsed(database, now() * 1000);
          return null;
        }
        const { rows, cursor, progress, isCorrection } = due;
        const { count, first } = rows;
        const moveOn = async (sent: Acknowledged['sent'], rejected: Acknowledged['rejected']) => {
          await acknowledge(database, { resource, progress, sent, rejected, nowMs: now() });
          if ('walk' in progress) recording.walk = progress.walk;
        };
        if (count > 0) {
          return {
            send: () => client.send({ type: resource, cursor, part: null, body: rows.body(), isCorrection }, givenUp),
            count: () => count,
            async acknowledge({ rejected, reason }, batchSize) {
              batches += 1;
              await moveOn({ cursor, batchSize }, rejected === 0 ? null : { rows: rejected, error: reason });
              return null;
            },
            async leaveOut(text) {
              const error = `A row of device ${first?.deviceId} at ${first?.time} was skipped, because it is too large. ${text}`;
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

/** Compared as texts, cursors have the same order as their rows. */
const cursorOf = ({ receivedAt, time, deviceId }: PushPosition) =>
  `${withMicros(receivedAt)}/${withMicros(time)}/${deviceId}`;

const withMicros = (instant: string) => `${instant.slice(0, 19)}.${instant.slice(20, -1).padEnd(6, '0')}Z`;
