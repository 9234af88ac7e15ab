import { z } from 'zod';
import { bucket, localDate, answeredRange, guid, instant } from './primitives.ts';

const known = z.number().nullable();
export const totalCost = z.object({
  currency: z.string(),
  energyCost: z.number(),
  fixedCharge: z.number(),
  vat: z.number(),
  total: z.number(),
});
/** Energy of a range in kWh; `unpriced` is import without a tariff in force. */
const energyTotals = {
  energyImportedKwh: z.number(),
  energyExportedKwh: z.number(),
  estimatedEnergyKwh: z.number(),
  unpricedEnergyKwh: z.number(),
};
/** The import at one rate. */
export const pricedPeriod = z.object({
  name: z.string(),
  ratePerKwh: z.number(),
  energyKwh: z.number(),
  cost: z.number(),
  currency: z.string(),
});
const ofSite = { siteId: guid, siteName: z.string() };
/** Names the device of an entry. */
export const ofDevice = { deviceId: guid, deviceName: z.string(), ...ofSite };

/** How long a fixed charge is paid in each currency. */
export const tariffDays = z.array(z.object({ currency: z.string(), days: z.number() })).meta({
  description: 'Sum of the local days for which the sites pay a fixed charge in a currency, with fractions.',
});

/**
 * `GET /api/dashboard/summary`. Peaks are block demand over a quarter-hour, null if none counts (energy-and-cost.md 6). The
 * rounded amounts of devices, sites and periods add up to `costs`.
 */
export const dashboardSummary = z.object({
  ...answeredRange,
  activeDeviceCount: z.int(),
  currentDeviceCount: z
    .int()
    .meta({ description: 'Active devices with a reading younger than max(15 min, 2 × expectedIntervalSeconds).' }),
  arrivedUntil: instant.meta({
    description:
      'Up to here the range is complete: all sending devices have delivered. Inactive devices, devices silent for longer than a gap and the latest 2 % do not count.',
  }),
  currentPowerKw: known.meta({ description: 'Sum of their latest readings. Sub-meters count in their main meter.' }),
  averagePowerKw: known.meta({
    description: 'Import minus export, divided by the time with known energy of any chosen device.',
  }),
  peakPowerKw: known,
  peakAt: instant.nullable(),
  averagePowerFactor: known,
  ...energyTotals,
  costs: z.array(totalCost),
  tariffDays,
  devices: z.array(
    z.object({
      ...ofDevice,
      parentDeviceId: guid.nullable(),
      countedIn: guid.nullable().meta({
        description: 'The main meter of this list whose energy includes it. The devices with null add up.',
      }),
      notSubMeteredKwh: known.meta({
        description: 'Import minus export that its sub-meters did not measure; null unless all of them are chosen.',
      }),
      energyImportedKwh: z.number(),
      energyExportedKwh: z.number(),
      estimatedEnergyKwh: z.number(),
      measuredHours: z.number().meta({
        description:
          'Hours of the range with known energy, to a hundredth: from its first to its last reading, without gaps.',
      }),
      averagePowerKw: known,
      peakPowerKw: known,
      peakAt: instant.nullable(),
      currentPowerKw: known,
      lastMeasuredAt: instant.nullable(),
      costs: z.array(totalCost.pick({ currency: true, energyCost: true })),
    }),
  ),
  sites: z.array(
    z.object({
      ...ofSite,
      energyImportedKwh: z.number(),
      energyExportedKwh: z.number(),
      costs: z.array(totalCost),
    }),
  ),
  periods: z.array(pricedPeriod),
});
export type DashboardSummary = z.infer<typeof dashboardSummary>;

export const loadCurveGroup = z.enum(['device', 'site', 'endUse', 'total']);
export type LoadCurveGroup = z.infer<typeof loadCurveGroup>;

/** The series of the devices in `apartDeviceIds`. */
export const apartId = 'apart';

/** `GET /api/dashboard/load-curve`: every series has one value per entry of `times`; null if nothing is known. */
export const loadCurve = z.object({
  bucket,
  times: z.array(instant),
  series: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      averagePowerKw: z.array(known),
      energyImportedKwh: z.array(known),
    }),
  ),
});
export type LoadCurve = z.infer<typeof loadCurve>;

export const costGroup = z.enum(['day', 'month', 'period']);
export type CostGroup = z.infer<typeof costGroup>;

export const costLineKind = z.enum(['energy', 'export', 'fixedCharge', 'vat', 'unpriced']);
export type CostLineKind = z.infer<typeof costLineKind>;

/**
 * One line of a total. `energy` is import at one rate, `export` the credit (negative), `fixedCharge` counts `days`, `vat` is
 * `vatPercent` of the tariff's other lines, `unpriced` is import without a tariff in force and has a null cost.
 */
export const costLine = z.object({
  kind: costLineKind,
  /** The local date (`YYYY-MM-DD`) or month (`YYYY-MM`) of the site; null if the whole range is one group. */
  group: z.string().nullable(),
  siteId: guid,
  siteName: z.string(),
  tariffId: guid.nullable(),
  tariffName: z.string().nullable(),
  currency: z.string().nullable(),
  /** Name of the period, `Default`, `Export`, `Fixed charge`, `VAT` or `Unpriced`. */
  name: z.string(),
  ratePerKwh: z.number().nullable(),
  energyKwh: z.number().nullable(),
  /** The part of `energyKwh` that is interpolated. */
  interpolatedKwh: z.number().nullable(),
  days: z.number().nullable().meta({ description: 'Local days of a fixed charge, with fractions.' }),
  vatPercent: z.number().nullable(),
  cost: z.number().nullable(),
});
export type CostLine = z.infer<typeof costLine>;

/** `GET /api/dashboard/cost-breakdown`: the rounded lines of a currency add up to its total. */
export const costBreakdown = z.object({
  ...answeredRange,
  group: costGroup,
  costs: z.array(totalCost),
  tariffDays,
  ...energyTotals,
  lines: z.array(costLine),
});
export type CostBreakdown = z.infer<typeof costBreakdown>;

export const baseLoadGroup = z.enum(['total', 'device']);

/** `GET /api/dashboard/base-load`: the power used when nobody is there; docs/energy.md has the rule. */
export const baseLoad = z.object({
  ...answeredRange,
  baseLoadKw: z.number().nullable().meta({
    description: 'The median of the quietest hours of the nights; null with fewer than three measured nights.',
  }),
  nightCount: z.int().meta({ description: 'The number of nights, at most 28.' }),
  costs: z
    .array(z.object({ currency: z.string(), perYear: z.number() }))
    .meta({ description: 'Energy and VAT of a year at the tariffs in force at the end of the range.' }),
  unpricedKw: z.number().meta({ description: 'The part without a tariff in force; it is not in the costs.' }),
  devicesLeftOut: z.array(guid).meta({
    description: 'Devices with too few measured nights; not in these figures.',
  }),
  firstNight: localDate.nullable().meta({ description: 'The earliest night that may count; null without devices.' }),
  lastNight: localDate.nullable(),
  devices: z
    .array(
      z.object({
        deviceId: guid,
        deviceName: z.string(),
        siteId: guid,
        siteName: z.string(),
        countedIn: guid.nullable().meta({ description: 'The main meter whose base load contains this one.' }),
        baseLoadKw: z.number(),
        nightCount: z.int(),
        energyPerYearKwh: z.number().meta({ description: 'If the base load ran all year.' }),
        cost: z.object({ currency: z.string(), perYear: z.number() }).nullable(),
      }),
    )
    .meta({
      description:
        'With groupBy=device, the base load of each device by its own nights, the highest first, sub-meters included. Quiet hours differ, so they need not add up to the total.',
    }),
});
export type BaseLoad = z.infer<typeof baseLoad>;

/** The buckets of usual consumption, which is kept in quarter-hours. */
export const usualBucket = z.enum(['15min', 'hour', 'day']);
export type UsualBucket = z.infer<typeof usualBucket>;

/** The longest range with usual consumption, in days. */
export const usualDaysMax = 35;

/**
 * `GET /api/dashboard/usual`: usual consumption at the same weekday and time of day in the eight weeks before the
 * range; docs/energy.md has the rule. Null without data.
 */
export const usualLoad = z.object({
  ...answeredRange,
  bucket: usualBucket,
  times: z.array(instant),
  lowPowerKw: z.array(known).meta({ description: '10th percentile of the weeks, import minus export.' }),
  medianPowerKw: z.array(known),
  highPowerKw: z.array(known).meta({ description: '90th percentile.' }),
  weekCounts: z.array(z.int()).meta({ description: 'Number of weeks of each bucket, at most 8.' }),
  energy: z
    .object({ lowKwh: z.number(), medianKwh: z.number(), highKwh: z.number(), weekCount: z.int() })
    .nullable()
    .meta({ description: 'The usual import of the whole range.' }),
  energyUntil: z
    .object({ lowKwh: z.number(), medianKwh: z.number(), highKwh: z.number(), weekCount: z.int() })
    .nullable()
    .meta({ description: 'The same up to until.' }),
  until: instant.meta({
    description:
      'As requested, at most the end of the range. Without it: arrivedUntil of the summary, in whole minutes.',
  }),
  devicesWithoutUsual: z.array(guid).meta({
    description: 'Devices with too short a history; not in these figures.',
  }),
});
export type UsualLoad = z.infer<typeof usualLoad>;
