import { type BackoffBounds, backoffSeconds, capSeconds } from '../base/backoff.ts';
import type { PushErrorKind } from '../../shared/push.ts';
import type { PushError, PushState } from './push-state.sql.ts';

/*
 * What an answer of the fleet means for a batch. Each resource waits on its own; `POST /api/admin/push/run` ends all waits.
 *
 * | Answer                    | Kind           | What the push does                                                             |
 * | ------------------------- | -------------- | ------------------------------------------------------------------------------ |
 * | 200 with counts           | `accepted`     | moves on behind the batch and counts the records that the fleet rejected        |
 * | 413                       | `isTooLarge`   | sends half of it, and leaves out a single record (send-in-halves.ts)            |
 * | 429, 503                  | `busy`         | waits for `Retry-After`, a day at most; without one as for `broken`             |
 * | 401                       | `unauthorized` | waits the longest time, because the same request would fail again               |
 * | another below 500         | `refused`      | the same                                                                        |
 * | 500 and more, no fleet's  | `broken`       | waits after failures in a row for 1, 2, 4 … 30 minutes, with some chance        |
 * | none                      | `unreachable`  | the same, and leaves the other resources for the next tick: they would time out |
 * | 200, but a set lacks some | `rejected`     | sends the set again after the waits of `broken`                                 |
 */
export type FleetAnswer = Accepted | FleetFailure;

export interface Accepted {
  kind: 'accepted';
  rejected: number;
  /** Why the first of these records was rejected. */
  reason: string;
}

export interface FleetFailure {
  kind: 'failed';
  error: PushError;
  retryAfterSeconds: number | null;
  /** The batch is too large for the fleet, which may accept half of it. */
  isTooLarge: boolean;
}

export const failed = (kind: PushErrorKind, text: string, retryAfterSeconds: number | null = null): FleetFailure => ({
  kind: 'failed',
  error: { kind, text },
  retryAfterSeconds,
  isTooLarge: false,
});
export const tooLarge = (text: string): FleetFailure => ({ ...failed('refused', text), isTooLarge: true });

const lasting: ReadonlySet<PushErrorKind> = new Set(['unauthorized', 'refused']);
/** The longest wait that a fleet can ask for. */
const maxRetryAfterSeconds = 24 * 3600;

/** The kind of failure that a status stands for. `sentence` is meant for the person who investigates the failure. */
export function failureOf(
  { status, retryAfter }: { status: number; retryAfter: string | null },
  sentence: string,
  nowMs: number,
): FleetFailure {
  if (status === 429 || status === 503) return failed('busy', sentence, parseRetryAfter(retryAfter, nowMs));
  if (status === 413) return tooLarge(sentence);
  if (status >= 500) return failed('broken', sentence);
  return failed(status === 401 ? 'unauthorized' : 'refused', sentence);
}

/** Seconds from now, from a header with seconds or a date; null if it has neither. */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(maxRetryAfterSeconds, Math.max(0, seconds));
}

/**
 * When to try again after a failure, in microseconds; `failuresBefore` counts the previous failures in a row. `random` is from
 * 0 to 1.
 */
export function nextAttempt(
  { error, retryAfterSeconds }: FleetFailure,
  failuresBefore: number,
  { backoff, random, now }: { backoff: BackoffBounds; random: () => number; now: () => number },
): { nowMicros: number; nextMicros: number } {
  const nowMicros = now() * 1000;
  const seconds =
    retryAfterSeconds ??
    (lasting.has(error.kind) ? capSeconds(backoff, random()) : backoffSeconds(failuresBefore + 1, backoff, random()));
  return { nowMicros, nextMicros: nowMicros + Math.ceil(seconds * 1e6) };
}

/** Whether the next attempt is due in the future. A time that a wrong clock has set too far ahead does not count. */
export function isWaiting(
  { nextAttemptAt, lastErrorAt }: Pick<PushState, 'nextAttemptAt' | 'lastErrorAt'>,
  { backoff, now }: { backoff: BackoffBounds; now: () => number },
): boolean {
  if (nextAttemptAt === null || lastErrorAt === null) return false;
  const [nowMs, nextMs, failedMs] = [now(), Date.parse(nextAttemptAt), Date.parse(lastErrorAt)];
  const longestMs = Math.max(maxRetryAfterSeconds, backoff.maxSeconds) * 1000;
  return failedMs <= nowMs && nowMs < nextMs && nextMs <= failedMs + longestMs;
}
