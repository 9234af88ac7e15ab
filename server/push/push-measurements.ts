import { setTimeout as sleep } from 'node:timers/promises';
import { acknowledge, ensureRecording, type Progress } from './push.ts';
import { findHorizon, listDueRows } from './push-outbox.sql.ts';
import type { PushedRows, PushPosition } from './pushed-rows.sql.ts';
import { listWalkedRows, type Recording, setRecordingUsed } from './push-recording.sql.ts';
import { type PushState, setBatchSize } from './push-state.sql.ts';
import { grown, halved } from '../base/backoff.ts';
import { batchWaitMs } from '../base/incoming-rows.ts';
import type { FleetAnswer } from './fleet-client.ts';
import { type Ending, maxBodyBytes, type PushParts } from './parts.ts';

const batchesPerTick = 3;
/** Batches for recorded rows while the walk needs the third. */
const batchesBesideWalk = 2;
/** More never fit into a body. */
const maxRowsPerBatch = 100_000;

interface Batch {
  rows: PushedRows;
  cursor: string;
  progress: Progress;
  isCorrection: boolean;
}

/** Pushes up to three batches of measurements a tick: what is recorded, and what was stored before the recording began. */
export function createMeasurementPush(parts: PushParts) {
  const { database, client, target, batchSize, now, quietInMs } = parts;
  const intervalMs = parts.intervalSeconds * 1000;
  const maxRows = Math.min(batchSize, maxRowsPerBatch);
  let successes = 0;

  /** Lets incoming rows go before a batch, for a while. */
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
  const nextOf = async (recording: Recording, batches: number, rows: number): Promise<Batch | null> => {
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
    recording.walk = walked.next;
    const { last } = walked.rows;
    const cursor = `stored/${last?.deviceId}/${last?.time}`;
    return { rows: walked.rows, cursor, progress: { walk: walked.next }, isCorrection: false };
  };

  /** Returns the failure that ended it, null if it went well. */
  return async (state: PushState, { stopping, givenUp }: Ending): Promise<FleetAnswer | null> => {
    const recording = await ensureRecording(database, { fleet: target, customerId: client.customerId() }, now());
    let size = Math.min(state.batchSize ?? maxRows, maxRows);
    const began = performance.now();
    for (let batches = 0; batches < batchesPerTick;) {
      await waitForIncoming(batches, began, stopping);
      if (stopping.aborted) return null;
      const before = recording.walk;
      const batch = await nextOf(recording, batches, size);
      if (batch === null) {
        await setRecordingUsed(database, now() * 1000);
        return null;
      }
      const done = { resource: state.resource, progress: batch.progress };
      if (batch.rows.count === 0) {
        await acknowledge(database, { ...done, sent: null, rejected: null, nowMs: now() });
        continue;
      }
      const body = batch.rows.body();
      const answer: FleetAnswer =
        body.length > maxBodyBytes
          ? { kind: 'tooLarge', text: 'It has more than 16 MiB.' }
          : await client.send(
              { type: state.resource, cursor: batch.cursor, part: null, body, isCorrection: batch.isCorrection },
              givenUp,
            );
      if (answer.kind === 'failed') return answer;
      if (answer.kind === 'accepted') {
        batches += 1;
        successes += 1;
        size = grown(size, successes, maxRows);
        const sent = { cursor: batch.cursor, batchSize: size === maxRows ? null : size };
        const { rejected: rows, reason } = answer;
        const rejected = rows === 0 ? null : { rows, error: reason ?? 'The fleet gives no reason.' };
        await acknowledge(database, { ...done, sent, rejected, nowMs: now() });
        continue;
      }
      successes = 0;
      const smaller = halved(Math.min(size, batch.rows.count));
      if (smaller === null) {
        const row = batch.rows.first;
        const error = `A row of device ${row?.deviceId} at ${row?.time} was skipped, because it is too large. ${answer.text}`;
        await acknowledge(database, { ...done, sent: null, rejected: { rows: 1, error }, nowMs: now() });
        continue;
      }
      recording.walk = before;
      size = smaller;
      await setBatchSize(database, state.resource, size);
    }
    return null;
  };
}

/** Texts of cursors sort like their rows. */
const cursorOf = ({ receivedAt, time, deviceId }: PushPosition) =>
  `${withMicros(receivedAt)}/${withMicros(time)}/${deviceId}`;

const withMicros = (instant: string) => `${instant.slice(0, 19)}.${instant.slice(20, -1).padEnd(6, '0')}Z`;
