/**
 * What `measure` found least, of up to five times; it ends as soon as that is below the limit. A machine that is busy, or collects
 * garbage, takes its time from one measurement and not from each; what takes too long by itself does so every time.
 */
export async function leastOf(limit: number, measure: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < 5 && least >= limit; round += 1) least = Math.min(least, await measure());
  return least;
}

/** The processor time of this thread since then, in ms: what another program takes does not count. */
export function threadMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
