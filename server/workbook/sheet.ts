import type { MessagePort } from 'node:worker_threads';
import { dayMicros } from '../base/instants.ts';

/** How the cells of a column are displayed. `moreDecimals` appear only where they are not 0. */
export type CellFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'number'; readonly decimals: number; readonly moreDecimals?: number; readonly unit?: string }
  | { readonly kind: 'money'; readonly decimals: number; readonly moreDecimals?: number; readonly currency: string }
  | { readonly kind: 'share'; readonly moreDecimals: number }
  /** Serials of a local date or time ({@link serialOf}). */
  | { readonly kind: 'date' }
  | { readonly kind: 'month' }
  /** `isExact` shows milliseconds. */
  | { readonly kind: 'dateTime'; readonly isExact?: boolean }
  /** Epoch microseconds, for the plain formats, which do not use serials. */
  | { readonly kind: 'instant' }
  /** {@link packZoned}, for the plain formats: local times with their offset. */
  | { readonly kind: 'zoned' };

export interface Column {
  readonly header: string;
  /** The name of the column in the plain formats. */
  readonly field: string;
  readonly format: CellFormat;
  /** The texts that the numbers of a text column in {@link Columns} refer to. */
  readonly texts?: readonly string[];
}

export interface Sheet {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** Many rows, column by column: numbers, or positions in `texts`; NaN if a cell is empty. All have the same length. */
export type Columns = readonly Float64Array<ArrayBuffer>[];

/** A cell; `formula` is the formula of its value, without the equals sign. */
export interface FormattedCell {
  readonly value: string | number | null;
  readonly format?: CellFormat;
  readonly formula?: string;
  readonly isBold?: boolean;
}
export type Cell = string | number | null | FormattedCell;

/** A bar chart of columns of a sheet, on a chart sheet of its own. */
export interface Chart {
  readonly name: string;
  readonly title: string;
  /** Name of the sheet with the numbers. */
  readonly sheet: string;
  readonly rowCount: number;
  /** Column indexes. */
  readonly categories: number;
  readonly series: readonly number[];
}

/** Metadata of a file. */
export interface FileProperties {
  readonly title: string;
  readonly creator: string;
  /** Epoch milliseconds. */
  readonly madeAtMs: number;
}

export type Rows = readonly (readonly Cell[])[];

/** One step of writing a file, as sent to the export thread. */
export type Part =
  /** `rowCount` is the number of rows that follow, those below the table included. */
  | { readonly kind: 'sheet'; readonly sheet: Sheet; readonly rowCount: number }
  | { readonly kind: 'columns'; readonly columns: Columns }
  /** Rows `below` are not part of the table, so its filter ends before them. */
  | { readonly kind: 'rows'; readonly rows: Rows; readonly below?: Rows }
  | { readonly kind: 'chart'; readonly chart: Chart }
  | { readonly kind: 'end' };

/** Writes a file part by part; each promise settles when it can take the next part. */
export interface FileWriter {
  open(): Promise<void>;
  write(part: Part): Promise<void>;
}

/** Receives the bytes of a file; settles when it can take more. */
export type WriteBytes = (bytes: Uint8Array) => Promise<void>;

const offsetRoom = 2 ** 18;

/** An instant, to the second, and its offset from UTC in one number, because a cell holds only one. */
export const packZoned = (micros: number, offsetMicros: number): number =>
  Math.floor(micros / 1_000_000) * offsetRoom + Math.round(offsetMicros / 1_000_000) + offsetRoom / 2;

/** Both in epoch microseconds. */
export function unpackZoned(packed: number): { micros: number; offsetMicros: number } {
  const seconds = Math.floor(packed / offsetRoom);
  return { micros: seconds * 1_000_000, offsetMicros: (packed - seconds * offsetRoom - offsetRoom / 2) * 1_000_000 };
}

const daysTo1970 = 25_569;
/** Excel starts at 1900 and counts a 29 February in that year. */
const firstSerial = 61;
/** The first day of the year 10000. */
const endSerial = 2_958_466;

/**
 * A local date and time as a number of days (Excel's 1900 date system); `localMicros` is the local time read as if it were UTC.
 * NaN before March 1900 and after the year 9999, which Excel cannot store as a date.
 */
export function serialOf(localMicros: number): number {
  const serial = localMicros / dayMicros + daysTo1970;
  return serial < firstSerial || serial >= endSerial ? Number.NaN : serial;
}

/** A file for the thread to write; all messages about it use its own port. */
export interface ExportJob {
  format: 'xlsx' | 'csv' | 'ndjson';
  isGzip: boolean;
  properties: FileProperties;
  port: MessagePort;
}

/** Messages to the thread: the next part, or how many of its bytes were consumed. */
export type ToThread = { part: Part } | { takenBytes: number };

/** Messages from the thread: bytes of the file, a part was taken, the file is finished, or why it failed. */
export type FromThread = { bytes: Uint8Array<ArrayBuffer> } | 'partTaken' | 'finished' | { failure: string };
