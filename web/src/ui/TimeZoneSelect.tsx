import { Select, type ComboboxItem, type OptionsFilter } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isFound, timeZoneOptions } from '../lib/time-zones.ts';
import classes from './TimeZoneSelect.module.css';

interface TimeZoneSelectProps {
  label: string | undefined;
  description?: string;
  /** An IANA name, or '' while none is chosen. */
  value: string;
  /** The label of the empty choice (''). Without a label, there is no empty choice. */
  none?: string;
  error?: string | null;
  disabled?: boolean;
  onChange: (timeZone: string) => void;
}

/** Chooses an IANA time zone by its name or its current offset from UTC. */
export function TimeZoneSelect({ value, none, onChange, ...field }: TimeZoneSelectProps) {
  const t = useTranslations('common.timeZone');
  const [openedAt] = useState(() => Date.now());
  const options = useMemo(() => timeZoneOptions(openedAt, value), [openedAt, value]);
  const byName = useMemo(() => new Map(options.map((option) => [option.name, option])), [options]);

  const filter: OptionsFilter = ({ options: items, search }) => {
    // The closed list too is filtered each time the field is drawn.
    if (search.trim() === '') return items;
    return items.filter((item) => {
      const option = 'value' in item ? byName.get(item.value) : undefined;
      if (option !== undefined) return isFound(option, search);
      // Offered only if it matches the text: it is first in the list, so the Enter key would choose it and not the typed zone.
      return none?.toLowerCase().includes(search.trim().toLowerCase()) === true;
    });
  };

  const renderOption = ({ option }: { option: ComboboxItem }) => (
    <span className={classes.option}>
      <span className={classes.name}>{option.label}</span>
      <span className={`${classes.offset} figures`}>{byName.get(option.value)?.offset}</span>
    </span>
  );

  return (
    <Select
      {...field}
      data={[
        ...(none === undefined ? [] : [{ value: '', label: none }]),
        ...options.map(({ name }) => ({ value: name, label: name.replaceAll('_', ' ') })),
      ]}
      value={value === '' && none === undefined ? null : value}
      searchable
      // The typed text replaces the name of the zone.
      onClick={(event) => event.currentTarget.select()}
      selectFirstOptionOnChange
      filter={filter}
      renderOption={renderOption}
      maxDropdownHeight={260}
      placeholder={t('placeholder')}
      nothingFoundMessage={t('nothingFound')}
      rightSectionPointerEvents="none"
      rightSectionWidth={96}
      rightSection={<span className={`${classes.current} figures`}>{byName.get(value)?.offset}</span>}
      onChange={(chosen) => {
        if (chosen !== null) onChange(chosen);
      }}
    />
  );
}
