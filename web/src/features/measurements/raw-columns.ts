import type { RawMeasurementsPage } from '../../../../shared/measurements.ts';
import { rawQuantities, type RawQuantity } from './quantities.ts';

/** The quantities that some row of the pages has, in their order; `known` are kept, so that no column goes again. */
export function measuredQuantities(
  pages: readonly RawMeasurementsPage[],
  known: readonly RawQuantity[],
): readonly RawQuantity[] {
  const found = new Set(known);
  for (const { rows } of pages) {
    for (const row of rows) {
      for (const { id } of rawQuantities) if (row[id] !== null) found.add(id);
      if (found.size === rawQuantities.length) break;
    }
  }
  if (found.size === known.length) return known;
  return rawQuantities.flatMap(({ id }) => (found.has(id) ? [id] : []));
}
