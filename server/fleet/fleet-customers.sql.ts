import { chosenCustomers, type FleetScope } from '../base/scopes.ts';
import type { Watched } from './fleet-trouble.rules.ts';
import { type Customer, customerColumns } from './customers.sql.ts';
import { everyone, type Reach } from '../database/engines/reach.ts';
import { idOfCustomer, type Queryable, type Transaction } from '../database/pool.ts';
import { findRow, findValue, listRows } from '../database/rows.ts';

/** A customer and the figures from its batches. */
export interface SeenCustomer extends Customer, Watched {
  /** The time of the last batch, stored or rejected. */
  lastBatchAt: string | null;
  /** The error of the last batch. */
  lastError: string | null;
  totalMeasurements: number;
  /** When a batch with the previous token last came, to the minute. */
  previousTokenUsedAt: string | null;
  /** The number of batches received; it changes with each batch. */
  version: number;
}

const states = 'fleet.customer_state';
const noStates = `(SELECT (NULL::fleet.customer_state).*)`;
// The scope is named twice, so that only the nodes of its customers are asked (decisions.md 9).
const ofScope = (state: string) => `FROM fleet.customers c
  LEFT JOIN ${state} s ON s.customer_id = c.id AND ($1::uuid[] IS NULL OR s.customer_id = ANY ($1::uuid[]))
  WHERE ($1::uuid[] IS NULL OR c.id = ANY ($1::uuid[]))`;

/** What the state of a customer follows from, in addition to `customerColumns`. The dashboard tool may read it. */
const watchedColumns = `s.last_measured_at AS "lastMeasuredAt", coalesce(s.push_gaps_seconds, '{}') AS "pushGapsSeconds",
         s.last_failed_at AS "lastFailedAt", s.last_failure AS "lastFailure", coalesce(s.is_refused, false) AS "isRefused",
         s.failing_since AS "failingSince", s.token_refused_since AS "tokenRefusedSince",
         s.token_refused_at AS "tokenRefusedAt", s.token_refusal AS "tokenRefusal", s.last_error AS "lastError"`;
// One row for each customer.
const selectSeen = (state: string) => `SELECT ${customerColumns}, ${watchedColumns}, s.last_batch_at AS "lastBatchAt",
         s.previous_token_used_at AS "previousTokenUsedAt", coalesce(s.measurement_count, 0) AS "totalMeasurements",
         coalesce(s.batch_count, 0) AS version
  ${ofScope(state)}`;
const FIND_SEEN = `${selectSeen(states)} AND c.id = $2`;
const FIND_REPORT = `SELECT client_report AS report, client_reported_at AS at FROM fleet.customer_state WHERE customer_id = $1`;

/** A customer with a version, which changes with each batch. */
export interface NamedCustomer {
  id: string;
  code: string;
  name: string;
  version: number;
  /** Whether its rows are out of reach. */
  isAway?: boolean;
}

// The columns that the dashboard tool may read.
const selectNamed = (state: string) => `SELECT c.id, c.code, c.name, coalesce(s.batch_count, 0) AS version
  ${ofScope(state)}`;

/** The names of the customers of a scope, in no order. */
export const listNamedCustomers = (db: Queryable, scope: FleetScope, reach?: Reach) =>
  listWithin<NamedCustomer>(db, selectNamed, scope, reach);

// Alone, because a join of thousands takes as long as reading them. COPY takes no parameters.
const copyLines = (asked: readonly string[] | null) =>
  `COPY (SELECT customer_id, batch_count, push_interval_seconds FROM fleet.customer_state
    ${asked === null ? '' : `WHERE customer_id = ANY ('{${asked.map(idOfCustomer).join(',')}}'::uuid[])`}) TO STDOUT`;
const lineBreak = 10;

/**
 * A line for each customer of a scope that is within reach, in no order. It begins with the id, and differs once a batch or a
 * comparison has changed the customer. Of thousands of customers, reading all columns takes twenty times as long.
 */
export async function listCustomerLines(
  tx: Transaction,
  scope: FleetScope,
  { within, away }: Reach,
): Promise<string[]> {
  const chosen = chosenCustomers(scope);
  const bytes = await tx.copyOut(copyLines(within === null ? chosen : [...new Set(chosen ?? within).difference(away)]));
  const lines: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(lineBreak, at);
    // Not a part of a longer text, because that would be kept in memory as a whole.
    lines.push(bytes.toString('latin1', at, end));
    at = end + 1;
  }
  return lines;
}

/** The id at the beginning of such a line. */
export const idOfLine = (line: string): string => line.slice(0, 36);

export type WatchedCustomer = Omit<NamedCustomer, 'version'> & Watched;

// The columns that the dashboard tool may read.
const selectWatched = (
  state: string,
) => `SELECT c.id, c.code, c.name, c.is_active AS "isActive", s.first_seen_at AS "firstSeenAt",
         s.last_seen_at AS "lastSeenAt", s.push_interval_seconds AS "pushIntervalSeconds", ${watchedColumns}
  ${ofScope(state)}`;

/** The customers of a scope with what their states follow from, in no order. */
export const listWatchedCustomers = (db: Queryable, scope: FleetScope, reach?: Reach) =>
  listWithin<WatchedCustomer>(db, selectWatched, scope, reach);

/** A site and its customer. */
export interface FleetSite {
  id: string;
  name: string;
  customerId: string;
  customerName: string;
}

// Changes with each change of the list below it (a code never changes); a tenth of its cost.
const FIND_REGISTRY_PRINT = `SELECT count(*) || ' ' || coalesce(sum(hashtextextended(name,
    hashtextextended(coalesce(group_name, ''), uuid_hash_extended(id, is_active::integer)))), 0)
  FROM fleet.customers`;
const LIST_REGISTERED = `SELECT id, code, name, group_name AS "group", is_active AS "isActive" FROM fleet.customers`;
const FIND_SITES_PRINT = `SELECT count(*) || ' ' || coalesce(sum(
    hashtextextended(name, uuid_hash_extended(id, uuid_hash_extended(customer_id, 0)))), 0)
  FROM fleet.sites WHERE removed_at IS NULL`;
const LIST_SITES = `SELECT s.id, s.name, c.id AS "customerId", c.name AS "customerName"
  FROM fleet.sites s JOIN fleet.customers c ON c.id = s.customer_id
  WHERE s.removed_at IS NULL ORDER BY s.name, c.name, s.id LIMIT $1`;

/** Equal as long as no customer is added, renamed, labelled, switched on or off, or deleted. */
export const findRegistryPrint = (db: Queryable) => findValue<string>(db, FIND_REGISTRY_PRINT);

/** What the print is about, in no order. */
export const listRegistered = (db: Queryable) =>
  listRows<Pick<Customer, 'id' | 'code' | 'name' | 'group' | 'isActive'>>(db, LIST_REGISTERED);

/** Equal as long as no site is added, renamed or removed. */
export const findSitesPrint = (db: Queryable) => findValue<string>(db, FIND_SITES_PRINT);

/** The current sites of all customers: the first ones by name, up to a limit. */
export const listFleetSites = (db: Queryable, limit: number) => listRows<FleetSite>(db, LIST_SITES, limit);

/** Of customers that are away, the registry alone is known. */
async function listWithin<Row extends object>(
  db: Queryable,
  select: (state: string) => string,
  scope: FleetScope,
  { within, away }: Reach = everyone,
): Promise<(Row & { isAway?: boolean })[]> {
  const chosen = chosenCustomers(scope);
  if (within === null) return listRows<Row>(db, select(states), chosen);
  const [asked, isAway] = [new Set(chosen ?? [...within, ...away]), true];
  const others = await listRows<Row>(db, select(noStates), [...asked.intersection(away)]);
  return [
    ...(await listRows<Row>(db, select(states), [...asked.difference(away)])),
    ...others.map((row) => ({ ...row, isAway })),
  ];
}

/** The customers of a scope, in no order. */
export const listSeenCustomers = (db: Queryable, scope: FleetScope, reach?: Reach) =>
  listWithin<SeenCustomer>(db, selectSeen, scope, reach);

/** A customer of the scope; null if there is none. */
export const findSeenCustomer = (db: Queryable, scope: FleetScope, id: string) =>
  findRow<SeenCustomer>(db, FIND_SEEN, chosenCustomers(scope), id);

/** The last report of a Client about itself, as stored; null without one. */
export const findClientReport = (db: Queryable, id: string) =>
  findRow<{ report: unknown; at: string | null }>(db, FIND_REPORT, id);
