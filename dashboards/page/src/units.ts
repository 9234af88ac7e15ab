import { measuredQuantities } from '../../../shared/quantities.ts';
import { format } from './reader.ts';
import { texts } from './texts.ts';

/** In the place of the units of Perses (see `perses-changes.ts`): those of the portal, written as the reader writes them. */

interface Unit {
  label: string;
  group: string;
}

export interface FormatOptions {
  unit?: string | undefined;
  decimalPlaces?: number | undefined;
  shortValues?: boolean | undefined;
}

export const UNIT_GROUP_CONFIG: Record<string, { label: string; decimalPlaces?: boolean }> = {
  Portal: { label: texts.plugins.portal },
  Number: { label: texts.units.decimal, decimalPlaces: true },
  Percent: { label: texts.units.percent, decimalPlaces: true },
};

/** By the names of units: the unit itself, or the measure of a quantity without one. */
const quantityOf = new Map<string, (typeof measuredQuantities)[number]>(
  measuredQuantities.map((quantity) => [quantity.unit ?? quantity.measure, quantity]),
);

export const UNIT_CONFIG: Record<string, Unit> = {
  kW: { label: 'kW', group: 'Portal' },
  kWh: { label: 'kWh', group: 'Portal' },
  money: { label: texts.units.money, group: 'Portal' },
  ...Object.fromEntries(
    [...quantityOf].map(([name, { measure, unit }]) => [
      name,
      { label: unit ?? texts.measures[measure], group: 'Portal' },
    ]),
  ),
  decimal: { label: texts.units.decimal, group: 'Number' },
  percent: { label: texts.units.percent, group: 'Percent' },
  'percent-decimal': { label: texts.units.fraction, group: 'Percent' },
};

/** The currencies of the amounts that are shown: a panel has one format for all of its series, and money of two has no sign. */
let currencies = new Set<string>();

/** A dashboard shows amounts of this currency only, as far as no panel shows others. */
export function showCurrency(currency: string): void {
  currencies = new Set([currency]);
}

export function addShownCurrency(currency: string): void {
  currencies.add(currency);
}

function money(value: number): string {
  const [currency] = currencies;
  return currency !== undefined && currencies.size === 1 ? format.money(value, currency) : format.number(value, 2);
}

export function formatValue(value: number, options?: FormatOptions): string {
  const digits = options?.decimalPlaces;
  switch (options?.unit) {
    case 'kW':
    case 'kWh':
      return format.quantity(value, options.unit);
    case 'money':
      return money(value);
    case 'percent':
      return format.percent(value / 100, digits ?? 1);
    case 'percent-decimal':
      return format.percent(value, digits ?? 1);
    default: {
      const quantity = quantityOf.get(options?.unit ?? '');
      if (quantity !== undefined) {
        const text = format.decimal(value, quantity.exportDecimals);
        return quantity.unit === undefined ? text : `${text}\u00a0${quantity.unit}`;
      }
      return digits === undefined ? format.axis(value) : format.number(value, digits);
    }
  }
}

/** A mark of an axis. */
export function formatMark(value: number, options?: FormatOptions): string {
  const unit = options?.unit ?? '';
  if (unit === 'money') return format.axis(value);
  const isMarked = unit === 'kW' || unit === 'kWh' || quantityOf.get(unit)?.unit === unit;
  return isMarked ? `${format.axis(value)}\u00a0${unit}` : formatValue(value, options);
}

const configOf = (options: FormatOptions): Unit =>
  UNIT_CONFIG[options.unit ?? 'decimal'] ?? { label: options.unit ?? '', group: 'Number' };

export const getUnitConfig = configOf;
export const getUnitGroup = (options: FormatOptions): string => configOf(options).group;
export const getUnitGroupConfig = (options: FormatOptions): { label: string; decimalPlaces?: boolean } | undefined =>
  UNIT_GROUP_CONFIG[getUnitGroup(options)];
export const isPercentUnit = (options: FormatOptions): boolean => getUnitGroup(options) === 'Percent';
export const isUnitWithDecimalPlaces = (options: FormatOptions): boolean =>
  getUnitGroupConfig(options)?.decimalPlaces === true;
export const isUnitWithShortValues = (): boolean => false;
const never = (): boolean => false;
export {
  never as isTimeUnit,
  never as isDecimalUnit,
  never as isBytesUnit,
  never as isThroughputUnit,
  never as isCurrencyUnit,
};
