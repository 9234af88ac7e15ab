import type { DynamicImportPlugin, PluginLoader, PluginType } from '@perses-dev/plugin-system';
import { dynamicImportPluginLoader } from '@perses-dev/plugin-system';
import { texts } from '../texts.ts';

interface Named {
  kind: PluginType;
  name: string;
  display: string;
}

/** A file with plugins, loaded with the first panel that needs it. */
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

const panel = (name: string, display: string, importPlugin: () => Promise<unknown>): DynamicImportPlugin =>
  file(name, [{ kind: 'Panel', name, display }], importPlugin);

/** These panels keep the names that Perses uses, but they are our own: they format numbers and times as the portal does. */
export const pluginLoader: PluginLoader = dynamicImportPluginLoader([
  panel('TimeSeriesChart', texts.plugins.lines, () => import('./TimeChart.tsx')),
  panel('StatChart', texts.plugins.stat, () => import('./Figure.tsx')),
  panel('GaugeChart', texts.plugins.gauge, () => import('./Figure.tsx')),
  panel('BarChart', texts.plugins.bars, () => import('./Bars.tsx')),
  panel('Table', texts.plugins.table, () => import('./ResultTable.tsx')),
  panel('Markdown', texts.plugins.text, () => import('@perses-dev/markdown-plugin')),
  panel('LoadHeatmap', texts.plugins.heatmap, () => import('./heatmap.ts')),
  file(
    'portal',
    [
      { kind: 'TimeSeriesQuery', name: 'PortalQuery', display: texts.plugins.portal },
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
