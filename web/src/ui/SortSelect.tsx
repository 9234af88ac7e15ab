import { NativeSelect } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Sort } from './sorted-rows.ts';

interface SortSelectProps {
  columns: readonly { id: string; header: string; sortBy?: unknown }[];
  /** Null as the rows come. */
  sort: Sort | null;
  onSort: (sort: Sort | null) => void;
  className?: string | undefined;
}

/** Says what rows that have no head are sorted by. */
export function SortSelect({ columns, sort, onSort, className }: SortSelectProps) {
  const t = useTranslations('common.sort');
  const choices: { sort: Sort | null; label: string }[] = [
    { sort: null, label: t('usual') },
    ...columns
      .filter(({ sortBy }) => sortBy !== undefined)
      .flatMap(({ id, header }) => [
        { sort: { id, isDescending: false }, label: t('ascending', { column: header }) },
        { sort: { id, isDescending: true }, label: t('descending', { column: header }) },
      ]),
  ];
  const at = choices.findIndex((one) => one.sort?.id === sort?.id && one.sort?.isDescending === sort?.isDescending);
  return (
    <NativeSelect
      aria-label={t('by')}
      className={className}
      value={at}
      data={choices.map(({ label }, index) => ({ value: String(index), label }))}
      onChange={(event) => onSort(choices[Number(event.currentTarget.value)]?.sort ?? null)}
    />
  );
}
