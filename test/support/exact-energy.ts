/**
 * The energy of a meter by energy-and-cost.md 1 to 6, written from that text alone, in whole numbers. It shares no code with
 * the product and has no rounding errors of binary numbers. Energy is counted in thousandths of mW x µs, so the largest error
 * is 1e-18 kWh.
 */

/** Quantities as a meter sends them, in mW and mWh; times in epoch microseconds. */
export interface ExactReading {
  time: bigint;
  power: bigint;
  imported: bigint | null;
  exported: bigint | null;
}

export interface ExactDevice {
  energySource: 'auto' | 'register' | 'power';
  ratedPowerKw: number | null;
  registerMaxKwh: number | null;
  expectedIntervalSeconds: number | null;
}

/** Energy in units of `perKwh`. */
export interface ExactEnergy {
  imported: bigint;
  exported: bigint;
  /** The part of both that was interpolated over gaps. */
  interpolated: bigint;
}

export interface ExactMeter {
  between: (from: bigint, to: bigint) => ExactEnergy;
  flags: readonly { time: bigint; kind: string }[];
}

/** From mWh to the unit in which energy is counted. */
const perMwh = 3_600_000_000_000n;
export const perKwh = perMwh * 1_000_000n;
export const quarter = 900_000_000n;
const hour = 4n * quarter;

export const kwhOf = (units: bigint): number => Number((units * 1_000_000_000_000_000n) / perKwh) / 1e15;

type Direction = 'imported' | 'exported';
const max = (...values: bigint[]) => values.reduce((most, value) => (value > most ? value : most));
const sizeOf = (value: bigint) => (value < 0n ? -value : value);

/** Registers are compared in 1/900,000 mWh, in which a tenth, a thousandth and nine tenths of whole mWh are whole numbers. */
const fine = 900_000n;
const kwhFine = fine * 1_000_000n;
/** At most, with the tolerance of section 2: 1e-9 relative, at least 1e-9 kWh. `kwh` is a kWh in the units of both. */
const atMost = (x: bigint, y: bigint, kwh: bigint) => (x - y) * 1_000_000_000n <= max(kwh, sizeOf(x), sizeOf(y));

/** Part of the line: what flows from one instant to the next. */
interface Piece {
  from: bigint;
  to: bigint;
  interpolated: boolean;
  /** Energy in a direction from the start of the piece to an instant. */
  upTo: (direction: Direction, time: bigint) => bigint;
}

/** By time, the first of several with the same time. */
function ordered(readings: readonly ExactReading[]): ExactReading[] {
  const first = new Map<bigint, ExactReading>();
  for (const reading of readings) if (!first.has(reading.time)) first.set(reading.time, reading);
  return [...first.values()].toSorted((a, b) => Number(a.time - b.time));
}

export function exactMeter(delivered: readonly ExactReading[], device: ExactDevice): ExactMeter {
  const readings = ordered(delivered);
  const flags: { time: bigint; kind: string }[] = [];
  const limit = 1_000_000n * max(1800n, 3n * BigInt(device.expectedIntervalSeconds ?? 600));
  /** For each register, and for power: ascending, without overlaps. */
  const tracks: Piece[][] = [];
  const spans: { first: bigint; last: bigint }[] = [];
  for (const direction of ['imported', 'exported'] as const) {
    const register = readings.flatMap((reading) => {
      const value = reading[direction];
      return value === null ? [] : [{ time: reading.time, value }];
    });
    const [first, last] = [register[0], register.at(-1)];
    if (first === undefined || last === undefined) continue;
    if (device.energySource === 'auto') spans.push({ first: first.time, last: last.time });
    if (device.energySource === 'power') continue;
    tracks.push(registerPieces(register, direction, device, limit, flags));
  }
  if (device.energySource !== 'register') {
    const power: Piece[] = [];
    for (const [at, b] of readings.entries()) {
      const a = readings[at - 1];
      if (a === undefined || spans.some(({ first, last }) => first <= a.time && b.time <= last)) continue;
      if (b.time - a.time <= limit) power.push(powerPiece(a, b));
      else flags.push({ time: a.time, kind: 'gap' });
    }
    tracks.push(power);
  }
  return { between: (from, to) => sumBetween(tracks, from, to), flags };
}

function sumBetween(tracks: readonly (readonly Piece[])[], from: bigint, to: bigint): ExactEnergy {
  const sum = { imported: 0n, exported: 0n, interpolated: 0n };
  for (const piece of tracks.flatMap((track) => piecesWithin(track, from, to))) {
    const [start, end] = [max(piece.from, from), piece.to < to ? piece.to : to];
    for (const direction of ['imported', 'exported'] as const) {
      const part = piece.upTo(direction, end) - piece.upTo(direction, start);
      sum[direction] += part;
      if (piece.interpolated) sum.interpolated += part;
    }
  }
  return sum;
}

function piecesWithin(track: readonly Piece[], from: bigint, to: bigint): Piece[] {
  let [low, high] = [0, track.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((track[middle]?.to ?? to) <= from) low = middle + 1;
    else high = middle;
  }
  const found: Piece[] = [];
  for (let at = low; at < track.length; at += 1) {
    const piece = track[at];
    if (piece === undefined || piece.from >= to) break;
    found.push(piece);
  }
  return found;
}

interface RegisterValue {
  time: bigint;
  value: bigint;
}

function registerPieces(
  register: readonly RegisterValue[],
  direction: Direction,
  device: ExactDevice,
  limit: bigint,
  flags: { time: bigint; kind: string }[],
): Piece[] {
  const glitches = new Set<RegisterValue>();
  for (let at = 0; at < register.length; at += 1) {
    for (let length = 1; length <= 3; length += 1) {
      const [a, run, c] = [register[at], register.slice(at + 1, at + 1 + length), register[at + 1 + length]];
      if (a !== undefined && c !== undefined && isGlitch(a, run, c)) for (const one of run) glitches.add(one);
    }
  }
  for (const { time } of glitches) flags.push({ time, kind: 'glitch' });
  const kept = register.filter((one) => !glitches.has(one));
  return kept.slice(1).map((b, at) => {
    const a = kept[at] ?? b;
    const { mwh, kind } = increaseOf(a, b, device);
    if (kind !== null) flags.push({ time: b.time, kind });
    const length = b.time - a.time;
    return {
      from: a.time,
      to: b.time,
      interpolated: length > limit,
      upTo: (asked, time) => (asked === direction ? (mwh * perMwh * (time - a.time)) / length : 0n),
    };
  });
}

const jitterOf = (value: bigint) => max(kwhFine / 10n, value / 1000n);

function isGlitch(before: RegisterValue, run: readonly RegisterValue[], after: RegisterValue): boolean {
  const [a, c] = [before.value * fine, after.value * fine];
  const first = run[0];
  if (a <= 0n || first === undefined || after.time - first.time > hour) return false;
  if (!atMost(a - jitterOf(a), c, kwhFine) || !atMost(c, (11n * a) / 10n, kwhFine)) return false;
  return run.every(({ value }) => {
    const own = value * fine;
    const isFarBelow = !atMost((9n * a) / 10n, own, kwhFine);
    const isFarAbove = !atMost(own, (10n * c) / 9n, kwhFine);
    return isFarBelow || isFarAbove;
  });
}

function increaseOf(before: RegisterValue, after: RegisterValue, { ratedPowerKw, registerMaxKwh }: ExactDevice) {
  const found = increase(
    before.value,
    after.value,
    registerMaxKwh === null ? null : BigInt(registerMaxKwh) * 1_000_000n,
  );
  if (ratedPowerKw === null) return found;
  // Both sides in tenths of mW x µs.
  const [counted, most] = [
    found.mwh * 36_000_000_000n,
    12n * BigInt(ratedPowerKw) * 1_000_000n * (after.time - before.time),
  ];
  return atMost(counted, most, 36_000_000_000n * 1_000_000n) ? found : { mwh: 0n, kind: 'implausible' };
}

function increase(a: bigint, b: bigint, most: bigint | null): { mwh: bigint; kind: string | null } {
  const [x, y] = [a * fine, b * fine];
  if (atMost(x, y, kwhFine) || atMost(x - y, jitterOf(x), kwhFine)) return { mwh: b - a, kind: null };
  if (atMost((9n * x) / 10n, y, kwhFine)) return { mwh: 0n, kind: 'stepBack' };
  if (most !== null) {
    const whole = most * fine;
    if (atMost((9n * whole) / 10n, x, kwhFine) && atMost(y, whole / 10n, kwhFine)) {
      return { mwh: most - a + b, kind: 'rollover' };
    }
  }
  return { mwh: b, kind: 'reset' };
}

/** Between two samples the power is linear; positive power is import, negative power is export. */
function powerPiece(a: ExactReading, b: ExactReading): Piece {
  const [p, q, length] = [a.power, b.power, b.time - a.time];
  /** Twice the integral of a straight line from `start`, in thousandths, over the part that the line covers in `length`. */
  const areaUpTo = (time: bigint) => {
    const passed = time - a.time;
    return (1000n * (2n * p * passed * length + (q - p) * passed * passed)) / (2n * length);
  };
  const isCrossing = p * q < 0n;
  const crossed = isCrossing ? (1000n * p * p * length) / (2n * (sizeOf(p) + sizeOf(q))) : 0n;
  const upTo = (direction: Direction, time: bigint): bigint => {
    const area = areaUpTo(time);
    if (!isCrossing) return direction === 'imported' ? max(area, 0n) : max(-area, 0n);
    // The first direction ends where the line crosses zero; the other one begins there.
    const isOver = (time - a.time) * (sizeOf(p) + sizeOf(q)) >= length * sizeOf(p);
    const isFirst = p > 0n === (direction === 'imported');
    if (isFirst) return isOver ? crossed : sizeOf(area);
    if (!isOver) return 0n;
    return sizeOf(area - (p > 0n ? crossed : -crossed));
  };
  return { from: a.time, to: b.time, interpolated: false, upTo };
}

/** The largest quarter-hour that is wholly in a range (section 6) of some meters together, and its start. */
export function exactPeak(meters: readonly ExactMeter[], from: bigint, to: bigint) {
  let peak: { units: bigint; time: bigint } | null = null;
  for (let time = ((from + quarter - 1n) / quarter) * quarter; time + quarter <= to; time += quarter) {
    const own = meters.map((meter) => meter.between(time, time + quarter));
    const units = own.reduce((sum, { imported }) => sum + imported, 0n);
    // Of equal ones the earliest: parts of one step differ in the last unit, to which each is cut.
    if (units <= (peak === null ? 0n : peak.units + 10n) || own.some(({ interpolated }) => interpolated !== 0n))
      continue;
    peak = { units, time };
  }
  return peak === null ? null : { kw: 4 * kwhOf(peak.units), time: peak.time };
}
