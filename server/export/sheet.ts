import { dayMicros } from '../domain/energy-day.ts';

/** How the cells of a column are shown. `moreDecimals` are shown only where they are not 0. */
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
  /** Epoch microseconds; for the plain formats, which know no serials. */
  | { readonly kind: 'instant' };

export interface Column {
  readonly header: string;
  /** What the plain formats call it. */
  readonly field: string;
  readonly format: CellFormat;
  /** What the numbers of a text column in {@link Columns} stand for. */
  readonly texts?: readonly string[];
}

export interface Sheet {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** Many rows, column by column: numbers, or positions in `texts`; NaN where a cell is empty. All have the same length. */
export type Columns = readonly Float64Array<ArrayBuffer>[];

/** A cell; `formula` is what its value was computed by, without the equals sign. */
export interface FormattedCell {
  readonly value: string | number | null;
  readonly format?: CellFormat;
  readonly formula?: string;
  readonly isBold?: boolean;
}
export type Cell = string | number | null | FormattedCell;

/** Columns of a sheet side by side, from the rows of that sheet; drawn on a sheet of its own. */
export interface Chart {
  readonly name: string;
  readonly title: string;
  /** The sheet with the numbers, as it was named. */
  readonly sheet: string;
  readonly rowCount: number;
  /** Positions of columns. */
  readonly categories: number;
  readonly series: readonly number[];
}

/** What a file says of itself. */
export interface FileProperties {
  readonly title: string;
  readonly creator: string;
  /** Epoch milliseconds. */
  readonly madeAtMs: number;
}

export type Rows = readonly (readonly Cell[])[];

/** One step of writing a file, as it goes to the thread that does so. */
export type Part =
  | { readonly kind: 'sheet'; readonly sheet: Sheet }
  | { readonly kind: 'columns'; readonly columns: Columns }
  /** Those `below` stand apart from the table: its filter ends before them. */
  | { readonly kind: 'rows'; readonly rows: Rows; readonly below?: Rows }
  | { readonly kind: 'chart'; readonly chart: Chart }
  | { readonly kind: 'end' };

/** Writes a file part by part; each promise settles when more can be taken. */
export interface FileWriter {
  open(): Promise<void>;
  write(part: Part): Promise<void>;
}

/** Where the bytes of a file go; settles when more can be taken. */
export type WriteBytes = (bytes: Uint8Array) => Promise<void>;

const daysTo1970 = 25_569;
/** Excel knows no day before 1900, and counts a 29th of February in that year. */
const firstSerial = 61;
/** The first day of the year 10000. */
const endSerial = 2_958_466;

/**
 * The day and time of a clock as a number of days (Excel's 1900 date system); `localMicros` counts as if the clock showed UTC.
 * NaN before March 1900 and after the year 9999, which no file can hold as a date.
 */
export function serialOf(localMicros: number): number {
  const serial = localMicros / dayMicros + daysTo1970;
  return serial < firstSerial || serial >= endSerial ? Number.NaN : serial;
}
