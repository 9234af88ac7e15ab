import { Alert, Box, Button, Skeleton, Stack, Typography, useTheme, type Theme } from '@mui/material';
import { EChart, useChartsTheme } from '@perses-dev/components';
import { useAllVariableValues, useTimeRange } from '@perses-dev/plugin-system';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { HeatmapAnswer } from '../../../../shared/dashboard-tool.ts';
import { heatScale, hoursOfDay } from '../../../../web/src/charts/heatmap.ts';
import { askHeatmap } from '../api.ts';
import { wireOf } from '../presets.ts';
import { format } from '../reader.ts';
import { fill, otherClock, texts } from '../texts.ts';
import { chosenThings } from './choose.ts';

export interface HeatmapSpec {
  measure: 'power' | 'energy';
  sites?: string[];
  devices?: string[];
  customers?: string[];
}

interface HeatmapPanelProps {
  spec: HeatmapSpec;
  width: number;
  height: number;
}

/** Up to this many days are stacked as rows; more are columns. */
const maxDaysDown = 10;
const headHeight = 36;
/** Below this width, labels of every third hour would touch. */
const narrow = 480;
const hours = Array.from({ length: hoursOfDay }, (_, hour) => hour);

const hourLabel = (hour: number): string => format.time(Date.UTC(2000, 0, 1, hour), 'UTC');
const dayName = (date: string): string => format.weekday(`${date}T00:00:00Z`, 'UTC');
const placeName = (date: string, hour: number): string =>
  `${dayName(date)}, ${hourLabel(hour)} – ${hourLabel(hour + 1)}`;

export function HeatmapPanel({ spec, width, height }: HeatmapPanelProps) {
  const { absoluteTimeRange, refreshKey } = useTimeRange();
  const variables = useAllVariableValues();
  const [isTable, setIsTable] = useState(false);
  const question = {
    measure: spec.measure,
    ...wireOf(absoluteTimeRange),
    ...chosenThings(spec, variables),
  };
  const { data, error } = useQuery({
    queryKey: ['heatmap', question, refreshKey],
    queryFn: ({ signal }) => askHeatmap(question, signal),
    keepPreviousData: true,
  });

  if (error instanceof Error && data === undefined) return <Alert severity="error">{error.message}</Alert>;
  if (data === undefined) return <Skeleton variant="rectangular" width={width} height={height} />;
  if (data.days.every(({ values }) => values.every((value) => value === null))) {
    return (
      <Stack alignItems="center" justifyContent="center" height={height}>
        <Typography color="text.secondary">{texts.noReadings}</Typography>
      </Stack>
    );
  }
  const stage = { width: width - 24, height: height - headHeight - 12 };
  return (
    <Box sx={{ px: 1.5 }}>
      <Stack direction="row" alignItems="center" height={headHeight}>
        <Typography variant="caption" color="text.secondary" noWrap title={otherClock(data.timeZone)}>
          {otherClock(data.timeZone)}
        </Typography>
        <Button
          sx={{ ml: 'auto', flexShrink: 0 }}
          variant="text"
          aria-pressed={isTable}
          onClick={() => setIsTable(!isTable)}
        >
          {isTable ? texts.showChart : texts.showTable}
        </Button>
      </Stack>
      {isTable ? <HeatTable data={data} height={stage.height} /> : <HeatChart data={data} {...stage} />}
    </Box>
  );
}

function HeatChart({ data, width, height }: { data: HeatmapAnswer; width: number; height: number }) {
  const theme = useTheme();
  const chartsTheme = useChartsTheme();
  const colors = chartsTheme.echartsTheme.color;
  const option = useMemo(
    () => heatOption(data, theme, Array.isArray(colors) ? colors.map(String) : [], width),
    [data, theme, colors, width],
  );
  const highest = cellsOf(data).reduce((best, cell) => (cell.value > best.value ? cell : best), {
    value: -Infinity,
    row: 0,
    hour: 0,
  });
  const place = placeName(data.days[highest.row]?.date ?? '', highest.hour);
  return (
    <Box role="img" aria-label={fill(texts.heatmapOf, { highest: format.quantity(highest.value, data.unit), place })}>
      <EChart option={option} theme={chartsTheme.echartsTheme} sx={{ width, height }} />
    </Box>
  );
}

const cellsOf = (data: HeatmapAnswer) =>
  data.days.flatMap(({ values }, row) =>
    values.flatMap((value, hour) => (value === null ? [] : [{ row, hour, value }])),
  );

function heatOption(data: HeatmapAnswer, theme: Theme, series: readonly string[], width: number) {
  const { text, background } = theme.palette;
  const cells = cellsOf(data);
  const scale = heatScale(cells, {
    series,
    others: text.secondary,
    text: text.primary,
    dimmed: text.secondary,
    surface: background.paper,
  });
  const isDown = data.days.length <= maxDaysDown;
  const axis = {
    type: 'category',
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { show: false },
  } as const;
  const label = { color: text.secondary, hideOverlap: true };
  const hourAxis = {
    ...axis,
    data: hours.map(String),
    axisLabel: {
      ...label,
      margin: 8,
      interval: (_: number, value: string) => Number(value) % (isDown && width < narrow ? 6 : 3) === 0,
      formatter: (value: string) => hourLabel(Number(value)),
    },
  };
  const dayAxis = {
    ...axis,
    data: data.days.map(({ date }) => date),
    axisLabel: { ...label, margin: 8, formatter: (date: string) => format.dayMonth(`${date}T00:00:00Z`, 'UTC') },
  };
  return {
    animation: false,
    grid: { left: 4, right: 8, top: 4, bottom: 4, containLabel: true },
    xAxis: isDown ? hourAxis : dayAxis,
    yAxis: { ...(isDown ? dayAxis : hourAxis), inverse: true },
    visualMap: {
      type: 'continuous',
      show: false,
      min: scale.min,
      max: scale.max,
      dimension: 2,
      inRange: { color: scale.colors },
    },
    tooltip: {
      trigger: 'item',
      confine: true,
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const cell = cells[dataIndex];
        if (cell === undefined) return '';
        // The text contains nothing that users wrote: a day, an hour and a number.
        return `${placeName(data.days[cell.row]?.date ?? '', cell.hour)}<br/><b>${format.quantity(cell.value, data.unit)}</b>`;
      },
    },
    series: [
      {
        type: 'heatmap',
        progressive: 0,
        itemStyle: { borderWidth: data.days.length > 60 ? 0 : 1, borderColor: background.paper },
        emphasis: { itemStyle: { borderColor: text.primary, borderWidth: 1 } },
        data: cells.map(({ hour, row, value }) => (isDown ? [hour, row, value] : [row, hour, value])),
      },
    ],
  };
}

function HeatTable({ data, height }: { data: HeatmapAnswer; height: number }) {
  return (
    <Box
      sx={{
        height,
        overflow: 'auto',
        fontSize: 12,
        fontVariantNumeric: 'tabular-nums',
        '& th, & td': { px: 1, py: 0.5, textAlign: 'right', whiteSpace: 'nowrap', fontWeight: 400 },
        '& thead th': { position: 'sticky', top: 0, bgcolor: 'background.paper', color: 'text.secondary' },
        '& tr > :first-of-type': { position: 'sticky', left: 0, bgcolor: 'background.paper', textAlign: 'left' },
      }}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">
              {texts.day} ({data.unit})
            </th>
            {hours.map((hour) => (
              <th key={hour} scope="col">
                {hourLabel(hour)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.days.map(({ date, values }) => (
            <tr key={date}>
              <th scope="row">{dayName(date)}</th>
              {hours.map((hour) => (
                <td key={hour}>{format.number(values[hour])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  );
}
