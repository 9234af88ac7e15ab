import { z } from 'zod';
import { customer } from './customers.ts';
import { batchType } from './fleet-ingest.ts';
import { rawMeasurementRow } from './measurements.ts';
import { guid, instant, localDate } from './primitives.ts';
import { tariff } from './rates.ts';
import { device, municipality, site } from './sites.ts';

/** Hours of `batchesByHour`. */
export const sparklineHours = 24;

/** Who may be chosen, in Measurements. */
export const namedCustomer = customer.pick({ id: true, code: true, name: true, isActive: true, lastSeenAt: true });
export type NamedCustomer = z.infer<typeof namedCustomer>;

/** Sites of the fleet that are listed at most. */
export const maxFleetSites = 10_000;
/** A site of any customer. */
export const fleetSite = z.object({ id: guid, name: z.string(), customerId: guid, customerName: z.string() });

/**
 * Trouble first. `silent`: nothing comes; `unmeasured`: batches come, but no readings; `failing`: batches were refused, or records in
 * them; `waiting`: nothing was ever stored.
 */
export const customerState = z.enum(['silent', 'unmeasured', 'failing', 'waiting', 'off', 'live']);
export type CustomerState = z.infer<typeof customerState>;

/** What batches say of a customer, beside the registry. */
const seen = {
  state: customerState.meta({
    description:
      'silent: nothing comes for three of its usual intervals; unmeasured: the same of readings, while other batches come; failing: batches were refused or had bad records lately; waiting: nothing was ever stored; off: not active; else live',
  }),
  troubleSince: instant.nullable().meta({ description: 'since when it is silent, unmeasured or failing' }),
  noReadingsSince: instant.nullable().meta({ description: 'the last batch that had readings, where only others come' }),
  failure: z
    .object({
      since: instant.meta({ description: 'the first of those that followed each other within a day' }),
      at: instant.meta({ description: 'the last of them' }),
      reason: z.string(),
      isRefused: z.boolean().meta({ description: 'whether nothing of that batch was stored' }),
    })
    .nullable()
    .meta({ description: 'of batches that were refused lately, or had bad records' }),
  usualIntervalSeconds: z
    .number()
    .nullable()
    .meta({ description: 'between batches of measurements; null while unknown' }),
  silentAfterSeconds: z.number().meta({ description: 'how long it may be quiet' }),
  lagSeconds: z.int().nullable().meta({ description: 'since lastSeenAt; null where no batch was ever stored' }),
  lastBatchAt: instant.nullable().meta({ description: 'of any batch, stored or refused' }),
  lastError: z.string().nullable().meta({ description: 'of the last batch; null if it was stored' }),
};

export const fleetCustomer = customer
  .pick({
    id: true,
    code: true,
    name: true,
    isActive: true,
    firstSeenAt: true,
    lastSeenAt: true,
    pushIntervalSeconds: true,
  })
  .extend({
    ...seen,
    siteCount: z.int(),
    deviceCount: z.int(),
    measurementsToday: z.int(),
    energyTodayKwh: z.number().meta({ description: 'imported; the sum of the quarter-hours of today' }),
    isEnergyPending: z.boolean().meta({
      description:
        'whether readings that came are still being processed, so that measurementsToday and energyTodayKwh may lack some',
    }),
    newestMeasurementAt: instant.nullable(),
    batchesByHour: z.array(z.int()).length(sparklineHours).meta({
      description: 'batches that came, stored or refused, in each of the last 24 hours of UTC, the oldest first',
    }),
    failedBatches: z.int().meta({ description: 'of these, those that were refused or had bad records' }),
    rejectedRecords: z.int().meta({ description: 'in these' }),
  });
export type FleetCustomer = z.infer<typeof fleetCustomer>;

export const fleetDashboard = z.object({
  today: localDate.meta({ description: 'the day of Application__TimeZone that "today" means' }),
  customerCount: z.int(),
  activeCustomerCount: z.int(),
  totalMeasurements: z.int(),
  todayMeasurements: z.int(),
  todayEnergyKwh: z.number(),
  customers: z.array(fleetCustomer).meta({ description: 'those in trouble first, as in `state`; else by name' }),
});
export type FleetDashboard = z.infer<typeof fleetDashboard>;

export const ingestEvent = z.object({
  id: guid,
  receivedAt: instant,
  batchType: z.string().meta({ description: `one of ${batchType.options.join(', ')}, or what came in its place` }),
  rowsAccepted: z.int(),
  rowsRejected: z.int(),
  payloadBytes: z.int(),
  cursor: z.string().nullable().meta({ description: 'X-Push-Cursor' }),
  fromTime: instant.nullable().meta({ description: 'the earliest time of its measurements' }),
  toTime: instant.nullable(),
  error: z.string().nullable(),
});

/** Of records (sites, devices, municipalities) and of tariffs, which may have 200 periods each, a page has so many. */
export const detailLimits = { measurements: 50, ingestEvents: 20, records: 2_000, tariffs: 500 } as const;

/** The lists of a customer that come in pages. */
const pagedCounts = z.object({ sites: z.int(), devices: z.int(), municipalities: z.int(), tariffs: z.int() });
export type PagedList = keyof z.infer<typeof pagedCounts>;
const pageOf = `by name, those of the page: at most ${detailLimits.records}`;

/** What has not come yet is null: sets come in parts and in any order. */
export const customerDetail = z.object({
  customer: customer.extend({ ...seen, totalMeasurements: z.int() }),
  counts: pagedCounts.meta({ description: 'how many there are of what comes in pages, on all of them' }),
  sites: z
    .array(site.extend({ municipalityName: z.string().nullable(), timeZone: z.string().nullable() }))
    .meta({ description: pageOf }),
  devices: z
    .array(device.omit({ endUse: true }).extend({ siteName: z.string().nullable() }))
    .meta({ description: pageOf }),
  measurements: z
    .array(rawMeasurementRow.extend({ deviceId: guid, deviceName: z.string().nullable() }))
    .meta({ description: `the last ${detailLimits.measurements} by time, newest first` }),
  ingestEvents: z
    .array(ingestEvent)
    .meta({ description: `the last ${detailLimits.ingestEvents} batches, newest first` }),
  municipalities: z.array(municipality).meta({ description: pageOf }),
  tariffs: z
    .array(tariff.extend({ municipalityName: z.string() }))
    .meta({ description: `by municipality, those of the page: at most ${detailLimits.tariffs}` }),
});
export type CustomerDetail = z.infer<typeof customerDetail>;
