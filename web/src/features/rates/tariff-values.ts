import {
  type Tariff,
  tariffPeriodWrite,
  type TariffTerms,
  tariffTerms,
  type TariffWrite,
} from '../../../../shared/rates.ts';
import { typedNumber, writeDecimal } from '../../lib/decimal.ts';
import { newTime, timeProblem } from '../../entities/week-windows.ts';
import { bandsOf, findOverlaps, periodsOf, type Band, newBand } from './bands.ts';
import { addDays, isDate, monthStart } from './local-dates.ts';

/** The usual structures of a contract. They have times and names, but no prices, because these differ between contracts. */
export const tariffTemplates = ['flat', 'dayAndNight', 'weekend', 'threeRates'] as const;
type TariffTemplate = (typeof tariffTemplates)[number];

type TemplateBandName = 'night' | 'weekend' | 'peak' | 'offPeak';

const [monToFri, satAndSun, all] = [31, 96, 127];
interface TemplateTime {
  daysOfWeek: number;
  start: string;
  end: string;
}
const shapes: Record<TariffTemplate, Partial<Record<TemplateBandName, readonly TemplateTime[]>>> = {
  flat: {},
  dayAndNight: { night: [{ daysOfWeek: all, start: '22:00', end: '06:00' }] },
  weekend: { weekend: [{ daysOfWeek: satAndSun, start: '00:00', end: '24:00' }] },
  threeRates: {
    peak: [{ daysOfWeek: monToFri, start: '17:00', end: '21:00' }],
    offPeak: [{ daysOfWeek: all, start: '22:00', end: '06:00' }],
  },
};

const bandNames: readonly TemplateBandName[] = ['night', 'weekend', 'peak', 'offPeak'];

/** The periods of a template, to be adjusted and priced. */
export function bandsOfTemplate(template: TariffTemplate, nameOf: (name: TemplateBandName) => string): Band[] {
  return bandNames.flatMap((name) => {
    const times = shapes[template][name];
    return times === undefined
      ? []
      : [{ ...newBand(), name: nameOf(name), times: times.map((time) => ({ ...newTime(), ...time })) }];
  });
}

/** The entries for a tariff; numbers as typed. They have the order of the form and the names of the portal's fields. */
export type TariffValues = Record<(typeof priceFields)[number], string> & {
  name: string;
  effectiveFrom: string;
  /** The last day. It is included here, while the API excludes it. Empty means no end. */
  effectiveTo: string;
  currency: string;
  isActive: boolean;
  periods: readonly Band[];
};

export const priceFields = ['defaultRatePerKwh', 'fixedChargePerMonth', 'vatPercent', 'exportRatePerKwh'] as const;

/** The entries for an existing tariff. `separator` comes before decimals. */
export function draftOf(tariff: Tariff, separator: string): TariffValues {
  const { name, currency, isActive, effectiveFrom, effectiveTo, exportRatePerKwh } = tariff;
  const write = (value: number) => writeDecimal(value, separator);
  return {
    name,
    effectiveFrom,
    effectiveTo: effectiveTo === null ? '' : addDays(effectiveTo, -1),
    defaultRatePerKwh: write(tariff.defaultRatePerKwh),
    currency,
    fixedChargePerMonth: write(tariff.fixedChargePerMonth),
    vatPercent: write(tariff.vatPercent),
    exportRatePerKwh: exportRatePerKwh === null ? '' : write(exportRatePerKwh),
    isActive,
    periods: bandsOf(tariff.periods, separator),
  };
}

/** A first tariff starts at the beginning of the year, so that past months get a price. A further one starts next month. */
export function emptyDraft(others: readonly Tariff[], currency: string, today: string): TariffValues {
  return {
    name: '',
    effectiveFrom: others.length === 0 ? `${today.slice(0, 4)}-01-01` : monthStart(today, 1),
    effectiveTo: '',
    defaultRatePerKwh: '',
    currency,
    fixedChargePerMonth: '',
    vatPercent: '',
    exportRatePerKwh: '',
    isActive: true,
    periods: [],
  };
}

/** The next version of a tariff, with all its prices, from next month on. */
export function nextVersionOf(tariff: Tariff, today: string, separator: string): TariffValues {
  const values = draftOf(tariff, separator);
  const next = monthStart(today, 1);
  const effectiveFrom = next > tariff.effectiveFrom ? next : addDays(tariff.effectiveFrom, 1);
  const effectiveTo = values.effectiveTo >= effectiveFrom ? values.effectiveTo : '';
  return { ...values, isActive: true, effectiveFrom, effectiveTo };
}

/** Whether the previous version would still be in force if the new version starts on the date. */
export function isOverruledFrom(tariff: Tariff, firstDay: string): boolean {
  const { isActive, effectiveFrom, effectiveTo } = tariff;
  return isActive && isDate(firstDay) && effectiveFrom < firstDay && (effectiveTo === null || firstDay < effectiveTo);
}

/** The tariff unchanged, except that it ends on the date. */
export const endedBefore = ({ id: _id, periods, ...tariff }: Tariff, date: string): TariffWrite => ({
  ...tariff,
  effectiveTo: date,
  periods: periods.map(({ id: _periodId, ...period }) => period),
});

export const nameProblem = ({ name }: Band): boolean => name.trim() === '';
export const rateProblem = ({ rate }: Band, separator: string): boolean =>
  !tariffPeriodWrite.shape.ratePerKwh.safeParse(typedNumber(rate, separator)).success;

/** Whether the periods can be stored: each has a name, a rate and times, and none overlaps another one. */
export const arePeriodsRight = (bands: readonly Band[], separator: string): boolean =>
  bands.every(
    // A band without times has no day, so no period of the API could store it.
    (band) => !nameProblem(band) && !rateProblem(band, separator) && band.times.length > 0 && areTimesRight(band),
  ) && findOverlaps(bands).length === 0;

const areTimesRight = ({ times }: Band): boolean => times.every((time) => timeProblem(time) === null);

/** The prices of the tariff; null while one of them is not a number. */
export function termsOf(values: TariffValues, separator: string): TariffTerms | null {
  const isRight = values.periods.every((band) => !nameProblem(band) && areTimesRight(band));
  return (isRight ? tariffTerms.safeParse(writtenTerms(values, separator)).data : undefined) ?? null;
}

const writtenTerms = (values: TariffValues, separator: string) => ({
  currency: values.currency,
  defaultRatePerKwh: typedNumber(values.defaultRatePerKwh, separator),
  fixedChargePerMonth: typedNumber(values.fixedChargePerMonth, separator) ?? 0,
  vatPercent: typedNumber(values.vatPercent, separator) ?? 0,
  exportRatePerKwh: typedNumber(values.exportRatePerKwh, separator),
  periods: periodsOf(values.periods, separator),
});

/** The request to the portal, which the schema of the API then checks. A text that is no number is NaN. */
export const toTariffWrite = (municipalityId: string, values: TariffValues, separator: string) => ({
  ...writtenTerms(values, separator),
  municipalityId,
  name: values.name,
  isActive: values.isActive,
  effectiveFrom: values.effectiveFrom,
  effectiveTo: values.effectiveTo === '' ? null : addDays(values.effectiveTo, 1),
});
