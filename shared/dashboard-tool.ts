import { measuredQuantities } from './quantities.ts';
import { z } from 'zod';
import { encodeIssue } from './messages.ts';
import { runMode, branding } from './app.ts';
import { customerStates, deviceStates } from './states.rules.ts';
import { rangePresets } from './time.ts';
import { guid, instant, localDate, name } from './primitives.ts';

/** The contract between the page of the dashboard tool and its server, all under `<prefix>/api/`. */
export const toolLimits = {
  /** The most series that get the requested steps. With more customers, the smallest are merged into one, if they can be added up. */
  series: 50,
  /** The most parts of one answer. */
  parts: 500,
  /** The most points of all series of an answer; with more series, the steps are longer. */
  values: 60_000,
  /** Points of one series. */
  points: 5_000,
  /** The most customers that are read one by one, each with a dozen statements; with more, kept quarter-hours are used. */
  customers: 200,
  /** The most ids in one list of a query. */
  chosen: 500,
  heatmapDays: 400,
  /** The JSON of a dashboard. */
  specBytes: 512 * 1024,
  dashboards: 500,
  /** The most versions of each dashboard; older ones are deleted. */
  versions: 50,
} as const;

/** The highest role of the user, according to the portal. */
export const toolRole = z.enum(['Admin', 'RestrictedAdmin', 'User']);

/** `GET me` */
export const toolUser = z.object({
  name: z.string(),
  email: z.string(),
  role: toolRole,
  /** Whether dashboards may be written; the server refuses others with 403. */
  canEdit: z.boolean(),
  brand: branding.pick({ applicationName: true, logoUrl: true, primaryColor: true, accentColor: true }),
  runMode,
  /** The zone in which the user sees times, as in the portal. */
  timeZone: z.string(),
});
export type ToolUser = z.infer<typeof toolUser>;

/** `GET customers` (Admin mode only), by name: those that the account may see. */
export const toolCustomers = z.array(
  z.object({ id: guid, code: z.string(), name: z.string(), state: z.enum(customerStates) }),
);

/** The current state of a device, or of a site. */
const state = z.enum(deviceStates);

const ofCustomer = { customerId: guid.nullable(), customerName: z.string().nullable() };

/**
 * `GET sites?customer=…`, by name. A parameter may occur more than once; without it, everything that the account may see is
 * listed.
 */
export const toolSites = z.array(z.object({ id: guid, name: z.string(), timeZone: z.string(), state, ...ofCustomer }));

/** `GET devices?site=…&customer=…`, by name. */
export const toolDevices = z.array(
  z.object({
    id: guid,
    name: z.string(),
    siteId: guid,
    siteName: z.string(),
    timeZone: z.string(),
    isActive: z.boolean(),
    state,
    ...ofCustomer,
  }),
);

const means = measuredQuantities.map((quantity) => quantity.measure);
export const measure = z.enum(['power', 'energy', 'cost', 'demand', ...means]);
export type Measure = z.infer<typeof measure>;

/** What gets a series of its own. `period` is the period of the tariff (energy and cost only), `customer` is for Admin mode. */
export const split = z.enum(['none', 'site', 'device', 'period', 'customer']);
export type Split = z.infer<typeof split>;

const ids = z.array(guid).max(toolLimits.chosen).default([]);
const question = {
  /** Two instants for all sites, or two local dates, `fromDate` and `toDate`, for which each site has its own days. */
  from: instant.optional(),
  to: instant.optional().meta({ description: 'exclusive' }),
  fromDate: localDate.optional(),
  toDate: localDate.optional().meta({ description: 'the day after the last one' }),
  /** Empty lists mean everything that the account may see. If sites and devices are given, the devices at these sites count. */
  sites: ids,
  devices: ids,
  customers: ids,
};

/** `POST totals`: one value for each part. */
export const totalsQuestion = z.object({ measure, split: split.default('none'), ...question });
export type TotalsQuestion = z.infer<typeof totalsQuestion>;

/** Minimum seconds between two points. The portal uses its next larger bucket within the limit of points. */
const step = z.union([z.literal('auto'), z.number().positive().max(31_536_000)]).default('auto');

/** `POST query`: one series for each part. */
export const seriesQuestion = totalsQuestion.extend({ step });
export type SeriesQuestion = z.infer<typeof seriesQuestion>;

/** `POST heatmap` */
export const heatmapQuestion = z.object({ measure: z.enum(['power', 'energy']), ...question });
export type HeatmapQuestion = z.infer<typeof heatmapQuestion>;

/**
 * The unit of a quantity (`kW`, `V`), `1` for one without, or the code of a currency. Amounts in two currencies are never in one
 * series.
 */
const unit = z.string();
const known = z.number().nullable();
const ofPart = {
  name: z.string(),
  unit,
  /**
   * `customer`, `customerId`, `site`, `siteId`, `device`, `deviceId`, `period`, `currency`, if the whole series has the same one.
   * `color` is the number of the site or device, from which its color follows.
   * With `period` also the `line`: `energy`, `export`, `fixedCharge`, `vat` or `unpriced`.
   */
  labels: z.record(z.string(), z.string()),
};

/** The number of customers of a large fleet whose newest readings are missing from the answer. */
const pendingCustomers = z.int().optional();

export const seriesBucket = z.enum(['minute', '5min', '15min', 'hour', 'day', 'month']);

/** Power and the means of quantities are averages of a bucket, energy and cost its sum, demand its highest quarter-hour. */
export const seriesAnswer = z.object({
  /** The step that was used. */
  bucket: seriesBucket,
  /** The time zone of buckets of an hour and more. */
  timeZone: z.string(),
  pendingCustomers,
  series: z.array(
    z.object({
      ...ofPart,
      /** The start of each bucket in epoch milliseconds, and its value; null if nothing is known. */
      points: z.array(z.tuple([z.number(), known])),
    }),
  ),
});
export type SeriesAnswer = z.infer<typeof seriesAnswer>;

/**
 * The numbers of the portal's own pages. Cost includes fixed charge and VAT, except by `device`: energy and export
 * only.
 */
export const totalsAnswer = z.object({
  pendingCustomers,
  totals: z.array(
    z.object({
      ...ofPart,
      value: known,
      /** For demand, the start of its quarter-hour; else null. */
      at: instant.nullable(),
    }),
  ),
});
export type TotalsAnswer = z.infer<typeof totalsAnswer>;

/** A row per local day, in the time zone; a value for each hour from 0 to 23, null if nothing is known. */
export const heatmapAnswer = z.object({
  unit,
  pendingCustomers,
  timeZone: z.string(),
  days: z.array(z.object({ date: z.string(), values: z.array(known).length(24) })),
});
export type HeatmapAnswer = z.infer<typeof heatmapAnswer>;

/** An id, or a variable of the dashboard with ids: `$site`. */
const chosen = z
  .array(z.string().regex(/^(?:\$\{?\w{1,64}\}?|[0-9a-fA-F-]{36})$/, 'mustBeGuidOrVariable'))
  .max(toolLimits.chosen);

/** The `spec` of the query plugin `PortalQuery`: it names a measure, never SQL. */
export const querySpec = z.strictObject({
  measure,
  split: split.default('none'),
  sites: chosen.optional(),
  devices: chosen.optional(),
  customers: chosen.optional(),
  /** Cost only in this currency, a code or a variable. */
  currency: z
    .string()
    .regex(/^(?:[A-Z]{3}|\$\{?\w{1,64}\}?)$/, 'mustBeCurrencyOrVariable')
    .optional(),
  /** Seconds between points; without it as many points as fit. */
  bucket: seriesBucket.optional(),
  datasource: z.strictObject({ kind: z.literal('PortalDatasource') }).optional(),
});
export type QuerySpec = z.input<typeof querySpec>;

/** The plugins that a dashboard may name. */
export const panelKinds = [
  'TimeSeriesChart',
  'StatChart',
  'GaugeChart',
  'BarChart',
  'Table',
  'Markdown',
  'LoadHeatmap',
] as const;
/** Older dashboards call bars a pie. */
const panelKind = z.preprocess((kind) => (kind === 'PieChart' ? 'BarChart' : kind), z.enum(panelKinds));
export const variableKinds = ['PortalSites', 'PortalDevices', 'PortalCustomers', 'PortalCurrencies'] as const;

const options = z.record(z.string(), z.json());
const display = z.looseObject({ name: z.string().max(200).optional(), description: z.string().max(2_000).optional() });
const url = z
  .string()
  .max(2_000)
  .regex(/^(?:https?:\/\/|[/?#.])/, 'mustBeAddressOrPath');
const links = z.array(z.looseObject({ url })).max(20).optional();

const query = z.strictObject({
  kind: z.literal('TimeSeriesQuery'),
  spec: z.strictObject({
    plugin: z.strictObject({ kind: z.literal('PortalQuery'), spec: querySpec }),
  }),
});

const panel = z.strictObject({
  kind: z.literal('Panel'),
  spec: z.strictObject({
    display: display.optional(),
    plugin: z.strictObject({ kind: panelKind, spec: options }),
    queries: z.array(query).max(10).optional(),
    links,
  }),
});

const variable = z.strictObject({
  kind: z.literal('ListVariable'),
  spec: z.looseObject({
    name: z.string().regex(/^\w{1,64}$/, 'mustBeVariableName'),
    display: z.looseObject({}).optional(),
    allowMultiple: z.boolean().optional(),
    allowAllValue: z.boolean().optional(),
    plugin: z.strictObject({ kind: z.enum(variableKinds), spec: options }),
  }),
});

const cell = z.int().min(0).max(10_000);
const layout = z.strictObject({
  kind: z.literal('Grid'),
  spec: z.looseObject({
    items: z
      .array(
        z.looseObject({
          x: cell,
          y: cell,
          width: cell,
          height: cell,
          content: z.strictObject({ $ref: z.string().regex(/^#\/spec\/panels\/.{1,200}$/) }),
        }),
      )
      .max(100),
  }),
});

const duration = z.string().regex(/^(?:\d{1,6}(?:ms|s|m|h|d|w|y))+$/, 'mustBeDuration');
const range = z.union(
  [z.enum(rangePresets), duration],
  encodeIssue('mustBeDurationOrPreset', { choices: rangePresets.join(', ') }),
);

/** The `spec` of a dashboard in Perses, with only our queries, variables and panels. */
export const dashboardSpec = z.strictObject({
  display: display.extend({ name: name(200).optional() }).optional(),
  duration: range.default('last24h'),
  refreshInterval: duration.optional(),
  variables: z.array(variable).max(20).default([]),
  panels: z
    .record(z.string().max(200), panel)
    .refine((panels) => Object.keys(panels).length <= 100, encodeIssue('atMostEntries', { max: 100 }))
    .default({}),
  layouts: z.array(layout).max(50).default([]),
  links,
  /** The only kind; it needs no settings. */
  datasources: z.strictObject({}).optional(),
});
export type DashboardSpec = z.infer<typeof dashboardSpec>;
/** As written: anything with a default may be left out. */
export type WrittenSpec = z.input<typeof dashboardSpec>;

/** The name of a dashboard in URLs; it never changes. */
export const dashboardName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'mustBeDashboardName');

/** An entry of `GET dashboards`, which is sorted by title. */
export const listedDashboard = z.object({
  name: dashboardName,
  title: z.string(),
  description: z.string().optional(),
  /** Incremented with each save; 0 is the shipped dashboard, never changed. */
  version: z.int(),
  updatedAt: instant.nullable(),
  updatedBy: z.string().nullable(),
  /** Whether it ships with the tool: deleting it restores the shipped version. */
  isProvisioned: z.boolean(),
});
export const listedDashboards = z.array(listedDashboard);
export type ListedDashboard = z.infer<typeof listedDashboard>;

/** `GET dashboards/:name`; with `?version=` an earlier version. */
export const storedDashboard = listedDashboard.extend({ spec: dashboardSpec });
export type StoredDashboard = z.infer<typeof storedDashboard>;

/** `POST dashboards`: 201, or 409 if the name is taken. */
export const dashboardCreate = z.object({ name: dashboardName, spec: dashboardSpec });

/** `PUT dashboards/:name`: `version` is the edited one; 412 if a newer one exists. */
export const dashboardUpdate = z.object({ version: z.int().min(0), spec: dashboardSpec });

/** `GET dashboards/:name/versions`, the newest first. */
export const dashboardVersions = z.array(
  z.object({
    version: z.int(),
    savedAt: instant,
    savedBy: z.string(),
    /** Whether this version restored the shipped dashboard. */
    isReset: z.boolean(),
  }),
);
export type DashboardVersion = z.infer<typeof dashboardVersions>[number];
