/** Rows and columns of a sheet that Excel can have. */
export const maxRows = 1_048_576;
export const maxColumns = 16_384;

/** Counted from 1, both ends in it. */
export interface Range {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** The number of a column: A is 1, XFD 16384. */
export function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

/** Row and column of a reference such as `B7`, from 1. Throws if the cell cannot exist. */
export function parseCell(reference: string): { row: number; column: number } {
  const [, letters, digits] = /^([A-Z]{1,3})([1-9]\d{0,6})$/u.exec(reference) ?? [];
  const column = columnNumber(letters ?? '');
  const row = Number(digits);
  if (letters === undefined || column > maxColumns || row > maxRows)
    throw new Error(`${JSON.stringify(reference)} is no cell of A1:XFD${maxRows}.`);
  return { row, column };
}

/** A range such as `A1:D7`, or a single cell. Throws when it is none, or the wrong way round. */
export function parseRange(reference: string): Range {
  const [first = '', second = first, ...others] = reference.split(':');
  const [start, end] = [parseCell(first), parseCell(second)];
  if (others.length > 0 || start.row > end.row || start.column > end.column)
    throw new Error(`${JSON.stringify(reference)} is no range from top left to bottom right.`);
  return { top: start.row, left: start.column, bottom: end.row, right: end.column };
}

/** A range of a sheet in the way of a formula: `Data!$A$1:$D$7`, `'It''s'!$A$1`. Throws when it is none. */
export function parseSheetRange(formula: string): { sheet: string; range: Range } {
  const [, quoted, plain, range] = /^(?:'((?:[^']|'')+)'|([\p{L}\p{N}_.]+))!([A-Z$\d:]+)$/u.exec(formula) ?? [];
  const sheet = quoted?.replaceAll("''", "'") ?? plain;
  if (sheet === undefined || range === undefined) throw new Error(`${JSON.stringify(formula)} is no range of a sheet.`);
  return { sheet, range: parseRange(range.replaceAll('$', '')) };
}

export const contains = (outer: Range, inner: Range) =>
  outer.top <= inner.top && outer.left <= inner.left && outer.bottom >= inner.bottom && outer.right >= inner.right;

export const overlap = (a: Range, b: Range) =>
  a.top <= b.bottom && b.top <= a.bottom && a.left <= b.right && b.left <= a.right;
