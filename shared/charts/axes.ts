/** The part of a chart in which values are drawn, px. */
export interface PlotBox {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface ValueAxis {
  min: number;
  max: number;
  /** Round values between `min` and `max`, ascending. */
  ticks: readonly number[];
}

interface Extent {
  lowest: number;
  highest: number;
}

/** The share of the range below zero that the axis shows beyond it: a small export must not add a full step. */
const roomBelowZero = 1.04;

/**
 * An axis with about `count` round steps (1, 2 or 5 times a power of ten) that shows all values. With `hasZero` it starts at
 * zero, or just below the negative values. Otherwise it follows the values, as voltage and frequency need. Null without values.
 */
export function valueAxis(extent: Extent | null, hasZero: boolean, count: number): ValueAxis {
  let { lowest, highest } = extent ?? { lowest: 0, highest: 1 };
  if (hasZero) [lowest, highest] = [Math.min(0, lowest), Math.max(0, highest)];
  // Values that differ only in their last digits count as equal.
  if (highest - lowest <= Math.abs(highest) * 1e-9) {
    const room = hasZero ? 1 : Math.abs(highest) / 20 || 1;
    [lowest, highest] = [hasZero ? lowest : lowest - room, highest + room];
  }
  const step = roundStep((highest - lowest) / count);
  const max = Math.ceil(highest / step - 1e-9) * step;
  const min = hasZero ? lowest * roomBelowZero : Math.floor(lowest / step + 1e-9) * step;
  const [first, last] = [Math.ceil(min / step - 1e-9), Math.round(max / step)];
  // Multiplied, because a sum of steps would drift: 0.30000000000000004.
  const ticks = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
  return { min, max, ticks };
}

function roundStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted));
  const share = wanted / power;
  return (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10) * power;
}

/** A linear scale from values to px. */
export const scaleOf =
  (fromValue: number, toValue: number, fromPx: number, toPx: number) =>
  (value: number): number =>
    fromPx + ((value - fromValue) / (toValue - fromValue)) * (toPx - fromPx);

export interface AxisLabel {
  /** Middle, px. */
  at: number;
  text: string;
  isStrong?: boolean;
}

/** Free px between two labels. */
const labelGap = 8;

/** The labels that fit next to each other between `from` and `to`, px. Labels at the ends are moved inside. */
export function spacedLabels(
  labels: readonly AxisLabel[],
  widthOf: (label: AxisLabel) => number,
  from: number,
  to: number,
): AxisLabel[] {
  const kept: AxisLabel[] = [];
  let end = -Infinity;
  for (const label of labels) {
    const half = widthOf(label) / 2;
    const at = Math.max(from + half, Math.min(to - half, label.at));
    if (at - half < end + labelGap) continue;
    kept.push({ ...label, at });
    end = at + half;
  }
  return kept;
}
