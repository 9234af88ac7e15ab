import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const packages = join(import.meta.dirname, 'node_modules', '@perses-dev');

const source = (name: string): string => JSON.stringify(join(import.meta.dirname, 'src', name));
const own = (name: string) => () => `export * from ${source(name)};\n`;

/** Files of Perses that this page needs otherwise, each with what becomes of its text. */
const changes: readonly { file: string; change: (text: string) => string }[] = [
  {
    // Plugins come with the page and are never loaded from elsewhere; the runtime for that would be a megabyte.
    file: 'plugin-system/dist/remote/PluginRuntime.js',
    change: () =>
      'export const usePluginRuntime = () => ({ loadPlugin: async () => null, pluginRuntime: undefined });\n' +
      'export const pluginRuntime = undefined;\nexport const loadPlugin = async () => null;\n',
  },
  {
    // Its units are bytes and requests a second in American English; ours are those of the portal, as the reader writes them.
    file: 'core/dist/model/units/units.js',
    change: own('units.ts'),
  },
  {
    // Ranges with a name, such as this month, go wherever durations go: into the address and the dashboard. They mean others each time.
    file: 'core/dist/model/time.js',
    change: (text) =>
      `import { findPresetRange } from ${source('presets.ts')};\n${replacing(
        'const end = timeRange.end ?? new Date();',
        'const preset = findPresetRange(timeRange.pastDuration);\n    if (preset !== null) return preset;\n    const end = timeRange.end ?? new Date();',
      )(
        replacing(
          'return DURATION_REGEX.test(maybeDuration);',
          'return DURATION_REGEX.test(maybeDuration) || findPresetRange(maybeDuration) !== null;',
        )(text),
      )}`,
  },
  {
    // It moves points to places one step apart, which local days of 23 and 25 hours and months are not.
    file: 'core/dist/utils/time-series-data.js',
    change: replacing(
      'export function getTimeSeriesValues(series, timeScale) {',
      'export function getTimeSeriesValues(series, timeScale) {\n    return series.values;',
    ),
  },
  {
    // Marks of an axis are short, values are exact.
    file: 'components/dist/utils/axis.js',
    change: replacing(
      "import { formatValue } from '@perses-dev/core';",
      `import { formatMark as formatValue } from ${source('units.ts')};`,
    ),
  },
  {
    // It shows charts other instants than they have, to have the hours of another zone, and does not change them back on zoom.
    file: 'components/dist/utils/format.js',
    change: own('times.ts'),
  },
  {
    // Voltage and frequency move little, far from zero.
    file: 'timeseries-chart-plugin/lib/utils/data-transform.js',
    change: replacing(
      'if (inputAxis?.min === undefined) {',
      "if (['V', 'Hz', 'powerFactor'].includes(inputAxis?.format?.unit)) {\n        yAxis.scale = true;\n    } else if (inputAxis?.min === undefined) {",
    ),
  },
  {
    // Stacked bars have the tooltip of ECharts, which writes every digit that a number has.
    file: 'timeseries-chart-plugin/lib/TimeSeriesChartBase.js',
    change: (text) =>
      `import { formatValue as writeValue } from '@perses-dev/core';\n${replacing(
        'appendToBody: isStackedBar',
        "appendToBody: isStackedBar,\n valueFormatter: (value) => typeof value === 'number' ? writeValue(value, format) : '–'",
      )(text)}`,
  },
  {
    // It numbers the queries that have answered, so that a table had the numbers of one query under the head of another.
    file: 'dashboards/dist/components/Panel/PanelContent.js',
    change: replacing(
      'if (queryResultsWithData.length > 0 || queryResults.length === 0) {',
      'if (queryResultsWithData.length === queryResults.length) {',
    ),
  },
  {
    // Its tooltip takes names for HTML; and its bars carry their values, which an axis would say again.
    file: 'bar-chart-plugin/lib/BarChartBase.js',
    change: (text) =>
      [
        ['<b>${params.name}</b>', '<b>${encodeHTML(params.name)}</b>'] as const,
        ['if (!params.data[1]) {', 'if (params.data[1] === null) {'] as const,
        ['xAxis: getFormattedAxis({}, format),', "xAxis: { type: 'value', show: false },"] as const,
        ["right: '5%'", "right: '18%'"] as const,
      ].reduce(
        (changed, [found, put]) => replacing(found, put)(changed),
        `import { format as echartsFormat } from 'echarts/core';\nconst { encodeHTML } = echartsFormat;\n${text}`,
      ),
  },
  {
    // Its title is a word of the store and a word of its own (see `perses-texts.ts`).
    file: 'dashboards/dist/components/PanelGroupDialog/PanelGroupDialog.js',
    change: (text) =>
      `import { say as sayMode } from ${source('texts.ts')};\n${replacing(
        'panelGroupEditor.mode,',
        'sayMode(panelGroupEditor.mode),',
      )(text)}`,
  },
  {
    // The portal's typeface in the place of one of 300 KiB.
    file: 'components/dist/theme/typography.js',
    change: (text) =>
      replacing(
        `'"Lato", sans-serif'`,
        `'"Inter Variable", ui-sans-serif, system-ui, sans-serif'`,
      )(text.replaceAll(/^import '@fontsource\/lato\/\d+\.css';$/gm, ''))
        .replace('fontWeightMedium = 700', 'fontWeightMedium = 600')
        .replace('fontWeightBold = 900', 'fontWeightBold = 700'),
  },
];

function replacing(found: string, put: string): (text: string) => string {
  return (text) => {
    if (!text.includes(found)) throw new Error(`Perses has changed: it no longer has ${found}`);
    return text.replace(found, put);
  };
}

export function changePerses(): Plugin {
  const byFile = new Map(changes.map(({ file, change }) => [join(packages, file), change]));
  return {
    name: 'change-perses',
    enforce: 'pre',
    load(id) {
      const [file = ''] = id.split('?');
      const change = byFile.get(file);
      return change?.(readFileSync(file, 'utf8'));
    },
  };
}
