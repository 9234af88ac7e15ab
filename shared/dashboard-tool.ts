import { measuredQuantities } from './quantities.ts';
import { z } from 'zod';
import { encodeIssue } from './issues.ts';
import { runMode, branding } from './app.ts';
import { rangePresets } from './range-presets.ts';
import { guid, instant, localDate, name } from './primitives.ts';

/** The contract between the page of the dashboard tool and its server, all under `<prefix>/api/`. */
export const toolLimits = {
  /** Series of one answer; of more customers the smallest are one, where they add up. */
  series: 50,
  /** Values of one answer without points. */
  totals: 200,
  /** Points of one series. */
  points: 5_000,
  /** Customers that are read one by one, each with a dozen statements; of more, their quarter-hours are kept. */
  customers: 200,
  /** Ids in one list of a question. */
  chosen: 500,
  heatmapDays: 400,
  /** The JSON of a dashboard. */
  specBytes: 512 * 1024,
  dashboards: 500,
  /** Of each dashboard; older ones go. */
  versions: 50,
} as const;

/** The highest role of who asks, as the portal says. */
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
  /** The zone in which days are meant, and of times of several sites: that of most, in Admin mode `Application__TimeZone`. */
  timeZone: z.string(),
});
export type ToolUser = z.infer<typeof toolUser>;

/** `GET customers` (Admin mode only), by name: those that the account may see. */
export const toolCustomers = z.array(z.object({ id: guid, code: z.string(), name: z.string() }));

const ofCustomer = { customerId: guid.nullable(), customerName: z.string().nullable() };

/**
 * `GET sites?customer=…`, by name. A parameter may occur more than once; without it, everything that the account may
 * see.
 */
export const toolSites = z.array(z.object({ id: guid, name: z.string(), timeZone: z.string(), ...ofCustomer }));

/** `GET devices?site=…&customer=…`, by name. */
export const toolDevices = z.array(
  z.object({
    id: guid,
    name: z.string(),
    siteId: guid,
    siteName: z.string(),
    timeZone: z.string(),
    isActive: z.boolean(),
    ...ofCustomer,
  }),
);

const means = measuredQuantities.map((quantity) => quantity.measure);
export const measure = z.enum(['power', 'energy', 'cost', 'demand', ...means]);
export type Measure = z.infer<typeof measure>;

/** What gets a series of its own. `period` is the part of the tariff (energy and cost only), `customer` is for Admin mode. */
export const split = z.enum(['none', 'site', 'device', 'period', 'customer']);
export type Split = z.infer<typeof split>;

const ids = z.array(guid).max(toolLimits.chosen).default([]);
const question = {
  /** Two instants for all sites, or two local dates, `fromDate` and `toDate`: each site then has its own of these days. */
  from: instant.optional(),
  to: instant.optional().meta({ description: 'exclusive' }),
  fromDate: localDate.optional(),
  toDate: localDate.optional().meta({ description: 'the day after the last one' }),
  /** Empty lists mean all that the account may see; with sites and devices, those devices that are of these sites. */
  sites: ids,
  devices: ids,
  customers: ids,
};

/** `POST totals`: one value for each part. */
export const totalsQuestion = z.object({ measure, split: split.default('none'), ...question });
export type TotalsQuestion = z.infer<typeof totalsQuestion>;

/** Minimum seconds between two points. The portal uses its next larger bucket that keeps to the limit of points. */
const step = z.union([z.literal('auto'), z.number().positive().max(31_536_000)]).default('auto');

/** `POST query`: one series for each part. */
export const seriesQuestion = totalsQuestion.extend({ step });
export type SeriesQuestion = z.infer<typeof seriesQuestion>;

/** `POST heatmap` */
export const heatmapQuestion = z.object({ measure: z.enum(['power', 'energy']), ...question });
export type HeatmapQuestion = z.infer<typeof heatmapQuestion>;

/** That of a quantity (`kW`, `V`), `1` for one without, or the code of a currency: amounts of two are never in one series. */
const unit = z.string();
const known = z.number().nullable();
const ofPart = {
  name: z.string(),
  unit,
  /**
   * `customer`, `customerId`, `site`, `siteId`, `device`, `deviceId`, `period`, `currency`, as far as they are the same in it; with
   * `period` the `line` that it is: `energy`, `export`, `fixedCharge`, `vat` or `unpriced`.
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
  /** That of the buckets of an hour and more. */
  timeZone: z.string(),
  pendingCustomers,
  series: z.array(
    z.object({
      ...ofPart,
      /** The start of each bucket in epoch milliseconds, and its value; null where nothing is known. */
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
      /** Of a demand, the start of its quarter-hour; else null. */
      at: instant.nullable(),
    }),
  ),
});
export type TotalsAnswer = z.infer<typeof totalsAnswer>;

/** A row a local day, by the clock of the zone; a value for each hour from 0 to 23, null where nothing is known. */
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

/** The `spec` of the query plugins `PortalQuery` and `PortalTotals`: it names a measure, never SQL. */
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
  /** Seconds for each point; without it as many points as fit. */
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
  'PieChart',
  'Markdown',
  'LoadHeatmap',
] as const;
export const queryKinds = ['PortalQuery', 'PortalTotals'] as const;
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
    plugin: z.strictObject({ kind: z.enum(queryKinds), spec: querySpec }),
  }),
});

const panel = z.strictObject({
  kind: z.literal('Panel'),
  spec: z.strictObject({
    display: display.optional(),
    plugin: z.strictObject({ kind: z.enum(panelKinds), spec: options }),
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

/** What Perses calls the `spec` of a dashboard, with our queries, variables and panels only. */
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
  /** There is one, which needs no settings. */
  datasources: z.strictObject({}).optional(),
});
export type DashboardSpec = z.infer<typeof dashboardSpec>;
/** As it is written down: what has a default may be left out. */
export type WrittenSpec = z.input<typeof dashboardSpec>;

/** What a dashboard is called in addresses; it never changes. */
export const dashboardName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'mustBeDashboardName');

/** One of those of `GET dashboards`, which are by title. */
export const listedDashboard = z.object({
  name: dashboardName,
  title: z.string(),
  description: z.string().optional(),
  /** Counts up with each save; 0 is what ships with the tool and was never changed. */
  version: z.int(),
  updatedAt: instant.nullable(),
  updatedBy: z.string().nullable(),
  /** Ships with the tool: to delete it makes it again what ships. */
  isProvisioned: z.boolean(),
});
export const listedDashboards = z.array(listedDashboard);
export type ListedDashboard = z.infer<typeof listedDashboard>;

/** `GET dashboards/:name`; with `?version=` as it was then. */
export const storedDashboard = listedDashboard.extend({ spec: dashboardSpec });
export type StoredDashboard = z.infer<typeof storedDashboard>;

/** `POST dashboards`: 201, or 409 where the name is taken. */
export const dashboardCreate = z.object({ name: dashboardName, spec: dashboardSpec });

/** `PUT dashboards/:name`: `version` is the edited one; 412 if a newer one exists. */
export const dashboardUpdate = z.object({ version: z.int().min(0), spec: dashboardSpec });

/** `GET dashboards/:name/versions`, the newest first. */
export const dashboardVersions = z.array(
  z.object({
    version: z.int(),
    savedAt: instant,
    savedBy: z.string(),
    /** Whether it was made again what ships. */
    isReset: z.boolean(),
  }),
);
export type DashboardVersion = z.infer<typeof dashboardVersions>[number];
