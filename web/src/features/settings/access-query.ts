import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { customerAccess, type CustomerAccess } from '../../../../shared/fleet.ts';
import { customerAccessVersion } from '../../../../shared/versions.ts';
import { customersQuery } from '../../lib/customers.ts';
import { saveOver } from '../../lib/edit-conflict.ts';
import { fetchJson } from '../../lib/http.ts';

const pathOf = (userId: string) => `/api/users/${userId}/customers`;

/** `GET /api/users/{id}/customers`: the customers that a restricted administrator sees. */
export const accessQuery = (userId: string) =>
  queryOptions({
    queryKey: ['customer-access', userId],
    queryFn: ({ signal }) => fetchJson(pathOf(userId), customerAccess, { signal }),
    // What is edited is what is stored now.
    staleTime: 0,
    gcTime: 0,
  });

/** Over the customers that were seen. */
export function useSaveAccess(userId: string) {
  const tShell = useTranslations('shell');
  const client = useQueryClient();
  const namesOf = (ids: readonly string[]) => {
    const customers = client.getQueryData(customersQuery.queryKey) ?? [];
    return ids.map((id) => customers.find((customer) => customer.id === id)?.name ?? id).join(', ');
  };
  return useMutation({
    mutationFn: ({ seen, customerIds }: { seen: CustomerAccess; customerIds: readonly string[] }) =>
      saveOver({
        seen,
        versionOf: customerAccessVersion,
        write: (ifMatch) =>
          fetchJson(pathOf(userId), customerAccess, { method: 'PUT', json: { customerIds }, ifMatch }),
        read: () => fetchJson(pathOf(userId), customerAccess),
        describe: (theirs) => [
          { label: tShell('customers'), mine: namesOf(customerIds), theirs: namesOf(theirs.customerIds) },
        ],
      }),
    onSettled: () => client.invalidateQueries({ queryKey: accessQuery(userId).queryKey }),
  });
}
