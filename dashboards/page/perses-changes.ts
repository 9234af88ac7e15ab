import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { measuredQuantities } from '../../shared/quantities.ts';

const packages = join(import.meta.dirname, 'node_modules', '@perses-dev');

const source = (name: string): string => JSON.stringify(join(import.meta.dirname, 'src', name));
const own = (name: string) => () => `export * from ${source(name)};\n`;

const unitsFarFromZero = measuredQuantities.flatMap(({ hasZero, unit, measure }) => (hasZero ? [] : [unit ?? measure]));

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
      `if (${JSON.stringify(unitsFarFromZero)}.includes(inputAxis?.format?.unit)) {\n        yAxis.scale = true;\n    } else if (inputAxis?.min === undefined) {`,
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
    // Names below a chart were cut after one row or two.
    file: 'components/dist/ContentWithLegend/model/content-with-legend-model.js',
    change: (text) =>
      `import { legendHeight as heightOf } from ${source('legend.ts')};\n${[
        'LEGEND_HEIGHT_SM;',
        'LEGEND_HEIGHT_LG;',
      ].reduce(
        (changed, fixed) =>
          replacing(`legendHeight = ${fixed}`, 'legendHeight = heightOf(legendProps.data, width, height);')(changed),
        text,
      )}`,
  },
  {
    // Columns share the room as long as a number fits into each, instead of 150 px for all.
    file: 'components/dist/Table/VirtualizedTable.js',
    change: (text) =>
      ['column', 'cell.column'].reduce(
        (changed, column) =>
          replacing(
            `width: ${column}.getSize() || defaultColumnWidth`,
            `width: ${column}.getSize() === 150 ? Math.max(72, Math.min(150, Math.floor(width / columns.length))) : ${column}.getSize()`,
          )(changed),
        text,
      ),
  },
  {
    // Heads of numbers stand above them, their arrow to the left.
    file: 'components/dist/Table/TableHeaderCell.js',
    change: replacing(
      "verticalAlign: 'unset',",
      "verticalAlign: 'unset',\n flexDirection: cellProps.align === 'right' ? 'row-reverse' : undefined,",
    ),
  },
  {
    // The titles of panels are below that of the dashboard.
    file: 'dashboards/dist/components/Panel/PanelHeader.js',
    change: replacing('variant: "subtitle1",', 'variant: "subtitle1",\n component: "h2",'),
  },
  {
    // The text field of an editor has a name and can be reached with the keyboard.
    file: 'components/dist/JSONEditor.js',
    change: (text) =>
      `import { EditorView } from '@codemirror/view';\n${replacing(
        'lintGutter()\n',
        "lintGutter(), EditorView.contentAttributes.of({ 'aria-label': 'JSON', tabindex: '0' })\n",
      )(text)}`,
  },
  {
    // It lies over the page as a dialog does.
    file: 'components/dist/Drawer/Drawer.js',
    change: (text) =>
      `import { say as sayName } from ${source('texts.ts')};\n${replacing(
        '...PaperProps,',
        "...PaperProps, role: 'dialog', 'aria-modal': true, 'aria-label': sayName('Edit'),",
      )(text)}`,
  },
  {
    // A switch is no head of a row, and has a name.
    file: 'dashboards/dist/components/Variables/VariableEditor.js',
    change: (text) => {
      const head = /component: "th",\s+scope: "row",\s+children: (\/\*#__PURE__\*\/ _jsx\(Switch, \{)/;
      if (!head.test(text)) throw new Error('Perses has changed: its variables have no switch');
      return text.replace(head, "children: $1 inputProps: { 'aria-label': v.spec.name },");
    },
  },
  ...(
    [
      [
        'dashboards/dist/components/PanelDrawer/PanelEditorForm.js',
        'variant: "h4",',
        'variant: "h4",\n component: "h3",',
      ],
      [
        'components/dist/LinksEditor/LinksEditor.js',
        'variant: "subtitle1",',
        'variant: "subtitle1",\n component: "p",',
      ],
      ['plugin-system/dist/components/MultiQueryEditor/QueryEditorContainer.js', 'component: "h4"', 'component: "h3"'],
      ['components/dist/OptionsEditorLayout/OptionsEditorGroup.js', 'component: "h4"', 'component: "h3"'],
    ] as const
  ).map(([file, found, put]) => ({ file, change: replacing(found, put) })),
  {
    // What can only be looked at closes with Escape.
    file: 'dashboards/dist/components/EditJsonDialog/EditJsonDialog.js',
    change: replacing('scroll: "paper",', 'scroll: "paper",\n onClose: isReadonly ? closeEditJsonDialog : undefined,'),
  },
  {
    // Figures side by side share the room, with names of one size.
    file: 'stat-chart-plugin/lib/StatChartBase.js',
    change: (text) =>
      [
        [
          "width: '100%',\n            ...textStyles",
          "width: '100%', minWidth: width,\n            ...textStyles",
        ] as const,
        ['Math.min(optimalValueFontSize * 0.7, seriesNameFontSize)', '12'] as const,
        ['color: theme.palette.text.secondary,', "color: theme.palette.text.secondary,\n maxWidth: '100%',"] as const,
      ].reduce((changed, [found, put]) => replacing(found, put)(changed), text),
  },
  {
    // What can be done with a panel is there for the keyboard and for fingers, too.
    file: 'dashboards/dist/components/Panel/Panel.js',
    change: replacing(
      "':hover': {\n                '--panel-hover': 'block'\n            }",
      "':hover, :focus-within': { '--panel-hover': 1 }, '@media (hover: none)': { '--panel-hover': 1 }",
    ),
  },
  {
    // A component made anew each time it is drawn takes menus and dialogs away from under the pointer.
    file: 'dashboards/dist/components/Panel/PanelActions.js',
    change: (text) =>
      replacing(
        "display: 'var(--panel-hover, none)'",
        "opacity: 'var(--panel-hover, 0)'",
      )(text.replaceAll(/\/\*#__PURE__\*\/ _jsxs?\(OnHover, \{/g, 'OnHover({')),
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
