/**
 * Thousands that are separated by commas, points, spaces or apostrophes, by the same character each time. Also lakhs
 * (`1,23,456`).
 */
const grouped = /^([1-9]\d{0,2}([.,\s'’])(?:\d{2,3}\2)*\d{3})((?!\2)[.,]\d*)?$/;

/**
 * Reads a number as typed or pasted: a point or a comma before the decimals, with or without grouped thousands. Ambiguous numbers
 * (`1,234`) are read with `decimalSeparator`. Null for an empty text, undefined for anything that is not a number.
 */
export function readDecimal(text: string, decimalSeparator: string): number | null | undefined {
  const trimmed = text.trim().replace('−', '-');
  if (trimmed === '') return null;
  const [, sign = '', digits = ''] = /^([+-]?)(.*)$/s.exec(trimmed) ?? [];
  const plain = ungrouped(digits, decimalSeparator);
  return /^(?:\d+[.,]?\d*|[.,]\d+)$/.test(plain) ? Number(sign + plain.replace(',', '.')) : undefined;
}

/** The same for validation by a schema: a text that is no number is NaN, which no schema accepts. */
export function typedNumber(text: string, decimalSeparator: string): number | null {
  const value = readDecimal(text, decimalSeparator);
  return value === undefined ? Number.NaN : value;
}

/**
 * The number in a cell of a file whose decimals use one of the two separators. The other separator may only group thousands.
 * Nobody checks each cell. So a text is undefined if it would be another number with the other separator (`12.345`, or `0.5` if
 * the comma is the separator).
 */
export function readFileDecimal(text: string, decimalSeparator: '.' | ','): number | null | undefined {
  const other = decimalSeparator === ',' ? '.' : ',';
  const [decimals, groups] = [text.split(decimalSeparator).length - 1, text.split(other).length - 1];
  const isGrouping = groups > 1 || text.lastIndexOf(decimalSeparator) > text.lastIndexOf(other);
  return decimals > 1 || (groups > 0 && !isGrouping) ? undefined : readDecimal(text, decimalSeparator);
}

function ungrouped(digits: string, decimalSeparator: string): string {
  const [, whole = '', separator = '', decimals = ''] = grouped.exec(digits) ?? [];
  if (separator === '') return digits;
  const parts = whole.split(separator);
  const isDecimal = parts.length === 2 && decimals === '' && separator === decimalSeparator;
  return isDecimal ? digits : parts.join('') + decimals;
}

/** Whether everyone reads the number in the same way: it has no groups, and decimals in the reader's format. */
export const isPlainDecimal = (text: string, decimalSeparator: string): boolean =>
  text
    .trim()
    .replace(decimalSeparator, '')
    .search(/[^\d+−-]/) === -1;

/** The number as {@link readDecimal} reads it back, without grouping. */
export function writeDecimal(value: number, decimalSeparator: string): string {
  // toString() uses exponents from 1e21 on and below 1e-6.
  const text = value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 });
  return text.replace('.', decimalSeparator);
}
