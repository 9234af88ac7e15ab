import { type Tariff, type TariffTerms, tariffTerms, type TariffWrite } from '../../../../shared/rates.ts';
import { readDecimal, writeDecimal } from '../../lib/decimal.ts';
import { newTime, timeProblem } from '../../entities/week-windows.ts';
import { bandsOf, periodsOf, type Band, newBand } from './bands.ts';
import { addDays, isDate, monthStart } from './local-dates.ts';

/** The usual structures of a contract. They have times and names, but no prices: those are in the contract. */
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

/** The values of a tariff's form besides its bands; numbers as typed. */
export interface TariffValues {
  name: string;
  currency: string;
  isActive: boolean;
  firstDay: string;
  /** Included, unlike on the wire; empty is without end. */
  lastDay: string;
  defaultRatePerKwh: string;
  fixedChargePerMonth: string;
  vatPercent: string;
  exportRatePerKwh: string;
}

export interface TariffDraft {
  values: TariffValues;
  bands: Band[];
}

/** The form of an existing tariff. `separator` precedes decimals. */
export function draftOf(tariff: Tariff, separator: string): TariffDraft {
  const { name, currency, isActive, effectiveFrom, effectiveTo, exportRatePerKwh } = tariff;
  const write = (value: number) => writeDecimal(value, separator);
  return {
    values: {
      name,
      currency,
      isActive,
      firstDay: effectiveFrom,
      lastDay: effectiveTo === null ? '' : addDays(effectiveTo, -1),
      defaultRatePerKwh: write(tariff.defaultRatePerKwh),
      fixedChargePerMonth: write(tariff.fixedChargePerMonth),
      vatPercent: write(tariff.vatPercent),
      exportRatePerKwh: exportRatePerKwh === null ? '' : write(exportRatePerKwh),
    },
    bands: bandsOf(tariff.periods, separator),
  };
}

/** A first tariff starts at the beginning of the year, so that measured months get a price; a further one next month. */
export function emptyDraft(others: readonly Tariff[], currency: string, today: string): TariffDraft {
  return {
    values: {
      name: '',
      currency,
      isActive: true,
      firstDay: others.length === 0 ? `${today.slice(0, 4)}-01-01` : monthStart(today, 1),
      lastDay: '',
      defaultRatePerKwh: '',
      fixedChargePerMonth: '',
      vatPercent: '',
      exportRatePerKwh: '',
    },
    bands: [],
  };
}

/** The next version of a tariff: all its prices, from the next month on. */
export function nextVersionOf(tariff: Tariff, today: string, separator: string): TariffDraft {
  const { values, bands } = draftOf(tariff, separator);
  const next = monthStart(today, 1);
  const firstDay = next > tariff.effectiveFrom ? next : addDays(tariff.effectiveFrom, 1);
  const lastDay = values.lastDay >= firstDay ? values.lastDay : '';
  return { values: { ...values, isActive: true, firstDay, lastDay }, bands };
}

/** Whether a version that starts on the date would leave the previous one in force beside it. */
export function isOverruledFrom(tariff: Tariff, firstDay: string): boolean {
  const { isActive, effectiveFrom, effectiveTo } = tariff;
  return isActive && isDate(firstDay) && effectiveFrom < firstDay && (effectiveTo === null || firstDay < effectiveTo);
}

/** The tariff as it is, but ending on the date. */
export const endedBefore = ({ id: _id, periods, ...tariff }: Tariff, date: string): TariffWrite => ({
  ...tariff,
  effectiveTo: date,
  periods: periods.map(({ id: _periodId, ...period }) => period),
});

/** A price or charge that may be stored; undefined if it is invalid, null for an empty field. */
export function readAmount(
  text: string,
  separator: string,
  field: 'defaultRatePerKwh' | 'vatPercent' = 'defaultRatePerKwh',
): number | null | undefined {
  const value = readDecimal(text, separator);
  return value === null || tariffTerms.shape[field].safeParse(value).success ? value : undefined;
}

export const nameProblem = ({ name }: Band): boolean => name.trim() === '';
export const rateProblem = ({ rate }: Band, separator: string): boolean =>
  typeof readAmount(rate, separator) !== 'number';

const isBandRight = (band: Band, separator: string): boolean =>
  !nameProblem(band) && !rateProblem(band, separator) && band.times.every((time) => timeProblem(time) === null);

/** A band without times has no day: no period of the wire could keep it. */
export const isBandComplete = (band: Band, separator: string): boolean =>
  isBandRight(band, separator) && band.times.length > 0;

/** The prices of the tariff; null while one of them is unreadable. */
export function termsOf({ values, bands }: TariffDraft, separator: string): TariffTerms | null {
  const defaultRatePerKwh = readAmount(values.defaultRatePerKwh, separator);
  const fixedChargePerMonth = readAmount(values.fixedChargePerMonth, separator);
  const vatPercent = readAmount(values.vatPercent, separator, 'vatPercent');
  const exportRatePerKwh = readAmount(values.exportRatePerKwh, separator);
  if (typeof defaultRatePerKwh !== 'number' || exportRatePerKwh === undefined) return null;
  if (fixedChargePerMonth === undefined || vatPercent === undefined || values.currency === '') return null;
  if (!bands.every((band) => isBandRight(band, separator))) return null;
  return {
    currency: values.currency,
    defaultRatePerKwh,
    fixedChargePerMonth: fixedChargePerMonth ?? 0,
    vatPercent: vatPercent ?? 0,
    exportRatePerKwh,
    periods: periodsOf(bands, separator),
  };
}

/** The request to the portal; everything has been checked. */
export const toTariffWrite = (municipalityId: string, values: TariffValues, terms: TariffTerms): TariffWrite => ({
  ...terms,
  municipalityId,
  name: values.name.trim(),
  isActive: values.isActive,
  effectiveFrom: values.firstDay,
  effectiveTo: values.lastDay === '' ? null : addDays(values.lastDay, 1),
});
