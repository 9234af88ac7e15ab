import type { DelimitedRecord } from '../../../lib/delimited.ts';
import type { HistoryTimes } from './history-times.ts';
import {
  createTimes,
  type HistoryMapping,
  type JudgedHistoryRow,
  lacksPower,
  type ReadHistoryRow,
  readHistoryRow,
  registerFields,
} from './history-rows.ts';

const hourMs = 3_600_000;

/**
 * Reads the records of a file in their order. Where it has registers and no power, a reading gets the mean power between it and the
 * reading of its device before it in the file, and the first one that of the second.
 */
export class HistoryReader {
  readonly #mapping: HistoryMapping;
  readonly #times: HistoryTimes;
  readonly #last = new Map<string, ReadHistoryRow>();
  /** The first reading of each device, until its second comes. */
  readonly #waiting = new Set<ReadHistoryRow>();

  constructor(mapping: HistoryMapping) {
    this.#mapping = mapping;
    this.#times = createTimes(mapping);
  }

  /** How many local times that exist twice were told apart by their place. */
  get repeated(): number {
    return this.#times.repeated;
  }

  /** What is known of the file's rows with this one. */
  read(record: DelimitedRecord): JudgedHistoryRow[] {
    const judged = readHistoryRow(record, this.#mapping, this.#times);
    if (!('row' in judged) || !lacksPower(this.#mapping)) return [judged];
    const before = this.#last.get(judged.externalId);
    this.#last.set(judged.externalId, judged);
    if (before === undefined) {
      this.#waiting.add(judged);
      return [];
    }
    const activePowerKw = meanPowerKw(before, judged);
    const ready = this.#waiting.delete(before) ? [before, judged] : [judged];
    return ready.map((row) => {
      const values = { ...row.values, activePowerKw };
      return { ...row, values, row: { ...row.row, activePowerKw } };
    });
  }

  /** The devices that have one reading only: it has no power. */
  end(): JudgedHistoryRow[] {
    return [...this.#waiting].map(({ line, externalId, time }) => {
      return { line, externalId, time, problem: 'noPower', field: 'activePowerKw' };
    });
  }
}

/** A register that falls was reset, and tells nothing. */
function meanPowerKw(a: ReadHistoryRow, b: ReadHistoryRow): number {
  const hours = (b.startMs - a.startMs) / hourMs;
  if (hours === 0) return 0;
  const [imported, exported] = registerFields.map((field) => {
    const [from, to] = [a.values[field], b.values[field]];
    return typeof from === 'number' && typeof to === 'number' ? Math.max(0, (to - from) / hours) : 0;
  });
  return (imported ?? 0) - (exported ?? 0);
}
