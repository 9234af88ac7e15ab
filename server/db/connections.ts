import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { cancelStatement } from './cancel-statement.ts';
import { answerDueMs, type Limits, restInTransactionMs } from './limits.ts';
import { instantFromPostgres, integerFromPostgres } from './wire-types.ts';

const connectionTimeoutMs = 5_000;
const idleTimeoutMs = 30_000;

const { builtins } = pg.types;
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary' && oid === builtins.TIMESTAMPTZ) return instantFromPostgres;
    if (format !== 'binary' && oid === builtins.INT8) return integerFromPostgres;
    return pg.types.getTypeParser(oid, format);
  },
};

export interface ConnectionsOptions {
  maxConnections?: number | undefined;
  onIdleError?: ((error: Error) => void) | undefined;
  /** What holds on a connection where its owner says nothing else. */
  limits: Limits;
}

/** The connections to one database: taken, owned by one at a time, given back. */
export class Connections {
  readonly limits: Limits;
  readonly #pool: pg.Pool;
  readonly #madeAt = new WeakMap<pg.PoolClient, number>();

  constructor(connectionString: string, { limits, maxConnections = 16, onIdleError }: ConnectionsOptions) {
    this.limits = limits;
    const rest = limits.statementMs === 0 ? 0 : restInTransactionMs;
    this.#pool = new pg.Pool({
      connectionString,
      max: maxConnections,
      connectionTimeoutMillis: connectionTimeoutMs,
      idleTimeoutMillis: idleTimeoutMs,
      keepAlive: true,
      application_name: 'power-monitoring-portal',
      options: [
        '-c timezone=UTC -c datestyle=ISO,YMD',
        `-c statement_timeout=${limits.statementMs} -c lock_timeout=${limits.lockMs}`,
        `-c idle_in_transaction_session_timeout=${rest}`,
      ].join(' '),
      types,
    });
    // Without a listener a connection that breaks while idle would end the process.
    this.#pool.on('error', (error) => onIdleError?.(error));
    this.#pool.on('connect', (client) => this.#madeAt.set(client, performance.now()));
  }

  /**
   * A connection that was made after `notBefore` (of performance.now()); older ones that lie idle are closed. Throws the
   * reason of the signal as soon as that is aborted, also while it waits.
   */
  async take(owner: { limits: Limits; signal?: AbortSignal | undefined }, notBefore = -Infinity): Promise<Lease> {
    for (;;) {
      const client = await this.#connect(owner.signal);
      if ((this.#madeAt.get(client) ?? 0) >= notBefore) return new Lease(client, owner);
      client.release(true);
    }
  }

  statistics(): { total: number; idle: number; waiting: number } {
    return { total: this.#pool.totalCount, idle: this.#pool.idleCount, waiting: this.#pool.waitingCount };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #connect(signal: AbortSignal | undefined): Promise<pg.PoolClient> {
    signal?.throwIfAborted();
    const connecting = this.#pool.connect();
    if (signal === undefined) return connecting;
    return new Promise((resolve, reject) => {
      const onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      const settle = () => signal.removeEventListener('abort', onAbort);
      connecting.then(
        (client) => {
          settle();
          // The pool cannot be told that nobody waits any more; what it hands out then goes straight back.
          if (signal.aborted) client.release();
          else resolve(client);
        },
        (error: unknown) => {
          settle();
          reject(error);
        },
      );
    });
  }
}

/** How often, after what pauses, and how long each time the server is asked to cancel a statement. */
const cancelAttempts = 6;
const firstCancelPauseMs = 50;
const cancelPatienceMs = 1_000;

/** A connection in the hands of one owner. What runs on it when the signal is aborted is cancelled on the server. */
export class Lease {
  readonly client: pg.PoolClient;
  readonly #signal: AbortSignal | undefined;
  readonly #answerDueMs: number | undefined;
  #running: Promise<unknown> | undefined;
  #cancelling: Promise<void> | undefined;
  #broken: Error | undefined;
  #isReleased = false;

  constructor(client: pg.PoolClient, { limits, signal }: { limits: Limits; signal?: AbortSignal | undefined }) {
    this.client = client;
    this.#signal = signal;
    this.#answerDueMs = answerDueMs(limits);
    client.on('error', this.#onError);
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Runs a statement; throws the reason of the signal instead where that is aborted. */
  async run<Row extends object>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    this.#signal?.throwIfAborted();
    return this.finish(statement);
  }

  /** Runs a statement whether or not anybody still waits for it, such as the end of a transaction. */
  async finish<Row extends object>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    const due = this.#answerDueMs === undefined ? undefined : { query_timeout: this.#answerDueMs };
    const running = this.client.query<Row>({ ...statement, ...due });
    this.#running = running;
    try {
      return await running;
    } finally {
      this.#running = undefined;
      // Until then a cancel may still be on its way, and would hit whatever comes next on this connection.
      await this.#cancelling;
    }
  }

  /** Says that the connection is not to be used again. */
  break(cause: unknown): void {
    this.#broken ??= cause instanceof Error ? cause : new Error(String(cause));
  }

  /** Gives the connection back, or throws it away when it broke. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.client.off('error', this.#onError);
    this.client.release(this.#broken ?? false);
  }

  readonly #onError = (error: Error) => this.break(error);

  readonly #onAbort = () => {
    if (this.#running !== undefined) this.#cancelling = this.#cancel(this.#running);
  };

  async #cancel(running: Promise<unknown>): Promise<void> {
    const isOver = running.then(
      () => true,
      () => true,
    );
    for (let attempt = 0; attempt < cancelAttempts; attempt += 1) {
      await cancelStatement(this.client, cancelPatienceMs);
      // The server does nothing about a cancel that overtakes its statement.
      const timer = new AbortController();
      const pause = sleep(firstCancelPauseMs * 2 ** attempt, false, { signal: timer.signal }).catch(() => false);
      const isDone = await Promise.race([isOver, pause]);
      timer.abort();
      if (isDone) return;
    }
    // Without its connection the server notices at the next row it sends; and the pool has room for another.
    this.break(new Error('The server did not cancel a statement.'));
    this.release();
  }
}
