/** Runs `work` on every item, `width` at a time, and returns the seconds for all. */
export async function timed<T>(
  items: Iterator<T>,
  width: number,
  work: (item: T) => Promise<unknown>,
): Promise<number> {
  const started = performance.now();
  const worker = async () => {
    for (let next = items.next(); next.done !== true; next = items.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return (performance.now() - started) / 1000;
}

/** Milliseconds of several runs. */
export interface Latency {
  median: number;
  p95: number;
  p99: number;
  worst: number;
  runs: number;
}

const usualRuns = 15;
const fewestRuns = 3;

/**
 * Runs `work` once to warm up and then 15 times in sequence; at least three times if they would together take longer than
 * `atMostSeconds`.
 */
export async function repeated(work: () => Promise<unknown>, atMostSeconds = 60): Promise<Latency> {
  await work();
  const taken: number[] = [];
  const started = performance.now();
  while (taken.length < usualRuns) {
    if (taken.length >= fewestRuns && performance.now() - started > atMostSeconds * 1000) break;
    const before = performance.now();
    await work();
    taken.push(performance.now() - before);
  }
  return latencyOf(taken);
}

export function latencyOf(taken: readonly number[]): Latency {
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { median: at(0.5), p95: at(0.95), p99: at(0.99), worst: at(1), runs: sorted.length };
}
