/** What the batches of a customer say of it. */
export interface Watched {
  isActive: boolean;
  firstSeenAt: string | null;
  lastSeenAt: string | null;
  /** The last stored batch that had a measurement. */
  lastMeasuredAt: string | null;
  /** Between the last of these, the newest first. */
  pushGapsSeconds: readonly number[];
  /** What its stack says of itself. */
  pushIntervalSeconds: number | null;
  lastFailedAt: string | null;
  lastFailure: string | null;
  isRefused: boolean;
  failingSince: string | null;
}

/** As in shared/fleet.ts, the worst first. */
const states = ['silent', 'unmeasured', 'failing', 'waiting', 'off', 'live'] as const;

export interface Trouble {
  state: (typeof states)[number];
  /** Since when it is in trouble; null if it is not. */
  troubleSince: string | null;
  /** Whether something else comes, but no readings. */
  noReadingsSince: string | null;
  failure: { since: string; at: string; reason: string; isRefused: boolean } | null;
  usualIntervalSeconds: number | null;
  silentAfterSeconds: number;
}

const missedIntervals = 3;
/** Every customer may be quiet for so long: a restart, an update. */
const silentAfterAtLeastSeconds = 10 * 60;
/** For customers whose rhythm nobody knows yet. */
const silentAfterUnknownSeconds = 60 * 60;
/** Full sets come once an hour where nothing else does. A failure is over when as much time has passed without another. */
const setsWithinSeconds = 2 * 60 * 60;

/**
 * How often a customer usually sends measurements: the second longest of the last gaps, because what is sent at once comes as
 * several batches, and one outage is no rhythm. Null where there are too few.
 */
export function usualInterval(gapsSeconds: readonly number[]): number | null {
  return gapsSeconds.toSorted((a, b) => b - a)[1] ?? null;
}

/** What is wrong with a customer, if anything is. */
export function judgeCustomer(customer: Watched, nowMs: number): Trouble {
  const secondsSince = (at: string) => (nowMs - Temporal.Instant.from(at).epochMilliseconds) / 1000;
  const [seen, said] = [usualInterval(customer.pushGapsSeconds), customer.pushIntervalSeconds ?? 0];
  // Whoever says that it pushes less than once an hour is taken at its word, because it takes days to see.
  const usualIntervalSeconds = said > 3600 ? Math.max(said, seen ?? 0) : seen;
  const silentAfterSeconds =
    usualIntervalSeconds === null
      ? silentAfterUnknownSeconds
      : Math.max(silentAfterAtLeastSeconds, missedIntervals * usualIntervalSeconds);
  const patienceSeconds = Math.max(silentAfterSeconds, setsWithinSeconds);

  const { isActive, firstSeenAt, lastSeenAt, lastFailedAt, lastFailure, isRefused, failingSince } = customer;
  const isFailing = lastFailedAt !== null && secondsSince(lastFailedAt) <= patienceSeconds;
  const failure =
    isFailing && lastFailure !== null
      ? { since: failingSince ?? lastFailedAt, at: lastFailedAt, reason: lastFailure, isRefused }
      : null;
  const measuredAt = customer.lastMeasuredAt ?? firstSeenAt;
  const isQuiet = lastSeenAt !== null && measuredAt !== null && secondsSince(measuredAt) > silentAfterSeconds;
  const isSilent =
    isQuiet &&
    (secondsSince(lastSeenAt) > patienceSeconds ||
      (customer.lastMeasuredAt !== null && secondsSince(measuredAt) - secondsSince(lastSeenAt) <= silentAfterSeconds));
  const noReadingsSince = isQuiet && !isSilent ? measuredAt : null;

  const verdict = (): Pick<Trouble, 'state' | 'troubleSince'> => {
    if (!isActive) return { state: 'off', troubleSince: null };
    if (isSilent) return { state: 'silent', troubleSince: lastSeenAt };
    if (noReadingsSince !== null) return { state: 'unmeasured', troubleSince: noReadingsSince };
    if (failure !== null) return { state: 'failing', troubleSince: failure.since };
    return { state: lastSeenAt === null ? 'waiting' : 'live', troubleSince: null };
  };
  return { ...verdict(), noReadingsSince, failure, usualIntervalSeconds, silentAfterSeconds };
}

/** The customers, those in trouble first; of the silent ones those first that are latest by their own rhythm. */
export function byTrouble<
  Customer extends Pick<Trouble, 'state' | 'silentAfterSeconds'> & { lagSeconds: number | null },
>(customers: readonly Customer[]): Customer[] {
  const lateness = ({ lagSeconds, silentAfterSeconds }: Customer) => (lagSeconds ?? Infinity) / silentAfterSeconds;
  return customers.toSorted((a, b) => {
    if (a.state !== b.state) return states.indexOf(a.state) - states.indexOf(b.state);
    return a.state === 'silent' ? lateness(b) - lateness(a) : 0;
  });
}
