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

export const UNIT_CONFIG: Record<string, Unit> = {
  kW: { label: 'kW', group: 'Portal' },
  kWh: { label: 'kWh', group: 'Portal' },
  money: { label: texts.units.money, group: 'Portal' },
  V: { label: 'V', group: 'Portal' },
  Hz: { label: 'Hz', group: 'Portal' },
  powerFactor: { label: texts.units.powerFactor, group: 'Portal' },
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
    case 'V':
      return `${format.decimal(value, 1)}\u00a0V`;
    case 'Hz':
      return `${format.decimal(value, 3)}\u00a0Hz`;
    case 'powerFactor':
      return format.decimal(value, 3);
    case 'money':
      return money(value);
    case 'percent':
      return format.percent(value / 100, digits ?? 1);
    case 'percent-decimal':
      return format.percent(value, digits ?? 1);
    default:
      return digits === undefined ? format.axis(value) : format.number(value, digits);
  }
}

/** A mark of an axis. */
export function formatMark(value: number, options?: FormatOptions): string {
  const unit = options?.unit ?? '';
  if (unit === 'money') return format.axis(value);
  return ['kW', 'kWh', 'V', 'Hz'].includes(unit) ? `${format.axis(value)}\u00a0${unit}` : formatValue(value, options);
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
