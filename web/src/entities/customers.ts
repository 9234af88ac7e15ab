import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import {
  fleetGroup,
  fleetSite,
  namedCustomer,
  type NamedCustomer,
  registeredCustomer,
  totalHeader,
} from '../../../shared/fleet.ts';
import { searchFor } from '../../../shared/search-text.ts';
import { fetchJson } from '../lib/http.ts';

export const customersPath = '/api/admin/customers';

/** `GET /api/admin/customers`, refreshed from time to time, because customers keep pushing. */
export const customersQuery = queryOptions({
  queryKey: ['customers'],
  queryFn: ({ signal }) => fetchJson(customersPath, z.array(registeredCustomer), { signal }),
  refetchInterval: 30_000,
});

/** The rows of a list that match, and how many match without the limit. */
interface Found<Row> {
  rows: readonly Row[];
  total: number;
}

interface Question {
  search?: string;
  limit?: number;
  /** Separated by commas. */
  ids?: string;
}

const foundQuery = <Row>(path: string, row: z.ZodType<Row>, question: Question) =>
  queryOptions({
    queryKey: [path, question],
    queryFn: async ({ signal }): Promise<Found<Row>> => {
      let total = 0;
      const onHeaders = (headers: Headers) => {
        total = Number(headers.get(totalHeader));
      };
      const rows = await fetchJson(path, z.array(row), { query: { ...question }, signal, onHeaders });
      return { rows, total };
    },
    staleTime: 60_000,
  });

/** `GET /api/fleet/customers`: those whose readings the reader may see. */
export const namedCustomersQuery = (question: Question) => foundQuery('/api/fleet/customers', namedCustomer, question);

/** `GET /api/fleet/sites`: of those customers. */
export const fleetSitesQuery = (question: Question) => foundQuery('/api/fleet/sites', fleetSite, question);

/** `GET /api/fleet/groups`: of those customers. */
export const fleetGroupsQuery = queryOptions({
  queryKey: ['fleet-groups'],
  queryFn: ({ signal }) => fetchJson('/api/fleet/groups', z.array(fleetGroup), { signal }),
});

const typingMs = 200;

/**
 * What the portal finds while the user types. Until it has answered, `isSettled` is false, and the rows are those of the
 * last answer that still match.
 */
function useFound<Row>(
  queryOf: (question: Question) => ReturnType<typeof foundQuery<Row>>,
  typed: string,
  { limit, isEnabled = true, textOf }: { limit: number; isEnabled?: boolean; textOf: (row: Row) => string },
): Found<Row> & { isSettled: boolean; last: Found<Row> } {
  const search = typed.trim();
  const [settled] = useDebouncedValue(search, typingMs);
  const query = useQuery({
    ...queryOf(settled === '' ? { limit } : { search: settled, limit }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  const { data: last = { rows: [], total: 0 }, isPlaceholderData, isFetched } = query;
  if (settled === search && isFetched && !isPlaceholderData) return { ...last, isSettled: true, last };
  const matches = searchFor(search);
  const rows = last.rows.filter((row) => matches(textOf(row)));
  return { rows, total: rows.length, isSettled: false, last };
}

const textOfCustomer = ({ name, code }: NamedCustomer) => `${name} ${code}`;

/** The customers that the portal finds while the user types. */
export const useFoundCustomers = (typed: string, limit: number, isEnabled = true) =>
  useFound(namedCustomersQuery, typed, { limit, isEnabled, textOf: textOfCustomer });

/** Their sites. */
export const useFoundSites = (typed: string, limit: number, isEnabled: boolean) =>
  useFound(fleetSitesQuery, typed, { limit, isEnabled, textOf: ({ name, customerName }) => `${name} ${customerName}` });
