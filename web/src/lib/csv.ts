/** The data of a chart as a file, with all digits. */
export interface CsvTable {
  /** The name of the file, without its extension. */
  name: string;
  header: readonly string[];
  rows: readonly (readonly (string | number | null)[])[];
}

/** Matches a text that a spreadsheet would read as a formula, even a spreadsheet that splits cells at semicolons or tabs. */
const formulaStart = /(^|[;\t\r\n])(?=[=+\-@\t\r＝＋－＠])/g;

/** Sums of binary fractions leave noise digits: 18.833000000002812. */
const numberText = (value: number): string => {
  const text = String(value);
  return text.length < 16 ? text : String(Number(value.toFixed(9)));
};

const cellText = (value: string | number | null): string => {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? numberText(value) : '';
  const safe = value.replaceAll(formulaStart, "$1'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/**
 * Comma-separated values (RFC 4180) with a header. A text that looks like a formula gets an apostrophe in front, as in the
 * portal's exports.
 */
export const csvText = ({ header, rows }: Pick<CsvTable, 'header' | 'rows'>): string =>
  [header, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('');

/** A name that any file system accepts: `Load curve 1–7 Nov` becomes `load-curve-1-7-nov`. */
export const fileStem = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 100);

/** With a byte order mark, because spreadsheets recognize UTF-8 only by it. */
export const csvFile = (table: CsvTable): Blob =>
  new Blob(['\ufeff', csvText(table)], { type: 'text/csv;charset=utf-8' });
