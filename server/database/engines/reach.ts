import { shares } from '../../base/budgets.ts';
import { DomainError, refuse } from '../../base/errors.ts';
import { errorState } from '../errors.ts';
import type { Database, Statement, Transaction } from '../pool.ts';
import { findValue, listValues } from '../rows.ts';

/** Which customers a read can be about. A fleet on one machine, or with all of its machines, has everyone within reach. */
export interface Reach {
  /** Null means all. */
  within: readonly string[] | null;
  /** The customers whose rows cannot be read now, because the node that has them does not answer. */
  away: ReadonlySet<string>;
}

export const everyone: Reach = { within: null, away: new Set() };

const IS_SHARDED = `SELECT to_regclass('pg_dist_node') IS NOT NULL`;
const LIST_CUSTOMERS = `SELECT id FROM fleet.customers`;
// Only the first node is asked for rows; all others are asked whether they answer. A node without customers gives a row without id.
const LIST_AWAY = `SELECT c.id
  FROM run_command_on_workers('SELECT 1') w
  JOIN pg_dist_node n ON (n.nodename, n.nodeport) = (w.nodename, w.nodeport) AND n.noderole = 'primary'
  LEFT JOIN (unnest($1::uuid[]) AS c (id)
    JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('fleet.customer_state', c.id)
  ) ON p.groupid = n.groupid
  WHERE NOT w.success`;

/** How long an answer of the nodes is new. An older one is used while they are asked again, unless it is much older. */
const [freshMs, oldMs] = [2_000, 60_000];
/** Work that takes longer may wait for a node. The nodes are asked after this time, and again each time it has passed. */
const slowMs = 5_000;
/** What is known of databases with nodes that do not answer. */
const outages = new Map<string, { reach: Reach; askedAtMs: number }>();
const asking = new Map<string, Promise<Reach>>();
const never = new AbortController().signal;

/** Which customers were within reach when the nodes were last asked. Without an outage they are not asked at all. */
export function knownReach(database: Database): Reach {
  const known = outages.get(database.source);
  const ageMs = performance.now() - (known?.askedAtMs ?? 0);
  if (known === undefined || ageMs > oldMs) return everyone;
  if (ageMs > freshMs) void findReach(database).catch(() => undefined);
  return known.reach;
}

/** Asks the nodes, which takes seconds if one does not answer. Concurrent callers share the answer. */
export const findReach = (database: Database): Promise<Reach> =>
  asking.getOrInsertComputed(database.source, () =>
    // For all callers, so none of them can cancel it.
    askNodes(database.within(shares.person).until(never)).finally(() => asking.delete(database.source)),
  );

async function askNodes(database: Database): Promise<Reach> {
  if ((await findValue<boolean>(database, IS_SHARDED)) !== true) return everyone;
  const ids = await listValues<string>(database, LIST_CUSTOMERS);
  const found = await listValues<string | null>(database, LIST_AWAY, ids);
  outages.delete(database.source);
  if (found.length === 0) return everyone;
  const away = new Set(found.flatMap((id) => id ?? []));
  const reach = { within: ids.filter((id) => !away.has(id)), away };
  outages.set(database.source, { reach, askedAtMs: performance.now() });
  return reach;
}

/** The cause of an error of work that was ended because it waited for a node that does not answer. */
class NodeAway extends Error {}
const isEnded = (error: unknown) => error instanceof DomainError && error.cause instanceof NodeAway;

/**
 * Runs work. A node that hangs reports no failure, so the nodes are asked while the work is slow. The signal is aborted once the work
 * waits in vain.
 */
async function untilAway<T>(
  database: Database,
  isInVain: (reach: Reach) => boolean,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const look = async () => {
    if (isInVain(await findReach(database))) ending.abort(refuse('databaseAway', {}, { cause: new NodeAway() }));
  };
  const timer = setInterval(() => void look().catch(() => undefined), slowMs);
  try {
    return await work(ending.signal);
  } finally {
    clearInterval(timer);
  }
}

/** Has all work about one customer end if its node does not answer, and later work fail at once. */
export function watchNodes(database: Database): void {
  database.guardCustomers(async (customerId, work) => {
    const isAway = ({ away }: Reach) => away.has(customerId);
    if (isAway(knownReach(database))) throw refuse('databaseAway');
    try {
      return await untilAway(database, isAway, work);
    } catch (error) {
      if (concernsSome(error)) await findReach(database).catch(() => undefined);
      throw error;
    }
  });
}

/**
 * Reads in one snapshot. If some customers are out of reach, the statements of `read` ask only the nodes of all others. A statement
 * must name its customers in `fleet.customer_state` itself. Throws `unavailable` if one of `needed` is out of reach.
 */
export async function readWithinReach<T>(
  database: Database,
  read: (tx: Transaction, reach: Reach) => Promise<T>,
  needed: readonly string[] = [],
): Promise<T> {
  const readIn = async (reach: Reach) => {
    const { within, away } = reach;
    if (needed.some((id) => away.has(id))) throw refuse('databaseAway');
    const readFrom = (db: Database) => db.snapshot((tx) => read(within === null ? tx : aboutSome(tx, within), reach));
    if (!database.isSharded) return readFrom(database);
    const isInVain = (now: Reach) => now.within !== null && (within === null || !now.away.isSubsetOf(away));
    return untilAway(database, isInVain, async (ending) =>
      readFrom(database.until(AbortSignal.any([database.signal ?? ending, ending]))),
    );
  };
  try {
    return await readIn(knownReach(database));
  } catch (error) {
    if (isEnded(error)) return readIn(knownReach(database));
    const isSlow = error instanceof DomainError && errorState(error.cause) === '57014';
    if (!isSlow && !concernsSome(error)) throw error;
    const reach = await findReach(database);
    // A node that hangs reports no failure, but does not answer either.
    if (isSlow && reach.within === null) throw error;
    return readIn(reach);
  }
}

/** Whether the database has reported that a node does not answer or stops. It may be another node. */
export const concernsSome = (error: unknown): boolean =>
  error instanceof DomainError &&
  error.cause instanceof Error &&
  'severity' in error.cause &&
  /^(08|57P)/.test(errorState(error.cause) ?? '');

/** A table and its alias. Left out are those that each statement names customers in, and those that the first node has. */
const sharded = /\bfleet\.(?!(?:customer_state|customers|customer_access|retention)\b)([a-z_]+)( [a-z]+\b)?/g;

const guids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * A statement is sent to every node unless it names its customers in each of its tables. One that lists some customers, as its
 * first value or in a text without values, is about those alone.
 */
function aboutSome(tx: Transaction, customerIds: readonly string[]): Transaction {
  const known = new Set<unknown>(customerIds);
  const narrow = (text: string, listed: readonly unknown[]) => {
    const ids = listed.length > 0 && listed.every((id) => known.has(id)) ? listed : customerIds;
    const named = `customer_id = ANY ('{${ids.join(',')}}'::uuid[])`;
    return text.replaceAll(
      sharded,
      (_, table: string, alias = ` ${table}`) => `(SELECT * FROM fleet.${table} WHERE ${named})${alias}`,
    );
  };
  return {
    ...tx,
    query: ({ text }: Statement, values = []) => {
      const [first] = values;
      return tx.query({ text: narrow(text, Array.isArray(first) ? first : []) }, values);
    },
    copyOut: (text) =>
      tx.copyOut(
        narrow(
          text,
          (text.match(guids) ?? []).filter((id) => known.has(id)),
        ),
      ),
  };
}
