import { Box, Checkbox, FormControlLabel, Stack, useTheme } from '@mui/material';
import { EChart, enableDataZoom, useChartsTheme } from '@perses-dev/components';
import { useTimeRange, type OptionsEditorProps } from '@perses-dev/plugin-system';
import type { ECharts } from 'echarts/core';
import { useMemo, useRef, useState } from 'react';
import { z } from 'zod';
import { displays, timeChartOptions, type TimeChartOptions } from '../../../../shared/dashboard-panels.ts';
import { valueAxis } from '../../../../shared/charts/axes.ts';
import { axisLabel, hasStartLabel, pointLabel } from '../times.ts';
import { fill, texts } from '../texts.ts';
import { formatMark, formatValue, hasZero } from '../units.ts';
import { chartPanel, type DrawnProps } from './chart-panel.tsx';
import { Legend } from './Legend.tsx';
import { maxNamed, namedParts, type Part } from './parts.ts';
import { colorsById } from '../../../../shared/charts/drawing.ts';
import { othersColors } from '../../../../shared/palette.ts';
import { ChoiceOf } from './QueryForm.tsx';

/** Power, energy and money over time, as lines or as bars that may be stacked. */
export const TimeSeriesChart = chartPanel<TimeChartOptions>({
  options: timeChartOptions,
  initial: { visual: { display: 'line' } },
  mode: 'range',
  Drawn: TimeChart,
  Form: TimeChartForm,
});

function TimeChart({ options, title, parts, answers, width, height }: DrawnProps<TimeChartOptions>) {
  const { setTimeRange } = useTimeRange();
  const theme = useTheme();
  const chartsTheme = useChartsTheme();
  const chart = useRef<ECharts>();
  const [alone, setAlone] = useState<string | null>(null);
  const { color } = chartsTheme.echartsTheme;
  const colors = useMemo(() => (Array.isArray(color) ? color.map(String) : []), [color]);
  const { shown, legend } = useMemo(() => {
    const { primary: text, secondary: dimmed } = theme.palette.text;
    const others = othersColors[theme.palette.mode];
    const scheme = { series: colors, others, text, dimmed, surface: theme.palette.background.paper };
    const { named, rest, restCount } = namedParts(parts);
    const byId = colorsById(
      named.map(({ key, ...part }) => ({ ...part, id: key })),
      scheme,
    );
    const ofRest = { key: 'rest', name: fill(texts.others, { count: restCount }), color: dimmed };
    const inColor = named.map((part) => ({ ...part, color: byId.get(part.key) ?? text }));
    return {
      shown: [
        ...inColor.map((part) => ({ ...part, entry: part.key, isFaint: false })),
        ...rest.map((part) => ({ ...part, color: dimmed, entry: ofRest.key, isFaint: true })),
      ],
      legend: restCount === 0 ? inColor : [...inColor, ofRest],
    };
  }, [parts, colors, theme]);
  // At sites east of the page's zone, days begin before the range of the page.
  const fromMs = Math.min(...answers.map(({ data }) => data.timeRange?.start.getTime() ?? Infinity));
  const toMs = Math.max(...answers.map(({ data }) => data.timeRange?.end.getTime() ?? -Infinity));
  const stepMs = Math.min(...answers.map(({ data }) => data.stepMs ?? 0));
  const option = useMemo(
    () =>
      chartOption(
        shown.filter(({ entry }) => alone === null || entry === alone),
        options,
        { fromMs, toMs, stepMs },
      ),
    [shown, alone, options, fromMs, toMs, stepMs],
  );
  const onEvents = useMemo(
    () => ({
      finished: () => chart.current && enableDataZoom(chart.current),
      datazoom: ({ batch: [zoom] }: { batch: { startValue?: number; endValue?: number }[] }) => {
        const { startValue, endValue } = zoom ?? {};
        if (startValue === undefined || endValue === undefined) return;
        setTimeRange({ start: new Date(startValue), end: new Date(endValue) });
      },
    }),
    [setTimeRange],
  );
  return (
    <Stack sx={{ width, height, px: 1, pb: 1 }}>
      <Box role="img" aria-label={title} sx={{ flexGrow: 1, minHeight: 0 }}>
        <EChart
          option={option}
          theme={chartsTheme.echartsTheme}
          onEvents={onEvents}
          _instance={chart}
          // A new object each time, so that the chart fills the space that the legend leaves.
          sx={{ width: '100%', height: '100%' }}
        />
      </Box>
      {legend.length > 1 && <Legend items={legend} alone={alone} onAlone={setAlone} />}
    </Stack>
  );
}

interface Span {
  fromMs: number;
  toMs: number;
  stepMs: number;
}

/** A series as it is drawn. It is faint if it is one of those without a name of their own. */
interface Shown extends Part {
  color: string;
  isFaint: boolean;
}

function chartOption(parts: readonly Shown[], { visual }: TimeChartOptions, span: Span) {
  const { display, stack } = visual;
  const { fromMs, toMs, stepMs } = span;
  const [first] = parts;
  const highest = parts.map(({ points }) => Math.max(...points.map(([, value]) => Math.abs(value ?? 0)), 0));
  const largest = stack === undefined ? Math.max(...highest, 0) : highest.reduce((a, b) => a + b, 0);
  // A bar begins at the start of its time.
  const half = display === 'bar' ? stepMs / 2 : 0;
  // The axis of bars begins and ends half a bar outside of the range.
  const showMinLabel = half === 0 && hasStartLabel(fromMs);
  return {
    animation: false,
    grid: { left: 12, right: lastLabelRoom, top: 12, bottom: 8, containLabel: true },
    xAxis: {
      type: 'time',
      min: fromMs - half,
      max: toMs - half,
      axisLabel: {
        hideOverlap: true,
        formatter: axisLabel(toMs - fromMs),
        showMinLabel,
        showMaxLabel: false,
        // A label is centered on its mark, so one at an edge would be cut.
        alignMinLabel: 'left',
      },
    },
    yAxis: {
      type: 'value',
      ...(first !== undefined && !hasZero(first) && aroundValues(parts)),
      axisLabel: { formatter: (value: number) => (first === undefined ? '' : formatMark(value, first, largest)) },
    },
    tooltip: {
      trigger: 'axis',
      confine: true,
      axisPointer: { type: display === 'bar' ? 'shadow' : 'line' },
      formatter: (points: unknown) => tooltipOf(parts, points, stepMs),
    },
    // Hidden, but needed to zoom by dragging.
    toolbox: { feature: { dataZoom: { icon: null, yAxisIndex: 'none' } } },
    series: parts.map(({ points, color, isFaint }, index) => ({
      id: String(index),
      type: display,
      color,
      data: points,
      ...(stack !== undefined && { stack }),
      ...(display === 'line' && {
        z: isFaint ? 1 : 2,
        showSymbol: isScattered(points),
        lineStyle: isFaint ? { width: 1, opacity: 0.4 } : { width: 1.5 },
        ...(stack !== undefined && { areaStyle: { opacity: isFaint ? 0.25 : 0.5 } }),
      }),
    })),
  };
}

/** px beside the last mark for half of its label. */
const lastLabelRoom = 32;

/** Whether no two neighbouring values are known, so that a line would show nothing. */
const isScattered = (points: Part['points']): boolean =>
  !points.some(([, value], at) => value !== null && (points[at + 1]?.[1] ?? null) !== null);

/** Round axis limits close to the values. */
function aroundValues(parts: readonly Part[]) {
  const values = parts.flatMap(({ points }) => points.flatMap(([, value]) => value ?? []));
  const extent =
    values.length === 0 ? null : { lowest: lowestOf(values), highest: -lowestOf(values.map((one) => -one)) };
  const { min, max, ticks } = valueAxis(extent, false, 4);
  return { min, max, interval: (max - min) / Math.max(1, ticks.length - 1) };
}

const lowestOf = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity);

const pointsUnder = z.array(z.object({ seriesIndex: z.number(), value: z.tuple([z.number(), z.number().nullable()]) }));

/** Built from text nodes, because a name may contain HTML. */
function tooltipOf(parts: readonly Shown[], points: unknown, stepMs: number): HTMLElement {
  const box = document.createElement('div');
  const under = pointsUnder.safeParse(points).data ?? [];
  const rows = under
    .flatMap(({ seriesIndex, value: [, value] }) => {
      const part = parts[seriesIndex];
      return part === undefined || value === null ? [] : [{ ...part, value }];
    })
    .toSorted((a, b) => b.value - a.value);
  const [first] = under;
  const time = document.createElement('strong');
  time.textContent = first === undefined ? '' : pointLabel(first.value[0], stepMs);
  box.append(time);
  for (const row of rows.slice(0, maxNamed)) {
    const line = document.createElement('div');
    Object.assign(line.style, { display: 'flex', gap: '12px', justifyContent: 'space-between' });
    const name = document.createElement('span');
    Object.assign(name.style, { borderLeft: `3px solid ${row.color}`, paddingLeft: '6px' });
    Object.assign(name.style, { maxWidth: '240px', overflow: 'hidden', textOverflow: 'ellipsis' });
    name.textContent = row.name;
    const value = document.createElement('span');
    value.textContent = formatValue(row.value, row);
    line.append(name, value);
    box.append(line);
  }
  if (rows.length > maxNamed) box.append(`+${rows.length - maxNamed}`);
  return box;
}

function TimeChartForm({ value, onChange, isReadonly = false }: OptionsEditorProps<TimeChartOptions>) {
  const { visual } = timeChartOptions.parse(value);
  return (
    <Stack spacing={2} sx={{ p: 2 }}>
      <ChoiceOf
        label={texts.displayAs}
        value={visual.display}
        options={displays}
        names={texts.displays}
        isDisabled={isReadonly}
        onChange={(display) => onChange({ ...value, visual: { ...value.visual, display } })}
      />
      <FormControlLabel
        label={texts.stacked}
        disabled={isReadonly}
        control={
          <Checkbox
            checked={visual.stack === 'all'}
            onChange={(_, isStacked) =>
              onChange({ ...value, visual: { ...value.visual, stack: isStacked ? 'all' : undefined } })
            }
          />
        }
      />
    </Stack>
  );
}
