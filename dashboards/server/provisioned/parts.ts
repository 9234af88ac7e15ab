import type { RunMode } from '../../../shared/app.ts';
import type { Measure, QuerySpec, WrittenSpec } from '../../../shared/dashboard-tool.ts';
import { byMeasure } from '../../../shared/quantities.ts';

type Panel = NonNullable<WrittenSpec['panels']>[string];
type Variable = NonNullable<WrittenSpec['variables']>[number];
type Plugin = Panel['spec']['plugin'];
type Query = NonNullable<Panel['spec']['queries']>[number];

/** The variables at the top of a dashboard, which apply to every query of its panels. */
export function choicesOf(runMode: RunMode, wanted: readonly ('device' | 'currency')[]): Variable[] {
  const isFleet = runMode === 'Admin';
  const ofCustomer = isFleet ? { customer: '$customer' } : {};
  const ofSite = { ...ofCustomer, site: '$site' };
  const many = { allowMultiple: true, allowAllValue: true, customAllValue: '*', defaultValue: '$__all' };
  const choice = (name: string, label: string, plugin: Variable['spec']['plugin'], more: object): Variable => ({
    kind: 'ListVariable',
    spec: {
      name,
      display: { name: label, hidden: false },
      allowMultiple: false,
      allowAllValue: false,
      ...more,
      plugin,
    },
  });
  return [
    ...(isFleet ? [choice('customer', 'Customers', { kind: 'PortalCustomers', spec: {} }, many)] : []),
    choice('site', 'Sites', { kind: 'PortalSites', spec: ofCustomer }, many),
    ...(wanted.includes('device') ? [choice('device', 'Devices', { kind: 'PortalDevices', spec: ofSite }, many)] : []),
    ...(wanted.includes('currency')
      ? [choice('currency', 'Currency', { kind: 'PortalCurrencies', spec: ofSite }, {})]
      : []),
  ];
}

interface Chosen {
  sites: string[];
  devices?: string[];
  customers?: string[];
}

/** Leaves out lists from which nothing can be chosen: a Client has no customers. */
export const chosenIn = (runMode: RunMode, hasDevices = false): Chosen => ({
  ...(runMode === 'Admin' && { customers: ['$customer'] }),
  sites: ['$site'],
  ...(hasDevices && { devices: ['$device'] }),
});

/** A question for a series of points. */
export const series = (spec: QuerySpec): Query => ({
  kind: 'TimeSeriesQuery',
  spec: { plugin: { kind: 'PortalQuery', spec } },
});

/** A question for one value of the whole time range. */
export const totals = (spec: QuerySpec): Query => ({
  kind: 'TimeSeriesQuery',
  spec: { plugin: { kind: 'PortalTotals', spec } },
});

/** A panel and its width, of 24 columns. */
interface Placed {
  panel: Panel;
  width: number;
}

/** A panel: what it shows, why somebody would look at it, and the questions it asks. */
type Part<Asked> = (width: number, name: string, description: string, asked: Asked) => Placed;

const place = (width: number, name: string, description: string, plugin: Plugin, queries?: Query[]): Placed => ({
  width,
  panel: { kind: 'Panel', spec: { display: { name, description }, plugin, ...(queries && { queries }) } },
});

/** Uses the names of the page's units (`units.ts`). */
const units = {
  power: 'kW',
  energy: 'kWh',
  cost: 'money',
  demand: 'kW',
  ...byMeasure(({ unit, measure }) => unit ?? measure),
} satisfies Record<Measure, string>;
const formatOf = (query: Query) => ({ unit: units[query.spec.plugin.spec.measure] });

const chart =
  (visual: object, yAxis: object = {}): Part<Query> =>
  (width, name, description, query) =>
    place(
      width,
      name,
      description,
      {
        kind: 'TimeSeriesChart',
        spec: {
          // Beside a chart it would take most of a phone's width.
          legend: { mode: 'list', position: 'bottom', size: 'medium', values: [] },
          yAxis: { show: true, format: formatOf(query), ...yAxis },
          // In their order, so that a thing has the same color in all panels.
          visual: { ...visual, palette: { mode: 'categorical' } },
        },
      },
      [query],
    );

export const lines = chart({ lineWidth: 1.5 });
export const stackedArea = chart({ lineWidth: 1, areaOpacity: 0.5, stack: 'all' });
export const stackedBars = chart({ display: 'bar', stack: 'all' }, { min: 0 });

const figureBy =
  (calculation: string): Part<Query> =>
  (width, name, description, query) => {
    const { kind, spec } = query.spec.plugin;
    // By default Perses makes several values side by side tiny.
    const valueFontSize = spec.split === 'none' ? 28 : 20;
    const sparkline = kind === 'PortalQuery' && calculation === 'last-number' && { sparkline: {} };
    const stat = { calculation, format: formatOf(query), valueFontSize, ...sparkline };
    return place(width, name, description, { kind: 'StatChart', spec: stat }, [query]);
  };

/** The latest of a series over its course, or a total. */
export const figure = figureBy('last-number');
export const lowest = figureBy('min');
export const highest = figureBy('max');

/** From 0 to 1. */
export const gauge: Part<Query> = (width, name, description, query) => {
  const spec = { calculation: 'last-number', format: formatOf(query), max: 1, legend: { show: false } };
  return place(width, name, description, { kind: 'GaugeChart', spec }, [query]);
};

export const bars: Part<Query> = (width, name, description, query) => {
  const spec = { calculation: 'last-number', format: formatOf(query), sort: 'desc', mode: 'value' };
  return place(width, name, description, { kind: 'BarChart', spec }, [query]);
};

export const heatmap: Part<Chosen & { measure: 'power' | 'energy' }> = (width, name, description, asked) =>
  place(width, name, description, { kind: 'LoadHeatmap', spec: { ...asked } });

interface Rows {
  /** What each row stands for, and the header of its column. */
  key: 'site' | 'device' | 'customer';
  header: string;
  /** A column for each question, by its header. */
  columns: Record<string, Query>;
}

export const table: Part<Rows> = (width, name, description, { key, header, columns }) => {
  const hidden = ['timestamp', 'customer', 'site', 'device', 'currency', 'period', 'at'].filter((one) => one !== key);
  const queries = Object.values(columns);
  const suffixed = (one: string): string[] => queries.map((_, index) => `${one} #${index + 1}`);
  const spec = {
    density: 'compact',
    transforms: [
      { kind: 'MergeIndexedColumns', spec: { column: key } },
      { kind: 'JoinByColumnValue', spec: { columns: [key] } },
    ],
    columnSettings: [
      { name: key, header, enableSorting: true, sort: 'asc' },
      ...Object.entries(columns).map(([column, query], index) => ({
        name: `value #${index + 1}`,
        header: column,
        format: formatOf(query),
        align: 'right',
        enableSorting: true,
      })),
      ...hidden.flatMap((one) => [one, ...suffixed(one)]).map((one) => ({ name: one, hide: true })),
    ],
  };
  return place(width, name, description, { kind: 'Table', spec }, queries);
};

/** Panels side by side; the height is in rows of 40 px. */
interface Row {
  height: number;
  panels: readonly Placed[];
}

export const row = (height: number, ...panels: readonly Placed[]): Row => ({ height, panels });

interface Dashboard {
  title: string;
  description: string;
  duration: string;
  variables: Variable[];
  /** Each row below the previous one. */
  rows: readonly Row[];
}

export function dashboardOf({ title, description, duration, variables, rows }: Dashboard): WrittenSpec {
  const panels: Record<string, Panel> = {};
  const items: NonNullable<WrittenSpec['layouts']>[number]['spec']['items'] = [];
  let y = 0;
  for (const { height, panels: sideBySide } of rows) {
    let x = 0;
    for (const { panel, width } of sideBySide) {
      const key = `panel${items.length + 1}`;
      panels[key] = panel;
      items.push({ x, y, width, height, content: { $ref: `#/spec/panels/${key}` } });
      x += width;
    }
    y += height;
  }
  return {
    display: { name: title, description },
    duration,
    refreshInterval: '60s',
    variables,
    panels,
    layouts: [{ kind: 'Grid', spec: { items } }],
  };
}
