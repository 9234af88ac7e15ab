import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { z } from 'zod';
import {
  createdCustomer,
  customer,
  type Customer,
  type CustomerCreate,
  type CustomerUpdate,
  rotatedToken,
} from '../../../../shared/fleet.ts';
import { customerVersion } from '../../../../shared/versions.ts';
import { customersPath, customersQuery } from '../../lib/customers.ts';
import { saveOver } from '../../lib/edit-conflict.ts';
import { fetchJson } from '../../lib/http.ts';
import { useDelete } from '../../lib/use-delete.ts';
import { useRenew } from '../../lib/use-renew.ts';

const useRenewCustomers = () => useRenew(customersQuery.queryKey);

const pathOf = (id: string) => `${customersPath}/${id}`;

export function useCreateCustomer() {
  return useMutation({
    mutationFn: (json: CustomerCreate) => fetchJson(customersPath, createdCustomer, { method: 'POST', json }),
    onSuccess: useRenewCustomers(),
    // The answer holds the token; it is not to stay in the memory of the page longer than its dialog.
    gcTime: 0,
  });
}

/** Over the customer that was seen. */
export function useSaveCustomer() {
  const tTerms = useTranslations('terms');
  const tCommon = useTranslations('common');
  const yesOrNo = (is: boolean) => tCommon(is ? 'yes' : 'no');
  return useMutation({
    mutationFn: ({ seen, values }: { seen: Customer; values: CustomerUpdate }) =>
      saveOver({
        seen,
        versionOf: customerVersion,
        write: (ifMatch) => fetchJson(pathOf(seen.id), customer, { method: 'PUT', json: values, ifMatch }),
        read: async () => (await fetchJson(customersPath, z.array(customer))).find(({ id }) => id === seen.id),
        describe: (theirs) => [
          { label: tCommon('name'), mine: values.name.trim(), theirs: theirs.name },
          { label: tTerms('active'), mine: yesOrNo(values.isActive), theirs: yesOrNo(theirs.isActive) },
        ],
      }),
    onSettled: useRenewCustomers(),
  });
}

/** Null leaves the grace period to the portal. */
export function useRotateToken() {
  return useMutation({
    mutationFn: ({ id, graceHours }: { id: string; graceHours: number | null }) =>
      fetchJson(`${pathOf(id)}/rotate-token`, rotatedToken, {
        method: 'POST',
        json: graceHours === null ? {} : { graceHours },
      }),
    onSuccess: useRenewCustomers(),
    gcTime: 0,
  });
}

export const useDeleteCustomer = () => useDelete<Customer>(customersPath, customerVersion, useRenewCustomers());
