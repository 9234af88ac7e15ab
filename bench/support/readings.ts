import { type BenchRow, readMeterRows } from './meter-rows.ts';

/** The row with that number in an endless stream. */
export type RowOf = (number: number) => BenchRow;

/** The time of row 0. */
export const rowStart = Date.UTC(2026, 0, 1);

/**
 * One-minute rows of a meter, repeated for `devices` devices and shifted in time, each (device, time) once. Row i belongs to
 * device i modulo `devices`: a gateway sends all its devices, minute by minute.
 */
export function openReadings(devices: number): RowOf {
  const source = readMeterRows();
  return (number) => {
    const device = number % devices;
    const minute = Math.floor(number / devices);
    const row = source[(minute + device * 37) % source.length];
    if (row === undefined) throw new Error('The meter has no rows.');
    return { ...row, externalId: externalIdOf(device), time: new Date(rowStart + minute * 60_000).toISOString() };
  };
}

/** Rows `from` to `to`, in batches. */
export function* batchesOf(rowOf: RowOf, { from, to, size }: { from: number; to: number; size: number }) {
  for (let at = from; at < to; at += size) {
    yield Array.from({ length: Math.min(size, to - at) }, (_, index) => rowOf(at + index));
  }
}

export const externalIdOf = (device: number) => `bench-${device}`;
