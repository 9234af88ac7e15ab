import { z } from 'zod';
import { encodeIssue } from './messages.ts';
import { pricedPeriod, totalCost } from './dashboard.ts';
import { answeredRange, guid, name, timeZone } from './primitives.ts';
import { municipality } from './sites.ts';

/** A local date, `YYYY-MM-DD`, that exists; there is no year 0. */
const isDate = (value: string) => {
  const at = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value) && !value.startsWith('0000');
};
const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'mustBeDateForm')
  .refine(isDate, 'mustBeDate')
  .meta({ example: '2026-01-01' });
export const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'mustBeTimeOfDay');
export const endOfPeriod = z.string().regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'mustBeEndTime');

/** Money and rates are decimals with at most ten decimal places, which a JSON number carries without loss. */
const decimals = 10;
const isDecimal = (value: number) => Number(value.toFixed(decimals)) === value;
const amount = z
  .number()
  .min(0)
  .max(1e9)
  .refine(isDecimal, encodeIssue('tooManyDecimals', { max: decimals }));

const isCurrency = (code: string) => Intl.supportedValuesOf('currency').includes(code);
export const currency = z.string().trim().toUpperCase().refine(isCurrency, 'mustBeCurrency').meta({ example: 'EUR' });

export const allDaysOfWeek = 127;
export const daysOfWeek = z
  .int()
  .min(1, 'mustBeDaysOfWeek')
  .max(allDaysOfWeek, 'mustBeDaysOfWeek')
  .meta({ description: 'Bitmask, Monday 1 to Sunday 64. A period past midnight belongs to the day it starts on.' });
export const tariffPeriodWrite = z.object({
  name: name(100),
  daysOfWeek,
  startTime: timeOfDay,
  endTime: endOfPeriod,
  ratePerKwh: amount,
});
export type TariffPeriodWrite = z.infer<typeof tariffPeriodWrite>;

/** The prices of a tariff, stored or only simulated. */
export const tariffTerms = z.object({
  currency,
  defaultRatePerKwh: amount,
  fixedChargePerMonth: amount.default(0),
  vatPercent: amount.max(100).default(0),
  exportRatePerKwh: amount.nullable().default(null),
  periods: z.array(tariffPeriodWrite).max(200).default([]),
});
export type TariffTerms = z.infer<typeof tariffTerms>;

/** `POST` and `PUT` of a tariff: always whole, with its periods. */
export const tariffWrite = tariffTerms.extend({
  municipalityId: guid,
  name: name(200),
  isActive: z.boolean().default(true),
  effectiveFrom: date,
  effectiveTo: date.nullable().default(null).meta({ description: 'Exclusive; null means without end.' }),
});
export type TariffWrite = z.infer<typeof tariffWrite>;

export const tariffPeriod = z.object({
  id: guid,
  name: z.string(),
  daysOfWeek: z.int(),
  startTime: z.string(),
  endTime: z.string(),
  ratePerKwh: z.number(),
});
export type TariffPeriod = z.infer<typeof tariffPeriod>;
export const tariff = z.object({
  id: guid,
  municipalityId: guid,
  name: z.string(),
  currency: z.string(),
  isActive: z.boolean(),
  effectiveFrom: z.string(),
  effectiveTo: z.string().nullable(),
  defaultRatePerKwh: z.number(),
  fixedChargePerMonth: z.number(),
  vatPercent: z.number(),
  exportRatePerKwh: z.number().nullable(),
  periods: z.array(tariffPeriod),
});
export type Tariff = z.infer<typeof tariff>;

/** One entry of `GET /api/rates`: a municipality with its tariffs, the latest first. */
export const municipalityWithTariffs = municipality.extend({ tariffs: z.array(tariff) });
export type MunicipalityWithTariffs = z.infer<typeof municipalityWithTariffs>;

/** `POST /api/rates/simulate`: a load on a tariff, for the whole range whatever the tariff's dates. */
export const simulation = z.object({
  tariff: tariffTerms,
  timeZone,
  from: z.string().optional().meta({ format: 'date-time', description: 'Give from and to, or fromDate and toDate.' }),
  to: z.string().optional().meta({ format: 'date-time' }),
  fromDate: z.string().optional().meta({ format: 'date', description: 'Local date in the given time zone.' }),
  toDate: z.string().optional().meta({ format: 'date', description: 'Exclusive.' }),
  load: z.discriminatedUnion(
    'kind',
    [
      z.object({ kind: z.literal('constant'), powerKw: z.number().min(-1e9).max(1e9) }),
      z.object({
        kind: z.literal('devices'),
        deviceIds: z.array(guid).nullable().default(null).meta({ description: 'null or empty means all devices.' }),
      }),
    ],
    { error: ({ code }) => (code === 'invalid_union' ? 'mustBeLoadKind' : undefined) },
  ),
});
export type Simulation = z.input<typeof simulation>;
export const simulationResult = z.object({
  ...answeredRange,
  ...totalCost.shape,
  energyImportedKwh: z.number(),
  energyExportedKwh: z.number(),
  periods: z.array(pricedPeriod),
});
export type SimulationResult = z.infer<typeof simulationResult>;

/**
 * `POST /api/admin/rates/tariffs/preview`: writes that belong together, such as a new version and the end of the previous one.
 */
export const tariffPreviewQuestion = z.object({
  changes: z
    .array(
      z.object({
        id: guid.nullable().default(null).meta({ description: 'Id of the stored tariff; null for a new one.' }),
        tariff: tariffWrite.nullable().meta({ description: 'As it would be stored; null to delete it.' }),
      }),
    )
    .min(1)
    .max(10),
});
export type TariffPreviewQuestion = z.input<typeof tariffPreviewQuestion>;

const monthCost = z.object({ costs: z.array(totalCost), unpricedEnergyKwh: z.number() });
export const costPreview = z.object({
  fromDate: z.string().nullable().meta({
    description: 'Start of the compared months, at most the latest 120; null if none changes.',
  }),
  toDate: z.string().nullable().meta({ description: 'Exclusive.' }),
  months: z
    .array(z.object({ month: z.string(), before: monthCost, after: monthCost }))
    .meta({ description: 'Local months with a difference, ascending.' }),
});
export type CostPreview = z.infer<typeof costPreview>;

/** A tariff with 200 periods and long names is far smaller. */
export const maxTariffBodyBytes = 256 * 1024;
