import { queryOptions, useMutation, useQueries } from '@tanstack/react-query';
import {
  customerDetail,
  fleetDashboard,
  createdCustomer,
  customer,
  type Customer,
  type CustomerCreate,
  type CustomerUpdate,
  rotatedToken,
  type CustomerDetail,
  detailLimits,
  type PagedList,
} from '../../../../shared/fleet.ts';
import type { CustomerState } from '../../../../shared/states.rules.ts';
import { fetchJson } from '../../lib/http.ts';
import { maxPrintedRows } from '../../ui/printing.tsx';
import type { Sort } from '../../ui/sorted-rows.ts';
import { customerApi } from '../../lib/readings-api.ts';
import { useTranslations } from 'use-intl';
import { customerVersion } from '../../../../shared/versions.ts';
import { customersPath, customersQuery } from '../../entities/customers.ts';
import { useRenew, useDelete } from '../../lib/mutations.ts';
import { readFromList, urlUnder, useSaveRecord } from '../../lib/records.ts';
import { useState } from 'react';
import type { Paging } from './ListPanel.tsx';

/** The loaded part of a customer's lists: the first page, and one more page with each step. */
export function usePagedLists(first: CustomerDetail) {
  const [pages, setPages] = useState(1);
  const later = useQueries({
    queries: Array.from({ length: pages - 1 }, (_, at) => detailQuery(first.customer.id, at + 2)),
  });
  const loaded = [first, ...later.flatMap(({ data }) => data ?? [])];
  const isLoading = later.some(({ isFetching }) => isFetching);
  const onMore = () => {
    const failed = later.filter(({ isError }) => isError);
    for (const query of failed) void query.refetch();
    if (failed.length === 0) setPages(pages + 1);
  };
  return {
    sites: once(loaded.flatMap(({ sites }) => sites)),
    devices: once(loaded.flatMap(({ devices }) => devices)),
    municipalities: once(loaded.flatMap(({ municipalities }) => municipalities)),
    tariffs: once(loaded.flatMap(({ tariffs }) => tariffs)),
    pagingOf: (list: PagedList): Paging => ({
      total: first.counts[list],
      pageRows: list === 'tariffs' ? detailLimits.tariffs : detailLimits.records,
      isLoading,
      onMore,
    }),
  };
}

/** A new row may move another row to the next page. */
const once = <Row extends { id: string }>(rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];

/** Refreshed in the views of the fleet, too. */
export const useRenewCustomers = () => useRenew(customersQuery.queryKey, fleetKey);

const pathOf = (id: string) => `${customersPath}/${id}`;

export function useCreateCustomer() {
  return useMutation({
    mutationFn: (json: CustomerCreate) => fetchJson(customersPath, createdCustomer, { method: 'POST', json }),
    onSuccess: useRenewCustomers(),
    // The answer contains the token. It must not stay in the memory of the page after its dialog is closed.
    gcTime: 0,
  });
}

export function useCustomerFields() {
  const t = useTranslations();
  return {
    name: { label: t('common.name') },
    isActive: { label: t('terms.active') },
    group: { label: t('fleet.customers.group') },
    notes: { label: t('fleet.customers.notes') },
  };
}

export const useSaveCustomer = () =>
  useSaveRecord<CustomerUpdate, Customer>({
    urlOf: urlUnder(customersPath),
    answer: customer,
    versionOf: customerVersion,
    read: readFromList(customersPath, customer),
    fields: useCustomerFields(),
    renew: useRenewCustomers(),
  });

/** If null, the portal decides the grace period. */
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

/** Whether the previous token is still valid. */
export const isPreviousValid = (
  { previousTokenExpiresAt }: Pick<Customer, 'previousTokenExpiresAt'>,
  nowMs: number,
): boolean => previousTokenExpiresAt !== null && Date.parse(previousTokenExpiresAt) > nowMs;

export const useDeleteCustomer = () => useDelete<Customer>(customersPath, customerVersion, useRenewCustomers());

const refreshMs = 30_000;

const fleetKey = ['fleet'];

/** The customers that the user looks for, and their order. */
export interface FleetChoice {
  search: string;
  state: CustomerState | null;
  sort: Sort | null;
}

/** `GET /api/fleet/dashboard`. The browser stores the answer without a choice, for the time without a network. */
export function fleetQuery({ search, state, sort }: FleetChoice) {
  const isAll = search === '' && state === null && sort === null;
  const order = sort === null ? null : `${sort.isDescending ? '-' : ''}${sort.id}`;
  const query = { search, state, sort: order, limit: maxPrintedRows };
  return queryOptions({
    queryKey: isAll ? fleetKey : [...fleetKey, query],
    queryFn: ({ signal }) => fetchJson('/api/fleet/dashboard', fleetDashboard, { query, signal }),
    refetchInterval: refreshMs,
  });
}

/** `GET /api/fleet/customers/{id}/detail`; only its first page is refreshed. */
export const detailQuery = (id: string, page = 1) =>
  queryOptions({
    queryKey: ['fleet', id, page],
    queryFn: ({ signal }) => fetchJson(`${customerApi(id)}/detail`, customerDetail, { query: { page }, signal }),
    ...(page === 1 ? { refetchInterval: refreshMs } : { staleTime: Infinity }),
  });

export const costExportPath = (id: string) => `${customerApi(id)}/cost/export.xlsx`;
