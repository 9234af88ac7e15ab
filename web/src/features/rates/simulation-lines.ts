import type { SimulationResult } from '../../../../shared/rates.ts';

type Line = SimulationResult['periods'][number];

/** One line for each name and rate: the portal has one for each period, and a band may be several of them. */
export function mergedLines(lines: readonly Line[]): Line[] {
  const merged = new Map<string, Line>();
  for (const line of lines) {
    const key = `${line.ratePerKwh} ${line.name}`;
    const known = merged.get(key);
    merged.set(key, {
      ...line,
      energyKwh: (known?.energyKwh ?? 0) + line.energyKwh,
      cost: (known?.cost ?? 0) + line.cost,
    });
  }
  return [...merged.values()];
}
