import type { useTranslations } from 'use-intl';
import type { CsvTable } from '../lib/csv.ts';
import { toOffsetText } from '../../../shared/time.ts';
import { sumOf, type ChartData } from '../../../shared/charts/chart-data.ts';
import { isSummed, type ChartKind } from '../../../shared/charts/drawing.ts';
import { bridgedData } from '../../../shared/charts/gaps.ts';
import { referenceIn, type ReferenceValue, type ShownReference } from './references.ts';

/** The data of the table of a chart over time, and of its file. */
export interface ChartNumbers {
  title: string;
  data: ChartData;
  references: readonly ShownReference[];
  unit: string;
  /** If the series can be added up, their sum is in the last column of the series. */
  kind: ChartKind;
  timeZone: string;
}

interface ValueColumn {
  id: string;
  header: string;
  read: (index: number) => number | null;
}

type ChartTexts = ReturnType<typeof useTranslations<'charts'>>;

/** The number columns: series with their minimum and maximum, their sum, and the comparisons. */
export function valueColumns({ data, references, kind }: ChartNumbers, t: ChartTexts): ValueColumn[] {
  const filled = kind === 'stack' ? bridgedData(data) : data;
  const values = (id: string, header: string, from: readonly (number | null)[]): ValueColumn => ({
    id,
    header,
    read: (index) => from[index] ?? null,
  });
  return [
    ...data.series.flatMap(({ id, name, values: own, lows, highs }) => [
      values(id, name, own),
      ...(lows === undefined ? [] : [values(`${id} low`, t('lowest'), lows)]),
      ...(highs === undefined ? [] : [values(`${id} high`, t('highest'), highs)]),
    ]),
    ...(isSummed(kind) && data.series.length > 1
      ? [{ id: 'sum', header: t('sum'), read: (index: number) => completeSum(data, filled, index) }]
      : []),
    ...references.flatMap((reference) => {
      const { id, name } = reference;
      const column = (key: keyof ReferenceValue, header: string): ValueColumn => ({
        id: `${id} ${key}`,
        header,
        read: (index) => referenceIn(reference, data, index)[key],
      });
      const hasBand = reference.data.series.some(({ lows }) => lows !== undefined);
      return [
        column('value', name),
        ...(hasBand ? [column('low', t('lowOf', { name })), column('high', t('highOf', { name }))] : []),
      ];
    }),
  ];
}

/** The sum, if all series that measure at that time have a reading. Without some of them, the sum would be wrong. */
function completeSum(data: ChartData, filled: ChartData, index: number): number | null {
  const isComplete = data.series.every(
    ({ values }, position) =>
      (values[index] ?? null) !== null || (filled.series[position]?.values[index] ?? null) === null,
  );
  return isComplete ? sumOf(data.series, index) : null;
}

/** A header with its unit, as in files. */
export const headerIn = (header: string, unit: string): string => (unit === '' ? header : `${header} (${unit})`);

/** The same numbers as a file: ISO times with their offset. */
export function chartCsv(numbers: ChartNumbers, t: ChartTexts): CsvTable {
  const { title, data, unit, timeZone } = numbers;
  const columns = valueColumns(numbers, t);
  const time = (atMs = NaN) => toOffsetText(atMs, timeZone);
  return {
    name: `${title} ${time(data.startsMs[0]).slice(0, 10)}`,
    header: [t('begin'), t('end'), ...columns.map(({ header }) => headerIn(header, unit))],
    rows: data.startsMs.map((startMs, index) => [
      time(startMs),
      time(data.endsMs[index]),
      ...columns.map(({ read }) => read(index)),
    ]),
  };
}
