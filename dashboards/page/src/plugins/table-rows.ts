interface Series {
  name: string;
  formattedName?: string;
  values: readonly (readonly [number, number | null])[];
}

interface Rows {
  /** The columns of points; null where each series has one value, and a row of its own. */
  head: { column: number; name: string }[] | null;
  rows: { key: number; name: string; values: (number | null)[] }[];
}

/** What a chart shows as rows: of its times, or, the largest first, of what it has one value each for. */
export function rowsOf(series: readonly Series[], nameOfTime: (atMs: number) => string): Rows {
  const nameOf = ({ name, formattedName }: Series) => formattedName ?? name;
  if (series.every(({ values }) => values.length <= 1)) {
    const sized = series.map((one) => ({ name: nameOf(one), value: one.values[0]?.[1] ?? null }));
    const sorted = sized.toSorted((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity));
    return { head: null, rows: sorted.map(({ name, value }, key) => ({ key, name, values: [value] })) };
  }
  const times = new Map<number, (number | null)[]>();
  for (const [column, { values }] of series.entries()) {
    for (const [at, value] of values) {
      const row = times.get(at) ?? series.map(() => null);
      row[column] = value;
      times.set(at, row);
    }
  }
  const sorted = [...times].toSorted(([a], [b]) => a - b);
  return {
    head: series.map((one, column) => ({ column, name: nameOf(one) })),
    rows: sorted.map(([at, values]) => ({ key: at, name: nameOfTime(at), values })),
  };
}
