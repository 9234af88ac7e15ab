import { byName, type NameOf, type Quantity } from '../../shared/quantities.ts';
import { milliOfKilo, quantityAt, type Reading, type ReadQuantities, storedQuantities } from '../base/quantities.ts';

const factorColumns = ['factorCount', 'factorActiveSum', 'factorReactiveSum'] as const;
export type StatisticsColumn =
  'samples' | `power${'Sum' | 'Min' | 'Max'}` | `${NameOf<'mean'>}${'Count' | 'Sum'}` | (typeof factorColumns)[number];

function columnsOf({ name, statistic }: Quantity): readonly StatisticsColumn[] {
  switch (statistic) {
    case 'power':
      return ['samples', 'powerSum', 'powerMin', 'powerMax'];
    case 'mean':
      return [`${name}Count`, `${name}Sum`];
    case 'factor':
      return factorColumns;
    case 'register':
      return [];
  }
}

/**
 * Statistics of the readings of a bucket: counts, and sums in fixed units, which are exact in a double up to 2^53. The factor
 * sums are those of P and Q over the readings that have both (energy-and-cost.md 6). In the order in which they are stored.
 */
export const statisticsColumns = storedQuantities.flatMap(columnsOf);

/** One value a bucket in each column; 0 where there is no reading. */
export type Statistics = Record<StatisticsColumn, Float64Array>;
const columns = statisticsColumns.map((name) => ({ name }));
export const emptyStatistics = (count: number): Statistics => byName(columns, () => new Float64Array(count));

const plus = (column: Float64Array, at: number, value: number) => {
  column[at] = (column[at] ?? 0) + value;
};

const means = storedQuantities.flatMap((quantity) => {
  if (quantity.statistic !== 'mean') return [];
  const { name, at, scale } = quantity;
  return [{ name, at, perUnit: scale.perUnit, count: `${name}Count`, sum: `${name}Sum` } as const];
});

/** Adds each reading to its bucket. */
export function addReadings(
  statistics: Statistics,
  readings: readonly Reading[],
  bucketOf: (timeMicros: number) => number,
): void {
  const { samples, powerSum, powerMin, powerMax, factorCount, factorActiveSum, factorReactiveSum } = statistics;
  const sums = means.map((mean) => ({ quantity: mean.at, count: statistics[mean.count], sum: statistics[mean.sum] }));
  for (const { timeMicros, quantities } of readings) {
    const at = bucketOf(timeMicros);
    const power = Number(quantities[quantityAt.activePowerKw]);
    const isFirst = samples[at] === 0;
    plus(samples, at, 1);
    plus(powerSum, at, power);
    if (isFirst || power < (powerMin[at] ?? 0)) powerMin[at] = power;
    if (isFirst || power > (powerMax[at] ?? 0)) powerMax[at] = power;
    for (const { quantity, count, sum } of sums) {
      const units = quantities[quantity] ?? null;
      if (units === null) continue;
      plus(count, at, 1);
      plus(sum, at, Number(units));
    }
    const reactive = reactiveOf(power, quantities);
    if (reactive === null) continue;
    plus(factorCount, at, 1);
    plus(factorActiveSum, at, power);
    plus(factorReactiveSum, at, reactive);
  }
}

/** Q, computed from P and the power factor if only those were sent (energy-and-cost.md 6). */
function reactiveOf(power: number, quantities: ReadQuantities): number | null {
  const reactive = quantities[quantityAt.reactivePowerKvar] ?? null;
  if (reactive !== null) return Number(reactive);
  const factor = Number(quantities[quantityAt.powerFactor] ?? 0);
  if (factor === 0) return null;
  return (Math.abs(power) * Math.sqrt(Math.max(0, 1e12 - factor * factor))) / Math.abs(factor);
}

/** Which columns are read: only those of load curves, or all. */
export type StatisticsDepth = 'power' | 'all';
export const powerColumns = ['samples', 'powerSum'] as const satisfies StatisticsColumn[];
const summedColumns = {
  power: powerColumns,
  all: statisticsColumns.filter((name) => name !== 'powerMin' && name !== 'powerMax'),
} as const satisfies Record<StatisticsDepth, readonly StatisticsColumn[]>;

/** Adds the readings of the buckets `from` up to `to` of `source` to one bucket of `target`. */
export function addStatistics(
  target: Statistics,
  at: number,
  source: Statistics,
  { from, to }: { from: number; to: number },
  depth: StatisticsDepth,
): void {
  if (depth === 'all') {
    let isFirst = target.samples[at] === 0;
    for (let bucket = from; bucket < to; bucket += 1) {
      if (source.samples[bucket] === 0) continue;
      const [low, high] = [source.powerMin[bucket] ?? 0, source.powerMax[bucket] ?? 0];
      if (isFirst || low < (target.powerMin[at] ?? 0)) target.powerMin[at] = low;
      if (isFirst || high > (target.powerMax[at] ?? 0)) target.powerMax[at] = high;
      isFirst = false;
    }
  }
  for (const name of summedColumns[depth]) plus(target[name], at, sumBetween(source[name], from, to));
}

/** The sum of the values from `from` up to `to`, added to `before` in this order. */
export function sumBetween(values: Float64Array, from: number, to: number, before = 0): number {
  let sum = before;
  for (let at = from; at < to; at += 1) sum += values[at] ?? 0;
  return sum;
}

type Average = NameOf<'power' | 'mean' | 'factor'> | `${NameOf<'power'>}${'Min' | 'Max'}`;
/** The averages of a bucket, in the units of their names. An average is null if no reading of the bucket has the quantity. */
export type BucketAverages = { samples: number } & Record<Average, number | null>;

const noMeans = byName(means, (): number | null => null);

export function averagesAt(statistics: Statistics, at: number): BucketAverages {
  const samples = statistics.samples[at] ?? 0;
  const extreme = (column: Float64Array) => (samples === 0 ? null : (column[at] ?? 0) / milliOfKilo.perUnit);
  const averages = {
    samples,
    activePowerKw: averagePowerAt(statistics, at),
    activePowerKwMin: extreme(statistics.powerMin),
    activePowerKwMax: extreme(statistics.powerMax),
    // From the sums of P and Q, never as a mean of power factors.
    powerFactor: averagePowerFactor(statistics.factorActiveSum[at] ?? 0, statistics.factorReactiveSum[at] ?? 0),
    ...noMeans,
  };
  for (const { name, count, sum, perUnit } of means) {
    averages[name] = average(statistics[count], statistics[sum], at, perUnit);
  }
  return averages;
}

/** Kilowatts, null without a reading. */
export const averagePowerAt = ({ samples, powerSum }: Pick<Statistics, 'samples' | 'powerSum'>, at: number) =>
  average(samples, powerSum, at, milliOfKilo.perUnit);

/** The average power of single sums. */
export const averagePower = (sums: { samples: number; powerSum: number }): number | null =>
  quotient(sums.samples, sums.powerSum, milliOfKilo.perUnit);

// A single division of an exact sum: two roundings would leave a noise digit.
const quotient = (count: number, sum: number, perUnit: number) => (count === 0 ? null : sum / (count * perUnit));
const average = (counts: Float64Array, sums: Float64Array, at: number, perUnit: number) =>
  quotient(counts[at] ?? 0, sums[at] ?? 0, perUnit);

/** Sum of P over the root of both sums squared (energy-and-cost.md 6); null if there is no power. */
export function averagePowerFactor(activeSum: number, reactiveSum: number): number | null {
  const apparent = Math.hypot(activeSum, reactiveSum);
  return apparent === 0 ? null : activeSum / apparent;
}
