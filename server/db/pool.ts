import pg from 'pg';
import { DomainError } from '../domain/errors.ts';
import { instantFromPostgres, integerFromPostgres } from './wire-types.ts';

/** A statement with a name is prepared once per connection; leave the name out for statements whose plan depends on the values. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

export interface Result<Row> {
  rows: Row[];
  rowCount: number;
}

/** Whatever can run a statement: the pool, or one transaction on it. */
export interface Queryable {
  query<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Result<Row>>;
}

/** One open transaction. `client` is for the COPY protocol, which a plain statement cannot speak. */
export interface Transaction extends Queryable {
  readonly client: pg.PoolClient;
}

export interface PoolStatistics {
  total: number;
  idle: number;
  waiting: number;
}

const transactionAttempts = 4;
const connectionTimeoutMs = 5_000;
const statementTimeoutMs = 60_000;
const retryAfterSeconds = 2;

const { builtins } = pg.types;
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary' && oid === builtins.TIMESTAMPTZ) return instantFromPostgres;
    if (format !== 'binary' && oid === builtins.INT8) return integerFromPostgres;
    return pg.types.getTypeParser(oid, format);
  },
};

/**
 * The pool of connections to the one database of this portal. A database that is out of reach, starting or stopping
 * becomes `DomainError('unavailable')`, so that the caller is told to come back; the pool heals by itself.
 */
export class Database implements Queryable {
  readonly #pool: pg.Pool;

  constructor(
    connectionString: string,
    options: { maxConnections?: number; onIdleError?: (error: Error) => void; statementTimeoutMs?: number } = {},
  ) {
    this.#pool = new pg.Pool({
      connectionString,
      max: options.maxConnections ?? 10,
      connectionTimeoutMillis: connectionTimeoutMs,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      application_name: 'power-monitoring-portal',
      options: `-c timezone=UTC -c datestyle=ISO,YMD -c statement_timeout=${options.statementTimeoutMs ?? statementTimeoutMs}`,
      types,
    });
    // Without a listener a connection that breaks while idle would end the process.
    this.#pool.on('error', (error) => options.onIdleError?.(error));
  }

  async query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Result<Row>> {
    const client = await this.#connect();
    return withClient(client, () => run<Row>(client, statement, values));
  }

  /**
   * Runs `work` in one transaction and commits it. Serialization failures and deadlocks are tried again, so `work` must
   * have no other effects than its statements.
   */
  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(work);
      } catch (error) {
        if (attempt >= transactionAttempts || !isRetryable(error)) throw error;
      }
    }
  }

  /** One connection for as long as `work` runs, outside any transaction (session-level locks, LISTEN). */
  async session<T>(work: (session: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    return withClient(client, () => work(transactionOn(client)));
  }

  statistics(): PoolStatistics {
    return { total: this.#pool.totalCount, idle: this.#pool.idleCount, waiting: this.#pool.waitingCount };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #attempt<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    return withClient(client, async () => {
      await run(client, { text: 'BEGIN' }, []);
      const result = await work(transactionOn(client)).catch(async (error: unknown) => {
        await run(client, { text: 'ROLLBACK' }, []).catch(() => undefined);
        throw error;
      });
      await run(client, { text: 'COMMIT' }, []);
      return result;
    });
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw translate(error);
    }
  }
}

function transactionOn(client: pg.PoolClient): Transaction {
  return { client, query: (statement, values = []) => run(client, statement, values) };
}

/** Gives the connection back, or throws it away when it broke underneath. */
async function withClient<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    return await work();
  } catch (error) {
    if (isUnavailable(error)) broken = error instanceof Error ? error : new Error(String(error));
    throw translate(error);
  } finally {
    client.off('error', onError);
    client.release(broken ?? false);
  }
}

async function run<Row extends object>(
  client: pg.PoolClient,
  statement: Statement,
  values: readonly unknown[],
): Promise<Result<Row>> {
  const result = await client.query<Row>({ ...statement, values: [...values] });
  return { rows: result.rows, rowCount: result.rowCount ?? 0 };
}

const unavailableStates = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '25006']);
const unavailableCauses = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ENOENT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
]);
const unavailableMessages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Cannot use a pool after|Connection ended unexpectedly/;

/** The SQLSTATE of an error that PostgreSQL reported, or the system's code of a broken connection. */
export function errorState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The constraint or unique index that refused a statement, or undefined when the error is something else. */
export function violatedConstraint(error: unknown): string | undefined {
  const state = errorState(error);
  if (state !== '23505' && state !== '23503' && state !== '23514') return undefined;
  return error instanceof Error && 'constraint' in error && typeof error.constraint === 'string'
    ? error.constraint
    : undefined;
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === 'unavailable';
  const state = errorState(error);
  if (state !== undefined && (state.startsWith('08') || unavailableStates.has(state) || unavailableCauses.has(state))) {
    return true;
  }
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  return error instanceof Error && unavailableMessages.test(error.message);
}

function isRetryable(error: unknown): boolean {
  const state = errorState(error);
  return state === '40001' || state === '40P01';
}

function translate(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  if (isUnavailable(error)) {
    return new DomainError(
      'unavailable',
      'The database is out of reach at the moment; try again shortly.',
      retryAfterSeconds,
      { cause: error },
    );
  }
  if (errorState(error) === '57014') {
    return new DomainError(
      'unavailable',
      'The question took too long; choose a shorter range or fewer devices.',
      retryAfterSeconds,
      { cause: error },
    );
  }
  return error;
}
