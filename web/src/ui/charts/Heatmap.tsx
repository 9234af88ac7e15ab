import { useMediaQuery } from '@mantine/hooks';
import { Suspense, useCallback, useId, useMemo, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { CsvTable } from '../../lib/csv.ts';
import { unitFor } from '../../lib/format.ts';
import { useFormat } from '../../lib/use-format.ts';
import { BlockSkeleton } from '../Skeletons.tsx';
import { headerRem, VirtualTable, type VirtualColumn } from '../virtual-table/VirtualTable.tsx';
import { groupInstant, groupLabel } from './bars.ts';
import classes from './Heatmap.module.css';
import { cellsByPlace, heatLayout, heatScale, heatStep, hoursOfDay, type HeatCell, type HeatData } from './heatmap.ts';
import { heatmapOption } from './heatmap-option.ts';
import { LazyGridCanvas } from './LazyGridCanvas.ts';
import { TableToggle } from './TableToggle.tsx';
import chart from './TimeChart.module.css';
import { tooltipElement } from './tooltip.ts';
import { useChartColors } from './use-chart-colors.ts';
import { headerIn } from './value-columns.ts';

interface HeatmapProps {
  title: string;
  data: HeatData;
  /** How many rows it will have, also while there are no data. */
  rowCount: number;
  unit: string;
  /** What a cell with a `count` above 1 is. */
  countNote: (count: number) => string;
  empty: ReactNode;
  note: ReactNode;
  /** Told the cell that was clicked, or where Enter was pressed. */
  onPick?: (cell: HeatCell) => void;
}

const tableHeight = 400;
const hours = Array.from({ length: hoursOfDay }, (_, hour) => hour);
const hourInstant = (hour: number): number => Date.UTC(2000, 0, 1, hour);

/** Hours of the day by days, colored by value, with its table. Its height follows from `rowCount` alone. */
export function Heatmap({ title, data, rowCount, unit, countNote, empty, note, onPick }: HeatmapProps) {
  const t = useTranslations('charts');
  const format = useFormat();
  const colors = useChartColors();
  const stageId = useId();
  const [isTable, setIsTable] = useState(false);
  const isNarrow = useMediaQuery('(max-width: 47.99em)');
  const { isHoursAcross, height, minWidth } = heatLayout(rowCount);

  const scale = useMemo(() => heatScale(data.cells, colors), [data, colors]);
  const byPlace = useMemo(() => cellsByPlace(data), [data]);
  const hourLabel = useCallback((hour: number) => format.time(hourInstant(hour), 'UTC'), [format]);
  const rowName = useCallback(
    (row: string) =>
      row.length === 7 ? format.month(groupInstant(row), 'UTC') : format.weekday(groupInstant(row), 'UTC'),
    [format],
  );
  const valueOf = useCallback(
    (cell: HeatCell | undefined) => {
      if (cell === undefined) return t('noReadings');
      const value = format.quantity(cell.value, unit);
      return cell.count > 1 ? `${value} (${countNote(cell.count)})` : value;
    },
    [format, unit, countNote, t],
  );
  const placeName = useCallback(
    (row: number, hour: number) => `${rowName(data.rows[row] ?? '')}, ${hourLabel(hour)} – ${hourLabel(hour + 1)}`,
    [data.rows, rowName, hourLabel],
  );
  const option = useMemo(
    () =>
      heatmapOption({
        data,
        scale,
        isHoursAcross,
        namedHours: isNarrow ? 6 : 3,
        colors,
        font: getComputedStyle(document.body).fontFamily,
        hourLabel,
        rowLabel: (row) => groupLabel(row, data.rows, format),
        tooltip: (index) => {
          const cell = data.cells[index];
          if (cell === undefined) return null;
          return tooltipElement(placeName(cell.row, cell.hour), [{ name: title, value: valueOf(cell) }]);
        },
      }),
    [data, scale, isHoursAcross, isNarrow, colors, format, hourLabel, placeName, title, valueOf],
  );

  const hasData = data.cells.length > 0;
  const highest = data.cells.reduce<HeatCell | null>(
    (best, cell) => (best === null || cell.value > best.value ? cell : best),
    null,
  );
  const label =
    highest === null
      ? title
      : t('heatDescription', {
          title,
          highest: valueOf(highest),
          highestAt: placeName(highest.row, highest.hour),
        });
  const columns: VirtualColumn<number>[] = [
    { id: 'row', header: t('time'), minRem: 10, isSticky: true, cell: (row) => rowName(data.rows[row] ?? '') },
    ...hours.map((hour) => ({
      id: String(hour),
      header: hourLabel(hour),
      minRem: headerRem(hourLabel(hour), ''),
      align: 'end' as const,
      cell: (row: number) => {
        const cell = byPlace.get(row * hoursOfDay + hour);
        if (cell === undefined) return format.number(null);
        return cell.count > 1 ? `${format.number(cell.value)} (${countNote(cell.count)})` : format.number(cell.value);
      },
    })),
  ];
  const csv = (): CsvTable => ({
    name: `${title} ${data.rows[0] ?? ''}`,
    header: [headerIn(t('time'), unit), ...hours.map((hour) => `${String(hour).padStart(2, '0')}:00`)],
    rows: data.rows.map((name, row) => [
      name,
      ...hours.map((hour) => byPlace.get(row * hoursOfDay + hour)?.value ?? null),
    ]),
  });
  const shownHeight = isTable ? Math.max(height, Math.min(tableHeight, data.rows.length * 34 + 60)) : height;
  const gradient: Record<`--${string}`, string> = {
    '--scale': `linear-gradient(to right, ${scale.colors.join(', ')})`,
  };

  return (
    <div className={chart.chart}>
      <div className={chart.head}>
        {hasData && (
          <div className={classes.legend} style={gradient}>
            <span className="figures">{format.number(scale.min / unitFor(scale.max, unit).size)}</span>
            <span className={classes.scale} aria-hidden />
            <span className="figures">{format.quantity(scale.max, unit)}</span>
          </div>
        )}
        <div className={chart.tools}>
          <TableToggle isTable={isTable} onChange={setIsTable} controls={stageId} isDisabled={!hasData} csv={csv} />
        </div>
      </div>
      <div id={stageId} className={classes.stage} style={{ minHeight: shownHeight }}>
        {!hasData ? (
          <div className={chart.message} style={{ minHeight: height }}>
            {empty}
          </div>
        ) : isTable ? (
          <VirtualTable
            label={t('tableOf', { title })}
            columns={columns}
            rowCount={data.rows.length}
            getRow={(index) => index}
            height={shownHeight}
          />
        ) : (
          <div style={{ minWidth }}>
            <Suspense fallback={<BlockSkeleton height={height} />}>
              <LazyGridCanvas
                option={option}
                height={height}
                label={label}
                count={data.rows.length * hoursOfDay}
                step={(place, key) => heatStep(place, key, data.rows.length, isHoursAcross)}
                pointOf={(place) => {
                  const [row, hour] = [Math.floor(place / hoursOfDay), place % hoursOfDay];
                  return isHoursAcross ? [hour, row] : [row, hour];
                }}
                {...(onPick === undefined
                  ? {}
                  : {
                      onPick: ([x, y]) => {
                        const [row, hour] = isHoursAcross ? [y, x] : [x, y];
                        const cell = byPlace.get(row * hoursOfDay + hour);
                        if (cell !== undefined) onPick(cell);
                      },
                    })}
                readOut={(place) => {
                  const [row, hour] = [Math.floor(place / hoursOfDay), place % hoursOfDay];
                  return `${placeName(row, hour)}: ${valueOf(byPlace.get(place))}`;
                }}
              />
            </Suspense>
          </div>
        )}
      </div>
      <div className={chart.foot}>{note}</div>
    </div>
  );
}
