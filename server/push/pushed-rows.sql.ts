import { fromFixedUnits, quantityColumns, storedQuantities } from '../base/quantities.ts';
import { formatInstant } from '../base/instants.ts';
import { postgresEpochMicros, readBinaryRows } from '../database/rows.ts';
import type { Transaction } from '../database/pool.ts';
import { yieldToOthers } from '../database/turns.ts';

/** The position of a row in the order in which rows are sent. */
export interface PushPosition {
  receivedAt: string;
  time: string;
  deviceId: string;
}

/** The columns that {@link PushedRows} takes. */
export const pushedColumns = `m.received_at, m.time, m.device_number, ${quantityColumns('m')}`;

/** The number of rows that are written at a time: they take about a millisecond, and only they are in memory as objects. */
const rowsPerPiece = 500;

/**
 * Measurements in the form that the fleet accepts. They are written as text while they are read. As objects, five thousand rows
 * would be kept until the last one arrives. That would fill the old heap by a hundred MiB within seconds.
 */
export class PushedRows {
  count = 0;
  first: PushPosition | null = null;
  last: PushPosition | null = null;
  /** How many of these rows have the same received_at as the last one. */
  countOfLast = 0;
  readonly #pieces: Buffer[] = [];

  /**
   * Adds the result of a query of {@link pushedColumns}, up to `limit` rows in total. Returns when the first row beyond the
   * limit was received; null if there is none.
   */
  async add(
    tx: Transaction,
    text: string,
    { idOf, limit }: { idOf: ReadonlyMap<number, string>; limit: number },
  ): Promise<string | null> {
    const rows = await readBinaryRows(tx, text);
    let piece: object[] = [];
    let [receivedMicros, receivedAt, timeMicros, time] = [Number.NaN, '', Number.NaN, ''];
    while (rows.next()) {
      const [received, at] = [rows.integer(), rows.integer()].map((micros) => Number(micros) + postgresEpochMicros);
      if (received !== undefined && received !== receivedMicros)
        [receivedMicros, receivedAt] = [received, formatInstant(received)];
      if (this.count === limit) {
        this.#write(piece);
        return receivedAt;
      }
      if (at !== undefined && at !== timeMicros) [timeMicros, time] = [at, formatInstant(at)];
      const deviceId = idOf.get(rows.int4()) ?? '';
      const measurement: Record<string, string | number | null> = { deviceId, time };
      for (const { name, scale } of storedQuantities) {
        const units = rows.integer();
        measurement[name] = units === null ? null : fromFixedUnits(units, scale);
      }
      piece.push(measurement);
      this.count += 1;
      this.countOfLast = this.last?.receivedAt === receivedAt ? this.countOfLast + 1 : 1;
      this.last = { receivedAt, time, deviceId };
      this.first ??= this.last;
      if (piece.length < rowsPerPiece) continue;
      this.#write(piece);
      piece = [];
      await yieldToOthers();
    }
    this.#write(piece);
    return null;
  }

  /** A JSON list. */
  body(): Buffer {
    return Buffer.concat([Buffer.from('['), ...this.#pieces, Buffer.from(']')]);
  }

  #write(piece: readonly object[]): void {
    if (piece.length === 0) return;
    if (this.#pieces.length > 0) this.#pieces.push(Buffer.from(','));
    this.#pieces.push(Buffer.from(JSON.stringify(piece).slice(1, -1)));
  }
}
