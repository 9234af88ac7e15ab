import { useCallback, useId, useMemo, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { CsvTable } from '../lib/csv.ts';
import { useFormat } from '../lib/use-format.ts';
import { numberColumn, VirtualTable, type VirtualColumn } from '../ui/virtual-table/VirtualTable.tsx';
import { barExtremes, barSum, groupInstant, type BarData } from '../../../shared/charts/bars.ts';
import { CategoryPlot, type CategoryDrawing } from './CategoryPlot.tsx';
import { ChartLegend } from './ChartLegend.tsx';
import type { TooltipRow } from './ChartTooltip.tsx';
import { TableToggle } from './TableToggle.tsx';
import classes from './TimeChart.module.css';
import { useChartColors } from './use-chart-colors.ts';
import { headerIn } from './value-columns.ts';
import { colorsById } from '../../../shared/charts/drawing.ts';
import { barMarks } from '../../../shared/charts/marks.ts';
import { Marks } from './Marks.tsx';
import { textWidth } from './use-chart-width.ts';

interface StackedBarsProps {
  /** The subject, for its description and its table. */
  title: string;
  /** The data. Its groups are local dates or months. */
  data: BarData;
  /** The unit of the value axis; empty if its marks contain it. */
  unit: string;
  formatValue: (value: number | null) => string;
  height: number;
  /** Shown if the chart is empty. */
  empty: ReactNode;
  /** A line below the chart. */
  note?: ReactNode;
  /** Called with the group whose bar was clicked, or that Enter was pressed on. */
  onPick?: (group: string) => void;
}

/** Bars by day or month, stacked, with legend, table and keyboard control. The height does not depend on the data. */
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
      // Listed from the top down, as one reads a stack.
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
      (width: number): CategoryDrawing => {
        const parts = { format, textWidth };
        const { marks, box, band } = barMarks({ data: shown, colorOf, unit, width, height }, parts);
        const isInside = (x: number, y: number) => x >= box.left && x < box.right && y >= box.top && y <= box.bottom;
        return {
          mark: 'shade',
          shapes: <Marks marks={marks} />,
          itemAt: (x, y) => (isInside(x, y) ? Math.floor((x - box.left) / band) : -1),
          boxOf: (index) => ({ x: box.left + index * band, y: box.top, width: band, height: box.bottom - box.top }),
        };
      },
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
