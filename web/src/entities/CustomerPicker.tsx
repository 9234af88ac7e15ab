import { type ComboboxParsedItem, type MultiSelectProps, Select, type SelectProps } from '@mantine/core';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { NamedCustomer } from '../../../shared/fleet.ts';
import { MultiChoice } from '../ui/MultiChoice.tsx';
import { namedCustomersQuery, useFoundCustomers } from './customers.ts';

/** The maximum number of matching customers in the list. */
const listedOptions = 50;
/** Longer URLs are too long for some proxies. */
const askedAtOnce = 200;

const nobody: string[] = [];
const textOf = ({ name, code }: NamedCustomer) => `${name} · ${code}`;

/** Options that the portal finds while the user types. The chosen ones have their names even if the search does not find them. */
function useCustomerOptions(chosen: readonly string[], unknown: string) {
  const tTerms = useTranslations('terms');
  const [typed, setTyped] = useState('');
  // Chosen here, so that their names are known.
  const [picked, setPicked] = useState<readonly NamedCustomer[]>([]);
  const hasName = new Set(picked.map(({ id }) => id));
  const asked = chosen.filter((id) => !hasName.has(id));
  const parts = Array.from({ length: Math.ceil(asked.length / askedAtOnce) }, (_, at) =>
    asked.slice(at * askedAtOnce, (at + 1) * askedAtOnce),
  );
  const named = useQueries({
    queries: parts.map((ids) => ({
      ...namedCustomersQuery({ ids: ids.join(',') }),
      placeholderData: keepPreviousData,
    })),
  });
  const known = [...named.flatMap(({ data }) => data?.rows ?? []), ...picked];
  const labels = new Map(known.map((one) => [one.id, textOf(one)]));
  // The field shows the name of the chosen customer, which is no search.
  const isName = chosen.some((id) => labels.get(id) === typed);
  const found = useFoundCustomers(isName ? '' : typed, listedOptions);
  const listed = new Map(found.rows.map((one) => [one.id, textOf(one)]));
  const rest = named.some(({ isFetching }) => isFetching) ? '…' : unknown;
  const others = chosen.flatMap((id) => (listed.has(id) ? [] : [[id, labels.get(id) ?? rest] as const]));
  return {
    isSettled: found.isSettled,
    props: {
      data: [...listed, ...others].map(([value, label]) => ({ value, label })),
      filter: ({ options }: { options: ComboboxParsedItem[] }) =>
        options.filter((option) => 'value' in option && listed.has(option.value)),
      onSearchChange: setTyped,
      onOptionSubmit: (value: string) => setPicked([...picked, ...found.rows.filter(({ id }) => id === value)]),
      ...(found.isSettled && { nothingFoundMessage: tTerms('noCustomerMatches') }),
    },
  };
}

/** Chooses one customer. */
export function CustomerSelect({ value, ...props }: SelectProps & { value: string }) {
  const tTerms = useTranslations('terms');
  const options = useCustomerOptions([value], '…');
  return (
    <Select
      label={tTerms('customer')}
      value={value}
      searchable
      // Enter must not choose one that was found for less than the user has typed.
      selectFirstOptionOnChange={options.isSettled}
      allowDeselect={false}
      checkIconPosition="right"
      {...options.props}
      {...props}
    />
  );
}

interface CustomersChoiceProps extends MultiSelectProps {
  /** The name of a customer that was deleted. */
  deleted: string;
}

/** Chooses several customers. */
export function CustomersChoice({ value = nobody, deleted, ...props }: CustomersChoiceProps) {
  return <MultiChoice value={value} {...useCustomerOptions(value, deleted).props} {...props} />;
}
