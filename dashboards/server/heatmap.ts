import type { HeatmapAnswer, HeatmapQuestion } from '../../shared/dashboard-tool.ts';
import { sharedZone } from '../../server/base/ranges.ts';
import { type Asked, readCurves } from './buckets.ts';
import { units } from './series.ts';
import { edgesOf } from './steps.ts';

/** The hours of each local day: average power, or imported energy. The repeated hour of an autumn day counts as one. */
export async function answerHeatmap(
  { measure }: HeatmapQuestion,
  asked: Asked,
  fallbackZone: string,
): Promise<HeatmapAnswer> {
  const timeZone = sharedZone(
    asked.sources.flatMap((source) => source.devices),
    fallbackZone,
  );
  const edges = edgesOf(asked.ranges, 'hour', timeZone)(timeZone);
  const buckets = { edgesOf: () => edges, count: edges.length - 1, step: 'hour' } as const;
  const quantity = measure === 'power' ? 'averagePowerKw' : 'energyImportedKwh';
  const [values = []] = (await readCurves(asked, buckets, quantity)).values();
  return heatmapOf(values, { measure, edges, timeZone });
}

/** The values of hours as a map. */
export function heatmapOf(
  values: readonly (number | null)[],
  { measure, edges, timeZone }: Pick<HeatmapQuestion, 'measure'> & { edges: readonly number[]; timeZone: string },
): HeatmapAnswer {
  const days = new Map<string, { sum: number; count: number }[]>();
  for (const [at, micros] of edges.slice(0, -1).entries()) {
    const local = new Temporal.ZonedDateTime(BigInt(micros) * 1000n, timeZone);
    const hours = days.getOrInsertComputed(local.toPlainDate().toString(), () =>
      Array.from({ length: 24 }, () => ({ sum: 0, count: 0 })),
    );
    const [value = null, hour] = [values[at], hours[local.hour]];
    if (value === null || hour === undefined) continue;
    hour.sum += value;
    hour.count += 1;
  }
  const valueOf = ({ sum, count }: { sum: number; count: number }) => {
    if (count === 0) return null;
    return measure === 'power' ? sum / count : sum;
  };
  return {
    unit: units[measure],
    timeZone,
    days: [...days].map(([date, hours]) => ({ date, values: hours.map(valueOf) })),
  };
}
