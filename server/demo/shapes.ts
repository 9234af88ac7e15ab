import type { Noise } from './noise.ts';

/** 0 before `from`, 1 after `to`, and a smooth step in between. */
export function ramp(value: number, from: number, to: number): number {
  const x = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return x * x * (3 - 2 * x);
}

/** 1 from `from` to `to`, with smooth edges of `edge` on either side. */
export function plateau(value: number, from: number, to: number, edge: number): number {
  return ramp(value, from - edge, from + edge) * (1 - ramp(value, to - edge, to + edge));
}

/**
 * The share of this minute in which a machine runs that switches on and off by itself: about every `periodMinutes`, for the
 * share `duty` of each cycle. Cycles differ in length by up to 40 %.
 */
export function cycling(noise: Noise, minute: number, periodMinutes: number, duty: number): number {
  const start = (cycle: number) => (cycle + 0.4 * (noise.uniform(cycle) - 0.5)) * periodMinutes;
  let cycle = Math.floor(minute / periodMinutes);
  if (minute < start(cycle)) cycle -= 1;
  else if (minute >= start(cycle + 1)) cycle += 1;
  let share = 0;
  for (const candidate of [cycle, cycle + 1]) {
    const from = start(candidate);
    const to = from + Math.min(1, Math.max(0, duty)) * (start(candidate + 1) - from);
    share += Math.max(0, Math.min(minute + 1, to) - Math.max(minute, from));
  }
  return share;
}

/** Reactive power in kvar of an inductive load with this power factor. */
export function inductive(activeKw: number, powerFactor: number): number {
  return activeKw * Math.tan(Math.acos(powerFactor));
}
