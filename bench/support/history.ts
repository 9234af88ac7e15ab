import { type BenchRow, readMeterRows } from './meter-rows.ts';
import { externalIdOf } from './readings.ts';

export const minuteMs = 60_000;
export const dayMs = 86_400_000;
export const minutesPerDay = 1440;

/**
 * Years of a device, repeated from three weeks of one-minute rows of a meter. The register continues, so the energy is the same
 * at any sampling interval. Device d is 37 minutes ahead of device d - 1.
 */
export interface MeterHistory {
  /** The row of a minute since the start of the history, optionally with another time. */
  rowAt(device: number, minute: number, time?: number): BenchRow;
  /** The register of a device at that minute, in kWh. */
  registerAt(device: number, minute: number): number;
}

/** The history of devices from an instant (epoch milliseconds). */
export function meterHistory(startMs: number): MeterHistory {
  const all = readMeterRows();
  // Up to the first gap: rows that follow each other by the minute.
  const gap = all.findIndex((row, at) => Date.parse(all[at + 1]?.time ?? '') - Date.parse(row.time) > 60 * minuteMs);
  const source = gap === -1 ? all : all.slice(0, gap + 1);
  const [first, last] = [source[0]?.energyImportedKwh ?? 0, source.at(-1)?.energyImportedKwh ?? 0];

  const find = (device: number, minute: number) => {
    const at = minute + device * 37;
    const row = source[at % source.length];
    if (row === undefined) throw new Error('The meter has no rows.');
    const register = (row.energyImportedKwh ?? 0) + Math.floor(at / source.length) * (last - first);
    // To the milliwatt-hour, as the portal stores it.
    return { row, register: Number(register.toFixed(6)) };
  };

  return {
    registerAt: (device, minute) => find(device, minute).register,
    rowAt(device, minute, time = startMs + minute * minuteMs) {
      const { row, register } = find(device, minute);
      return {
        ...row,
        externalId: externalIdOf(device),
        time: new Date(time).toISOString(),
        energyImportedKwh: register,
      };
    },
  };
}

/** The same for more devices: the first `meters` are repeated. */
export const repeatedHistory = (history: MeterHistory, meters: number): MeterHistory => ({
  registerAt: (device, minute) => history.registerAt(device % meters, minute),
  rowAt: (device, minute, time) => ({
    ...history.rowAt(device % meters, minute, time),
    externalId: externalIdOf(device),
  }),
});

/** Minutes since the start of the history at which a device sends a row: `from` to `to`, every `step` minutes. */
export interface Interval {
  from: number;
  to: number;
  step: number;
}

export const rowsOf = ({ from, to, step }: Interval): number => Math.max(0, Math.ceil((to - from) / step));

/** Ingest bodies with the rows of some devices, ordered by time as a gateway sends them; `isLeftOut` withholds rows. */
export function* historyBodies(
  history: MeterHistory,
  devices: readonly number[],
  intervals: readonly Interval[],
  isLeftOut: (device: number, minute: number) => boolean = () => false,
): Generator<{ body: string; rows: number }> {
  const rowsPerBody = 5_000;
  let rows: BenchRow[] = [];
  for (const { from, to, step } of intervals) {
    for (let minute = from; minute < to; minute += step) {
      for (const device of devices) {
        if (isLeftOut(device, minute)) continue;
        rows.push(history.rowAt(device, minute));
        if (rows.length < rowsPerBody) continue;
        yield { body: JSON.stringify(rows), rows: rows.length };
        rows = [];
      }
    }
  }
  if (rows.length > 0) yield { body: JSON.stringify(rows), rows: rows.length };
}
