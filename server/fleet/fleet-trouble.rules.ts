import type { Message } from '../../shared/messages.ts';
import { customerLimits, type CustomerState, customerStates } from '../../shared/states.rules.ts';
import { readStored } from '../base/errors.ts';

/** The figures from the batches of a customer. */
export interface Watched {
  isActive: boolean;
  firstSeenAt: string | null;
  lastSeenAt: string | null;
  /** When a batch with a measurement was last stored. */
  lastMeasuredAt: string | null;
  /** The times between the last batches with measurements, the newest first. */
  pushGapsSeconds: readonly number[];
  /** The interval that is configured in the customer's stack. */
  pushIntervalSeconds: number | null;
  lastFailedAt: string | null;
  lastFailure: string | null;
  isRefused: boolean;
  failingSince: string | null;
  /** Why the token was rejected. Null once a batch was stored after that. */
  tokenRefusedSince: string | null;
  tokenRefusedAt: string | null;
  tokenRefusal: string | null;
  /** The error of the last batch. This, `lastFailure` and `tokenRefusal` are as stored (`storedMessage`). */
  lastError: string | null;
  /** Whether its rows are out of reach. Then the other fields are those last read, or null. */
  isAway?: boolean;
}

export interface Trouble {
  state: CustomerState;
  /** The start of its trouble; null if it has none. */
  troubleSince: string | null;
  /** Since when only batches without readings have arrived; otherwise null. */
  noReadingsSince: string | null;
  failure: { since: string; at: string; reason: string; refusal: Message | null; isRefused: boolean } | null;
  lastError: string | null;
  lastRefusal: Message | null;
  usualIntervalSeconds: number | null;
  silentAfterSeconds: number;
  /** A failure is over this long after its last rejected batch. */
  patienceSeconds: number;
  /** The time since the last batch that was stored; null if there was none. */
  lagSeconds: number | null;
}

/** Full sets arrive at least once an hour. If no failure follows within this time, an earlier failure counts as over. */
const setsWithinSeconds = 2 * 60 * 60;

/** Batches that follow each other faster belong to one push. */
const onePushSeconds = 10;
const outagesIgnored = 3;

/**
 * How often a customer usually sends readings: the fourth longest of the times between its last pushes, so that three outages
 * or restarts do not change it; of fewer than eight, their median. Null if there are too few.
 */
export function usualInterval(gapsSeconds: readonly number[]): number | null {
  const pushes = gapsSeconds.filter((gap) => gap >= onePushSeconds);
  // A customer may push every few seconds.
  const gaps = (pushes.length < 2 ? gapsSeconds : pushes).toSorted((a, b) => b - a);
  return gaps.length < 2 ? null : (gaps[Math.min(outagesIgnored, Math.floor(gaps.length / 2))] ?? null);
}

/** The state of a customer. An alarm rule may call it silent after more or fewer of its usual intervals. */
export function judgeCustomer(customer: Watched, nowMs: number, missedIntervals?: number): Trouble {
  const secondsSince = (at: string) => (nowMs - Temporal.Instant.from(at).epochMilliseconds) / 1000;
  const [seen, said] = [usualInterval(customer.pushGapsSeconds), customer.pushIntervalSeconds ?? 0];
  // If a Client is configured with an interval of more than an hour, that interval is believed, because observing it would take
  // days.
  const usualIntervalSeconds = said > 3600 ? Math.max(said, seen ?? 0) : seen;
  const { lateAfterSeconds, silentAfterSeconds } = customerLimits(usualIntervalSeconds, missedIntervals);
  const patienceSeconds = Math.max(silentAfterSeconds, setsWithinSeconds);

  const { isActive, firstSeenAt, lastSeenAt, lastFailedAt, lastFailure, isRefused, failingSince } = customer;
  const failureOf = (at: string | null, since: string | null, stored: string | null, isRefused: boolean) => {
    if (at === null || stored === null || secondsSince(at) > patienceSeconds) return null;
    const { text, refusal } = readStored(stored);
    return { since: since ?? at, at, reason: text, refusal, isRefused };
  };
  const failure =
    failureOf(customer.tokenRefusedAt, customer.tokenRefusedSince, customer.tokenRefusal, true) ??
    failureOf(lastFailedAt, failingSince, lastFailure, isRefused);
  const measuredAt = customer.lastMeasuredAt ?? firstSeenAt;
  const quietSeconds = lastSeenAt === null || measuredAt === null ? 0 : secondsSince(measuredAt);
  const isQuiet = quietSeconds > silentAfterSeconds;
  const seenSeconds = lastSeenAt === null ? 0 : secondsSince(lastSeenAt);
  const sendsNothing =
    seenSeconds > patienceSeconds ||
    (customer.lastMeasuredAt !== null && quietSeconds - seenSeconds <= silentAfterSeconds);
  const noReadingsSince = isQuiet && !sendsNothing ? measuredAt : null;

  const verdict = (): Pick<Trouble, 'state' | 'troubleSince'> => {
    if (customer.isAway === true) return { state: 'unavailable', troubleSince: null };
    if (!isActive) return { state: 'inactive', troubleSince: null };
    if (isQuiet) return { state: 'silent', troubleSince: noReadingsSince ?? lastSeenAt };
    if (failure !== null) return { state: 'failing', troubleSince: failure.since };
    if (lastSeenAt === null) return { state: 'never', troubleSince: null };
    return { state: quietSeconds > lateAfterSeconds ? 'late' : 'sending', troubleSince: null };
  };
  const lagSeconds = lastSeenAt === null ? null : Math.max(0, Math.floor(secondsSince(lastSeenAt)));
  const { text: lastError, refusal: lastRefusal } = readStored(customer.lastError);
  return {
    ...verdict(),
    noReadingsSince,
    failure,
    lastError,
    lastRefusal,
    usualIntervalSeconds,
    silentAfterSeconds,
    patienceSeconds,
    lagSeconds,
  };
}

/** A batch of the past. */
export interface PastBatch {
  /** Epoch milliseconds. */
  atMs: number;
  batchType: string;
  accepted: number;
  error: string | null;
}

/** The figures of a customer as batch after batch changes them. Epoch milliseconds. */
export interface PastFigures {
  seenMs: number | null;
  measuredMs: number | null;
  gapsSeconds: readonly number[];
  failedMs: number | null;
  failingMs: number | null;
  failure: string | null;
  isRefused: boolean;
  tokenRefusedMs: number | null;
  tokenRefusedSinceMs: number | null;
  tokenRefusal: string | null;
}

const keptGaps = 20;
const oneFailureMs = 26 * 3_600_000;

/** What a stored error says; several rejected batches have the reason of the first. */
function reasonOf(error: string | null): Message | null {
  const refusal = error === null ? null : readStored(error).refusal;
  const reason = refusal?.code === 'batchesRefused' ? refusal.params['reason'] : undefined;
  return typeof reason === 'object' ? reason : refusal;
}

/** The figures after a batch: what `recordBatches` writes (ingest-events.sql.ts). */
export function afterBatch(before: PastFigures, { atMs, batchType, accepted, error }: PastBatch): PastFigures {
  const reason = reasonOf(error);
  const isStored = error === null || accepted > 0 || reason?.code === 'batchRejected';
  const isTokenRefused = !isStored && reason?.field === 'X-Customer-Token';
  const { measuredMs, gapsSeconds, failedMs, failingMs } = before;
  const isMeasured = batchType === 'measurements' && accepted > 0;
  const gap = measuredMs === null ? [] : [Math.max(0, Math.round((atMs - measuredMs) / 1000))];
  const isSameFailure = failedMs !== null && atMs - failedMs < oneFailureMs;
  return {
    ...before,
    ...(isMeasured && { measuredMs: atMs, gapsSeconds: [...gap, ...gapsSeconds].slice(0, keptGaps) }),
    ...(isStored && { seenMs: atMs, tokenRefusedMs: null, tokenRefusedSinceMs: null, tokenRefusal: null }),
    ...(isTokenRefused && {
      tokenRefusedMs: atMs,
      tokenRefusedSinceMs: before.tokenRefusedSinceMs ?? atMs,
      tokenRefusal: error,
    }),
    ...(error !== null &&
      !isTokenRefused && {
        failedMs: atMs,
        failingMs: isSameFailure ? failingMs : atMs,
        failure: error,
        isRefused: !isStored || accepted === 0,
      }),
  };
}

/** The customers, those in trouble first; silent ones sorted by how late they are, measured in their usual intervals. */
export function byTrouble<Customer extends Pick<Trouble, 'state' | 'silentAfterSeconds' | 'lagSeconds'>>(
  customers: readonly Customer[],
): Customer[] {
  const lateness = ({ lagSeconds, silentAfterSeconds }: Customer) => (lagSeconds ?? Infinity) / silentAfterSeconds;
  return customers.toSorted((a, b) => {
    if (a.state !== b.state) return customerStates.indexOf(a.state) - customerStates.indexOf(b.state);
    return a.state === 'silent' ? lateness(b) - lateness(a) : 0;
  });
}
