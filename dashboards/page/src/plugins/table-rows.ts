import type { Meaning } from '../units.ts';
import type { Part } from './parts.ts';

interface Cell extends Meaning {
  value: number | null;
}

interface Rows {
  /** The names of the series, each a column; null where each has one value, and a row of its own. */
  head: { key: string; name: string }[] | null;
  rows: { key: string; name: string; cells: (Cell | null)[] }[];
}

const cellOf = ({ measure, unit }: Part, value: number | null): Cell => ({ measure, unit, value });

/** What a chart shows as rows: of its times, or, the largest first, of what it has one value each for. */
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
