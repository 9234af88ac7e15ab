import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { useCallback, useId, useMemo, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { TimeRange } from '../lib/time-range.ts';
import { unitFor, type Format } from '../../../shared/format.ts';
import { useFormat } from '../lib/use-format.ts';
import { rangeLabel } from '../ui/time-range/range-label.ts';
import {
  extremesOf,
  hasValues,
  middle,
  nearestIndex,
  sumOf,
  type ChartData,
} from '../../../shared/charts/chart-data.ts';
import { ChartLegend } from './ChartLegend.tsx';
import type { TooltipRow } from './ChartTooltip.tsx';
import { colorsById, drawnShapes, isSummed, type ChartKind } from '../../../shared/charts/drawing.ts';
import { bridgedData } from '../../../shared/charts/gaps.ts';
import { referenceIn, referenceLines, shownReferences, type ChartReference } from './references.ts';
import { TableToggle } from './TableToggle.tsx';
import classes from './TimeChart.module.css';
import { TimePlot } from './TimePlot.tsx';
import { useChartColors } from './use-chart-colors.ts';
import { chartCsv, valueColumns, type ChartNumbers } from './value-columns.ts';
import { zoomBy } from './use-chart-zoom.ts';
import { numberColumn, VirtualTable, type VirtualColumn } from '../ui/virtual-table/VirtualTable.tsx';
import { startOf } from '../../../shared/time.ts';

interface TimeChartProps {
  /** The subject, for its description and its table. */
  title: string;
  data: ChartData;
  kind: ChartKind;
  unit: string;
  /** The value axis starts at zero. */
  hasZero?: boolean;
  range: TimeRange;
  zoom: TimeRange | null;
  onZoom: (zoom: TimeRange | null) => void;
  /** Makes the zoomed part the range of the page; absent if the axis is not time. */
  onUseAsRange?: (range: TimeRange) => void;
  timeZone: string;
  height?: number;
  /** Shown if the chart is empty. */
  empty: ReactNode;
  /** A line below the chart: the meaning of a point. */
  note: string;
  /** Shown next to the buttons that reset the zoom. */
  zoomAction?: ReactNode;
  /** The comparisons; the legend shows and hides each. */
  references?: readonly ChartReference[];
  onReference?: (id: string, isShown: boolean) => void;
}

const noReferences: readonly ChartReference[] = [];

const zoomStep = 0.5;

/** A chart over time with legend, zoom and table. The height does not depend on the data. */
export function TimeChart(props: TimeChartProps) {
  const { title, data, kind, unit, hasZero = true, range, zoom, onZoom, onUseAsRange, timeZone, height = 340 } = props;
  const { references = noReferences, onReference } = props;
  const t = useTranslations('charts');
  const format = useFormat();
  const colors = useChartColors();
  const stageId = useId();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [isTable, setIsTable] = useState(false);

  const byId = useMemo(() => colorsById(data.series, colors), [data.series, colors]);
  const shown = useMemo(() => ({ ...data, series: data.series.filter(({ id }) => !hidden.has(id)) }), [data, hidden]);
  // The values as they are drawn. In a stack, they include the interpolation between the readings of a slow meter.
  const filled = useMemo(() => (kind === 'stack' ? bridgedData(shown) : shown), [shown, kind]);
  const compared = useMemo(() => shownReferences(references), [references]);
  const drawn = useMemo(() => {
    const order = references.map(({ id }) => id);
    return [...drawnShapes(filled, kind, byId), ...referenceLines(compared, order, colors)];
  }, [filled, kind, byId, references, compared, colors]);

  const titleOf = useCallback(
    (index: number) => bucketLabel(data.startsMs[index] ?? 0, data.endsMs[index] ?? 0, timeZone, format),
    [data, timeZone, format],
  );
  const rowsAt = useCallback(
    (index: number): TooltipRow[] => {
      const band = (low: number | null, high: number | null) =>
        low === null || high === null || low === high ? '' : ` (${format.number(low)} … ${format.number(high)})`;
      const rows = shown.series.flatMap(({ id, name, values, lows, highs }, position): TooltipRow[] => {
        const estimate = filled.series[position]?.values[index] ?? null;
        // In a stack, a series without a value at this instant is left out, because it would only make the list longer.
        if (isSummed(kind) && estimate === null) return [];
        const isEstimate = estimate !== null && (values[index] ?? null) === null;
        const [low, high] = [lows?.[index] ?? null, highs?.[index] ?? null];
        const value = (isEstimate ? '≈ ' : '') + format.quantity(estimate, unit);
        return [{ color: byId.get(id) ?? colors.others, name, value: value + band(low, high), isEstimate }];
      });
      if (rows.length === 0) rows.push({ name: t('noReadings'), value: '' });
      // Listed from the top down, as one reads a stack.
      if (isSummed(kind)) rows.reverse();
      if (isSummed(kind) && rows.length > 1) {
        const sign = rows.some(({ isEstimate = false }) => isEstimate) ? '≈ ' : '';
        rows.push({ name: t('sum'), value: sign + format.quantity(sumOf(filled.series, index), unit), isStrong: true });
      }
      for (const reference of compared) {
        const { value, low, high } = referenceIn(reference, data, index);
        if (value === null) continue;
        rows.push({ color: colors.text, name: reference.name, value: format.quantity(value, unit) + band(low, high) });
      }
      return rows;
    },
    [data, shown, filled, byId, compared, colors, kind, unit, format, t],
  );
  const tooltip = useCallback(
    (atMs: number) => {
      const index = nearestIndex(data, atMs);
      return index < 0 ? null : { title: titleOf(index), rows: rowsAt(index) };
    },
    [data, titleOf, rowsAt],
  );
  const step = (atMs: number | null, by: number) => {
    const index = nearestIndex(data, atMs ?? range.fromMs) + by;
    return index >= 0 && index < data.startsMs.length ? middle(data, index) : null;
  };
  const readOut = (atMs: number) => {
    const index = nearestIndex(data, atMs);
    return [titleOf(index), ...rowsAt(index).map(({ name, value }) => `${name} ${value}`)].join('; ');
  };

  const numbers = useMemo(
    () => ({ title, data, references: compared, unit, kind, timeZone }),
    [title, data, compared, unit, kind, timeZone],
  );
  const hasData = hasValues(data) || compared.length > 0;
  const extremes = extremesOf(filled, isSummed(kind));
  const told = unitFor(Math.max(Math.abs(extremes?.highest ?? 0), Math.abs(extremes?.lowest ?? 0)), unit);
  const zoomTo = (factor: number) => {
    const visible = zoom ?? range;
    onZoom(zoomBy(visible, factor, (visible.fromMs + visible.toMs) / 2, range));
  };

  return (
    <div className={classes.chart}>
      <div className={classes.head}>
        {data.series.length + references.length > 1 && (
          <ChartLegend
            series={data.series}
            colorOf={(id) => byId.get(id)}
            hidden={hidden}
            onHidden={setHidden}
            references={references}
            onReference={onReference}
          />
        )}
        <div className={classes.tools}>
          <Tool label={t('zoomIn')} isDisabled={!hasData || isTable} onClick={() => zoomTo(zoomStep)}>
            <IconZoomIn size={17} stroke={1.75} />
          </Tool>
          <Tool label={t('zoomOut')} isDisabled={zoom === null || isTable} onClick={() => zoomTo(1 / zoomStep)}>
            <IconZoomOut size={17} stroke={1.75} />
          </Tool>
          <TableToggle
            isTable={isTable}
            onChange={setIsTable}
            controls={stageId}
            isDisabled={!hasData}
            csv={() => chartCsv(numbers, t)}
          />
        </div>
      </div>
      <div id={stageId} className={classes.stage} style={{ height }}>
        {!hasData ? (
          <div className={classes.message} style={{ height }}>
            {props.empty}
          </div>
        ) : isTable ? (
          <ChartTable numbers={numbers} height={height} />
        ) : (
          <TimePlot
            shapes={drawn}
            range={range}
            zoom={zoom}
            onZoom={onZoom}
            timeZone={timeZone}
            unit={told.unit}
            unitSize={told.size}
            hasZero={hasZero}
            height={height}
            label={describe()}
            tooltip={tooltip}
            step={step}
            readOut={readOut}
          />
        )}
      </div>
      <div className={classes.foot}>
        <span>
          {zoom !== null && `${rangeLabel(wholeMinutes(zoom), timeZone, format)} · `}
          {props.note}
        </span>
        {zoom !== null && (
          <span className={classes.footActions}>
            {props.zoomAction}
            <Button variant="subtle" size="compact-xs" onClick={() => onZoom(null)}>
              {t('resetZoom')}
            </Button>
            {onUseAsRange !== undefined && (
              <Button variant="light" size="compact-xs" onClick={() => onUseAsRange(wholeMinutes(zoom))}>
                {t('useAsRange')}
              </Button>
            )}
          </span>
        )}
      </div>
    </div>
  );

  function describe(): string {
    if (extremes === null) return title;
    return t('description', {
      title,
      range: rangeLabel(range, timeZone, format),
      highest: format.quantity(extremes.highest, unit),
      highestAt: titleOf(extremes.highestIndex),
      lowest: format.quantity(extremes.lowest, unit),
      lowestAt: titleOf(extremes.lowestIndex),
    });
  }
}

/** Seconds are rounded away, because nobody needs a range with seconds. */
const wholeMinutes = ({ fromMs, toMs }: TimeRange): TimeRange => ({
  fromMs: Math.floor(fromMs / 60_000) * 60_000,
  toMs: Math.ceil(toMs / 60_000) * 60_000,
});

interface ToolProps {
  label: string;
  isDisabled: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Tool({ label, isDisabled, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={30}
        className={classes.tool}
        aria-label={label}
        disabled={isDisabled}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

/** The exact numbers of a chart, newest last as in the chart. */
function ChartTable({ numbers, height }: { numbers: ChartNumbers; height: number }) {
  const t = useTranslations('charts');
  const format = useFormat();
  const columns = useMemo<VirtualColumn<number>[]>(() => {
    const { data, unit, timeZone } = numbers;
    return [
      {
        id: 'time',
        header: t('time'),
        minRem: 14,
        grow: 1.2,
        isSticky: true,
        cell: (index) => bucketLabel(data.startsMs[index] ?? 0, data.endsMs[index] ?? 0, timeZone, format),
      },
      ...valueColumns(numbers, t).map(({ id, header, read }) =>
        numberColumn(id, header, unit, (index: number) => format.number(read(index))),
      ),
    ];
  }, [numbers, format, t]);
  return (
    <VirtualTable
      label={t('tableOf', { title: numbers.title })}
      columns={columns}
      rowCount={numbers.data.startsMs.length}
      getRow={(index) => index}
      height={height}
    />
  );
}

/** A bucket in words: its month, its day, or its day and times. */
function bucketLabel(startMs: number, endMs: number, timeZone: string, format: Format): string {
  const hours = (endMs - startMs) / 3_600_000;
  if (hours > 27 * 24) {
    const isMonth = [startMs, endMs].every((atMs) => startOf('month', atMs, timeZone) === atMs);
    return isMonth ? format.month(startMs, timeZone) : format.dateSpan(startMs, endMs - 1, timeZone);
  }
  const isDay = hours > 20 && hours < 28;
  if (isDay && startOf('day', startMs, timeZone) === startMs) return format.weekday(startMs, timeZone);
  return format.dateTimeSpan(startMs, endMs, timeZone);
}
