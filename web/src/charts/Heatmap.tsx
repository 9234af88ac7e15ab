import { useMediaQuery } from '@mantine/hooks';
import { useCallback, useId, useMemo, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { CsvTable } from '../lib/csv.ts';
import { unitFor } from '../../../shared/format.ts';
import { useFormat } from '../lib/use-format.ts';
import { numberColumn, VirtualTable, type VirtualColumn } from '../ui/virtual-table/VirtualTable.tsx';
import { groupInstant, groupLabel } from '../../../shared/charts/bars.ts';
import { CategoryPlot, type CategoryDrawing } from './CategoryPlot.tsx';
import classes from './Heatmap.module.css';
import {
  cellsByPlace,
  heatLayout,
  heatScale,
  heatStep,
  hoursOfDay,
  type HeatCell,
  type HeatData,
  heatColor,
  type HeatScale,
} from './heatmap.ts';
import { TableToggle } from './TableToggle.tsx';
import chart from './TimeChart.module.css';
import { useChartColors } from './use-chart-colors.ts';
import { usePrinting } from '../ui/printing.tsx';
import { headerIn } from './value-columns.ts';
import { spacedLabels } from '../../../shared/charts/axes.ts';
import { cellPath } from '../../../shared/charts/paths.ts';
import plotClasses from './plot.module.css';
import { labelSize } from '../../../shared/charts/marks.ts';
import { textWidth } from './use-chart-width.ts';

interface HeatParts {
  data: HeatData;
  scale: HeatScale;
  isHoursAcross: boolean;
  /** Hours between two labels. */
  namedHours: number;
  hourLabel: (hour: number) => string;
  rowLabel: (row: string) => string;
  /** px */
  height: number;
}

/** With more rows than this there is no room between the cells. */
const maxPartedRows = 120;

/** A field of colored cells, hours by days; an item is `row * 24 + hour`. */
const drawHeat =
  ({ data: { rows, cells }, scale, isHoursAcross, namedHours, hourLabel, rowLabel, height }: HeatParts) =>
  (width: number): CategoryDrawing => {
    const hours = Array.from({ length: hoursOfDay }, (_, hour) => (hour % namedHours === 0 ? hourLabel(hour) : ''));
    const days = rows.map((row) => rowLabel(row));
    const [across, down] = isHoursAcross ? [hours, days] : [days, hours];
    const left = 10 + down.reduce((widest, text) => Math.max(widest, textWidth(text)), 0);
    const box = { left, right: Math.max(left + 1, width - 6), top: 4, bottom: height - 24 };
    const [cellWidth, cellHeight] = [
      (box.right - box.left) / Math.max(1, across.length),
      (box.bottom - box.top) / Math.max(1, down.length),
    ];
    const gap = rows.length > maxPartedRows ? 0 : 1;
    const placeOf = (row: number, hour: number) => {
      const [column, line] = isHoursAcross ? [hour, row] : [row, hour];
      return { x: box.left + column * cellWidth, y: box.top + line * cellHeight, width: cellWidth, height: cellHeight };
    };
    // One path per color: a year has 8,760 cells.
    const paths = new Map<string, string[]>();
    for (const { row, hour, value } of cells) {
      const { x, y } = placeOf(row, hour);
      const color = heatColor(value, scale);
      const path = paths.get(color) ?? [];
      path.push(cellPath(x + gap / 2, y + gap / 2, cellWidth - gap, cellHeight - gap, gap * 2));
      paths.set(color, path);
    }
    const named = (texts: readonly string[], size: number, from: number) =>
      texts.flatMap((text, index) => (text === '' ? [] : [{ at: from + (index + 0.5) * size, text }]));
    return {
      mark: 'outline',
      shapes: (
        <>
          {[...paths].map(([color, path]) => (
            <path key={color} fill={color} d={path.join('')} shapeRendering={gap === 0 ? 'crispEdges' : undefined} />
          ))}
          {spacedLabels(named(down, cellHeight, box.top), () => labelSize, 0, height).map(({ at, text }) => (
            <text key={at} x={box.left - 8} y={at} dy="0.35em" textAnchor="end" className={plotClasses.label}>
              {text}
            </text>
          ))}
          {spacedLabels(named(across, cellWidth, box.left), ({ text }) => textWidth(text), 0, width).map(
            ({ at, text }) => (
              <text key={at} x={at} y={box.bottom + 17} textAnchor="middle" className={plotClasses.label}>
                {text}
              </text>
            ),
          )}
        </>
      ),
      itemAt: (x, y) => {
        if (x < box.left || x >= box.right || y < box.top || y >= box.bottom) return -1;
        const [column, line] = [Math.floor((x - box.left) / cellWidth), Math.floor((y - box.top) / cellHeight)];
        return isHoursAcross ? line * hoursOfDay + column : column * hoursOfDay + line;
      },
      boxOf: (index) => placeOf(Math.floor(index / hoursOfDay), index % hoursOfDay),
    };
  };

interface HeatmapProps {
  title: string;
  data: HeatData;
  /** The expected number of rows. It is known before the data arrives. */
  rowCount: number;
  unit: string;
  /** The meaning of a cell with a `count` above 1. */
  countNote: (count: number) => string;
  empty: ReactNode;
  note: ReactNode;
  /** Called with the cell that was clicked, or that Enter was pressed on. */
  onPick?: (cell: HeatCell) => void;
}

const tableHeight = 400;
const hours = Array.from({ length: hoursOfDay }, (_, hour) => hour);
const hourInstant = (hour: number): number => Date.UTC(2000, 0, 1, hour);

/** If the field is wider than the screen, the newest days are shown first. */
const showNewest = (field: HTMLElement | null) => {
  const stage = field?.parentElement ?? null;
  if (stage === null) return;
  // Read after the layout of the page. Reading the width here would force a layout.
  const observer = new ResizeObserver(() => {
    stage.scrollLeft = stage.scrollWidth;
    observer.disconnect();
  });
  observer.observe(stage);
  return () => observer.disconnect();
};

/** Hours of the day by days, colored by value, with a table of the data. Its height depends only on `rowCount`. */
export function Heatmap({ title, data, rowCount, unit, countNote, empty, note, onPick }: HeatmapProps) {
  const t = useTranslations('charts');
  const format = useFormat();
  const colors = useChartColors();
  const stageId = useId();
  const [isTable, setIsTable] = useState(false);
  const isNarrow = useMediaQuery('(max-width: 47.99em)');
  const { isHoursAcross, height, minWidth } = heatLayout(rowCount, usePrinting());

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
  const draw = useMemo(
    () =>
      drawHeat({
        data,
        scale,
        isHoursAcross,
        namedHours: isNarrow ? 6 : 3,
        hourLabel,
        rowLabel: (row) => groupLabel(row, data.rows, format),
        height,
      }),
    [data, scale, isHoursAcross, isNarrow, format, hourLabel, height],
  );
  const nameOf = (place: number) => placeName(Math.floor(place / hoursOfDay), place % hoursOfDay);
  const tooltip = (place: number) => {
    const cell = byPlace.get(place);
    return cell === undefined ? null : { title: nameOf(place), rows: [{ name: title, value: valueOf(cell) }] };
  };
  const pick = (place: number) => {
    const cell = byPlace.get(place);
    if (cell !== undefined) onPick?.(cell);
  };

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
    ...hours.map((hour) =>
      numberColumn(String(hour), hourLabel(hour), '', (row: number) => {
        const cell = byPlace.get(row * hoursOfDay + hour);
        if (cell === undefined) return format.number(null);
        return cell.count > 1 ? `${format.number(cell.value)} (${countNote(cell.count)})` : format.number(cell.value);
      }),
    ),
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
          <div ref={showNewest} style={{ minWidth }}>
            <CategoryPlot
              draw={draw}
              height={height}
              label={label}
              count={data.rows.length * hoursOfDay}
              step={(place, key) => heatStep(place, key, data.rows.length, isHoursAcross)}
              tooltip={tooltip}
              readOut={(place) => format.labelled(nameOf(place), valueOf(byPlace.get(place)))}
              onPick={onPick && pick}
            />
          </div>
        )}
      </div>
      <div className={chart.foot}>{note}</div>
    </div>
  );
}
