import { isRealDataThere, readRealData, type RealRow } from '../../test/support/real-data.ts';

/** A row of an ingest body. */
export type BenchRow = RealRow;

/** The row of that number of a stream of rows without end. */
export type RowOf = (number: number) => BenchRow;

/** Of row 0. */
export const rowStart = Date.UTC(2026, 0, 1);

/**
 * Real one-minute rows, replicated over `devices` devices and shifted in time, each (device, time) once. Row i belongs to device i
 * modulo `devices`, as a gateway sends them: all its devices, minute by minute.
 */
export function openReadings(devices: number): RowOf {
  if (!isRealDataThere) {
    throw new Error('The benchmarks replay real meter data, and ../shared/data is not beside the repository.');
  }
  const source = readRealData('uci-household-1min-2006-12').filter((row) => row.externalId === 'uci-main');
  return (number) => {
    const device = number % devices;
    const minute = Math.floor(number / devices);
    const real = source[(minute + device * 37) % source.length];
    if (real === undefined) throw new Error('the real data set is empty');
    return { ...real, externalId: externalIdOf(device), time: new Date(rowStart + minute * 60_000).toISOString() };
  };
}

/** Rows `from` up to `to`, in batches. */
export function* batchesOf(rowOf: RowOf, { from, to, size }: { from: number; to: number; size: number }) {
  for (let at = from; at < to; at += size) {
    yield Array.from({ length: Math.min(size, to - at) }, (_, index) => rowOf(at + index));
  }
}

export const externalIdOf = (device: number) => `bench-${device}`;
