/** How the readings of a bucket become its value, and other properties of the quantity. */
type Statistic =
  /** The active power, which every reading has: its mean, least and greatest value. */
  | 'power'
  /** The mean of the readings that have the quantity. */
  | 'mean'
  /** Computed from active and reactive power (energy-and-cost.md 6). */
  | 'factor'
  /** A cumulative counter, which has no value per bucket. */
  | 'register';

interface QuantityRow {
  /** The name on the wire, with the unit. */
  name: string;
  unit?: string;
  /** The column of `measurements`: integers, ten to the power of `decimals` for one unit (decisions.md 4). */
  column: string;
  type: 'bigint' | 'integer';
  decimals: number;
  /** The least accepted value, and the greatest if there is one. */
  limits?: readonly [min: 0] | readonly [min: number, max: number];
  statistic: Statistic;
  /** In English; other languages find their label by this text (exports) or by the name (page). */
  label: string;
  /** The description in the API document. */
  description?: string;
  /** The decimals that exports show even if they are zeros, and those that the page shows. */
  exportDecimals: number;
  pageDecimals: number;
  /**
   * The axis of a chart follows the values instead of starting at zero: otherwise nothing would be visible of voltage or
   * frequency.
   */
  hasZero: boolean;
  /** The name of its mean in dashboards. */
  measure?: string;
}

/**
 * The quantities of a reading. Everything that lists quantities follows from this table. Its order is that of the wire,
 * of exports, of the checksums of a day and of stored statistics, so a new quantity goes last. It also needs a
 * migration that adds its column, and labels in each language.
 */
const rows = [
  {
    name: 'activePowerKw',
    unit: 'kW',
    column: 'active_power_milliwatts',
    type: 'bigint',
    decimals: 6,
    statistic: 'power',
    label: 'Active power',
    description: 'Positive is import, negative is export.',
    exportDecimals: 3,
    pageDecimals: 3,
    hasZero: true,
  },
  {
    name: 'reactivePowerKvar',
    unit: 'kvar',
    column: 'reactive_power_millivars',
    type: 'bigint',
    decimals: 6,
    statistic: 'mean',
    label: 'Reactive power',
    exportDecimals: 3,
    pageDecimals: 3,
    hasZero: true,
  },
  {
    name: 'apparentPowerKva',
    unit: 'kVA',
    column: 'apparent_power_millivoltamperes',
    type: 'bigint',
    decimals: 6,
    statistic: 'mean',
    label: 'Apparent power',
    exportDecimals: 3,
    pageDecimals: 3,
    hasZero: true,
  },
  {
    name: 'powerFactor',
    column: 'power_factor_millionths',
    type: 'integer',
    decimals: 6,
    limits: [-1, 1],
    statistic: 'factor',
    label: 'Power factor',
    exportDecimals: 3,
    pageDecimals: 3,
    hasZero: false,
    measure: 'powerFactor',
  },
  {
    name: 'voltageV',
    unit: 'V',
    column: 'voltage_millivolts',
    type: 'integer',
    decimals: 3,
    limits: [0],
    statistic: 'mean',
    label: 'Voltage',
    exportDecimals: 1,
    pageDecimals: 2,
    hasZero: false,
    measure: 'voltage',
  },
  {
    name: 'frequencyHz',
    unit: 'Hz',
    column: 'frequency_tenth_millihertz',
    type: 'integer',
    decimals: 4,
    limits: [0],
    statistic: 'mean',
    label: 'Frequency',
    exportDecimals: 3,
    pageDecimals: 3,
    hasZero: false,
    measure: 'frequency',
  },
  {
    name: 'energyImportedKwh',
    unit: 'kWh',
    column: 'energy_imported_milliwatthours',
    type: 'bigint',
    decimals: 6,
    statistic: 'register',
    label: 'Import register',
    description: 'Cumulative register.',
    exportDecimals: 3,
    pageDecimals: 3,
    hasZero: true,
  },
  {
    name: 'energyExportedKwh',
    unit: 'kWh',
    column: 'energy_exported_milliwatthours',
    type: 'bigint',
    decimals: 6,
    statistic: 'register',
    label: 'Export register',
    description: 'Cumulative register.',
    exportDecimals: 3,
    pageDecimals: 3,
    hasZero: true,
  },
] as const satisfies readonly QuantityRow[];

type Row = (typeof rows)[number];
/** The names of the quantities with one of the statistics. */
export type NameOf<S extends Statistic> = Extract<Row, { statistic: S }>['name'];
export type QuantityName = Row['name'];

export type Quantity<S extends Statistic = Statistic> = S extends Statistic
  ? QuantityRow & { name: NameOf<S>; statistic: S; label: Row['label'] }
  : never;

export const quantities: readonly Quantity[] = rows;

/** The quantities with one of the statistics, in the order of the table. */
export const quantitiesWith = <S extends Statistic>(...statistics: readonly S[]): Quantity<S>[] =>
  quantities.filter((quantity): quantity is Quantity<S> => statistics.some((one) => one === quantity.statistic));

/** The quantity that every reading has, and those that it may lack. */
export const requiredQuantities = quantitiesWith('power');
export const optionalQuantities = quantitiesWith('mean', 'factor', 'register');

type Measured = Quantity<'mean' | 'factor'> & { measure: Extract<Row, { measure: string }>['measure'] };
/** The quantities whose averages dashboards show. */
export const measuredQuantities = [...quantitiesWith('mean'), ...quantitiesWith('factor')].filter(
  (quantity): quantity is Measured => quantity.measure !== undefined,
);
/** An object with a value per quantity, by the name of its measure. */
export const byMeasure = <V>(valueOf: (quantity: Measured) => V) =>
  byName(
    measuredQuantities.map((quantity) => ({ name: quantity.measure, quantity })),
    ({ quantity }) => valueOf(quantity),
  );

/** An object with a value per quantity, by its name. */
export function byName<Of extends { name: string }, V>(
  all: readonly Of[],
  valueOf: (one: Of) => V,
): Record<Of['name'], V>;
export function byName(all: readonly { name: string }[], valueOf: (one: { name: string }) => unknown): object {
  const values: Record<string, unknown> = {};
  for (const one of all) values[one.name] = valueOf(one);
  return values;
}
