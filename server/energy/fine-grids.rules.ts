import { endOfGrid, type Grid } from './energy.rules.ts';
import { dayOf } from './energy-day.rules.ts';
import { type MicrosRange, dayMicros } from '../base/instants.ts';

/** Readings from which fine buckets are computed at once: some 10 ms of the event loop. */
export const readingsAtOnce = 5_000;

/** The buckets in the range, and the parts of those that it cuts. */
export function fineGrids({ fromMicros, toMicros }: MicrosRange, start: number, width: number): Grid[] {
  const first = start + Math.ceil((fromMicros - start) / width) * width;
  const last = start + Math.floor((toMicros - start) / width) * width;
  const part = (from: number, to: number) => ({ startMicros: from, widthMicros: to - from, count: 1 });
  if (first > last) return [part(fromMicros, toMicros)];
  const whole = { startMicros: first, widthMicros: width, count: (last - first) / width };
  return [part(fromMicros, first), whole, part(last, toMicros)].filter(
    ({ widthMicros, count }) => widthMicros > 0 && count > 0,
  );
}

/** A grid in parts, each with about as many readings as are computed at once; `counts` has the readings of each day. */
export function gridsOfFewReadings(grid: Grid, counts: ReadonlyMap<number, number>): Grid[] {
  const { widthMicros } = grid;
  const parts: Grid[] = [];
  let open = { startMicros: grid.startMicros, readings: 0 };
  const close = (toMicros: number) => {
    parts.push({ startMicros: open.startMicros, widthMicros, count: (toMicros - open.startMicros) / widthMicros });
    open = { startMicros: toMicros, readings: 0 };
  };
  for (let day = dayOf(grid.startMicros); day * dayMicros < endOfGrid(grid); day += 1) {
    const pieces = Math.max(1, Math.ceil((counts.get(day) ?? 0) / readingsAtOnce));
    const readings = (counts.get(day) ?? 0) / pieces;
    const step = Math.ceil(dayMicros / pieces / widthMicros) * widthMicros;
    const dayEnd = Math.min((day + 1) * dayMicros, endOfGrid(grid));
    for (let at = Math.max(day * dayMicros, grid.startMicros); at < dayEnd; at += step) {
      if (open.readings > 0 && open.readings + readings > readingsAtOnce) close(at);
      open.readings += readings;
    }
  }
  close(endOfGrid(grid));
  return parts;
}
