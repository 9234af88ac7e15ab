import { byName, optionalQuantities, quantities, type Quantity, requiredQuantities } from '../../shared/quantities.ts';

/**
 * Quantities are stored as integers in fixed units (decisions.md 4). So a decimal that a meter sent comes back unchanged, and
 * sums are exact. A value is a number below 2^53, and a bigint above.
 */
export type FixedUnits = number | bigint;

/** The stored units per unit of the API, and the largest value (without its sign) that the column holds. */
interface UnitScale {
  readonly decimals: number;
  /** Ten to the power of `decimals`. */
  readonly perUnit: number;
  readonly max: bigint;
  readonly maxNumber: number;
}

/** The unit of a column with this many decimals. */
export function scaleOf({ decimals, type }: { decimals: number; type: 'bigint' | 'integer' }): UnitScale {
  const max = 2n ** (type === 'bigint' ? 63n : 31n) - 1n;
  return { decimals, perUnit: 10 ** decimals, max, maxNumber: Number(max) };
}

/** kW to mW, kWh to mWh. */
export const milliOfKilo = scaleOf({ decimals: 6, type: 'bigint' });

const safeMax = 2 ** 53;

/** Rounds a finite number to fixed units, half away from zero, by its decimal digits. Null if the result does not fit. */
export function toFixedUnits(value: number, scale: UnitScale): FixedUnits | null {
  const scaled = Math.abs(value) * scale.perUnit;
  const whole = Math.floor(scaled);
  // The product is off by at most half an ulp. So exact decimals are needed only this close to a tie, or above 2^53.
  const isNearTie = Math.abs(scaled - whole - 0.5) <= scaled * Number.EPSILON;
  if (scaled >= safeMax || isNearTie) return roundDecimal(value, scale);
  const magnitude = scaled - whole < 0.5 ? whole : whole + 1;
  if (magnitude > scale.maxNumber) return null;
  return value < 0 && magnitude !== 0 ? -magnitude : magnitude;
}

/** The decimal in the API for fixed units: the nearest double, so that 0.1 comes back as 0.1. */
export function fromFixedUnits(units: FixedUnits, scale: UnitScale): number {
  if (typeof units === 'number') return units / scale.perUnit;
  const digits = (units < 0n ? -units : units).toString().padStart(scale.decimals + 1, '0');
  return Number(`${units < 0n ? '-' : ''}${digits.slice(0, -scale.decimals)}.${digits.slice(-scale.decimals)}`);
}

/** Uses the shortest decimal that reads back as `value`, which is what the sender wrote. */
function roundDecimal(value: number, scale: UnitScale): FixedUnits | null {
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const digits = BigInt(mantissa.replace('.', ''));
  const shift = Number(exponent) - (mantissa.length > 1 ? mantissa.length - 2 : 0) + scale.decimals;
  // No column holds more digits than this, and 10n ** 300n is expensive.
  if (shift > 40) return digits === 0n ? 0 : null;
  const magnitude =
    shift >= 0 ? digits * 10n ** BigInt(shift) : (digits + 5n * 10n ** BigInt(-shift - 1)) / 10n ** BigInt(-shift);
  if (magnitude > scale.max) return null;
  const signed = value < 0 ? -magnitude : magnitude;
  const number = Number(signed);
  return Number.isSafeInteger(number) ? number : signed;
}

interface Stored {
  /** The position of the quantity in the table. */
  at: number;
  scale: UnitScale;
}
/** A quantity as it is stored. */
export type StoredQuantity = Quantity & Stored;

const stored = <Q extends Quantity>(quantity: Q): Q & Stored => ({
  ...quantity,
  at: quantities.indexOf(quantity),
  scale: scaleOf(quantity),
});
export const storedQuantities: readonly StoredQuantity[] = quantities.map(stored);
const [required, optional] = [requiredQuantities.map(stored), optionalQuantities.map(stored)];

export const quantityAt = byName(storedQuantities, ({ at }) => at);

/** SQL: the quantities of a row of `measurements`, in their order. */
export const quantityColumns = (alias: string) => storedQuantities.map(({ column }) => `${alias}.${column}`).join(', ');

/** SQL: the quantities of a row of `measurements`, by their names; for {@link quantitiesOf}. */
export const namedColumns = (alias: string) =>
  storedQuantities.map(({ name, column }) => `${alias}.${column} AS "${name}"`).join(', ');

type Named<Of> = Record<(typeof required)[number]['name'], Of> & Record<(typeof optional)[number]['name'], Of | null>;
/** Values in fixed units; null if a quantity was not sent. */
export type StoredQuantities = Named<FixedUnits>;
/** Values in the units of their names. */
export type Quantities = Named<number>;

export const quantitiesOf = (row: StoredQuantities): Quantities => ({
  ...byName(required, ({ name, scale }) => fromFixedUnits(row[name], scale)),
  ...byName(optional, ({ name, scale }) => {
    const units = row[name];
    return units === null ? null : fromFixedUnits(units, scale);
  }),
});

/** The quantities of a reading, in the order of their table. */
export type ReadQuantities = readonly (FixedUnits | null)[];

/** One measurement of one device at an instant in epoch microseconds. */
export class Reading {
  readonly timeMicros: number;
  readonly quantities: ReadQuantities;

  constructor(timeMicros: number, quantities: ReadQuantities) {
    this.timeMicros = timeMicros;
    this.quantities = quantities;
  }

  static of({ timeMicros, ...values }: { timeMicros: number } & Partial<StoredQuantities>): Reading {
    return new Reading(
      timeMicros,
      storedQuantities.map(({ name }) => values[name] ?? null),
    );
  }

  get activePower(): FixedUnits {
    return this.quantities[quantityAt.activePowerKw] ?? 0;
  }

  get energyImported(): FixedUnits | null {
    return this.quantities[quantityAt.energyImportedKwh] ?? null;
  }

  get energyExported(): FixedUnits | null {
    return this.quantities[quantityAt.energyExportedKwh] ?? null;
  }
}

/** An array without quantities. Callers copy it and fill the copy. */
export const nothingRead: ReadQuantities = storedQuantities.map(() => null);
