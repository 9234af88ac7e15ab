const minuteMs = 60_000;

/** The interval lengths of load profiles, in minutes. */
export const intervalLengths = [1, 5, 10, 15, 30, 60] as const;
export type IntervalMinutes = (typeof intervalLengths)[number];

/** Whether the time of a row is the start or the end of its interval. */
export const intervalStamps = ['start', 'end'] as const;
export type IntervalStamp = (typeof intervalStamps)[number];

/** A time in a file (epoch milliseconds), and the device of its row. */
export interface ReadTime {
  device: string;
  atMs: number;
}

/** The most common interval between the times of each device. Null if its length is unusual. */
export function usualStep(times: readonly ReadTime[]): IntervalMinutes | null {
  const counts = new Map<number, number>();
  const last = new Map<string, number>();
  for (const { device, atMs } of times) {
    const step = Math.abs(atMs - (last.get(device) ?? atMs)) / minuteMs;
    last.set(device, atMs);
    if (step > 0) counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return intervalLengths.find((length) => length === most?.[0]) ?? null;
}
