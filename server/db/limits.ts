/** How long the database may take, in milliseconds; 0 is for ever. */
export interface Limits {
  /** One statement. */
  readonly statementMs: number;
  /** Waiting for a lock that somebody else holds. */
  readonly lockMs: number;
}

/** The one place that says how long the database may take for whom. */
export const limits = {
  /** Whoever asks or changes something in the page or the API waits for it; so this holds where nothing else is said. */
  person: { statementMs: 30_000, lockMs: 10_000 },
  /**
   * A gateway sends again what was not stored, so a full body on a slow disk is better finished than given up and begun
   * anew. While it waits for a lock, all that come after it wait in memory.
   */
  ingest: { statementMs: 300_000, lockMs: 30_000 },
  /** The energy worker: nobody waits for it, but what hangs must not hang for ever. */
  worker: { statementMs: 900_000, lockMs: 60_000 },
  /** Migrations, conversions, rebuilding, backups: as long as it takes. */
  background: { statementMs: 0, lockMs: 0 },
} as const satisfies Record<string, Limits>;

/** What a transaction may rest between two statements: longer, and its process was stopped, while it holds what it locked. */
export const restInTransactionMs = 60_000;

/** How much longer than a statement may take its answer is waited for: then the connection is dead, and nobody has said so. */
const silenceMs = 5_000;

/** When to give up a connection that has not answered, or undefined where a statement may take for ever. */
export const answerDueMs = ({ statementMs }: Limits) => (statementMs === 0 ? undefined : statementMs + silenceMs);

/** Nothing is computed before a transaction begins, and nothing is waited for. */
const maxBeginMs = 10_000;
export const beginDueMs = (limits: Limits) => Math.min(maxBeginMs, answerDueMs(limits) ?? maxBeginMs);

/** The rows of an ingest go into a temporary table, which nobody else locks; so a COPY that rests for so long is dead. */
const maxCopyInRestMs = 30_000;
export const copyInDueMs = (limits: Limits) => Math.min(maxCopyInRestMs, answerDueMs(limits) ?? maxCopyInRestMs);
