import type { RawMeasurementsPage } from '../../../../shared/measurements.ts';
import { quantities, type QuantityName } from '../../../../shared/quantities.ts';

/** The quantities that occur in any row of the pages, in their order. Those in `known` stay, so that no column disappears. */
export function measuredQuantities(
  pages: readonly RawMeasurementsPage[],
  known: readonly QuantityName[],
): readonly QuantityName[] {
  const found = new Set(known);
  for (const { rows } of pages) {
    for (const row of rows) {
      for (const { name } of quantities) if (row[name] !== null) found.add(name);
      if (found.size === quantities.length) break;
    }
  }
  if (found.size === known.length) return known;
  return quantities.flatMap(({ name }) => (found.has(name) ? [name] : []));
}
