/** How long the database may take, in milliseconds; 0 means without limit. */
export interface Limits {
  /** One statement. */
  readonly statementMs: number;
  /** Waiting for a lock. */
  readonly lockMs: number;
}

/** How long the database may take, depending on who waits for it. */
export const limits = {
  /** A person waits; the default. */
  person: { statementMs: 30_000, lockMs: 10_000 },
  /**
   * A gateway sends again what was not stored, so a large body on a slow disk should finish rather than start over. While it
   * waits for a lock, later ones wait in memory.
   */
  ingest: { statementMs: 300_000, lockMs: 30_000 },
  /** The energy worker: nobody waits for it, but it must not hang forever. */
  worker: { statementMs: 900_000, lockMs: 60_000 },
  /** Migrations, conversions, rebuilds and backups take as long as they need. */
  background: { statementMs: 0, lockMs: 0 },
} as const satisfies Record<string, Limits>;

/** Longest pause between two statements of a transaction: beyond it the process has hung while holding locks. */
export const restInTransactionMs = 60_000;

/** How long after the statement timeout an answer is awaited before the connection counts as dead. */
const silenceMs = 5_000;

/** When to give up a connection that does not answer; undefined if statements have no limit. */
export const answerDueMs = ({ statementMs }: Limits) => (statementMs === 0 ? undefined : statementMs + silenceMs);

/** A BEGIN computes nothing and waits for nothing. */
const maxBeginMs = 10_000;
export const beginDueMs = (limits: Limits) => Math.min(maxBeginMs, answerDueMs(limits) ?? maxBeginMs);

/** Only a lock can hold up an incoming COPY, so one that pauses for longer is dead. */
export const copyInDueMs = ({ statementMs, lockMs }: Limits) =>
  statementMs === 0 ? undefined : Math.min(lockMs || statementMs, statementMs) + silenceMs;
