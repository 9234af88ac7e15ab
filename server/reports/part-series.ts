import {
  type HeatmapAnswer,
  type Measure,
  type SeriesAnswer,
  type SeriesQuestion,
  toolLimits,
} from '../../shared/dashboard-tool.ts';
import { dateAt, type MicrosRange } from '../base/instants.ts';
import { sharedZone, startOfDay } from '../base/ranges.ts';
import { peakDemand } from '../energy/power.rules.ts';
import { averagesAt } from '../energy/statistics.rules.ts';
import { type BreakdownLine, maxParts } from '../rates/cost-statement.rules.ts';
import { type EnergySource, readEach } from './energy-sources.ts';
import { type PartBuckets, type PartsAsked, readCurves, readDemand, readStatistics } from './part-sums.ts';
import { amountOf, averageOf, partsById, units } from './part-totals.ts';
import {
  addMoney,
  chooseStep,
  edgesOf,
  inCurrency,
  inPeriod,
  listParts,
  othersLast,
  type Part,
  refuseTooMany,
  sizeOf,
  type Step,
} from './parts.rules.ts';

const limit = toolLimits.series;

type Series = SeriesAnswer['series'][number];
type Value = number | null;

interface SeriesAsked extends PartsAsked {
  step: Step;
  timeZone: string;
  buckets: PartBuckets;
  /** The starts of the buckets in that zone. */
  starts: readonly number[];
}

/** A series for each part; `fallbackZone` is that of the buckets where the devices have several zones. */
export async function seriesOfParts(
  asked: PartsAsked,
  requestedStep: SeriesQuestion['step'],
  fallbackZone: string,
): Promise<SeriesAnswer> {
  const { measure, split, sources, ranges, isOfFleet } = asked;
  const timeZone = sharedZone(
    sources.flatMap((source) => source.devices),
    fallbackZone,
  );
  const isOfTariff = measure === 'cost' || split === 'period';
  const chargedCount = sources.reduce(
    (sum, { devices }) =>
      sum + (split === 'device' ? devices.length : new Set(devices.map(({ siteId }) => siteId)).size),
    0,
  );
  const canAddUp = addsUpIn(asked);
  const partCount = new Set(sources.flatMap((source) => source.devices.map((one) => asked.partOf(source, one).key)))
    .size;
  const step = chooseStep(requestedStep, ranges.all, (one, points) => {
    if (!isOfTariff && !canAddUp && partCount > limit && points * partCount > toolLimits.values) return false;
    if (isOfTariff) return one === 'month' || (one === 'day' && points * chargedCount <= maxParts);
    return !(isOfFleet || measure === 'demand') || (one !== 'minute' && one !== '5min');
  });
  const edgesIn = edgesOf(ranges, step, timeZone);
  const starts = edgesIn(timeZone).slice(0, -1);
  const whole = { ...asked, step, timeZone, starts, buckets: { edgesOf: edgesIn, size: sizeOf(step) } };
  const series = isOfTariff ? await readAmounts(whole) : await readMeasured(whole, measure);
  return { bucket: step, timeZone, series: othersLast(series) };
}

/**
 * Whether the smallest parts may be merged into one: sub-meters are included in their main meters, but no customer is included in
 * another.
 */
const addsUpIn = ({ split, measure }: PartsAsked) =>
  split === 'customer' && (measure === 'power' || measure === 'energy');

/** Series read from the buckets of the devices of each part. */
async function readMeasured(asked: SeriesAsked, measure: Exclude<Measure, 'cost'>): Promise<Series[]> {
  const { split, sources, partOf, starts } = asked;
  const parts = listParts(sources, partOf, { split, limit: toolLimits.parts });
  const valueOf = await readValues(asked, measure, parts.length);
  const series = parts.map(({ key, name, labels }) => {
    const points = starts.map((micros, at): Series['points'][number] => [micros / 1000, valueOf(key, at)]);
    return { name, unit: units[measure], labels, points };
  });
  return addsUpIn(asked) ? withOthers(series, limit) : series;
}

/** Finds the values of parts by the place of their bucket. */
async function readValues(
  asked: SeriesAsked,
  measure: Exclude<Measure, 'cost'>,
  partCount: number,
): Promise<(key: string, at: number) => Value> {
  const { buckets, starts, timeZone } = asked;
  if (measure === 'power' || measure === 'energy') {
    const curves = await readCurves(asked, buckets, { count: starts.length, measure });
    return (key, at) => knownOf(curves.get(key)?.[at]);
  }
  if (measure === 'demand') {
    const [slots, zones] = [await readDemand(asked, partCount), zonesOfParts(asked)];
    return (key, at) => {
      const own = slots.get(key);
      const edges = buckets.edgesOf(zones.get(key) ?? timeZone);
      return (own && peakDemand(own, bucketIn(asked, edges, at))?.kw) ?? null;
    };
  }
  const statistics = await readStatistics(asked, buckets, starts.length);
  return (key, at) => {
    const own = statistics.get(key);
    return own === undefined ? null : averagesAt(own, at)[averageOf[measure]];
  };
}

const knownOf = (value = NaN): Value => (Number.isNaN(value) ? null : value);

/** The first and last bucket cover these days in all zones. */
const bucketIn = ({ ranges: { all }, starts }: SeriesAsked, edges: readonly number[], at: number): MicrosRange => ({
  fromMicros: at === 0 ? all.fromMicros : (edges[at] ?? 0),
  toMicros: at === starts.length - 1 ? all.toMicros : (edges[at + 1] ?? 0),
});

/** The zone of the days of each part, if its devices share one. */
function zonesOfParts({ sources, partOf, timeZone }: SeriesAsked): Map<string, string> {
  const devices = sources.flatMap((source) =>
    source.devices.map((device) => ({ key: partOf(source, device).key, timeZone: device.timeZone })),
  );
  return new Map([...Map.groupBy(devices, ({ key }) => key)].map(([key, own]) => [key, sharedZone(own, timeZone)]));
}

/** Cost, or energy by the period of the tariff, by local day or month of each site, separately for each currency. */
async function readAmounts({
  measure,
  split,
  sources,
  partOf,
  step,
  timeZone,
  starts,
}: SeriesAsked): Promise<Series[]> {
  const group = step === 'month' ? 'month' : 'day';
  const series = new Map<string, Part & { unit: string; values: Map<string, number> }>();
  const add = (part: Part, line: BreakdownLine) => {
    const amount = amountOf(line, measure);
    if (amount === null) return;
    const { unit, value } = amount;
    const ofPeriod = split === 'period' ? inPeriod(part, line.kind, line.name) : part;
    const own = measure === 'cost' ? inCurrency(ofPeriod, unit) : ofPeriod;
    const { values } = series.getOrInsertComputed(own.key, () => ({ ...own, unit, values: new Map() }));
    const key = line.group ?? '';
    const sum = values.get(key) ?? 0;
    values.set(key, measure === 'cost' ? addMoney(sum, value, unit) : sum + value);
  };
  const read = async (source: EnergySource) => ({
    parts: partsById(source, partOf),
    lines: await source.readLines(group, split === 'device'),
  });
  for await (const { parts, lines } of readEach(sources, read)) {
    for (const line of lines) {
      const part = parts.get(line.siteId);
      if (part !== undefined) add(part, line);
    }
  }
  refuseTooMany(series.size, { split, limit });
  // Every bucket gets a point, so that a chart draws unknown days as wide as others.
  const dates = starts.map((micros) =>
    dateAt(micros, timeZone)
      .toString()
      .slice(0, group === 'month' ? -'-01'.length : undefined),
  );
  const keys = new Set([...dates, ...[...series.values()].flatMap(({ values }) => [...values.keys()])]);
  const times = [...keys]
    .map((key) => ({ key, micros: startOfDay(group === 'month' ? `${key}-01` : key, timeZone) }))
    .toSorted((a, b) => a.micros - b.micros);
  return [...series.values()].map(({ name, labels, unit, values }) => ({
    name,
    unit,
    labels,
    points: times.map(({ key, micros }): Series['points'][number] => [micros / 1000, values.get(key) ?? null]),
  }));
}

/**
 * Reduces series to `most`: the largest ones in their order, and the sum of the others as the last. All must have the same times
 * and unit.
 */
export function withOthers(series: readonly Series[], most: number): Series[] {
  if (series.length <= most) return [...series];
  const sizes = new Map(
    series.map((one) => [one, one.points.reduce((sum, [, value]) => sum + Math.abs(value ?? 0), 0)]),
  );
  const bySize = series.toSorted((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
  const others = bySize.slice(most - 1);
  const small = new Set(others);
  const points = (others[0]?.points ?? []).map(([time], at): Series['points'][number] => {
    const known = others.flatMap((one) => one.points[at]?.[1] ?? []);
    return [time, known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)];
  });
  const unit = others[0]?.unit ?? '';
  const rest = { name: `Others (${others.length})`, unit, labels: { others: String(others.length) }, points };
  return [...series.filter((one) => !small.has(one)), rest];
}

/** The hours of each local day: average power, or imported energy. The repeated hour of an autumn day counts as one. */
export async function heatmapOfParts(
  asked: PartsAsked & { measure: 'power' | 'energy' },
  fallbackZone: string,
): Promise<HeatmapAnswer> {
  const { measure, sources, ranges } = asked;
  const timeZone = sharedZone(
    sources.flatMap((source) => source.devices),
    fallbackZone,
  );
  const edges = edgesOf(ranges, 'hour', timeZone)(timeZone);
  const starts = edges.slice(0, -1);
  const buckets = { edgesOf: () => edges, size: 'hour' } as const;
  const curves = await readCurves(asked, buckets, { count: starts.length, measure });
  const [values] = curves.values();
  const days = new Map<string, { sum: number; count: number }[]>();
  for (const [at, micros] of starts.entries()) {
    const local = new Temporal.ZonedDateTime(BigInt(micros) * 1000n, timeZone);
    const hours = days.getOrInsertComputed(local.toPlainDate().toString(), () =>
      Array.from({ length: 24 }, () => ({ sum: 0, count: 0 })),
    );
    const [value, hour] = [knownOf(values?.[at]), hours[local.hour]];
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
