import type { Message } from '../../shared/messages.ts';
import { customerLimits, type CustomerState, customerStates } from '../../shared/states.rules.ts';
import { readStored } from '../base/errors.ts';
import { parseInstant } from '../base/instants.ts';

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

/** The figures from the batches of a customer, ready to be judged. Instants are epoch milliseconds. */
export interface Figures {
  isActive: boolean;
  isAway: boolean;
  firstSeenMs: number | null;
  seenMs: number | null;
  measuredMs: number | null;
  usualIntervalSeconds: number | null;
  /** When a batch and when the token was last rejected; null if there is nothing to say about it. */
  failedMs: number | null;
  tokenRefusedMs: number | null;
}

const msOf = (at: string | null) => {
  const micros = at === null ? null : parseInstant(at);
  return micros === null ? null : Math.floor(micros / 1000);
};

/** Takes longer than judging, so in a fleet of thousands the figures are kept. */
export function figuresOf(customer: Watched): Figures {
  const [seen, said] = [usualInterval(customer.pushGapsSeconds), customer.pushIntervalSeconds ?? 0];
  const failureMs = (at: string | null, stored: string | null) => (stored === null ? null : msOf(at));
  return {
    isActive: customer.isActive,
    isAway: customer.isAway === true,
    firstSeenMs: msOf(customer.firstSeenAt),
    seenMs: msOf(customer.lastSeenAt),
    measuredMs: msOf(customer.lastMeasuredAt),
    // If a Client is configured with an interval of more than an hour, that interval is believed, because observing it would
    // take days.
    usualIntervalSeconds: said > 3600 ? Math.max(said, seen ?? 0) : seen,
    failedMs: failureMs(customer.lastFailedAt, customer.lastFailure),
    tokenRefusedMs: failureMs(customer.tokenRefusedAt, customer.tokenRefusal),
  };
}

/** What is judged for each customer of the fleet. */
export interface Verdict extends Pick<
  Trouble,
  'state' | 'usualIntervalSeconds' | 'silentAfterSeconds' | 'patienceSeconds' | 'lagSeconds'
> {
  /** What its failure is about; null if it has none. */
  failure: 'token' | 'batch' | null;
  /** Whether only batches without readings arrive. */
  lacksReadings: boolean;
}

/** The state of a customer. An alarm rule may call it silent after more or fewer of its usual intervals. */
export function judgeFigures(figures: Figures, nowMs: number, missedIntervals?: number): Verdict {
  const secondsSince = (ms: number) => (nowMs - ms) / 1000;
  const { usualIntervalSeconds } = figures;
  const { lateAfterSeconds, silentAfterSeconds } = customerLimits(usualIntervalSeconds, missedIntervals);
  const patienceSeconds = Math.max(silentAfterSeconds, setsWithinSeconds);
  const { seenMs, measuredMs } = figures;
  const isRecent = (ms: number | null) => ms !== null && secondsSince(ms) <= patienceSeconds;
  const failure = isRecent(figures.tokenRefusedMs) ? 'token' : isRecent(figures.failedMs) ? 'batch' : null;
  const countedMs = measuredMs ?? figures.firstSeenMs;
  const quietSeconds = seenMs === null || countedMs === null ? 0 : secondsSince(countedMs);
  const isQuiet = quietSeconds > silentAfterSeconds;
  const seenSeconds = seenMs === null ? 0 : secondsSince(seenMs);
  const sendsNothing =
    seenSeconds > patienceSeconds || (measuredMs !== null && quietSeconds - seenSeconds <= silentAfterSeconds);
  const state = () => {
    if (figures.isAway) return 'unavailable';
    if (!figures.isActive) return 'inactive';
    if (isQuiet) return 'silent';
    if (failure !== null) return 'failing';
    if (seenMs === null) return 'never';
    return quietSeconds > lateAfterSeconds ? 'late' : 'sending';
  };
  return {
    state: state(),
    usualIntervalSeconds,
    silentAfterSeconds,
    patienceSeconds,
    lagSeconds: seenMs === null ? null : Math.max(0, Math.floor(seenSeconds)),
    failure,
    lacksReadings: isQuiet && !sendsNothing,
  };
}

/** A verdict with what explains it. */
export function explainVerdict(customer: Watched, verdict: Verdict): Trouble {
  const { state, usualIntervalSeconds, silentAfterSeconds, patienceSeconds, lagSeconds } = verdict;
  const failureOf = (at: string | null, since: string | null, stored: string | null, isRefused: boolean) => {
    if (at === null || stored === null) return null;
    const { text, refusal } = readStored(stored);
    return { since: since ?? at, at, reason: text, refusal, isRefused };
  };
  const { lastFailedAt, failingSince, lastFailure, tokenRefusedAt, tokenRefusedSince, tokenRefusal } = customer;
  const failures = {
    token: () => failureOf(tokenRefusedAt, tokenRefusedSince, tokenRefusal, true),
    batch: () => failureOf(lastFailedAt, failingSince, lastFailure, customer.isRefused),
  };
  const failure = verdict.failure === null ? null : failures[verdict.failure]();
  const noReadingsSince = verdict.lacksReadings ? (customer.lastMeasuredAt ?? customer.firstSeenAt) : null;
  const troubleSince = () => {
    if (state === 'silent') return noReadingsSince ?? customer.lastSeenAt;
    return state === 'failing' ? (failure?.since ?? null) : null;
  };
  const { text: lastError, refusal: lastRefusal } = readStored(customer.lastError);
  return {
    state,
    troubleSince: troubleSince(),
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

/** The state of a customer and what explains it. */
export const judgeCustomer = (customer: Watched, nowMs: number, missedIntervals?: number): Trouble =>
  explainVerdict(customer, judgeFigures(figuresOf(customer), nowMs, missedIntervals));

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

/** How many customers are in each state. */
export function countByState(customers: Iterable<Pick<Trouble, 'state'>>): Record<CustomerState, number> {
  const counts = { silent: 0, failing: 0, unavailable: 0, never: 0, late: 0, inactive: 0, sending: 0 };
  for (const { state } of customers) counts[state] += 1;
  return counts;
}

/**
 * The customers, those in trouble first; silent ones sorted by how late they are, measured in their usual intervals. Otherwise
 * they keep their order.
 */
export function byTrouble<Customer extends Pick<Trouble, 'state' | 'silentAfterSeconds' | 'lagSeconds'>>(
  customers: readonly Customer[],
): Customer[] {
  const lateness = ({ lagSeconds, silentAfterSeconds }: Customer) => (lagSeconds ?? Infinity) / silentAfterSeconds;
  const ofState = Map.groupBy(customers, ({ state }) => state);
  return customerStates.flatMap((state) => {
    const own = ofState.get(state) ?? [];
    return state === 'silent' ? own.toSorted((a, b) => lateness(b) - lateness(a)) : own;
  });
}
