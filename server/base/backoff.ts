/** The shortest and the longest wait after failures, in seconds. */
export interface BackoffBounds {
  minSeconds: number;
  maxSeconds: number;
}

/** The random share of a wait. Without it, clients that failed together would all return at the same time. */
const jitter = 0.1;

/**
 * Seconds to wait after this many failures in a row: the shortest wait, then twice as long each time, up to the longest
 * (specification, States: from 1 minute up to a cap of 30 minutes). Up to a tenth is added at random, but never beyond the
 * longest wait: by then the earlier waits have spread the clients. `random` is from 0 to 1.
 */
export const backoffSeconds = (failures: number, { minSeconds, maxSeconds }: BackoffBounds, random: number): number =>
  Math.min(maxSeconds, minSeconds * 2 ** (failures - 1) * (1 + jitter * random));

/** Seconds to wait after a failure that will not go away soon, such as a rejected token. */
export const capSeconds = ({ minSeconds, maxSeconds }: BackoffBounds, random: number): number =>
  Math.max(minSeconds, maxSeconds * (1 - jitter * random));
