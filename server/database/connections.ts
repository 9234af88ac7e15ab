import { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { cancelStatement } from './cancel-statement.ts';
import { Exchange, type Step, type TextRow } from './exchange.ts';
import { answerDueMs, beginDueMs, copyInDueMs, type Limits, restInTransactionMs } from './limits.ts';
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
  /** The limits of a connection unless its owner sets others. */
  limits: Limits;
  /** Whether transactions are read-only; by default as the account is configured. */
  isReadOnly?: boolean | undefined;
}

/** The connections to one database; each has one owner at a time. */
export class Connections {
  readonly limits: Limits;
  readonly isReadOnly: boolean;
  readonly #pool: pg.Pool;
  readonly #madeAt = new WeakMap<pg.PoolClient, number>();

  constructor(connectionString: string, { limits, maxConnections = 16, onIdleError, isReadOnly }: ConnectionsOptions) {
    this.isReadOnly = isReadOnly === true;
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
        ...(isReadOnly === undefined ? [] : [`-c default_transaction_read_only=${isReadOnly ? 'on' : 'off'}`]),
      ].join(' '),
      types,
    });
    // Without a listener, an idle connection that breaks would crash the process.
    this.#pool.on('error', (error) => onIdleError?.(error));
    this.#pool.on('connect', (client) => {
      this.#madeAt.set(client, performance.now());
      // The pool removes its listener before the lease adds its own; an error in between must not crash the process either. Whatever is
      // sent on the connection then fails.
      client.on('error', () => undefined);
    });
  }

  /**
   * A connection opened after `notBefore` (of performance.now()); older idle ones are closed. Throws the reason of the signal
   * as soon as it is aborted, even while waiting.
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
          // The pool has no way to leave its queue; the connection is returned as soon as it arrives.
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

/** Cancel attempts: the pauses before them and the patience of each. */
const cancelAttempts = 6;
const firstCancelPauseMs = 50;
const cancelPatienceMs = 1_000;

/** How often a connection is checked for progress. */
const lookMs = 1_000;

/** A connection with its one owner. When the signal is aborted, its statement is cancelled on the server. */
export class Lease {
  readonly client: pg.PoolClient;
  readonly #signal: AbortSignal | undefined;
  readonly #limits: Limits;
  #running: Promise<unknown> | undefined;
  #cancelling: Promise<void> | undefined;
  #broken: Error | undefined;
  #isReleased = false;

  constructor(client: pg.PoolClient, { limits, signal }: { limits: Limits; signal?: AbortSignal | undefined }) {
    this.client = client;
    this.#signal = signal;
    this.#limits = limits;
    client.on('error', this.#onError);
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Runs a statement; throws the reason of the signal if it is aborted. */
  async run<Row extends object>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    this.#signal?.throwIfAborted();
    return this.finish(statement);
  }

  /** Runs a statement even if the signal is aborted, such as the end of a transaction. */
  async finish<Row extends object>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    return this.#send(statement, answerDueMs(this.#limits));
  }

  /**
   * Runs statements that are sent together, and returns the rows of each. An idle connection may have died silently, so the answer
   * to the BEGIN of a transaction is not awaited for long.
   */
  async send(steps: readonly Step[], { begins = false } = {}): Promise<TextRow[][]> {
    this.#signal?.throwIfAborted();
    const exchange = new Exchange(steps);
    this.client.query(exchange);
    const look = () => {
      // Nothing was begun, so another connection may be tried.
      if (!exchange.isAnswered) this.#close('it did not answer');
    };
    const timer = begins ? setTimeout(look, beginDueMs(this.#limits)) : undefined;
    const dueMs = () => (exchange.isSending ? copyInDueMs(this.#limits) : answerDueMs(this.#limits));
    try {
      return await this.#watchBytes(dueMs, exchange.answers);
    } finally {
      clearTimeout(timer);
    }
  }

  /** All bytes of a `COPY … TO STDOUT`. */
  async copyOut(text: string): Promise<Buffer> {
    this.#signal?.throwIfAborted();
    return this.#watchBytes(() => answerDueMs(this.#limits), buffer(this.client.query(copyTo(text))));
  }

  /** Marks the connection as unusable. */
  break(cause: unknown): void {
    this.#broken ??= cause instanceof Error ? cause : new Error(String(cause));
  }

  /** Returns the connection, or discards it if it is broken. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.client.off('error', this.#onError);
    this.client.release(this.#broken ?? false);
  }

  async #send<Row extends object>(statement: pg.QueryConfig, dueMs: number | undefined): Promise<pg.QueryResult<Row>> {
    const due = dueMs === undefined ? undefined : { query_timeout: dueMs };
    return this.#watch(this.client.query<Row>({ ...statement, ...due }));
  }

  async #watch<T>(running: Promise<T>): Promise<T> {
    this.#running = running;
    try {
      return await running;
    } finally {
      this.#running = undefined;
      // A cancel still on its way would hit the next statement of this connection.
      await this.#cancelling;
    }
  }

  /** The driver has no timeout for these, so the connection is closed if no byte has moved for too long. */
  async #watchBytes<T>(dueMs: () => number | undefined, running: Promise<T>): Promise<T> {
    const socket = this.client.connection.stream;
    const countMoved = () => (socket instanceof Socket ? socket.bytesRead + socket.bytesWritten : Number.NaN);
    let [seen, at] = [countMoved(), performance.now()];
    const look = () => {
      const moved = countMoved();
      if (moved !== seen) [seen, at] = [moved, performance.now()];
      else if (performance.now() - at >= (dueMs() ?? Infinity)) this.#close('it went silent');
    };
    const timer = setInterval(look, lookMs);
    try {
      return await this.#watch(running);
    } finally {
      clearInterval(timer);
    }
  }

  #close(reason: string): void {
    this.client.connection.stream.destroy(new Error(`Connection terminated: ${reason}.`));
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
      // The server ignores a cancel that arrives before its statement.
      const timer = new AbortController();
      const pause = sleep(firstCancelPauseMs * 2 ** attempt, false, { signal: timer.signal }).catch(() => false);
      const isDone = await Promise.race([isOver, pause]);
      timer.abort();
      if (isDone) return;
    }
    // Without a connection the server stops at the next row it sends, and the pool can open another one.
    this.break(new Error('The server did not cancel a statement.'));
    this.release();
  }
}

/** The driver's message if the server has not answered in time. */
const silenceMessage = 'Query read timeout';

/** Whether the server has been silent for longer than the limits allow. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === silenceMessage;
}
