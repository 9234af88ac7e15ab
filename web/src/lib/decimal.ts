/** `1.234` is one number to some readers and another to others, unless the point is what the reader writes decimals with. */
const grouped = /^[+-]?[1-9]\d{0,2}(?:[.,]\d{3})+$/;

/**
 * Reads a number as it was typed or pasted, with a point or a comma before the decimals. Null for an empty text; undefined
 * for what is no number, or could be read as two different ones (`1,234` where decimals are written with a point).
 */
export function readDecimal(text: string, decimalSeparator: string): number | null | undefined {
  const trimmed = text.trim().replace('−', '-');
  if (trimmed === '') return null;
  if (!/^[+-]?(?:\d+[.,]?\d*|[.,]\d+)$/.test(trimmed)) return undefined;
  if (grouped.test(trimmed) && !trimmed.includes(decimalSeparator)) return undefined;
  return Number(trimmed.replace(',', '.'));
}

/** The number as {@link readDecimal} reads it back, without grouping. */
export function writeDecimal(value: number, decimalSeparator: string): string {
  // toString() turns to exponents from 1e21 on and below 1e-6.
  const text = value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 });
  return text.replace('.', decimalSeparator);
}
