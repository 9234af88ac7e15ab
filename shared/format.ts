import { minorDigits } from './primitives.ts';
import { isRepeatedTime } from './time.ts';

/** Numbers, times and ages in the reader's format. Everything goes through Intl; null and undefined become an en dash. */

type Maybe<T> = T | null | undefined;

/** Shown for an unknown value. */
export const unknownValue = '–';

const nbsp = '\u00a0';

const ageSteps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['second', 60],
  ['minute', 3600],
  ['hour', 86_400],
  ['day', 86_400 * 30],
  ['month', 86_400 * 365],
];

const durationUnits: readonly [string, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** Decimals that keep about three significant digits, so that figures of one kind have the same width. */
const fractionDigits = (value: number): number => {
  const size = Math.abs(value);
  return size >= 100 ? 0 : size >= 10 ? 1 : 2;
};

/** Decimals that keep two significant digits of a difference; 0 for a difference below the resolution of a meter. */
const changeDigits = (scaled: number, kwh: number): number =>
  Math.abs(kwh) < smallestChangeKwh ? 0 : 1 - Math.floor(Math.log10(Math.abs(scaled)));
const smallestChangeKwh = 0.005;
/** A difference that would need more of them in the unit of its list has its own unit. */
const maxChangeDigits = 4;

/** The larger unit for long numbers: from `from` on, one of it replaces a thousand or a million. */
const largerUnits: Readonly<Record<string, readonly { unit: string; from: number; size: number }[]>> = {
  kWh: [
    { unit: 'GWh', from: 1e8, size: 1e6 },
    { unit: 'MWh', from: 1e5, size: 1e3 },
  ],
  kW: [
    { unit: 'GW', from: 1e7, size: 1e6 },
    { unit: 'MW', from: 1e4, size: 1e3 },
  ],
  kvar: [{ unit: 'Mvar', from: 1e4, size: 1e3 }],
  kVA: [{ unit: 'MVA', from: 1e4, size: 1e3 }],
};

/** The unit for a number of this size, and its factor: 250,000 kWh are shown in MWh, of 1,000 kWh each. */
export function unitFor(value: number, unit: string): { unit: string; size: number } {
  const size = Math.abs(value);
  return largerUnits[unit]?.find(({ from }) => size >= from) ?? { unit, size: 1 };
}

export type Format = ReturnType<typeof createFormat>;

/** The formats of one locale (a BCP 47 tag with its region, such as `de-AT`). */
export function createFormat(locale: string) {
  const cache = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>();
  const numbers = (options: Intl.NumberFormatOptions): Intl.NumberFormat => {
    const key = `n${JSON.stringify(options)}`;
    const known = cache.get(key);
    if (known instanceof Intl.NumberFormat) return known;
    const made = new Intl.NumberFormat(locale, options);
    cache.set(key, made);
    return made;
  };
  const dates = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
    const key = `d${JSON.stringify(options)}`;
    const known = cache.get(key);
    if (known instanceof Intl.DateTimeFormat) return known;
    const made = new Intl.DateTimeFormat(locale, options);
    cache.set(key, made);
    return made;
  };
  const ages = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'long' });

  const number = (value: Maybe<number>, digits?: number): string => {
    if (value === null || value === undefined) return unknownValue;
    const count = digits ?? fractionDigits(value);
    const text = numbers({ minimumFractionDigits: count, maximumFractionDigits: count }).format(value);
    return /[1-9]/.test(text) ? text : text.replace(/^[-−]/, '');
  };
  const figure = (value: Maybe<number>, unit: string, largest?: number): { value: string; unit: string } => {
    if (value === null || value === undefined) return { value: unknownValue, unit };
    const told = unitFor(largest ?? value, unit);
    const scaled = value / told.size;
    // One digit more than other units, because each unit is a thousand times larger.
    return { value: number(scaled, told.size === 1 ? undefined : fractionDigits(scaled) + 1), unit: told.unit };
  };
  const withUnit = (unit: string) => (value: Maybe<number>, largest?: number) => {
    const told = figure(value, unit, largest);
    return told.value === unknownValue ? unknownValue : `${told.value}${nbsp}${told.unit}`;
  };

  const amount = (currency: string, digits = minorDigits(currency)): Intl.NumberFormatOptions => ({
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  const price = (value: number, currency: string): string =>
    numbers({ style: 'currency', currency, maximumFractionDigits: 10 }).format(value);

  const instantMs = (value: string | number): number => (typeof value === 'number' ? value : Date.parse(value));
  /** A repeated time shows its offset, such as "GMT+2". */
  const offsetOf = (value: string | number, timeZone: string): string => {
    const at = instantMs(value);
    if (!isRepeatedTime(at, timeZone)) return '';
    const parts = dates({ timeZone, timeZoneName: 'shortOffset' }).formatToParts(at);
    return `${nbsp}${parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''}`;
  };

  return {
    locale,
    /** The decimal separator. */
    decimalSeparator:
      numbers({})
        .formatToParts(0.5)
        .find(({ type }) => type === 'decimal')?.value ?? '.',
    /** With `digits` decimals, or enough for about three significant digits. */
    number,
    /** A label of a value axis, with up to three decimals. */
    axis: (value: number): string => numbers({ maximumFractionDigits: 3 }).format(value),
    /** A number with its decimals, at most `maxDigits` of them. */
    decimal: (value: number, maxDigits: number): string => numbers({ maximumFractionDigits: maxDigits }).format(value),
    /** The same without group separators, which another language would read as decimals. */
    ungrouped: (value: number, maxDigits: number): string =>
      numbers({ maximumFractionDigits: maxDigits, useGrouping: false }).format(value),
    /** A count, without decimals. */
    integer: (value: Maybe<number>): string => number(value, 0),
    /** Takes kW; large values, or values in a list with a large one, are shown in MW or GW. */
    power: withUnit('kW'),
    /** Takes kWh; large values, or values in a list with a large one, are shown in MWh or GWh. */
    energy: withUnit('kWh'),
    /** A difference in energy (kWh in) with its sign; zero has none. `largest` is the largest difference of a list. */
    energyChange: (value: number, largest = value): string => {
      const ofList = unitFor(largest, 'kWh');
      const isTiny = changeDigits(value / ofList.size, value) > maxChangeDigits;
      const { size, unit } = isTiny ? unitFor(value, 'kWh') : ofList;
      const scaled = value / size;
      const digits = fractionDigits(scaled) + (size === 1 ? 0 : 1);
      const text = number(scaled, Math.max(digits, changeDigits(scaled, value)));
      return `${value > 0 && /[1-9]/.test(text) ? '+' : ''}${text}${nbsp}${unit}`;
    },
    /** A value and its unit, separately. */
    figure,
    /** Any quantity with its unit, which may be empty. */
    quantity: (value: Maybe<number>, unit: string): string => (unit === '' ? number(value) : withUnit(unit)(value)),
    /** An amount of money to the minor unit of its currency (ISO 4217). */
    money: (value: Maybe<number>, currency: string): string =>
      value === null || value === undefined ? unknownValue : numbers(amount(currency)).format(value),
    /** An estimated amount; from a hundred on without the minor unit. */
    moneyAbout: (value: number, currency: string): string =>
      numbers(Math.abs(value) < 100 ? amount(currency) : amount(currency, 0)).format(value),
    /** A label of a money axis: with the currency sign, and without decimals that are zero. */
    moneyMark: (value: number, currency: string): string =>
      numbers({ style: 'currency', currency, minimumFractionDigits: 0, maximumFractionDigits: 3 }).format(value),
    /** A price with all its digits. */
    price,
    /** The price of one kWh with all its digits. */
    pricePerKwh: (value: number, currency: string): string => `${price(value, currency)}/kWh`,
    /** A share of 1 in percent. */
    percent: (share: Maybe<number>, digits = 0): string =>
      share === null || share === undefined
        ? unknownValue
        : numbers({ style: 'percent', maximumFractionDigits: digits }).format(share),
    /** A difference in money, with its sign; zero has none. */
    moneyChange: (value: number, currency: string): string =>
      numbers({ ...amount(currency), signDisplay: 'exceptZero' }).format(value),
    /** A change as a share of 1, in percent and with its sign; one decimal below ten percent. */
    change: (share: number): string =>
      numbers({
        style: 'percent',
        signDisplay: 'exceptZero',
        maximumFractionDigits: Math.abs(share) < 0.0995 ? 1 : 0,
      }).format(share),
    /** Bytes in, kB and MB out. */
    bytes: (value: number): string =>
      value < 1000
        ? numbers({ style: 'unit', unit: 'byte', unitDisplay: 'long' }).format(value)
        : value < 1_000_000
          ? numbers({ style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 }).format(value / 1000)
          : numbers({ style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(value / 1_000_000),
    /** Date and time to the minute, in the zone. */
    dateTime: (value: string | number, timeZone: string): string =>
      dates({ dateStyle: 'medium', timeStyle: 'short', timeZone }).format(instantMs(value)) + offsetOf(value, timeZone),
    /** Date and time to the second, in the zone. */
    dateTimeSeconds: (value: string | number, timeZone: string): string =>
      dates({ dateStyle: 'medium', timeStyle: 'medium', timeZone }).format(instantMs(value)) +
      offsetOf(value, timeZone),
    date: (value: string | number, timeZone: string): string =>
      dates({ dateStyle: 'medium', timeZone }).format(instantMs(value)),
    time: (value: string | number, timeZone: string): string =>
      dates({ timeStyle: 'short', timeZone }).format(instantMs(value)),
    /** "Tue 14:05": the local time with its weekday, because far away the day may differ. */
    clock: (value: string | number, timeZone: string): string =>
      dates({ weekday: 'short', hour: 'numeric', minute: '2-digit', timeZone }).format(instantMs(value)),
    /** "3 Mar". */
    dayMonth: (value: string | number, timeZone: string): string =>
      dates({ day: 'numeric', month: 'short', timeZone }).format(instantMs(value)),
    monthShort: (value: string | number, timeZone: string): string =>
      dates({ month: 'short', timeZone }).format(instantMs(value)),
    /** "Mar 2026". */
    monthYear: (value: string | number, timeZone: string): string =>
      dates({ year: 'numeric', month: 'short', timeZone }).format(instantMs(value)),
    month: (value: string | number, timeZone: string): string =>
      dates({ year: 'numeric', month: 'long', timeZone }).format(instantMs(value)),
    year: (value: string | number, timeZone: string): string =>
      dates({ year: 'numeric', timeZone }).format(instantMs(value)),
    weekday: (value: string | number, timeZone: string): string =>
      dates({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone }).format(instantMs(value)),
    /** "Sunday". */
    weekdayName: (value: string | number, timeZone: string): string =>
      dates({ weekday: 'long', timeZone }).format(instantMs(value)),
    /** "1–7 March 2026", both ends included. */
    dateSpan: (from: number, lastIncluded: number, timeZone: string): string =>
      dates({ day: 'numeric', month: 'short', year: 'numeric', timeZone }).formatRange(from, lastIncluded),
    monthSpan: (from: number, lastIncluded: number, timeZone: string): string =>
      dates({ month: 'long', year: 'numeric', timeZone }).formatRange(from, lastIncluded),
    dateTimeSpan: (from: number, to: number, timeZone: string): string => {
      const format = dates({ dateStyle: 'medium', timeStyle: 'short', timeZone });
      const offsets = [offsetOf(from, timeZone), offsetOf(to, timeZone)];
      // A range format of Intl would show one offset for both ends.
      return offsets.join('') === ''
        ? format.formatRange(from, to)
        : `${format.format(from)}${offsets[0]} – ${format.format(to)}${offsets[1]}`;
    },
    /** The name of the zone, such as "Central European Time": the same in summer and winter. Workbooks have the id of the zone instead. */
    timeZoneName: (timeZone: string): string => {
      // Browsers call it GMT+00:00.
      if (timeZone === 'UTC') return timeZone;
      const parts = dates({ timeZone, timeZoneName: 'longGeneric' }).formatToParts();
      return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
    },
    /** "3 minutes ago", "in 2 days". The last five seconds are "now", and the coming minute, because clocks differ. */
    age: (value: string | number, nowMs: number): string => {
      const seconds = (instantMs(value) - nowMs) / 1000;
      const size = Math.abs(seconds);
      if (size < (seconds < 0 ? 5 : 60)) return ages.format(0, 'second');
      let divisor = 1;
      for (const [unit, limit] of ageSteps) {
        if (size < limit) return ages.format(Math.trunc(seconds / divisor), unit);
        divisor = limit;
      }
      return ages.format(Math.trunc(seconds / divisor), 'year');
    },
    /** "30 minutes", "90 seconds": in the largest unit without a fraction. */
    duration: (seconds: number, unitDisplay: 'long' | 'short' = 'long'): string => {
      const [unit, size] = durationUnits.find(([, length]) => seconds >= length && seconds % length === 0) ?? [
        'second',
        1,
      ];
      return numbers({ style: 'unit', unit, unitDisplay, maximumFractionDigits: 0 }).format(seconds / size);
    },
    /** "4:05": the remaining minutes and seconds. */
    countdown: (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`,
    /** "Site: device". In French a space precedes the colon. */
    labelled: (label: string, text: string): string => `${label}${locale.startsWith('fr') ? '\u202f' : ''}: ${text}`,
    list: (items: readonly string[]): string => new Intl.ListFormat(locale, { type: 'conjunction' }).format(items),
    compare: new Intl.Collator(locale, { numeric: true, sensitivity: 'base' }).compare,
  };
}
