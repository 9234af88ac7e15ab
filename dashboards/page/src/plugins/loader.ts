import type { DynamicImportPlugin, PluginLoader, PluginType } from '@perses-dev/plugin-system';
import { dynamicImportPluginLoader } from '@perses-dev/plugin-system';
import { texts } from '../texts.ts';
import { withTable } from './with-table.tsx';

interface Named {
  kind: PluginType;
  name: string;
  display: string;
}

/** A file of plugins, loaded with the first panel that shows one. */
const file = (name: string, plugins: readonly Named[], importPlugin: () => Promise<unknown>): DynamicImportPlugin => ({
  resource: {
    kind: 'PluginModule',
    metadata: { name, version: '1' },
    spec: {
      plugins: plugins.map((plugin) => ({
        kind: plugin.kind,
        spec: { name: plugin.name, display: { name: plugin.display } },
      })),
    },
  },
  importPlugin,
});

/** Charts get a table of what they show. */
const chart = (name: string, display: string, importPlugin: () => Promise<object>): DynamicImportPlugin =>
  panel(name, display, async () => withTable(await importPlugin()));

const panel = (name: string, display: string, importPlugin: () => Promise<unknown>): DynamicImportPlugin =>
  file(name, [{ kind: 'Panel', name, display }], importPlugin);

export const pluginLoader: PluginLoader = dynamicImportPluginLoader([
  chart('TimeSeriesChart', texts.plugins.lines, () => import('@perses-dev/timeseries-chart-plugin')),
  chart('StatChart', texts.plugins.stat, () => import('@perses-dev/stat-chart-plugin')),
  chart('GaugeChart', texts.plugins.gauge, () => import('@perses-dev/gauge-chart-plugin')),
  chart('BarChart', texts.plugins.bars, () => import('@perses-dev/bar-chart-plugin')),
  panel('Table', texts.plugins.table, () => import('@perses-dev/table-plugin')),
  chart('PieChart', texts.plugins.pie, () => import('@perses-dev/pie-chart-plugin')),
  panel('Markdown', texts.plugins.text, () => import('@perses-dev/markdown-plugin')),
  panel('LoadHeatmap', texts.plugins.heatmap, () => import('./heatmap.ts')),
  file(
    'portal',
    [
      { kind: 'TimeSeriesQuery', name: 'PortalQuery', display: texts.plugins.series },
      { kind: 'TimeSeriesQuery', name: 'PortalTotals', display: texts.plugins.totals },
      { kind: 'Variable', name: 'PortalSites', display: texts.sites },
      { kind: 'Variable', name: 'PortalDevices', display: texts.devices },
      { kind: 'Variable', name: 'PortalCustomers', display: texts.customers },
      { kind: 'Variable', name: 'PortalCurrencies', display: texts.currency },
      { kind: 'Datasource', name: 'PortalDatasource', display: texts.plugins.portal },
    ],
    async () => ({
      ...(await import('./queries.ts')),
      ...(await import('./variables.ts')),
      ...(await import('./datasource.ts')),
    }),
  ),
]);
