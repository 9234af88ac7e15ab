import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../lib/use-format.ts';
import { numberColumn, VirtualTable, type VirtualColumn } from '../virtual-table/VirtualTable.tsx';
import { bucketLabel } from './bucket-label.ts';
import { valueColumns, type ChartNumbers } from './value-columns.ts';

/** The very numbers of a chart, newest last as in the chart. */
export function ChartTable({ numbers, height }: { numbers: ChartNumbers; height: number }) {
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
