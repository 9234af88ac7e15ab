import { useCallback, useId, useMemo, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { CsvTable } from '../lib/csv.ts';
import { useFormat } from '../lib/use-format.ts';
import { numberColumn, VirtualTable, type VirtualColumn } from '../ui/virtual-table/VirtualTable.tsx';
import { barExtremes, barSum, groupInstant, groupLabel, type BarData } from '../../../shared/charts/bars.ts';
import { CategoryPlot, type CategoryDrawing } from './CategoryPlot.tsx';
import { ChartLegend } from './ChartLegend.tsx';
import type { TooltipRow } from './ChartTooltip.tsx';
import { TableToggle } from './TableToggle.tsx';
import classes from './TimeChart.module.css';
import { useChartColors } from './use-chart-colors.ts';
import { headerIn } from './value-columns.ts';
import { scaleOf, spacedLabels, valueAxis } from '../../../shared/charts/axes.ts';
import { colorsById, stackOn } from '../../../shared/charts/drawing.ts';
import { barPath } from '../../../shared/charts/paths.ts';
import plotClasses from './plot.module.css';
import { textWidth } from './use-chart-width.ts';
import { ValueLines, valueLabelsWidth } from './ValueLines.tsx';

interface BarsParts {
  data: BarData;
  colorOf: ReadonlyMap<string, string>;
  unit: string;
  axisLabel: (group: string) => string;
  axisValue: (value: number) => string;
  /** px */
  height: number;
}

const valueSteps = 3;
const widestBar = 64;
/** Many bars stand closer. */
const freeShare = (count: number): number => (count > 60 ? 0.12 : 0.24);

/** Stacked bars over named groups; negative values are stacked below zero. */
const drawBars =
  ({ data: { groups, series }, colorOf, unit, axisLabel, axisValue, height }: BarsParts) =>
  (width: number): CategoryDrawing => {
    const stacked = stackOn(groups.length);
    const parts = series.map(({ id, values }) => ({
      id,
      ends: values.map((value, index) => (value === null ? null : stacked(index, value))),
    }));
    const values = parts.flatMap(({ ends }) => ends.flatMap((one) => (one === null ? [] : [one.value])));
    const highest = values.reduce((most, value) => Math.max(most, value), 0);
    const lowest = values.reduce((least, value) => Math.min(least, value), 0);
    const axis = valueAxis({ lowest, highest }, true, valueSteps);
    const left = valueLabelsWidth(axis, axisValue);
    const box = { left, right: Math.max(left + 1, width - 6), top: 26, bottom: height - 24 };
    const y = scaleOf(axis.min, axis.max, box.bottom, box.top);
    const band = (box.right - box.left) / Math.max(1, groups.length);
    const thick = Math.min(widestBar, band * (1 - freeShare(groups.length)));
    const middleOf = (index: number) => box.left + (index + 0.5) * band;
    const labels = groups.map((group, index) => ({ at: middleOf(index), text: axisLabel(group) }));
    return {
      mark: 'shade',
      shapes: (
        <>
          <ValueLines axis={axis} box={box} unit={unit} label={axisValue} />
          {parts.map(({ id, ends }) => (
            <path
              key={id}
              fill={colorOf.get(id)}
              d={ends
                .map((one, index) =>
                  one === null ? '' : barPath(middleOf(index) - thick / 2, thick, y(one.base), y(one.value)),
                )
                .join('')}
            />
          ))}
          <line x1={box.left} x2={box.right} y1={y(0)} y2={y(0)} className={plotClasses.axis} />
          {spacedLabels(labels, ({ text }) => textWidth(text), 0, width).map(({ at, text }) => (
            <text key={at} x={at} y={box.bottom + 17} textAnchor="middle" className={plotClasses.label}>
              {text}
            </text>
          ))}
        </>
      ),
      itemAt: (x, at) =>
        x < box.left || x >= box.right || at < box.top || at > box.bottom ? -1 : Math.floor((x - box.left) / band),
      boxOf: (index) => ({
        x: box.left + index * band,
        y: box.top,
        width: band,
        height: box.bottom - box.top,
      }),
    };
  };

interface StackedBarsProps {
  /** The subject, for its description and its table. */
  title: string;
  /** Its groups are local dates or months. */
  data: BarData;
  /** The unit of the value axis; empty if its marks contain it. */
  unit: string;
  formatValue: (value: number | null) => string;
  height: number;
  /** Replaces an empty chart. */
  empty: ReactNode;
  /** A line below the chart. */
  note?: ReactNode;
  /** Called with the group whose bar was clicked, or that Enter was pressed on. */
  onPick?: (group: string) => void;
}

/** Bars by day or month, stacked, with legend, table and keyboard. Its height does not depend on its content. */
export function StackedBars(props: StackedBarsProps) {
  const { title, data, unit, formatValue, height, empty, note, onPick } = props;
  const t = useTranslations('charts');
  const format = useFormat();
  const colors = useChartColors();
  const stageId = useId();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [isTable, setIsTable] = useState(false);

  const colorOf = useMemo(() => colorsById(data.series, colors), [data.series, colors]);
  const shown = useMemo(() => ({ ...data, series: data.series.filter(({ id }) => !hidden.has(id)) }), [data, hidden]);
  const titleOf = useCallback(
    (index: number) => {
      const group = data.groups[index] ?? '';
      return group.length === 7 ? format.month(groupInstant(group), 'UTC') : format.weekday(groupInstant(group), 'UTC');
    },
    [data.groups, format],
  );
  const rowsAt = useCallback(
    (index: number): TooltipRow[] => {
      const rows = shown.series.flatMap(({ id, name, values }): TooltipRow[] => {
        const value = values[index] ?? null;
        return value === null ? [] : [{ color: colorOf.get(id) ?? colors.others, name, value: formatValue(value) }];
      });
      if (rows.length === 0) return [{ name: t('nothing'), value: '' }];
      // A stack is read from the top down.
      rows.reverse();
      if (rows.length > 1) {
        rows.push({ name: t('sum'), value: formatValue(barSum(shown, index)), isStrong: true });
      }
      return rows;
    },
    [shown, colorOf, colors, formatValue, t],
  );
  const draw = useMemo(
    () =>
      drawBars({
        data: shown,
        colorOf,
        unit,
        axisLabel: (group) => groupLabel(group, shown.groups, format),
        axisValue: format.axis,
        height,
      }),
    [shown, colorOf, unit, format, height],
  );
  const step = (index: number | null, key: string): number | null => {
    const last = data.groups.length - 1;
    const targets: Record<string, number> = {
      ArrowRight: index === null ? 0 : index + 1,
      ArrowLeft: index === null ? last : index - 1,
      Home: 0,
      End: last,
    };
    const target = targets[key];
    return target === undefined ? null : Math.min(last, Math.max(0, target));
  };

  const extremes = barExtremes(data);
  const label =
    extremes === null
      ? title
      : t('barsDescription', {
          title,
          highest: formatValue(barSum(data, extremes.highest)),
          highestAt: titleOf(extremes.highest),
          lowest: formatValue(barSum(data, extremes.lowest)),
          lowestAt: titleOf(extremes.lowest),
        });
  const columns: VirtualColumn<number>[] = [
    { id: 'group', header: t('time'), minRem: 10, isSticky: true, cell: titleOf },
    ...data.series.map(({ id, name, values }) =>
      numberColumn(id, name, '', (index: number) => formatValue(values[index] ?? null)),
    ),
    ...(data.series.length > 1
      ? [numberColumn('sum', t('sum'), '', (index: number) => formatValue(barSum(data, index)))]
      : []),
  ];

  const csv = (): CsvTable => {
    const hasSum = data.series.length > 1;
    return {
      name: `${title} ${data.groups[0] ?? ''}`,
      header: [
        t('time'),
        ...data.series.map(({ name }) => headerIn(name, unit)),
        ...(hasSum ? [headerIn(t('sum'), unit)] : []),
      ],
      rows: data.groups.map((group, index) => [
        group,
        ...data.series.map(({ values }) => values[index] ?? null),
        ...(hasSum ? [barSum(data, index)] : []),
      ]),
    };
  };

  return (
    <div className={classes.chart}>
      <div className={classes.head}>
        {data.series.length > 1 && (
          <ChartLegend series={data.series} colorOf={(id) => colorOf.get(id)} hidden={hidden} onHidden={setHidden} />
        )}
        <div className={classes.tools}>
          <TableToggle
            isTable={isTable}
            onChange={setIsTable}
            controls={stageId}
            isDisabled={extremes === null}
            csv={csv}
          />
        </div>
      </div>
      <div id={stageId} className={classes.stage} style={{ height }}>
        {extremes === null ? (
          <div className={classes.message} style={{ height }}>
            {empty}
          </div>
        ) : isTable ? (
          <VirtualTable
            label={t('tableOf', { title })}
            columns={columns}
            rowCount={data.groups.length}
            getRow={(index) => index}
            height={height}
          />
        ) : (
          <CategoryPlot
            draw={draw}
            height={height}
            label={label}
            count={data.groups.length}
            step={step}
            tooltip={(index) => ({ title: titleOf(index), rows: rowsAt(index) })}
            readOut={(index) =>
              [titleOf(index), ...rowsAt(index).map(({ name, value }) => `${name} ${value}`)].join('; ')
            }
            onPick={onPick && ((index) => onPick(data.groups[index] ?? ''))}
          />
        )}
      </div>
      {note !== undefined && <div className={classes.foot}>{note}</div>}
    </div>
  );
}
