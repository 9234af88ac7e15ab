import { z } from 'zod';
import { storedRefusal, encodeIssue } from './messages.ts';
import { batchType, clientReport } from './push.ts';
import { customerStates } from './states.rules.ts';
import { rawMeasurementRow } from './measurements.ts';
import { guid, instant, localDate, name, text } from './primitives.ts';
import { tariff } from './rates.ts';
import { device, municipality, site, unpushedOfDevice } from './sites.ts';

export const customer = z.object({
  id: guid,
  code: z.string(),
  name: z.string(),
  isActive: z.boolean(),
  tokenIssuedAt: instant,
  /** Until when the previous token is or was valid; null if there is none. */
  previousTokenExpiresAt: instant.nullable(),
  /** Counts of stored batches. */
  firstSeenAt: instant.nullable(),
  lastSeenAt: instant.nullable(),
  /** The result of the last comparison, as the customer's stack reported it; null before the first. */
  reconciledAt: instant.nullable(),
  inStepUpTo: instant.nullable().meta({ description: 'Earlier measurements are the same on both sides.' }),
  differingDays: z.int().nullable().meta({ description: 'Device days that still differ.' }),
  pushIntervalSeconds: z.int().nullable(),
  createdAt: instant,
  group: z.string().nullable(),
  notes: z.string().nullable(),
});
export type Customer = z.infer<typeof customer>;

/** Folders of `deploy/` besides those of the stacks. */
const takenCodes = ['caddy', 'removed'];

/** The rule of `check_code` in deploy/lib.sh. */
export const customerCode = z
  .string()
  .trim()
  .regex(/^[a-z0-9]([a-z0-9-]{0,37}[a-z0-9])$/, 'mustBeCustomerCode')
  .refine((code) => !takenCodes.includes(code), encodeIssue('mustNotBeTaken', { codes: takenCodes.join(' or ') }));

const labels = {
  group: name(60)
    .nullable()
    .optional()
    .meta({ description: 'A label that customers share. Absent: unchanged, or none.' }),
  notes: text(1, 1_000).nullable().optional().meta({ description: 'For people. Absent: unchanged, or none.' }),
};
export const customerCreate = z.object({
  code: customerCode.meta({
    description: 'Never changes. Also the compose project name and the subdomain of the customer.',
  }),
  name: name(200),
  ...labels,
});
export const customerUpdate = z.object({ name: name(200), isActive: z.boolean(), ...labels });
export type CustomerCreate = z.infer<typeof customerCreate>;
export type CustomerUpdate = z.infer<typeof customerUpdate>;

const token = z.string().meta({ description: '64 hex characters. Shown once, here.' });
export const createdCustomer = z.object({ customer, token });

export const maxGraceHours = 720;
export const tokenRotation = z
  .object({
    graceHours: z.number().min(0).max(maxGraceHours).optional().meta({
      description: 'How long the previous token stays valid. Default: FleetIngest__TokenGraceHours.',
    }),
  })
  .nullish();
export const rotatedToken = z.object({ token, previousTokenExpiresAt: instant.nullable() });

/** The customers that a RestrictedAdmin sees (AdminCustomerAccess). */
export const customerAccess = z.object({ customerIds: z.array(guid) });
export const customerAccessUpdate = z.object({
  customerIds: z
    .array(guid)
    .max(10_000)
    .transform((ids) => [...new Set(ids)].toSorted()),
});
export type CustomerAccess = z.infer<typeof customerAccess>;

/** Hours of `batchesByHour`. */
export const sparklineHours = 24;

export const customerState = z.enum(customerStates).meta({
  description:
    'silent: no readings for three of its usual intervals (noReadingsSince: only other batches). failing: recent batches or records were rejected. never: no batch yet. late: no readings for two of its usual intervals. inactive: its batches are rejected. unavailable: the part of the database with its rows does not answer; figures are those last read. sending: otherwise.',
});

/** A customer as the registry lists it. */
export const registeredCustomer = customer.extend({ state: customerState });
export type RegisteredCustomer = z.infer<typeof registeredCustomer>;

/** Who may be chosen, in Measurements. */
export const namedCustomer = registeredCustomer.pick({
  id: true,
  code: true,
  name: true,
  isActive: true,
  lastSeenAt: true,
  state: true,
});
export type NamedCustomer = z.infer<typeof namedCustomer>;

/** The most sites of the fleet that are listed. */
export const maxFleetSites = 10_000;
/** A site of any customer. */
export const fleetSite = z.object({ id: guid, name: z.string(), customerId: guid, customerName: z.string() });

/** A label that customers share. */
export const fleetGroup = z.object({ name: z.string() });

/** How many rows of a list match, if not all of them are sent. */
export const totalHeader = 'x-total-count';
/** A part of a long list. */
export const searchQuery = z.object({
  search: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Words, without case and accents. The best matches come first.' }),
  limit: z.coerce.number().int().min(1).max(maxFleetSites).optional().meta({ description: 'Default: all.' }),
});

/** Figures from the batches of a customer, beside the registry. */
const seen = {
  state: customerState,
  troubleSince: instant.nullable().meta({ description: 'Start of the state silent or failing.' }),
  noReadingsSince: instant
    .nullable()
    .meta({ description: 'The last batch with readings, if only other batches arrive.' }),
  failure: z
    .object({
      since: instant.meta({ description: 'The first failure of an uninterrupted series (less than a day apart).' }),
      at: instant.meta({ description: 'The last failure.' }),
      reason: z.string(),
      refusal: storedRefusal,
      isRefused: z.boolean().meta({ description: 'Whether the whole batch was rejected.' }),
    })
    .nullable()
    .meta({
      description:
        'Recent rejected batches or batches with rejected records. A rejected token counts until the next stored batch.',
    }),
  usualIntervalSeconds: z
    .number()
    .nullable()
    .meta({ description: 'Between batches of measurements; null while unknown.' }),
  silentAfterSeconds: z.number().meta({ description: 'How long it may send nothing before it is silent.' }),
  lagSeconds: z.int().nullable().meta({ description: 'Since lastSeenAt; null before the first stored batch.' }),
  lastBatchAt: instant.nullable().meta({ description: 'Of any batch, stored or rejected.' }),
  lastError: z.string().nullable().meta({ description: 'Of the last batch; null if it was stored.' }),
  lastRefusal: storedRefusal,
};

export const fleetCustomer = customer
  .pick({
    id: true,
    code: true,
    name: true,
    group: true,
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
    energyTodayKwh: z.number().meta({ description: 'Imported energy: the sum of the quarter-hours of today.' }),
    isEnergyPending: z.boolean().meta({
      description:
        'Whether figures except totalMeasurements may lack readings that are being processed or whose device is unknown.',
    }),
    newestMeasurementAt: instant.nullable(),
    batchesByHour: z.array(z.int()).length(sparklineHours).meta({
      description: 'Batches, stored or rejected, in each of the last 24 hours of UTC, oldest first.',
    }),
    failedBatches: z.int().meta({ description: 'The batches that were rejected or had rejected records.' }),
    rejectedRecords: z.int().meta({ description: 'Rejected records of these batches.' }),
  });
export type FleetCustomer = z.infer<typeof fleetCustomer>;

/** The columns that the fleet can be sorted by. */
const fleetColumns = ['name', 'lastSeenAt', 'energyTodayKwh', 'deviceCount'] as const;
const descending = fleetColumns.map((column) => `-${column}` as const);
/** Which customers of the fleet are listed, in the query of a request. */
export const fleetDashboardQuery = searchQuery.extend({
  search: searchQuery.shape.search.meta({ description: 'Words of name, code and group, without case and accents.' }),
  state: customerState.optional(),
  sort: z
    .enum([...fleetColumns, ...descending])
    .optional()
    .meta({
      description: 'A minus means descending. Customers without a value come last. Default: by state, then by name.',
    }),
});
export type FleetDashboardQuery = z.infer<typeof fleetDashboardQuery>;

/** In kWh. Null if no reading of today has arrived, because the energy is unknown then. */
export const knownEnergyToday = ({
  energyTodayKwh,
  measurementsToday,
}: Pick<FleetCustomer, 'energyTodayKwh' | 'measurementsToday'>): number | null =>
  measurementsToday === 0 && energyTodayKwh === 0 ? null : energyTodayKwh;

const count = z.int();
const stateCounts = {
  silent: count,
  failing: count,
  unavailable: count,
  never: count,
  late: count,
  inactive: count,
  sending: count,
} satisfies Record<(typeof customerStates)[number], z.ZodInt>;

export const fleetDashboard = z.object({
  today: localDate.meta({ description: 'The day of Application__TimeZone that "today" means.' }),
  customerCount: z.int(),
  activeCustomerCount: z.int(),
  totalMeasurements: z.int(),
  todayMeasurements: z.int(),
  todayEnergyKwh: z.number(),
  isEnergyPending: z.boolean().meta({ description: 'Whether it is of any customer.' }),
  stateCounts: z.object(stateCounts).meta({ description: 'How many customers are in each state.' }),
  foundCount: z.int().meta({ description: 'How many customers search and state find. All other totals are of all.' }),
  customers: z
    .array(fleetCustomer)
    .meta({ description: 'Those found, by state, those in trouble first, then by name.' }),
});
export type FleetDashboard = z.infer<typeof fleetDashboard>;

export const ingestEvent = z.object({
  id: guid,
  receivedAt: instant,
  batchType: z.string().meta({ description: `One of ${batchType.options.join(', ')}, or what was sent instead.` }),
  rowsAccepted: z.int(),
  rowsRejected: z.int(),
  payloadBytes: z.int(),
  cursor: z.string().nullable().meta({ description: 'X-Push-Cursor.' }),
  fromTime: instant.nullable().meta({ description: 'The earliest time of its measurements.' }),
  toTime: instant.nullable(),
  error: z.string().nullable(),
  refusal: storedRefusal,
});

/** The page size of records (sites, devices, municipalities), and of tariffs, which may have 200 periods each. */
export const detailLimits = { measurements: 50, ingestEvents: 20, records: 2_000, tariffs: 500 } as const;

/** The paged lists of a customer. */
const pagedCounts = z.object({ sites: z.int(), devices: z.int(), municipalities: z.int(), tariffs: z.int() });
export type PagedList = keyof z.infer<typeof pagedCounts>;
const pageOf = `One page by name, at most ${detailLimits.records}.`;

/** Null until it arrives: sets arrive in parts and in any order. */
export const customerDetail = z.object({
  customer: customer.extend({
    ...seen,
    totalMeasurements: z.int(),
    report: clientReport
      .extend({ at: instant.meta({ description: 'Of the batch that it came with.' }) })
      .nullable()
      .meta({ description: 'What the Client last said of itself (X-Client-Report); null until it does.' }),
  }),
  counts: pagedCounts.meta({ description: 'Total number of entries of the paged lists.' }),
  sites: z
    .array(site.extend({ municipalityName: z.string().nullable(), timeZone: z.string().nullable() }))
    .meta({ description: pageOf }),
  devices: z
    .array(device.omit(unpushedOfDevice).extend({ siteName: z.string().nullable() }))
    .meta({ description: pageOf }),
  measurements: z
    .array(rawMeasurementRow.extend({ deviceId: guid, deviceName: z.string().nullable() }))
    .meta({ description: `The last ${detailLimits.measurements} by time, newest first.` }),
  ingestEvents: z
    .array(ingestEvent)
    .meta({ description: `The last ${detailLimits.ingestEvents} batches, newest first.` }),
  municipalities: z.array(municipality).meta({ description: pageOf }),
  tariffs: z
    .array(tariff.extend({ municipalityName: z.string() }))
    .meta({ description: `One page by municipality, at most ${detailLimits.tariffs}.` }),
});
export type CustomerDetail = z.infer<typeof customerDetail>;
