import { measuredQuantities } from '../../../shared/quantities.ts';
import { unitFor } from '../../../shared/format.ts';
import { format } from './reader.ts';

/** What a number of an answer is: its measure, and a unit (`kWh`), the code of a currency, or `1`. */
export interface Meaning {
  measure: string;
  unit: string;
}

const quantities = new Map<string, (typeof measuredQuantities)[number]>(
  measuredQuantities.map((quantity) => [quantity.measure, quantity]),
);

const withUnit = (text: string, unit: string): string => (unit === '1' ? text : `${text}\u00a0${unit}`);

/** A value as the portal's pages show it. */
export function formatValue(value: number | null, { measure, unit }: Meaning): string {
  if (value === null) return format.number(null);
  if (measure === 'cost') return format.money(value, unit);
  const quantity = quantities.get(measure);
  return quantity === undefined
    ? format.quantity(value, unit)
    : withUnit(format.decimal(value, quantity.exportDecimals), unit);
}

/** A mark of an axis is shorter than a value, and in the unit of the largest one. */
export function formatMark(value: number, { measure, unit }: Meaning, largest: number): string {
  if (measure === 'cost') return format.moneyMark(value, unit);
  const told = unitFor(largest, unit);
  return withUnit(format.axis(value / told.size), told.unit);
}

/** Voltage and frequency move little, far from zero: with it on their axis nothing could be seen. */
export const hasZero = ({ measure }: Meaning): boolean => quantities.get(measure)?.hasZero ?? true;
