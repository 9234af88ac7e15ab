/** The sort key of a row. Rows without a key come last in both directions. */
export type SortKey = string | number | null;

/** The rows by their keys; rows with equal keys keep their order. */
export function sortedRows<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => SortKey,
  isDescending: boolean,
  compareTexts: (a: string, b: string) => number,
): Row[] {
  const compare = (a: SortKey, b: SortKey): number => {
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(String(a), String(b));
    return isDescending ? -order : order;
  };
  return rows
    .map((row) => ({ row, key: keyOf(row) }))
    .toSorted((a, b) => compare(a.key, b.key))
    .map(({ row }) => row);
}
