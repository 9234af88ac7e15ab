import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { addressesIn } from '../base/database-address.ts';
import { restInTransactionMs, type Share, shares } from '../base/budgets.ts';
import { Exchange, type Step, type TextRow } from './exchange.ts';

/**
 * `2026-03-10 10:00:00.5+00`, as PostgreSQL writes an instant in a UTC session, to `2026-03-10T10:00:00.5Z`.
 * A string keeps the microseconds that a Date would lose.
 */
function instantFromPostgres(value: string): string {
  return `${value.slice(0, 10)}T${value.slice(11, value.length - 3)}Z`;
}

/** An int8 as a number if that is exact, else as a bigint. */
function integerFromPostgres(value: string): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : BigInt(value);
}

const connectionTimeoutMs = 5_000;
const idleTimeoutMs = 30_000;

/** If a statement gets no answer for this long after its timeout, its connection counts as dead. */
const silenceMs = 5_000;
/** The time after which a connection without an answer is given up; undefined if statements have no limit. */
const answerDueMs = ({ statementMs }: Share) => (statementMs === 0 ? undefined : statementMs + silenceMs);
/** The limit for a BEGIN, which never computes and never waits. */
const maxBeginMs = 10_000;
const beginDueMs = (share: Share) => Math.min(maxBeginMs, answerDueMs(share) ?? maxBeginMs);
const rollbackDueMs = 2_000;
/** Only a lock can delay an incoming COPY, so one that pauses for longer is dead. */
const copyInDueMs = ({ statementMs, lockMs }: Share) =>
  statementMs === 0 ? undefined : Math.min(lockMs || statementMs, statementMs) + silenceMs;

const { builtins } = pg.types;
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary' && oid === builtins.TIMESTAMPTZ) return instantFromPostgres;
    if (format !== 'binary' && oid === builtins.INT8) return integerFromPostgres;
    return pg.types.getTypeParser(oid, format);
  },
};

/** How long to wait for a server that is asked for its role. */
const patienceMs = 1_500;
/** How long the answers of all servers stay valid. */
const restMs = 300;

/**
 * The role of a server. Its timeline counts the promotions, so of two servers that take writes the one with the higher number
 * was promoted later (https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-TIMELINES).
 */
const ROLE = `
  SELECT CASE WHEN pg_is_in_recovery() THEN 0
              ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline`;

/**
 * The servers of one database, of which one accepts writes. After a failover this is the standby. The old primary must not be
 * written to, even if it returns as if nothing had happened: a server with an older timeline is rejected.
 */
class Servers {
  readonly #addresses: readonly string[];
  #current: string;
  #timeline = 0;
  #lookedAt = -Infinity;
  #looking: Promise<void> | undefined;
  /** Older connections lead to another server. */
  movedAt = -Infinity;

  constructor(connectionString: string) {
    const [first = connectionString, ...others] = addressesIn(connectionString) ?? [];
    this.#addresses = [first, ...others];
    this.#current = first;
  }

  /** The address for new connections. */
  get current(): string {
    return this.#current;
  }

  /** Finds out which server accepts writes, unless that is known. */
  async ready(): Promise<void> {
    if (this.#timeline === 0) await this.look();
  }

  /** Asks all servers which of them accepts writes. If none answers, nothing changes. */
  async look(): Promise<void> {
    if (this.#addresses.length === 1 || performance.now() - this.#lookedAt < restMs) return;
    this.#looking ??= this.#ask().finally(() => {
      this.#looking = undefined;
      this.#lookedAt = performance.now();
    });
    await this.#looking;
  }

  /** Throws if a new connection leads to a server that accepts no writes, or to one that another has replaced. */
  async check(client: pg.ClientBase): Promise<void> {
    if (this.#addresses.length === 1) return;
    const timeline = await timelineOf(client);
    // PostgreSQL's state for a write that a standby rejects.
    if (timeline < Math.max(this.#timeline, 1)) throw Object.assign(new Error('takes no writes'), { code: '25006' });
    this.#timeline = timeline;
  }

  async #ask(): Promise<void> {
    const asked = await Promise.all(
      this.#addresses.map(async (address) => ({ address, timeline: await askTimeline(address) })),
    );
    const [latest] = asked.toSorted((a, b) => b.timeline - a.timeline);
    if (latest === undefined || latest.timeline === 0 || latest.timeline < this.#timeline) return;
    if (latest.address !== this.#current) this.movedAt = performance.now();
    this.#current = latest.address;
    this.#timeline = latest.timeline;
  }
}

/** The timeline of a server; 0 for a standby and for a server that does not respond. */
async function askTimeline(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: patienceMs, query_timeout: patienceMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await timelineOf(client);
  } catch {
    return 0;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function timelineOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ timeline: number }>(ROLE);
  return rows[0]?.timeline ?? 0;
}

interface ConnectionsOptions {
  /** The maximum number of connections of each share; each share has a default. */
  maxConnections?: number | undefined;
  onIdleError?: ((error: Error) => void) | undefined;
  /** Whether a transaction may stay idle without a limit. */
  mayRest: boolean;
  /** Whether transactions are read-only; by default as the account is configured. */
  isReadOnly?: boolean | undefined;
}

/**
 * Runs work about a customer. Throws `unavailable` if the node that has its rows is known not to answer. The signal is aborted if that
 * is found out later.
 */
export type WhileReached = <T>(customerId: string, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** The connections to one database, a pool for each share that is used; each connection has one owner at a time. */
export class Connections {
  readonly id = randomUUID();
  /** Set if the rows of customers are on several nodes. */
  whileReached: WhileReached | undefined;
  readonly #servers: Servers;
  readonly #options: ConnectionsOptions;
  readonly #pools = new Map<Share, pg.Pool>();
  readonly #madeAt = new WeakMap<pg.PoolClient, number>();
  #isClosed = false;

  constructor(connectionString: string, options: ConnectionsOptions) {
    this.#servers = new Servers(connectionString);
    this.#options = options;
  }

  get isReadOnly(): boolean {
    return this.#options.isReadOnly === true;
  }

  #poolOf(share: Share): pg.Pool {
    const known = this.#pools.get(share);
    if (known !== undefined) return known;
    if (this.#isClosed) throw new Error('Cannot use a pool after calling end on the pool');
    const { maxConnections, onIdleError, mayRest, isReadOnly } = this.#options;
    const servers = this.#servers;
    const pool = new pg.Pool({
      Client: class extends pg.Client {
        constructor(config: pg.ClientConfig = {}) {
          super({ ...config, connectionString: servers.current });
        }
      },
      onConnect: (client) => servers.check(client),
      max: maxConnections ?? share.connections ?? shares.person.connections,
      connectionTimeoutMillis: connectionTimeoutMs,
      idleTimeoutMillis: idleTimeoutMs,
      keepAlive: true,
      application_name: 'power-monitoring-portal',
      options: [
        '-c timezone=UTC -c datestyle=ISO,YMD',
        `-c statement_timeout=${share.statementMs} -c lock_timeout=${share.lockMs}`,
        `-c idle_in_transaction_session_timeout=${mayRest ? 0 : restInTransactionMs}`,
        ...(isReadOnly === undefined ? [] : [`-c default_transaction_read_only=${isReadOnly ? 'on' : 'off'}`]),
      ].join(' '),
      types,
    });
    // Without a listener, an idle connection that breaks would crash the process.
    pool.on('error', (error) => onIdleError?.(error));
    pool.on('connect', (client) => {
      this.#madeAt.set(client, performance.now());
      // The pool removes its listener before the lease adds its own. An error between these two must not crash the process. The
      // next statement on the connection then fails.
      client.on('error', () => undefined);
    });
    this.#pools.set(share, pool);
    return pool;
  }

  /**
   * A connection opened after `notBefore` (of performance.now()); older idle ones are closed. Throws the reason of the signal
   * as soon as it is aborted, even while waiting.
   */
  async take(owner: { share: Share; signal?: AbortSignal | undefined }, notBefore = -Infinity): Promise<Lease> {
    await this.#servers.ready();
    for (let isFirst = true; ;) {
      const to = this.#servers.current;
      try {
        const client = await this.#connect(owner);
        if ((this.#madeAt.get(client) ?? 0) >= Math.max(notBefore, this.#servers.movedAt))
          return new Lease(client, owner);
        client.release(true);
      } catch (error) {
        await this.#servers.look();
        if (!isFirst || this.#servers.current === to || owner.signal?.aborted === true) throw error;
        isFirst = false;
      }
    }
  }

  statistics(): { total: number; idle: number; waiting: number } {
    const all = { total: 0, idle: 0, waiting: 0 };
    for (const { totalCount, idleCount, waitingCount } of this.#pools.values()) {
      all.total += totalCount;
      all.idle += idleCount;
      all.waiting += waitingCount;
    }
    return all;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#pools.values()].map((pool) => pool.end()));
  }

  async #connect({ share, signal }: { share: Share; signal?: AbortSignal | undefined }): Promise<pg.PoolClient> {
    signal?.throwIfAborted();
    const connecting = this.#poolOf(share).connect();
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

/** The number of attempts to cancel a statement. Below: the pauses before them, and how long each may take. */
const cancelAttempts = 6;
const firstCancelPauseMs = 50;
const cancelPatienceMs = 1_000;

/** How often a connection is checked for progress. */
const lookMs = 1_000;

/** A connection with its one owner. When the signal is aborted, its statement is cancelled on the server. */
export class Lease {
  readonly client: pg.PoolClient;
  readonly #signal: AbortSignal | undefined;
  readonly #share: Share;
  #running: Promise<unknown> | undefined;
  #cancelling: Promise<void> | undefined;
  #broken: Error | undefined;
  #isReleased = false;

  constructor(client: pg.PoolClient, { share, signal }: { share: Share; signal?: AbortSignal | undefined }) {
    this.client = client;
    this.#signal = signal;
    this.#share = share;
    client.on('error', this.#onError);
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Runs a statement; throws the reason of the signal if it is aborted. */
  async run<Row extends object>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    this.#signal?.throwIfAborted();
    return this.finish(statement);
  }

  /** Ends the transaction. It waits for nothing, unless the server itself waits for another one that does not answer. */
  async rollBack(): Promise<void> {
    await this.#send({ text: 'ROLLBACK' }, rollbackDueMs).catch((failure: unknown) => this.break(failure));
  }

  /** Runs a statement, such as a COMMIT, even if the signal is aborted. */
  async finish<Row extends object>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    return this.#send(statement, answerDueMs(this.#share));
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
      // No transaction has begun, so the caller may try another connection.
      if (!exchange.isAnswered) this.#close('it did not answer');
    };
    const timer = begins ? setTimeout(look, beginDueMs(this.#share)) : undefined;
    const dueMs = () => (exchange.isSending ? copyInDueMs(this.#share) : answerDueMs(this.#share));
    try {
      return await this.#watchBytes(dueMs, exchange.answers);
    } finally {
      clearTimeout(timer);
    }
  }

  /** All bytes of a `COPY … TO STDOUT`. */
  async copyOut(text: string): Promise<Buffer> {
    this.#signal?.throwIfAborted();
    return this.#watchBytes(() => answerDueMs(this.#share), buffer(this.client.query(copyTo(text))));
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

// The driver has these members but does not declare them.
declare module 'pg' {
  interface ClientBase {
    processID: number | null;
    secretKey: number | null;
    sslNegotiation: string;
  }
  interface Connection {
    connect(port: number | string, host?: string): void;
    requestSsl(): void;
    cancel(processID: number, secretKey: number): void;
  }
}

/**
 * Asks the server to cancel what runs on a connection; resolves when the server has accepted the request or the patience ends.
 * The cancel protocol uses a connection of its own, which takes no slot in the pool or on the server and needs no password. Its
 * secret key, unlike a process id, can never belong to somebody else.
 */
function cancelStatement(client: pg.PoolClient, patienceMs: number): Promise<void> {
  const { processID, secretKey, host, port, ssl, sslNegotiation } = client;
  if (processID === null || secretKey === null) return Promise.resolve();
  const config = { ssl, sslNegotiation };
  return new Promise((resolve) => {
    const connection = new pg.Connection(config);
    const finish = () => {
      clearTimeout(timer);
      connection.stream.destroy();
      resolve();
    };
    const timer = setTimeout(finish, patienceMs);
    const send = () => connection.cancel(processID, secretKey);
    // The server answers only by closing the connection.
    connection.on('end', finish).on('error', finish).on('sslconnect', send);
    connection.on('connect', () => {
      if (!ssl) send();
      else if (sslNegotiation !== 'direct') connection.requestSsl();
    });
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}
