const minuteMs = 60_000;
const pieceMs = 15 * minuteMs;

/** How long the intervals of a load profile are, in minutes. */
export const intervalLengths = [1, 5, 10, 15, 30, 60] as const;
export type IntervalMinutes = (typeof intervalLengths)[number];

/** Which end of its interval a row's time is. */
export const intervalStamps = ['start', 'end'] as const;
export type IntervalStamp = (typeof intervalStamps)[number];

export interface PowerSample {
  atMs: number;
  /** Positive is import, negative is export. */
  activePowerKw: number;
}

/**
 * The power that gives just the energy of an interval, kWh, where energy is the trapezoids between samples: level, from the start of
 * each quarter of an hour to a millisecond before its end. What was both imported and exported takes half of the time each.
 */
export function powerOfInterval(
  startMs: number,
  minutes: IntervalMinutes,
  importedKwh: number,
  exportedKwh: number,
): PowerSample[] {
  const hours = minutes / 60;
  const level = (fromMs: number, toMs: number, activePowerKw: number) => [
    { atMs: fromMs, activePowerKw },
    { atMs: toMs - 1, activePowerKw },
  ];
  const endMs = startMs + minutes * minuteMs;
  const samples: PowerSample[] = [];
  for (let fromMs = startMs; fromMs < endMs; fromMs += pieceMs) {
    const toMs = Math.min(fromMs + pieceMs, endMs);
    const middleMs = (fromMs + toMs) / 2;
    if (importedKwh === 0 || exportedKwh === 0)
      samples.push(...level(fromMs, toMs, (importedKwh - exportedKwh) / hours));
    else {
      samples.push(...level(fromMs, middleMs, (2 * importedKwh) / hours));
      samples.push(...level(middleMs, toMs, (-2 * exportedKwh) / hours));
    }
  }
  return samples;
}

/** A time of a file as it was read, epoch milliseconds, and the device of its row. */
export interface ReadTime {
  device: string;
  atMs: number;
}

/** How far the times of each device are mostly apart; null where that is no usual length. */
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
