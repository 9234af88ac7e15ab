import type { RunMode } from '../../../shared/app.ts';
import type { QuerySpec, WrittenSpec } from '../../../shared/dashboard-tool.ts';

export type Panel = NonNullable<WrittenSpec['panels']>[string];
type Variable = NonNullable<WrittenSpec['variables']>[number];
type Plugin = Panel['spec']['plugin'];
type Query = NonNullable<Panel['spec']['queries']>[number];

/** What a panel shows, and why somebody would look at it. */
interface Words {
  name: string;
  description: string;
}

/** The choices at the head of a dashboard; every question of its panels is about what is chosen there. */
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

/** Lists that nobody can choose from are left out: a Client has no customers. */
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

const panel = (display: Words, plugin: Plugin, queries?: Query[]): Panel => ({
  kind: 'Panel',
  spec: { display: { ...display }, plugin, ...(queries && { queries }) },
});

const formatOf = (unit: string) => ({ unit });
// In their order, by which things have one color in all panels.
const palette = { mode: 'categorical' };
// Beside a chart it would take most of a phone's width.
const legend = { mode: 'list', position: 'bottom', size: 'medium', values: [] };

export const lines = (words: Words, unit: string, query: Query): Panel =>
  panel(
    words,
    {
      kind: 'TimeSeriesChart',
      spec: {
        legend,
        yAxis: { show: true, format: formatOf(unit) },
        visual: { lineWidth: 1.5, palette },
      },
    },
    [query],
  );

export const stackedArea = (words: Words, unit: string, query: Query): Panel =>
  panel(
    words,
    {
      kind: 'TimeSeriesChart',
      spec: {
        legend,
        yAxis: { show: true, format: formatOf(unit) },
        visual: { lineWidth: 1, areaOpacity: 0.5, stack: 'all', palette },
      },
    },
    [query],
  );

export const stackedBars = (words: Words, unit: string, query: Query): Panel =>
  panel(
    words,
    {
      kind: 'TimeSeriesChart',
      spec: {
        legend,
        yAxis: { show: true, format: formatOf(unit), min: 0 },
        visual: { display: 'bar', stack: 'all', palette },
      },
    },
    [query],
  );

/** The latest of a series over its course, or a total. */
export const figure = (words: Words, unit: string, query: Query, calculation = 'last-number'): Panel =>
  panel(
    words,
    {
      kind: 'StatChart',
      spec: {
        calculation,
        format: formatOf(unit),
        // Of itself Perses makes those of several side by side tiny.
        valueFontSize: query.spec.plugin.spec.split === 'none' ? 28 : 20,
        ...(query.spec.plugin.kind === 'PortalQuery' && calculation === 'last-number' && { sparkline: {} }),
      },
    },
    [query],
  );

export const gauge = (words: Words, unit: string, max: number, query: Query): Panel =>
  panel(
    words,
    { kind: 'GaugeChart', spec: { calculation: 'last-number', format: formatOf(unit), max, legend: { show: false } } },
    [query],
  );

export const bars = (words: Words, unit: string, query: Query): Panel =>
  panel(
    words,
    { kind: 'BarChart', spec: { calculation: 'last-number', format: formatOf(unit), sort: 'desc', mode: 'value' } },
    [query],
  );

export const heatmap = (words: Words, spec: Chosen & { measure: 'power' | 'energy' }): Panel =>
  panel(words, { kind: 'LoadHeatmap', spec: { ...spec } });

interface Column {
  header: string;
  unit: string;
  query: Query;
}

/** A row for each thing of the key, a column for each question. */
export function table(words: Words, key: 'site' | 'device' | 'customer', header: string, columns: Column[]): Panel {
  const hidden = ['timestamp', 'customer', 'site', 'device', 'currency', 'period', 'at'].filter((name) => name !== key);
  const suffixed = (name: string): string[] => columns.map((_, index) => `${name} #${index + 1}`);
  return panel(
    words,
    {
      kind: 'Table',
      spec: {
        density: 'compact',
        transforms: [
          { kind: 'MergeIndexedColumns', spec: { column: key } },
          { kind: 'JoinByColumnValue', spec: { columns: [key] } },
        ],
        columnSettings: [
          { name: key, header, enableSorting: true, sort: 'asc' },
          ...columns.map((column, index) => ({
            name: `value #${index + 1}`,
            header: column.header,
            format: formatOf(column.unit),
            align: 'right',
            enableSorting: true,
          })),
          ...hidden.flatMap((name) => [name, ...suffixed(name)]).map((name) => ({ name, hide: true })),
        ],
      },
    },
    columns.map(({ query }) => query),
  );
}

/** A panel and the room it takes: of 24 columns, and of rows of 40 px. */
interface Placed {
  panel: Panel;
  width: number;
  height: number;
}

interface Dashboard {
  title: string;
  description: string;
  duration: string;
  variables: Variable[];
  /** From left to right, each row below the one before. */
  rows: readonly (readonly Placed[])[];
}

/** Puts panels side by side, row by row. */
export function dashboardOf({ title, description, duration, variables, rows }: Dashboard): WrittenSpec {
  const panels: Record<string, Panel> = {};
  const items: NonNullable<WrittenSpec['layouts']>[number]['spec']['items'] = [];
  let y = 0;
  for (const row of rows) {
    let x = 0;
    for (const { panel: placed, width, height } of row) {
      const key = `panel${items.length + 1}`;
      panels[key] = placed;
      items.push({ x, y, width, height, content: { $ref: `#/spec/panels/${key}` } });
      x += width;
    }
    y += Math.max(...row.map(({ height }) => height));
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
