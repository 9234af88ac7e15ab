import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** More of them nobody reads; the search narrows. */
const listedOptions = 100;

/** Several of many, in a dialog. */
export function MultiChoice(props: MultiSelectProps) {
  const t = useTranslations('common');
  return (
    <MultiSelect
      nothingFoundMessage={t('noMatch')}
      limit={listedOptions}
      searchable
      openOnFocus={false}
      // The list scrolls itself: a part of it that scrolls would have to take the focus.
      withScrollArea={false}
      styles={{ options: { maxHeight: 220, overflowY: 'auto' } }}
      // Part of the dialog, and not cut off by it.
      comboboxProps={{ withinPortal: false, floatingStrategy: 'fixed' }}
      {...props}
    />
  );
}
