/** The shortest and the longest wait after failures, in seconds. */
export interface BackoffBounds {
  minSeconds: number;
  maxSeconds: number;
}

/** The share of the longest wait that is random, so that clients that failed together do not all come back at once. */
const capJitter = 0.1;

/** Seconds to wait after this many failures in a row: doubles from the shortest to the longest wait. `random` is from 0 to 1. */
export function backoffSeconds(failures: number, { minSeconds, maxSeconds }: BackoffBounds, random: number): number {
  const longest = Math.min(maxSeconds, minSeconds * 2 ** failures);
  const shortest = Math.max(minSeconds, longest / 2);
  return shortest + random * (longest - shortest);
}

/** Seconds to wait after a failure that will not mend itself soon, such as a refused token. */
export const capSeconds = ({ minSeconds, maxSeconds }: BackoffBounds, random: number): number =>
  Math.max(minSeconds, maxSeconds * (1 - capJitter * random));

/** Batches in a row that must have been accepted before a larger one is tried. */
const successesToGrow = 10;

/** Rows of the next batch after one was too large; null if it was a single row. */
export const halved = (rows: number): number | null => (rows <= 1 ? null : Math.max(1, Math.floor(rows / 2)));

/** Rows of the next batch after a number of successes in a row with this size. */
export const grown = (rows: number, successes: number, maxRows: number): number =>
  successes > 0 && successes % successesToGrow === 0 ? Math.min(maxRows, rows * 2) : Math.min(maxRows, rows);
