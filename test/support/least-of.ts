/**
 * The smallest result of up to five calls of `measure`; stops when it is below the limit. A busy machine, or garbage
 * collection, delays single measurements; code that is too slow exceeds the limit each time.
 */
export async function leastOf(limit: number, measure: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < 5 && least >= limit; round += 1) least = Math.min(least, await measure());
  return least;
}

/** Processor time of this thread since then, in ms; other programs do not count. */
export function threadMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
