import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useQuery, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { User } from '../../../../../shared/accounts.ts';
import {
  type Customer,
  type CustomerAccess,
  customerAccess,
  customerAccessUpdate,
} from '../../../../../shared/fleet.ts';
import { customersQuery } from '../../../entities/customers.ts';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { SearchField } from '../../../ui/SearchField.tsx';
import { RowsSkeleton } from '../../../ui/Skeletons.tsx';
import { customerAccessVersion } from '../../../../../shared/versions.ts';
import { fetchJson } from '../../../lib/http.ts';
import { searchFor } from '../../../../../shared/search-text.ts';
import { useSaveRecord } from '../../../lib/records.ts';
import { useRecordForm } from '../../../ui/use-record-form.ts';
import classes from './UserTable.module.css';

const pathOf = (userId: string) => `/api/users/${userId}/customers`;

/** `GET /api/users/{id}/customers`: the customers that a restricted administrator sees. */
const accessQuery = (userId: string) =>
  queryOptions({
    queryKey: ['customer-access', userId],
    queryFn: ({ signal }) => fetchJson(pathOf(userId), customerAccess, { signal }),
    // The form edits the stored value, so an older one must not be used.
    staleTime: 0,
    gcTime: 0,
  });

/** Saves over the customers that the user saw. */
function useSaveAccess(userId: string) {
  const tShell = useTranslations('shell');
  const client = useQueryClient();
  const namesOf = (ids: readonly string[]) => {
    const customers = client.getQueryData(customersQuery.queryKey) ?? [];
    return ids.map((id) => customers.find((customer) => customer.id === id)?.name ?? id).join(', ');
  };
  const { queryKey } = accessQuery(userId);
  return useSaveRecord<CustomerAccess, CustomerAccess>({
    urlOf: () => pathOf(userId),
    answer: customerAccess,
    versionOf: customerAccessVersion,
    read: () => fetchJson(pathOf(userId), customerAccess),
    fields: { customerIds: { label: tShell('customers'), text: ({ customerIds }) => namesOf(customerIds) } },
    renew: () => client.invalidateQueries({ queryKey }),
  });
}

interface AccessFormProps {
  user: User;
  onDone: () => void;
}

/** Sets which customers a restricted administrator sees. */
export function AccessForm({ user, onDone }: AccessFormProps) {
  const customers = useQuery(customersQuery);
  const access = useQuery(accessQuery(user.id));
  return (
    <Loaded queries={[customers, access]} skeleton={<RowsSkeleton rows={3} />}>
      {(all, allowed) => <LoadedForm user={user} customers={all} access={allowed} onDone={onDone} />}
    </Loaded>
  );
}

interface LoadedFormProps extends AccessFormProps {
  customers: readonly Customer[];
  access: CustomerAccess;
}

/** The maximum length of the list. Nobody reads a longer one; the search narrows it. */
const listedOptions = 100;

function LoadedForm({ user, customers, access, onDone }: LoadedFormProps) {
  const t = useTranslations('settings.users');
  const tTerms = useTranslations('terms');
  const tShell = useTranslations('shell');
  const save = useSaveAccess(user.id);
  const [search, setSearch] = useState('');
  const name = user.displayName;
  const { form, dialog } = useRecordForm({
    seen: access,
    initialValues: { customerIds: access.customerIds },
    schema: customerAccessUpdate,
    save: (values, seen) => save.mutateAsync({ seen, values }),
    said: ({ customerIds }) => t('customersSaved', { name, count: customerIds.length }),
    onSaved: onDone,
    onCancel: onDone,
  });
  const chosen = new Set(form.values.customerIds);
  const choose = (ids: ReadonlySet<string>) => form.setFieldValue('customerIds', [...ids]);
  const matches = searchFor(search);
  const found = customers.filter(({ name, code, group }) => matches(`${name} ${code} ${group ?? ''}`));
  // The customers that were assigned when the form was opened come first. They do not move while others are chosen.
  const assigned = new Set(access.customerIds);
  const listed = found
    .toSorted((a, b) => Number(assigned.has(b.id)) - Number(assigned.has(a.id)))
    .slice(0, listedOptions);
  return (
    <DialogForm {...dialog}>
      <Text>{t('customersText', { name })}</Text>
      <SearchField label={tTerms('searchCustomers')} value={search} onChange={setSearch} found={found.length} />
      <div role="group" aria-label={tShell('customers')} className={classes.choices}>
        {listed.map(({ id, name, code }) => (
          <Checkbox
            key={id}
            label={`${name} (${code})`}
            checked={chosen.has(id)}
            onChange={() => choose(chosen.symmetricDifference(new Set([id])))}
          />
        ))}
        {found.length === 0 && <Text>{tTerms('noCustomerMatches')}</Text>}
        {found.length > listed.length && <Text>{tTerms('typeMore', { count: found.length - listed.length })}</Text>}
      </div>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" role="status">
          {t('chosen', { count: chosen.size })}
        </Text>
        {search.trim() !== '' && found.length > 1 && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => choose(chosen.union(new Set(found.map(({ id }) => id))))}
          >
            {t('allFound', { count: found.length })}
          </Button>
        )}
      </Group>
    </DialogForm>
  );
}
