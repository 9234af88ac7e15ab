import type { SeriesAnswer } from '../../shared/dashboard-tool.ts';

type Series = SeriesAnswer['series'][number];

/**
 * Reduces series to `limit`: the largest ones in their order, and the sum of the others as the last. All must have the same times
 * and unit.
 */
export function withOthers(series: readonly Series[], limit: number): Series[] {
  if (series.length <= limit) return [...series];
  const sizes = new Map(
    series.map((one) => [one, one.points.reduce((sum, [, value]) => sum + Math.abs(value ?? 0), 0)]),
  );
  const bySize = series.toSorted((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
  const others = bySize.slice(limit - 1);
  const small = new Set(others);
  const points = (others[0]?.points ?? []).map(([time], at): Series['points'][number] => {
    const known = others.flatMap((one) => one.points[at]?.[1] ?? []);
    return [time, known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)];
  });
  const unit = others[0]?.unit ?? '';
  const rest = { name: `Others (${others.length})`, unit, labels: { others: String(others.length) }, points };
  return [...series.filter((one) => !small.has(one)), rest];
}
