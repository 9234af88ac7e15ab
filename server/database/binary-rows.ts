import type { Transaction } from './pool.ts';

/** PostgreSQL counts microseconds from 2000-01-01. */
export const postgresEpochMicros = 946_684_800_000_000;
const signatureBytes = 19;

/**
 * The rows of a query in PostgreSQL's binary COPY format (https://www.postgresql.org/docs/current/sql-copy.html), read field
 * by field: the text protocol would send bytea at twice the size. COPY takes no parameters, so `text` must contain no input but
 * numbers.
 */
export async function readBinaryRows(tx: Transaction, text: string): Promise<BinaryRows> {
  return new BinaryRows(await tx.copyOut(`COPY (${text}) TO STDOUT (FORMAT binary)`));
}

/** The position of the bytes of a field within those of all rows. */
export interface Field {
  start: number;
  length: number;
}

/** A cursor over rows: call `next`, then read its fields in order. */
export class BinaryRows {
  readonly bytes: Buffer;
  #at = signatureBytes;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Moves to the next row; false after the last. */
  next(): boolean {
    const fields = this.bytes.readInt16BE(this.#at);
    this.#at += 2;
    return fields >= 0;
  }

  int4(): number {
    const value = this.bytes.readInt32BE(this.#at + 4);
    this.#at += 8;
    return value;
  }

  /** An int4 or int8, or the microseconds since 2000 of a timestamp; a bigint where a number would not be exact. */
  integer(): number | bigint | null {
    const length = this.bytes.readInt32BE(this.#at);
    const start = this.#at + 4;
    this.#at = start + Math.max(0, length);
    if (length < 0) return null;
    if (length === 4) return this.bytes.readInt32BE(start);
    const value = this.bytes.readInt32BE(start) * 2 ** 32 + this.bytes.readUInt32BE(start + 4);
    return Number.isSafeInteger(value) ? value : this.bytes.readBigInt64BE(start);
  }

  float8(): number {
    const value = this.bytes.readDoubleBE(this.#at + 4);
    this.#at += 12;
    return value;
  }

  /** Null if the field is null. */
  field(): Field | null {
    const length = this.bytes.readInt32BE(this.#at);
    this.#at += 4;
    if (length < 0) return null;
    const start = this.#at;
    this.#at += length;
    return { start, length };
  }
}
