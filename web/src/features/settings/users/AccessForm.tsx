import { Text } from '@mantine/core';
import { useQuery, queryOptions, useQueryClient } from '@tanstack/react-query';
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
import { MultiChoice } from '../../../ui/MultiChoice.tsx';
import { RowsSkeleton } from '../../../ui/Skeletons.tsx';
import { customerAccessVersion } from '../../../../../shared/versions.ts';
import { fetchJson } from '../../../lib/http.ts';
import { useSaveRecord } from '../../../lib/records.ts';
import { useRecordForm } from '../../../ui/use-record-form.ts';

const pathOf = (userId: string) => `/api/users/${userId}/customers`;

/** `GET /api/users/{id}/customers`: the customers that a restricted administrator sees. */
const accessQuery = (userId: string) =>
  queryOptions({
    queryKey: ['customer-access', userId],
    queryFn: ({ signal }) => fetchJson(pathOf(userId), customerAccess, { signal }),
    // It edits the stored value.
    staleTime: 0,
    gcTime: 0,
  });

/** Written over the customers that were seen. */
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

function LoadedForm({ user, customers, access, onDone }: LoadedFormProps) {
  const t = useTranslations('settings.users');
  const tTerms = useTranslations('terms');
  const tShell = useTranslations('shell');
  const save = useSaveAccess(user.id);
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
  return (
    <DialogForm {...dialog}>
      <Text>{t('customersText', { name })}</Text>
      <MultiChoice
        data-autofocus
        label={tShell('customers')}
        placeholder={form.values.customerIds.length === 0 ? tTerms('searchCustomers') : ''}
        nothingFoundMessage={t('noCustomerFound')}
        data={customers.map(({ id, name, code }) => ({ value: id, label: `${name} (${code})` }))}
        {...form.getInputProps('customerIds')}
      />
    </DialogForm>
  );
}
