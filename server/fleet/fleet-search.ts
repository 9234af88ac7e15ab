import { plainText, rankOf, searchedWords } from '../../shared/search-text.ts';
import { byNames } from '../base/names.ts';
import { allCustomers, type FleetScope } from '../base/scopes.ts';
import { readWithinReach } from '../database/engines/reach.ts';
import type { Database, Transaction } from '../database/pool.ts';
import {
  findRegistryPrint,
  findSitesPrint,
  listFleetSites,
  listRegistered,
  listSeenCustomers,
  type SeenCustomer,
} from './fleet-customers.sql.ts';

interface Question {
  search?: string | undefined;
  limit?: number | undefined;
}

/** The texts of a row that is searched, in the form of `plainText`. */
interface Searched {
  label: string;
  text: string;
}

/** A list in memory. It is valid while the database has the same print. */
interface Kept<Row> {
  print: string;
  rows: readonly (Row & Searched)[];
}

/** The most sites that are kept: some 30 MB. */
const maxKeptSites = 100_000;

/**
 * Searches the names of customers and sites. They are kept in memory, because the database cannot compare texts by the rules of
 * our searches. Each search first asks it whether they are still the same.
 */
export function openFleetSearch(database: Database) {
  const names = keep(findRegistryPrint, async (tx) =>
    (await listRegistered(tx))
      .toSorted(byNames('name', 'code'))
      .map((one) => searched(one, one.name, `${one.code} ${one.group ?? ''}`)),
  );
  const sites = keep(
    async (tx) => `${await findRegistryPrint(tx)} ${await findSitesPrint(tx)}`,
    async (tx) => (await listFleetSites(tx, maxKeptSites)).map((one) => searched(one, one.name, one.customerName)),
  );
  return {
    /** The customers of a scope that match, and how many do: the best matches first, then by name. `ids` restricts them to some. */
    customers: (scope: FleetScope, { ids, ...question }: Question & { ids: readonly string[] }) =>
      readWithinReach(database, async (tx, reach) => {
        const [isInScope, isChosen] = [isIn(scope), isIn({ customers: ids.length === 0 ? 'all' : ids })];
        const all = await names(tx);
        const found = find(all, ({ id }) => isInScope(id) && isChosen(id), question);
        const isAll = found.rows.length === all.length;
        const shown = isAll ? allCustomers : { customers: found.rows.map(({ id }) => id) };
        const seen = await listSeenCustomers(tx, shown, reach);
        const byId = new Map(seen.map((one): [string, SeenCustomer] => [one.id, one]));
        return { ...found, rows: found.rows.flatMap(({ id }) => byId.get(id) ?? []) };
      }),
    /** The same for their current sites, which are also found by the name of the customer. Not those out of reach. */
    sites: (scope: FleetScope, question: Question) =>
      readWithinReach(database, async (tx) => {
        const isInScope = isIn(scope);
        return find(await sites(tx), ({ customerId }) => isInScope(customerId), question);
      }),
    /** The groups of the customers of a scope. */
    groups: (scope: FleetScope) =>
      database.snapshot(async (tx) => {
        const isInScope = isIn(scope);
        return new Set((await names(tx)).flatMap(({ id, group }) => (isInScope(id) ? (group ?? []) : [])));
      }),
  };
}

function keep<Row>(
  findPrint: (tx: Transaction) => Promise<string | null>,
  list: (tx: Transaction) => Promise<(Row & Searched)[]>,
) {
  let kept: Kept<Row> | null = null;
  return async (tx: Transaction) => {
    const print = (await findPrint(tx)) ?? '';
    if (kept?.print === print) return kept.rows;
    const rows = await list(tx);
    kept = { print, rows };
    return rows;
  };
}

function searched<Row>(row: Row, name: string, others: string): Row & Searched {
  const label = plainText(name);
  return { ...row, label, text: `${label} ${plainText(others)}` };
}

function isIn({ customers }: FleetScope): (id: string) => boolean {
  if (customers === 'all') return () => true;
  const ids = new Set(customers);
  return (id) => ids.has(id);
}

/** Rows with the same rank keep their order. */
function find<Row extends Searched>(
  all: readonly Row[],
  mayBeSeen: (row: Row) => boolean,
  { search = '', limit }: Question,
): { total: number; rows: Row[] } {
  const words = searchedWords(search);
  const byRank: Row[][] = [];
  for (const row of all) {
    const rank = mayBeSeen(row) ? rankOf(words, row.label, row.text) : null;
    if (rank !== null) (byRank[rank] ??= []).push(row);
  }
  const found = byRank.flat();
  return { total: found.length, rows: found.slice(0, limit) };
}
