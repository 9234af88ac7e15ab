import type { RunMode } from '../../../shared/app.ts';
import type { QuerySpec, WrittenSpec } from '../../../shared/dashboard-tool.ts';

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

/** A panel and its width, of 24 columns. */
interface Placed {
  panel: Panel;
  width: number;
}

/** A panel: what it shows, why somebody would look at it, and its queries. */
type Part<Asked> = (width: number, name: string, description: string, asked: Asked) => Placed;

const place = (width: number, name: string, description: string, plugin: Plugin, queries?: Query[]): Placed => ({
  width,
  panel: { kind: 'Panel', spec: { display: { name, description }, plugin, ...(queries && { queries }) } },
});

/** The panel decides whether a query requests series of points or totals of the time range. */
const ask = (spec: QuerySpec): Query => ({
  kind: 'TimeSeriesQuery',
  spec: { plugin: { kind: 'PortalQuery', spec } },
});

const panelOf =
  (kind: Plugin['kind'], spec: Plugin['spec'] = {}): Part<QuerySpec> =>
  (width, name, description, asked) =>
    place(width, name, description, { kind, spec }, [ask(asked)]);

export const lines = panelOf('TimeSeriesChart', { visual: { display: 'line' } });
export const stackedArea = panelOf('TimeSeriesChart', { visual: { display: 'line', stack: 'all' } });
export const stackedBars = panelOf('TimeSeriesChart', { visual: { display: 'bar', stack: 'all' } });

export const total = panelOf('StatChart', { calculation: 'total' });
/** The latest value, with its course in the background. */
export const latest = panelOf('StatChart', { calculation: 'last-number', sparkline: {} });
export const lowest = panelOf('StatChart', { calculation: 'min' });
export const highest = panelOf('StatChart', { calculation: 'max' });

/** The position on the scale, from 0 to 1. */
export const gauge = panelOf('GaugeChart', { calculation: 'total', max: 1 });

export const bars = panelOf('BarChart');

export const heatmap: Part<Chosen & { measure: 'power' | 'energy' }> = (width, name, description, asked) =>
  place(width, name, description, { kind: 'LoadHeatmap', spec: { ...asked } });

interface Rows {
  /** What each row stands for; also the header of its column. */
  key: 'site' | 'device' | 'customer';
  header: string;
  /** The header and the query of each column. */
  columns: Record<string, QuerySpec>;
}

export const table: Part<Rows> = (width, name, description, { key, header, columns }) => {
  const columnSettings = [
    { name: key, header },
    ...Object.keys(columns).map((column, index) => ({ name: `value #${index + 1}`, header: column })),
  ];
  return place(width, name, description, { kind: 'Table', spec: { columnSettings } }, Object.values(columns).map(ask));
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
