import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The number of matching rows. Screen readers announce it during a search. */
  found: number;
}

/** Narrows a list while the user types. */
export function SearchField({ label, value, onChange, found }: SearchFieldProps) {
  const t = useTranslations('palette');
  return (
    <>
      <TextInput
        type="search"
        aria-label={label}
        placeholder={label}
        leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
        w="100%"
        maw={360}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <span className="visually-hidden" role="status">
        {value.trim() !== '' && t('count', { count: found })}
      </span>
    </>
  );
}
