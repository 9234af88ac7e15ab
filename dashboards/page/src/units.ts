import { measuredQuantities } from '../../../shared/quantities.ts';
import { unitFor } from '../../../shared/format.ts';
import { format } from './reader.ts';

/** The meaning of a number in an answer: its measure, and a unit (`kWh`), a currency code, or `1`. */
export interface Meaning {
  measure: string;
  unit: string;
}

const quantities = new Map<string, (typeof measuredQuantities)[number]>(
  measuredQuantities.map((quantity) => [quantity.measure, quantity]),
);

const withUnit = (text: string, unit: string): string => (unit === '1' ? text : `${text}\u00a0${unit}`);

/** A value, formatted as on the portal's pages. */
export function formatValue(value: number | null, { measure, unit }: Meaning): string {
  if (value === null) return format.number(null);
  if (measure === 'cost') return format.money(value, unit);
  const quantity = quantities.get(measure);
  return quantity === undefined
    ? format.quantity(value, unit)
    : withUnit(format.decimal(value, quantity.exportDecimals), unit);
}

/** The label of an axis. It is shorter than a value, and in the unit of the largest value. */
export function formatMark(value: number, { measure, unit }: Meaning, largest: number): string {
  if (measure === 'cost') return format.moneyMark(value, unit);
  const told = unitFor(largest, unit);
  return withUnit(format.axis(value / told.size), told.unit);
}

/** Voltage and frequency vary little and are far from zero. If the axis started at zero, nothing could be seen. */
export const hasZero = ({ measure }: Meaning): boolean => quantities.get(measure)?.hasZero ?? true;
