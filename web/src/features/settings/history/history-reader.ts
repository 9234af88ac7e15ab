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
 * Reads the records of a file in their order. If the file has registers but no power, a reading gets the mean power since the
 * previous reading of its device in the file. The first reading gets the power of the second one.
 */
export class HistoryReader {
  readonly #mapping: HistoryMapping;
  readonly #times: HistoryTimes;
  readonly #last = new Map<string, ReadHistoryRow>();
  /** The first reading of each device, kept until its second one arrives. */
  readonly #waiting = new Set<ReadHistoryRow>();

  constructor(mapping: HistoryMapping) {
    this.#mapping = mapping;
    this.#times = createTimes(mapping);
  }

  /** The number of local times that occur twice and were resolved by their position. */
  get repeated(): number {
    return this.#times.repeated;
  }

  /** The state of the file's rows including this one. */
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

  /** The devices with only one reading. That reading has no power, because there is no second one. */
  end(): JudgedHistoryRow[] {
    return [...this.#waiting].map(({ line, externalId, time }) => {
      return { line, externalId, time, problem: 'noPower', field: 'activePowerKw' };
    });
  }
}

/** If a register falls, it was reset, so it shows no energy. */
function meanPowerKw(a: ReadHistoryRow, b: ReadHistoryRow): number {
  const hours = (b.startMs - a.startMs) / hourMs;
  if (hours === 0) return 0;
  const [imported, exported] = registerFields.map((field) => {
    const [from, to] = [a.values[field], b.values[field]];
    return typeof from === 'number' && typeof to === 'number' ? Math.max(0, (to - from) / hours) : 0;
  });
  return (imported ?? 0) - (exported ?? 0);
}
