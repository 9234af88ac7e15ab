import { isRealDataThere, readRealData, type RealRow } from '../../test/support/real-data.ts';

/** A row of an ingest body. */
export type BenchRow = RealRow;

/**
 * Batches of real one-minute rows, replicated over `devices` devices and shifted in time, each (device, time) once.
 * Row i of a batch belongs to device i modulo `devices`, as a gateway sends them: all its devices, minute by minute.
 */
export function* readingBatches(options: {
  batches: number;
  rowsPerBatch: number;
  devices: number;
}): Generator<BenchRow[]> {
  if (!isRealDataThere) {
    throw new Error('The benchmarks replay real meter data, and ../shared/data is not beside the repository.');
  }
  const source = readRealData('uci-household-1min-2006-12').filter((row) => row.externalId === 'uci-main');
  const start = Date.UTC(2026, 0, 1);
  let number = 0;
  for (let batch = 0; batch < options.batches; batch += 1) {
    const rows: BenchRow[] = [];
    for (let at = 0; at < options.rowsPerBatch; at += 1, number += 1) {
      const device = number % options.devices;
      const minute = Math.floor(number / options.devices);
      const real = source[(minute + device * 37) % source.length];
      if (real === undefined) throw new Error('the real data set is empty');
      rows.push({ ...real, externalId: externalIdOf(device), time: new Date(start + minute * 60_000).toISOString() });
    }
    yield rows;
  }
}

export const externalIdOf = (device: number) => `bench-${device}`;
