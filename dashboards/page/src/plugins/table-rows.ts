import type { Meaning } from '../units.ts';
import type { Part } from './parts.ts';

interface Cell extends Meaning {
  value: number | null;
}

interface Rows {
  /** The names of the series, one for each column. Null if each series has only one value and so a row of its own. */
  head: { key: string; name: string }[] | null;
  rows: { key: string; name: string; cells: (Cell | null)[] }[];
}

const cellOf = ({ measure, unit }: Part, value: number | null): Cell => ({ measure, unit, value });

/**
 * The data of a chart as rows: one row for each time. If each series has only one value: one row for each series, sorted by
 * value.
 */
export function rowsOf(parts: readonly Part[], nameOfTime: (atMs: number) => string): Rows {
  if (parts.every(({ points }) => points.length <= 1)) {
    const cells = parts.map((part) => ({
      key: part.key,
      name: part.name,
      cell: cellOf(part, part.points[0]?.[1] ?? null),
    }));
    const sorted = cells.toSorted((a, b) => (b.cell.value ?? -Infinity) - (a.cell.value ?? -Infinity));
    return { head: null, rows: sorted.map(({ cell, ...named }) => ({ ...named, cells: [cell] })) };
  }
  const times = new Map<number, (Cell | null)[]>();
  for (const [column, part] of parts.entries()) {
    for (const [at, value] of part.points) {
      const row = times.get(at) ?? parts.map(() => null);
      row[column] = cellOf(part, value);
      times.set(at, row);
    }
  }
  const sorted = [...times].toSorted(([a], [b]) => a - b);
  return {
    head: parts.map(({ key, name }) => ({ key, name })),
    rows: sorted.map(([at, cells]) => ({ key: `${at}`, name: nameOfTime(at), cells })),
  };
}
