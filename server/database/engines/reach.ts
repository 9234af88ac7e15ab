import { DomainError } from '../../base/errors.ts';
import { errorState } from '../errors.ts';
import type { Database, Statement, Transaction } from '../pool.ts';
import { listValues } from '../rows.ts';

/** Which customers a read can be about. A fleet on one machine, or with all of its machines, has everyone within reach. */
export interface Reach {
  /** Null means all. */
  within: readonly string[] | null;
  /** The customers whose rows cannot be read now, because the node that has them does not answer. */
  away: ReadonlySet<string>;
}

export const everyone: Reach = { within: null, away: new Set() };

const LIST_CUSTOMERS = `SELECT id FROM fleet.customers`;
// Only the first node is asked for rows; all others are asked whether they answer.
const LIST_AWAY = `SELECT c.id
  FROM unnest($1::uuid[]) AS c (id)
  JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('fleet.customer_state', c.id)
  JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
  JOIN run_command_on_workers('SELECT 1') w ON (w.nodename, w.nodeport) = (n.nodename, n.nodeport)
  WHERE NOT w.success`;

/**
 * Reads in one snapshot. If some customers are out of reach, `read` is repeated, and its statements ask only the nodes of all
 * others. A statement must name its customers in `fleet.customer_state` itself. Throws `unavailable` if one of `needed` is out
 * of reach.
 */
export async function readWithinReach<T>(
  database: Database,
  read: (tx: Transaction, reach: Reach) => Promise<T>,
  needed: readonly string[] = [],
): Promise<T> {
  try {
    return await database.snapshot((tx) => read(tx, everyone));
  } catch (error) {
    if (!concernsSome(error)) throw error;
    const ids = await listValues<string>(database, LIST_CUSTOMERS);
    const away = new Set(await listValues<string>(database, LIST_AWAY, ids));
    if (needed.some((id) => away.has(id))) throw error;
    const within = ids.filter((id) => !away.has(id));
    return database.snapshot((tx) => read(aboutSome(tx, within), { within, away }));
  }
}

/** Whether a node has reported that another one does not answer. PostgreSQL itself reports no lost connections. */
export const concernsSome = (error: unknown): boolean =>
  error instanceof DomainError &&
  error.cause instanceof Error &&
  'severity' in error.cause &&
  errorState(error.cause)?.startsWith('08') === true;

/** A table and its alias. Left out are those that each statement names customers in, and those that the first node has. */
const sharded = /\bfleet\.(?!(?:customer_state|customers|customer_access|retention)\b)([a-z_]+)( [a-z]+\b)?/g;

/** A statement is sent to every node unless it names its customers in each of its tables. */
function aboutSome(tx: Transaction, customerIds: readonly string[]): Transaction {
  const named = `customer_id = ANY ('{${customerIds.join(',')}}'::uuid[])`;
  const narrow = (text: string) =>
    text.replaceAll(
      sharded,
      (_, table: string, alias = ` ${table}`) => `(SELECT * FROM fleet.${table} WHERE ${named})${alias}`,
    );
  return {
    ...tx,
    query: ({ text }: Statement, values) => tx.query({ text: narrow(text) }, values),
    copyOut: (text) => tx.copyOut(narrow(text)),
  };
}
