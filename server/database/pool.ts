import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Share, shares } from '../base/budgets.ts';
import { isConflict, isUnavailable, translate, untilNameIsKnown } from './errors.ts';
import { Connections, isSilence, type Lease, type WhileReached } from './connections.ts';
import type { Step, TextRow } from './exchange.ts';

/** A named statement is prepared once per connection; leave the name out if its plan depends on the values. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

export interface Result<Row> {
  rows: Row[];
  rowCount: number;
}

/** Runs statements: the pool, or one transaction. */
export interface Queryable {
  /** The fleet customer whose rows of the rollup are meant; null for the Client's own. See `rows.ts`. */
  readonly customerId: string | null;
  query<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Result<Row>>;
}

/** One open transaction. */
export interface Transaction extends Queryable {
  /** Runs statements that are sent together without waiting for answers in between; returns the rows of each. */
  send(steps: readonly Step[]): Promise<TextRow[][]>;
  /** All bytes of a `COPY … TO STDOUT`. */
  copyOut(text: string): Promise<Buffer>;
}

/** A transaction that commits when its work is done. */
export interface OpenTransaction extends Transaction {
  /** Sends the steps and the COMMIT together. */
  commit(steps: readonly Step[]): Promise<TextRow[][]>;
}

/** A transaction that begins with its first steps. */
export type LateTransaction = Pick<OpenTransaction, 'send' | 'commit'>;

/** A connection of its own for work without limits; `client` is for a COPY of any size. */
export interface Session extends Transaction {
  readonly client: pg.PoolClient;
}

interface View {
  share: Share;
  /** Aborted once nobody waits for the answer any more. */
  signal?: AbortSignal | undefined;
}

interface Attempt extends View {
  /** Chooses the message for a statement that took too long. */
  isRead: boolean;
  /** Whether the attempt can be repeated after the connection broke: nothing was committed, or committing twice is harmless. */
  isRepeatable: () => boolean;
}

interface TransactionOptions {
  mode: string;
  isRead: boolean;
  isIdempotent: boolean;
  opening: readonly Step[];
  isLate: boolean;
}

const conflictAttempts = 5;
const firstPauseMs = 10;

/**
 * The pool of connections to the portal's database. If the database is out of reach, starting or stopping, callers get
 * `DomainError('unavailable')` and may try again; the pool recovers by itself. Lost connections, deadlocks and serialization
 * failures are retried here where that cannot do anything twice.
 */
export class Database implements Queryable {
  readonly customerId: string | null;
  readonly #connections: Connections;
  readonly #view: View;

  constructor(
    source: string | Connections,
    options: {
      maxConnections?: number;
      onIdleError?: (error: Error) => void;
      customerId?: string | null;
      isReadOnly?: boolean;
    } & Partial<View> = {},
  ) {
    this.customerId = options.customerId ?? null;
    this.#view = { share: options.share ?? shares.person, signal: options.signal };
    this.#connections =
      source instanceof Connections
        ? source
        : new Connections(source, { ...options, mayRest: this.#view.share.statementMs === 0 });
  }

  /** The same database, with connections of another share. */
  within(share: Share): Database {
    return new Database(this.#connections, { ...this.#view, customerId: this.customerId, share });
  }

  /**
   * The same for a caller who may go away: reads (`query` of a SELECT, `snapshot`) are then cancelled on the server and
   * throw the reason of the signal. A write that has begun is finished; no new one is begun.
   */
  until(signal: AbortSignal): Database {
    return new Database(this.#connections, { ...this.#view, customerId: this.customerId, signal });
  }

  /** The same database for the rollup of one customer of the fleet. Device numbers are then those of that customer. */
  forCustomer(customerId: string): Database {
    return new Database(this.#connections, { ...this.#view, customerId: idOfCustomer(customerId) });
  }

  /**
   * Whether the database cannot be written to. Then no results are stored for later reads, and dirty ranges are left to other
   * processes.
   */
  get isReadOnly(): boolean {
    return this.#connections.isReadOnly;
  }

  /** Identifies the database: equal for all of its views, and different for any other database. */
  get source(): string {
    return this.#connections.id;
  }

  /** Set by the engine if the rows of customers are on several nodes; for all views of the database. */
  guardCustomers(whileReached: WhileReached): void {
    this.#connections.whileReached = whileReached;
  }

  get isSharded(): boolean {
    return this.#connections.whileReached !== undefined;
  }

  /** Aborted when nobody waits for the answer; work in pieces ends between two of them. */
  get signal(): AbortSignal | undefined {
    return this.#view.signal;
  }

  async query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Result<Row>> {
    // A SELECT changes nothing, so it may run twice. Any other statement may have taken effect although its answer was lost.
    const isRead = /^\s*SELECT\b/i.test(statement.text);
    const step = { ...this.#viewOf(isRead), isRead, isRepeatable: () => isRead };
    return this.#attempt(step, (lease) => run<Row>(lease, statement, values));
  }

  /**
   * Runs `work` in one transaction and commits it. Serialization failures, deadlocks and connections that break before the commit
   * are retried, so `work` must have no effects besides its statements. A commit without an answer may have happened: it is
   * retried only if `work` is idempotent. `opening` costs no extra round trip, because it is sent with the BEGIN.
   */
  async transaction<T>(
    work: (transaction: OpenTransaction, opened: readonly TextRow[][]) => Promise<T>,
    { isIdempotent = false, opening = [] }: { isIdempotent?: boolean; opening?: readonly Step[] } = {},
  ): Promise<T> {
    return this.#transact({ mode: '', isRead: false, isIdempotent, opening, isLate: false }, work);
  }

  /**
   * The same for idempotent work that needs no answer of `opening`: that and the BEGIN are sent with its first steps, so a
   * transaction may take one round trip. Work without steps begins none.
   */
  async transactionAtOnce<T>(opening: readonly Step[], work: (tx: LateTransaction) => Promise<T>): Promise<T> {
    return this.#transact({ mode: '', isRead: false, isIdempotent: true, opening, isLate: true }, work);
  }

  /** Runs `work`, which only reads, on one snapshot. `opening` is sent with the BEGIN. */
  async snapshot<T>(work: (transaction: Transaction) => Promise<T>, opening: readonly Step[] = []): Promise<T> {
    const mode = ' ISOLATION LEVEL REPEATABLE READ, READ ONLY';
    return this.#transact({ mode, isRead: true, isIdempotent: true, opening, isLate: false }, work);
  }

  /**
   * One connection while `work` runs, outside any transaction and without limits (migrations, session locks, LISTEN). It is
   * closed afterwards, with all its settings and locks; nothing is retried.
   */
  async session<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const lease = await this.#take({ share: shares.background });
    lease.break(new Error('The session has ended.'));
    try {
      await lease.run({ text: 'SET idle_in_transaction_session_timeout = 0' });
      return await work({ ...transactionOn(lease, this.customerId), client: lease.client });
    } catch (error) {
      throw translate(error, false);
    } finally {
      lease.release();
    }
  }

  statistics() {
    return this.#connections.statistics();
  }

  async close(): Promise<void> {
    await this.#connections.close();
  }

  async #transact<T>(
    { mode, isRead, isIdempotent, opening, isLate }: TransactionOptions,
    work: (transaction: OpenTransaction, opened: readonly TextRow[][]) => Promise<T>,
  ): Promise<T> {
    let isCommitSent = false;
    const step = { ...this.#viewOf(isRead), isRead, isRepeatable: () => isIdempotent || !isCommitSent };
    return this.#attempt(step, async (lease) => {
      isCommitSent = false;
      let [isBegun, isCommitted] = [false, false];
      const send = async (steps: readonly Step[]) => {
        if (isBegun) return lease.send(steps);
        isBegun = true;
        const answers = await lease.send([{ text: `BEGIN${mode}` }, ...opening, ...steps], { begins: true });
        return answers.slice(isLate ? 1 + opening.length : 1);
      };
      const commit = async (steps: readonly Step[]) => {
        isCommitSent = true;
        const answers = await send([...steps, { text: 'COMMIT' }]);
        isCommitted = true;
        return answers;
      };
      try {
        const opened = isLate ? [] : await send([]);
        const result = await work({ ...transactionOn(lease, this.customerId), send, commit }, opened);
        isCommitSent = true;
        if (isBegun && !isCommitted) await lease.finish({ text: 'COMMIT' });
        return result;
      } catch (error) {
        if (!isBegun) throw error;
        // Even a cancelled BEGIN may have begun.
        if (isUnavailable(error)) lease.break(error);
        else await lease.rollBack();
        throw error;
      }
    });
  }

  /** Only reads end with their signal. */
  #viewOf(isRead: boolean): View {
    this.#view.signal?.throwIfAborted();
    return isRead ? this.#view : { share: this.#view.share };
  }

  async #attempt<T>(step: Attempt, work: (lease: Lease) => Promise<T>): Promise<T> {
    const { whileReached } = this.#connections;
    if (whileReached === undefined || this.customerId === null) return this.#repeat(step, work);
    return whileReached(this.customerId, async (reached) =>
      this.#repeat({ ...step, signal: AbortSignal.any([step.signal ?? reached, reached]) }, work),
    );
  }

  async #repeat<T>(step: Attempt, work: (lease: Lease) => Promise<T>): Promise<T> {
    let brokeAt: number | undefined;
    for (let attempt = 1; ; attempt += 1) {
      const lease = await this.#take(step, brokeAt);
      try {
        return await work(lease);
      } catch (error) {
        const isLost = isUnavailable(error);
        if (isLost) lease.break(error);
        step.signal?.throwIfAborted();
        if (isLost && brokeAt === undefined && step.isRepeatable() && !isSilence(error)) {
          // Other idle connections are most likely broken too.
          brokeAt = performance.now();
          continue;
        }
        if (attempt >= conflictAttempts || !isConflict(error)) throw translate(error, step.isRead);
      } finally {
        lease.release();
      }
      // A random pause, because two that collided would collide again.
      await sleep(firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random()));
    }
  }

  async #take(view: View, notBefore?: number): Promise<Lease> {
    try {
      return await untilNameIsKnown(async () => this.#connections.take(view, notBefore), view.signal);
    } catch (error) {
      view.signal?.throwIfAborted();
      throw translate(error, true);
    }
  }
}

/** The same transaction for the rollup of one customer of the fleet, as {@link Database.forCustomer}. */
export const ofCustomer = (tx: Transaction, customerId: string): Transaction => ({
  ...tx,
  customerId: idOfCustomer(customerId),
});

/** Checks the id of a customer, because it is written into statements that take no parameters. */
export function idOfCustomer(id: string): string {
  if (guid.test(id)) return id;
  throw new Error(`"${id}" is no id of a customer; a GUID is expected.`);
}

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function transactionOn(lease: Lease, customerId: string | null): Transaction {
  return {
    customerId,
    query: (statement, values = []) => run(lease, statement, values),
    send: (steps) => lease.send(steps),
    copyOut: (text) => lease.copyOut(text),
  };
}

async function run<Row extends object>(
  lease: Lease,
  statement: Statement,
  values: readonly unknown[],
): Promise<Result<Row>> {
  const result = await lease.run<Row>({ ...statement, values: [...values] });
  return { rows: result.rows, rowCount: result.rowCount ?? 0 };
}
