import { type FixedUnits, milli, milliOfKilo, tenthOfMilli } from '../base/fixed-units.ts';
import type { Reading } from '../base/reading.ts';

/**
 * Statistics of the readings of a bucket: counts, and sums in fixed units, which are exact in a double up to 2^53. The factor
 * sums are those of P and Q over the readings that have both (energy-and-cost.md 6).
 */
export const statisticsColumns = [
  'samples',
  'powerSum',
  'powerMin',
  'powerMax',
  'reactiveCount',
  'reactiveSum',
  'apparentCount',
  'apparentSum',
  'factorCount',
  'factorActiveSum',
  'factorReactiveSum',
  'voltageCount',
  'voltageSum',
  'frequencyCount',
  'frequencySum',
] as const;
export type StatisticsColumn = (typeof statisticsColumns)[number];

/** One value a bucket in each column; 0 where there is no reading. */
export type Statistics = Record<StatisticsColumn, Float64Array>;

export function emptyStatistics(count: number): Statistics {
  const column = () => new Float64Array(count);
  return {
    samples: column(),
    powerSum: column(),
    powerMin: column(),
    powerMax: column(),
    reactiveCount: column(),
    reactiveSum: column(),
    apparentCount: column(),
    apparentSum: column(),
    factorCount: column(),
    factorActiveSum: column(),
    factorReactiveSum: column(),
    voltageCount: column(),
    voltageSum: column(),
    frequencyCount: column(),
    frequencySum: column(),
  };
}

const plus = (column: Float64Array, at: number, value: number) => {
  column[at] = (column[at] ?? 0) + value;
};

/** Adds one reading to the bucket at `at`. */
export function addReading(statistics: Statistics, at: number, reading: Reading): void {
  const power = Number(reading.activePower);
  const isFirst = statistics.samples[at] === 0;
  plus(statistics.samples, at, 1);
  plus(statistics.powerSum, at, power);
  if (isFirst || power < (statistics.powerMin[at] ?? 0)) statistics.powerMin[at] = power;
  if (isFirst || power > (statistics.powerMax[at] ?? 0)) statistics.powerMax[at] = power;
  addQuantity(statistics.reactiveCount, statistics.reactiveSum, at, reading.reactivePower);
  addQuantity(statistics.apparentCount, statistics.apparentSum, at, reading.apparentPower);
  addQuantity(statistics.voltageCount, statistics.voltageSum, at, reading.voltage);
  addQuantity(statistics.frequencyCount, statistics.frequencySum, at, reading.frequency);
  const reactive = reactiveOf(power, reading);
  if (reactive === null) return;
  plus(statistics.factorCount, at, 1);
  plus(statistics.factorActiveSum, at, power);
  plus(statistics.factorReactiveSum, at, reactive);
}

function addQuantity(counts: Float64Array, sums: Float64Array, at: number, value: FixedUnits | null): void {
  if (value === null) return;
  plus(counts, at, 1);
  plus(sums, at, Number(value));
}

/** Q, computed from P and the power factor if only those were sent (energy-and-cost.md 6). */
function reactiveOf(power: number, { reactivePower, powerFactor }: Reading): number | null {
  if (reactivePower !== null) return Number(reactivePower);
  const factor = Number(powerFactor ?? 0);
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

/** The sum of the values `from` up to `to`. */
export function sumBetween(values: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at += 1) sum += values[at] ?? 0;
  return sum;
}

/** The averages of one bucket; powers in kW, kvar, kVA. Null if no reading of the bucket has the quantity. */
export interface BucketAverages {
  samples: number;
  activePowerKw: number | null;
  activePowerKwMin: number | null;
  activePowerKwMax: number | null;
  reactivePowerKvar: number | null;
  apparentPowerKva: number | null;
  /** Computed from the sums of P and Q, never as a mean of power factors. */
  powerFactor: number | null;
  voltageV: number | null;
  frequencyHz: number | null;
}

export function averagesAt(statistics: Statistics, at: number): BucketAverages {
  const samples = statistics.samples[at] ?? 0;
  const extreme = (column: Float64Array) => (samples === 0 ? null : (column[at] ?? 0) / milliOfKilo.perUnit);
  return {
    samples,
    activePowerKw: averagePowerAt(statistics, at),
    activePowerKwMin: extreme(statistics.powerMin),
    activePowerKwMax: extreme(statistics.powerMax),
    reactivePowerKvar: average(statistics.reactiveCount, statistics.reactiveSum, at, milliOfKilo.perUnit),
    apparentPowerKva: average(statistics.apparentCount, statistics.apparentSum, at, milliOfKilo.perUnit),
    powerFactor: averagePowerFactor(statistics.factorActiveSum[at] ?? 0, statistics.factorReactiveSum[at] ?? 0),
    voltageV: average(statistics.voltageCount, statistics.voltageSum, at, milli.perUnit),
    frequencyHz: average(statistics.frequencyCount, statistics.frequencySum, at, tenthOfMilli.perUnit),
  };
}

/** Kilowatts, null without a reading. */
export const averagePowerAt = ({ samples, powerSum }: Pick<Statistics, 'samples' | 'powerSum'>, at: number) =>
  average(samples, powerSum, at, milliOfKilo.perUnit);

/** The same for single sums. */
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
