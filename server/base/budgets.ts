import { type Budget, Limiter, TokenBuckets } from './limiter.ts';

/*
 * Every limit on what runs at once, waits, arrives in a period, is held in memory or takes a database connection. If work had to
 * wait for a budget of the first table, its log line names it (`waitedFor`). `portal_budget_waits_total` and
 * `portal_budget_refusals_total` count by name. Rejected work gets the code in `full`; its status and text are in
 * `messages/en/errors.ts`.
 */

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

const bodyBytes = { max: 96 * mebibyte, reservedForNew: 8 * mebibyte };
const guesses = { maxPerKey: 4, maxWaiting: 1_000, maxWaitingPerKey: 50, full: 'manySignInsOfAddress' } as const;

/**
 * Limits on work that runs at once and work that waits: `limiterOf(name)`. The key is the account, source, customer or sender.
 */
const budgets = {
  /**
   * Reads of energy; each holds a connection of `person`, but none while it waits for its turn. One account cannot take
   * all places, because its slow reads would delay the others.
   */
  reads: { max: 5, maxPerKey: 2, maxWaiting: 500, full: 'manyQueries' },
  /**
   * Reads of more than 400 days, before they wait in `reads`: each takes most of a minute, and three accounts with two each would
   * fill it.
   */
  longReads: { max: 3, maxPerKey: 2, maxWaiting: 100, full: 'manyQueries' },
  /** Materializing for a read that has much to compute. It uses a connection of `person`. */
  materializing: { max: 1, maxWaiting: 500, full: 'manyNewReadingsOfThese' },
  /**
   * The device-days that all reads compute in memory, by two pieces of work at a time. The readings of a piece take the memory,
   * and are released when it ends.
   */
  computedDays: { max: 64, maxWaiting: 500, full: 'manyNewReadings' },
  /** Previews of cost changes, in `reads`: each prices years of devices twice. */
  previews: { max: 2, maxPerKey: 1, maxWaiting: 20, full: 'manyPreviews' },
  /** Previews of alarm rules, which hold a connection for a device at a time and a core for some seconds. */
  alarmPreviews: { max: 1, maxPerKey: 1, maxWaiting: 20, full: 'manyPreviews' },
  /** Tariff simulations. Each holds a few megabytes. A simulation for real devices also counts in `reads`. */
  simulations: { max: 4, maxPerKey: 1, maxWaiting: 200, full: 'manySimulations' },
  /** Exports last as long as their download and hold a connection of `person`; a waiting one holds none. */
  exports: { max: 6, maxPerKey: 4, full: 'manyExports' },
  /** Answers of more than 20,000 values: each takes tens of megabytes while it is read and written. */
  largeAnswers: { max: 4, maxPerKey: 2, maxWaiting: 500, full: 'manyQueries' },
  /** Pieces of long work. Each iteration of the event loop runs one piece, and the kinds of work alternate. */
  pieces: { max: 1, full: 'eventLoopBusy' },

  /** Bytes of ingest bodies that are read, judged or stored: a row takes about as much memory as its JSON. Small bodies never wait for large ones. */
  rowsHeld: { ...bodyBytes, maxPerKey: 64 * mebibyte, maxWaiting: 1_000, full: 'rowsHeld' },
  /** The same for the batches of a fleet. Each customer may have one large body at a time. */
  batchesHeld: { ...bodyBytes, maxPerKey: 32 * mebibyte, maxWaiting: 2_000, maxWaitingPerKey: 20, full: 'batchesHeld' },
  /**
   * Writes of customers' sets, on connections of `ingest`. The sets of one customer wait for each other anyway, because of its
   * lock.
   */
  fleetSets: { max: 3, maxPerKey: 1, maxWaiting: 500, maxWaitingPerKey: 20, full: 'batchesHeld' },
  /** Clients that compare with the fleet page by page, on connections of `person`. */
  comparisons: { max: 2, maxPerKey: 1, maxWaiting: 500, maxWaitingPerKey: 1, full: 'manyComparisons' },
  /** Reads of the figures of all customers, on a connection of `person`. Concurrent requests share the result of one read. */
  fleetActivity: { max: 1, maxWaiting: 100, full: 'manyQueries' },

  /**
   * Attempts with passwords and second factors, by source or account. A flood from one source delays neither other sources nor
   * people with a session. Some fifty attempts are checked within a second or two, and nobody has to wait longer for others at
   * the same address.
   */
  guessers: { max: 64, ...guesses },
  /**
   * Sign-ins of sources that failed lately, before they wait in `guessers`. Passwords are checked in order, so these
   * must be few: an attack from 250 addresses once delayed an administrator by 18 s.
   */
  laterGuessers: { max: 4, ...guesses },
  /** Attempts for one email run one at a time, so that many parallel guesses gain nothing. */
  guessesOfEmail: { max: Infinity, maxPerKey: 1, full: 'manySignIns' },
  /** Hashed passwords: each takes 20 to 40 ms on one of libuv's four threads, which compression, files and DNS look-ups share. */
  hashing: { max: 2, maxWaiting: 200, full: 'manySignIns' },
  /** Logos that are rewritten. One may hold 64 MiB of pixels. */
  logos: { max: 1, maxWaiting: 10, full: 'manyLogos' },
  /** Reports that are drawn as PDF, each in a thread of its own. */
  reportFiles: { max: 1, maxPerKey: 1, maxWaiting: 20, full: 'manyExports' },
  /** Comparisons of kept reports with current data, before they wait in `reads`. */
  reportChecks: { max: 1, maxPerKey: 1, maxWaiting: 100, full: 'manyQueries' },
  /** Web sockets to the dashboard tool, also those that it has not accepted yet; a page has one. */
  webSockets: { max: 256, maxPerKey: 32, maxWaiting: 0, full: 'manyWebSockets' },

  /** In the dashboard tool: queries that are computed at once, each on a connection of its own. */
  questions: { max: 3, maxPerKey: 2, maxWaiting: 100, maxWaitingPerKey: 40, full: 'manyQuestions' },
  /** In the dashboard tool: totals of a fleet with many customers. Everyone who asks shares one read. */
  fleetSlots: { max: 1, maxWaiting: 100, full: 'manyQueries' },
} as const satisfies Record<string, Budget>;

export const limiterOf = (name: keyof typeof budgets): Limiter => new Limiter(name, budgets[name]);

/**
 * Limits on rates, by key. Used tokens come back evenly; see `bucketsOf(name)`. The rate for batches of a customer is a
 * setting: FleetIngest__MaxBatchesPerMinute.
 */
export const rates = {
  /** The first attempt of a source goes before those of `laterGuessers`. */
  firstTries: { size: 1, periodMs: 15 * minuteMs },
  /**
   * Failed sign-ins of a source for any email, then `addressLocked`. Enough for the typos of an office behind one
   * address, too few to try stolen passwords. One attempt returns each second, so users who share an address are never
   * blocked for long.
   */
  failuresOfSource: { size: 100, periodMs: 100 * secondMs },
  /**
   * Changes that users make to their own account, else `tooManyOwnChanges`. The audit trail keeps each of them for two years,
   * so any user could flood it.
   */
  ownChanges: { size: 30, periodMs: hourMs },
  /**
   * Sign-ins of an account (and, separately, sign-outs) that get an event of their own in the audit trail. Further ones are
   * counted in one event.
   */
  ownSessionEvents: { size: 30, periodMs: hourMs },
  /** Alarms that an account acknowledges or snoozes, else `manyAlarmChanges`. The audit trail keeps each of these changes. */
  alarmChanges: { size: 300, periodMs: hourMs },
  /** Links for a forgotten password that a source may request, else `manyForgottenPasswords`. */
  forgottenPasswords: { size: 20, periodMs: hourMs },
  /** Test mails of an administrator, else `manyMailTests`. */
  mailTests: { size: 10, periodMs: 10 * minuteMs },
  /** Rejected batches of a customer that are recorded one by one. Further ones are counted in the last record. */
  refusedBatches: { size: 6, periodMs: minuteMs },
} as const;

export const bucketsOf = (name: keyof typeof rates): TokenBuckets =>
  new TokenBuckets(rates[name].size, rates[name].periodMs);

/**
 * Bytes held by connections. Above the limit, the source with most bytes loses its longest-waiting connection. The log
 * names the source.
 */
export const heldBytes = {
  /** Incomplete headers, and complete headers of requests that wait for their body or their turn. */
  headers: 32 * mebibyte,
  /** Request bodies that are read as a whole, from before they arrive until the response is sent. */
  bodies: 64 * mebibyte,
  /** Answers that clients have not read yet, with the headers of their requests. */
  answers: 128 * mebibyte,
  /** Data of web sockets that the tool has not accepted yet, or that the other side has not read. */
  earlyOfSocket: 64 * kibibyte,
  unsentOfSocket: 4 * mebibyte,
} as const;

/**
 * Limits on connections and requests from outside. Above the limit, connections are closed, and requests get `manyConnections`
 * or `manyUnanswered`.
 */
export const connectionLimits = {
  all: 4_096,
  /** Connections of one direct source. A trusted proxy is such a source, and carries connections of many clients. */
  ofSource: 512,
  /** A source with at most this many connections is not checked for headers: five full headers on each take 80 MiB. */
  uncountedHeaders: 128,
  /**
   * Requests on one connection that wait for an earlier answer to end. Browsers and proxies send one request after the other.
   */
  requestsOfOne: 4,
  /**
   * Above this many unanswered requests a connection is closed. Each one stays in memory until its predecessors are
   * answered.
   */
  openRequestsOfOne: 16,
} as const;

/** Writers that store the waiting rows of an ingest or a fleet, each on a connection of `ingest` (ingest/grouped-writer.ts). */
export const writers = {
  /** Two keep two cores of the database busy; more only wait for the WAL (bench/ingest). */
  max: 2,
  /** A slow writer may hang on a dead connection. Another writer may replace it, at most this many times. */
  maxStalled: 4,
} as const;

/** A share of the connections to the database, with its time limits in milliseconds; 0 means without limit. */
export interface Share {
  /** The maximum number of connections. If it is not set, that of `person` applies. */
  readonly connections?: number;
  /** The time limit of a statement. */
  readonly statementMs: number;
  /** The time limit of waiting for a lock. */
  readonly lockMs: number;
}

/**
 * The connections of a portal. No work takes connections of another share, so an ingest always finds one, whatever people
 * request.
 */
export const shares = {
  /** Requests for which a person waits; the default. */
  person: { connections: 17, statementMs: 30_000, lockMs: 10_000 },
  /**
   * Ingest. A gateway sends rows again if they were not stored, so a large body on a slow disk should finish and not start
   * over. While it waits for a lock, later requests wait in memory.
   */
  ingest: { connections: 10, statementMs: 300_000, lockMs: 30_000 },
  /** The same where the rows are on several nodes. A transaction that waits for a node that hangs keeps the others waiting. */
  shardedIngest: { connections: 10, statementMs: 30_000, lockMs: 30_000 },
  /** The energy worker, the push and the alarms. Nobody waits for them, but they must not hang forever. */
  worker: { connections: 5, statementMs: 900_000, lockMs: 60_000 },
  /** Migrations, conversions, rebuilds, backups and maintenance take as long as they need. */
  background: { connections: 3, statementMs: 0, lockMs: 0 },
} as const satisfies Record<string, Share>;

/**
 * The longest pause between two statements of a transaction, except in `background`. If the pause is longer, the process has
 * hung while it held locks.
 */
export const restInTransactionMs = 60_000;

/** The dashboard tool has only a few connections, because it shares the database of the portal. */
export const toolConnections = { reading: 4, writing: 2 } as const;

/**
 * Work that holds connections of a share for longer than a moment. The remaining connections serve the short statements of all
 * work.
 */
const holders = {
  person: {
    connections: shares.person.connections,
    of: {
      reads: budgets.reads.max,
      materializing: budgets.materializing.max,
      exports: budgets.exports.max,
      comparisons: budgets.comparisons.max,
      fleetActivity: budgets.fleetActivity.max,
      readingAhead: 1,
    },
  },
  ingest: {
    connections: shares.ingest.connections,
    of: { writers: writers.max, stalledWriters: writers.maxStalled, fleetSets: budgets.fleetSets.max, keyLookUps: 1 },
  },
  worker: {
    connections: shares.worker.connections,
    of: { energyWorker: 1, push: 1, alarms: 1, alarmFigures: 1, notifications: 1 },
  },
  background: { connections: shares.background.connections, of: { maintenance: 2, lockOfPush: 1 } },
  toolReading: { connections: toolConnections.reading, of: { questions: budgets.questions.max } },
};

/** Throws if the work listed above may need more connections than its share has. */
export function assertConnectionsFit(
  all: Readonly<Record<string, { connections: number; of: Readonly<Record<string, number>> }>> = holders,
): void {
  for (const [share, { connections, of }] of Object.entries(all)) {
    const needed = Object.values(of).reduce((sum, count) => sum + count, 0);
    if (needed <= connections) continue;
    const named = Object.entries(of).map(([name, count]) => `${name} ${count}`);
    throw new Error(
      `The connections "${share}" of budgets.ts are ${connections}, but ${named.join(', ')} may hold ${needed}: raise "${share}" or lower one of these.`,
    );
  }
}
