import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../lib/use-format.ts';
import { headerRem, VirtualTable, type VirtualColumn } from '../virtual-table/VirtualTable.tsx';
import { bucketLabel } from './bucket-label.ts';
import { sumOf, type ChartData } from './chart-data.ts';
import { isSummed, type ChartKind } from './drawing.ts';
import { bridgedData } from './gaps.ts';
import { referenceIn, type ReferenceValue, type ShownReference } from './references.ts';

interface ChartTableProps {
  title: string;
  data: ChartData;
  references: readonly ShownReference[];
  unit: string;
  /** Where it sums up, the table has a last column with the sum of the series. */
  kind: ChartKind;
  timeZone: string;
  height: number;
}

/** The very numbers of a chart, newest last as in the chart. */
export function ChartTable({ title, data, references, unit, kind, timeZone, height }: ChartTableProps) {
  const t = useTranslations('charts');
  const format = useFormat();
  const filled = useMemo(() => (kind === 'stack' ? bridgedData(data) : data), [data, kind]);
  const columns = useMemo<VirtualColumn<number>[]>(() => {
    const value = (id: string, header: string, read: (index: number) => number | null | undefined) => ({
      id,
      header,
      unit,
      minRem: headerRem(header, unit),
      align: 'end' as const,
      cell: (index: number) => format.number(read(index)),
    });
    return [
      {
        id: 'time',
        header: t('time'),
        minRem: 14,
        grow: 1.2,
        isSticky: true,
        cell: (index) => bucketLabel(data.startsMs[index] ?? 0, data.endsMs[index] ?? 0, timeZone, format),
      },
      ...data.series.flatMap(({ id, name, values, lows, highs }) => [
        value(id, name, (index) => values[index]),
        ...(lows === undefined ? [] : [value(`${id} low`, t('lowest'), (index) => lows[index])]),
        ...(highs === undefined ? [] : [value(`${id} high`, t('highest'), (index) => highs[index])]),
      ]),
      ...(isSummed(kind) && data.series.length > 1
        ? [value('sum', t('sum'), (index) => completeSum(data, filled, index))]
        : []),
      ...references.flatMap((reference) => {
        const { id, name } = reference;
        const column = (key: keyof ReferenceValue, header: string) =>
          value(`${id} ${key}`, header, (index) => referenceIn(reference, data, index)[key]);
        const hasBand = reference.data.series.some(({ lows }) => lows !== undefined);
        return [
          column('value', name),
          ...(hasBand ? [column('low', t('lowOf', { name })), column('high', t('highOf', { name }))] : []),
        ];
      }),
    ];
  }, [data, filled, references, unit, kind, timeZone, format, t]);
  return (
    <VirtualTable
      label={t('tableOf', { title })}
      columns={columns}
      rowCount={data.startsMs.length}
      getRow={(index) => index}
      height={height}
    />
  );
}

/** The sum where all series that measure at that time have a reading; a sum without some of them would be a wrong number. */
function completeSum(data: ChartData, filled: ChartData, index: number): number | null {
  const isComplete = data.series.every(
    ({ values }, position) =>
      (values[index] ?? null) !== null || (filled.series[position]?.values[index] ?? null) === null,
  );
  return isComplete ? sumOf(data.series, index) : null;
}
