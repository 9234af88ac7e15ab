import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** The maximum length of the list. Nobody reads a longer one; the search narrows it. */
const listedOptions = 100;

/** Chooses several of many items in a dialog. */
export function MultiChoice(props: MultiSelectProps) {
  const t = useTranslations('common');
  return (
    <MultiSelect
      nothingFoundMessage={t('noMatch')}
      limit={listedOptions}
      searchable
      openOnFocus={false}
      // The list itself scrolls: a scrolling part of it would need to take the focus.
      withScrollArea={false}
      styles={{ options: { maxHeight: 220, overflowY: 'auto' } }}
      // Part of the dialog, and not clipped by it.
      comboboxProps={{ withinPortal: false, floatingStrategy: 'fixed' }}
      {...props}
    />
  );
}
