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

/** What runs at once and what waits its turn: `limiterOf(name)`. The key is the account, source, customer or sender. */
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
  /** Materializing for a read that has much to compute, on a connection of `person`. */
  materializing: { max: 1, maxWaiting: 500, full: 'manyNewReadingsOfThese' },
  /**
   * Device-days that all reads compute in memory, in two pieces of work at a time. The readings of a piece take the memory and
   * are released with it.
   */
  computedDays: { max: 64, maxWaiting: 500, full: 'manyNewReadings' },
  /** Previews of cost changes, in `reads`: each prices years of devices twice. */
  previews: { max: 2, maxPerKey: 1, maxWaiting: 20, full: 'manyPreviews' },
  /** Previews of alarm rules, which hold a connection for a device at a time and a core for some seconds. */
  alarmPreviews: { max: 1, maxPerKey: 1, maxWaiting: 20, full: 'manyPreviews' },
  /** Tariff simulations: each holds a few megabytes, and one of real devices also counts in `reads`. */
  simulations: { max: 4, maxPerKey: 1, maxWaiting: 200, full: 'manySimulations' },
  /** Exports last as long as their download and hold a connection of `person`; a waiting one holds none. */
  exports: { max: 6, maxPerKey: 4, full: 'manyExports' },
  /** Answers of more than 20,000 values: each takes tens of megabytes while it is read and written. */
  largeAnswers: { max: 4, maxPerKey: 2, maxWaiting: 500, full: 'manyQueries' },
  /** Pieces of long work, one in each iteration of the event loop; the kinds of work alternate. */
  pieces: { max: 1, full: 'eventLoopBusy' },

  /** Bytes of ingest bodies that are read, judged or stored: a row takes about as much memory as its JSON. Small bodies never wait for large ones. */
  rowsHeld: { ...bodyBytes, maxPerKey: 64 * mebibyte, maxWaiting: 1_000, full: 'rowsHeld' },
  /** The same for the batches of a fleet, with one large body per customer at a time. */
  batchesHeld: { ...bodyBytes, maxPerKey: 32 * mebibyte, maxWaiting: 2_000, maxWaitingPerKey: 20, full: 'batchesHeld' },
  /**
   * Writes of customers' sets, on connections of `ingest`. The sets of one customer wait for each other anyway, because of its
   * lock.
   */
  fleetSets: { max: 3, maxPerKey: 1, maxWaiting: 500, maxWaitingPerKey: 20, full: 'batchesHeld' },
  /** Clients that compare with the fleet page by page, on connections of `person`. */
  comparisons: { max: 2, maxPerKey: 1, maxWaiting: 500, maxWaitingPerKey: 1, full: 'manyComparisons' },
  /** Reads of what customers have sent, on a connection of `person`; concurrent requests share the result of one read. */
  fleetActivity: { max: 1, maxWaiting: 100, full: 'manyQueries' },

  /**
   * Tries of passwords and second factors by source or account: a flood from one delays neither the others nor people with a session.
   * Some fifty are checked within a second or two; nobody has to wait longer for others at the same address.
   */
  guessers: { max: 64, ...guesses },
  /**
   * Sign-ins of sources that failed lately, before they wait in `guessers`. Passwords are checked in order, so these
   * must be few: an attack from 250 addresses once delayed an administrator by 18 s.
   */
  laterGuessers: { max: 4, ...guesses },
  /** One try at a time for each email, so that a burst of parallel guesses gets no more of them than a slow one. */
  guessesOfEmail: { max: Infinity, maxPerKey: 1, full: 'manySignIns' },
  /** Hashed passwords: each takes 20 to 40 ms on one of libuv's four threads, which compression, files and DNS look-ups share. */
  hashing: { max: 2, maxWaiting: 200, full: 'manySignIns' },
  /** Logos that are written again; one may hold 64 MiB of pixels. */
  logos: { max: 1, maxWaiting: 10, full: 'manyLogos' },
  /** Reports that are drawn as PDF, each in a thread of its own. */
  reportFiles: { max: 1, maxPerKey: 1, maxWaiting: 20, full: 'manyExports' },
  /** Comparisons of kept reports with the data of now, before they wait in `reads`. */
  reportChecks: { max: 1, maxPerKey: 1, maxWaiting: 100, full: 'manyQueries' },
  /** Web sockets to the dashboard tool, also those that it has not accepted yet; a page has one. */
  webSockets: { max: 256, maxPerKey: 32, maxWaiting: 0, full: 'manyWebSockets' },

  /** In the dashboard tool: questions computed at once, each on a connection of its own. */
  questions: { max: 3, maxPerKey: 2, maxWaiting: 100, maxWaitingPerKey: 40, full: 'manyQuestions' },
  /** In the dashboard tool: totals of a fleet with many customers, read once for everyone who asks. */
  fleetSlots: { max: 1, maxWaiting: 100, full: 'manyQueries' },
} as const satisfies Record<string, Budget>;

export const limiterOf = (name: keyof typeof budgets): Limiter => new Limiter(name, budgets[name]);

/**
 * Rates, by key. Tokens grow back evenly; see `bucketsOf(name)`. Batches of a customer:
 * FleetIngest__MaxBatchesPerMinute.
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
  /** Changes of one's own account, else `tooManyOwnChanges`: each is kept in the audit trail for two years, which any user could flood. */
  ownChanges: { size: 30, periodMs: hourMs },
  /** Sign-ins of an account, and likewise its sign-outs, that get an event of the audit trail each; those beyond are counted in one. */
  ownSessionEvents: { size: 30, periodMs: hourMs },
  /** Acknowledged and snoozed alarms of an account, else `manyAlarmChanges`: each is kept in the audit trail. */
  alarmChanges: { size: 300, periodMs: hourMs },
  /** Links for a forgotten password that a source may request, else `manyForgottenPasswords`. */
  forgottenPasswords: { size: 20, periodMs: hourMs },
  /** Test mails of an administrator, else `manyMailTests`. */
  mailTests: { size: 10, periodMs: 10 * minuteMs },
  /** Rejected batches of a customer that are recorded one by one; further ones are counted in the last record. */
  refusedBatches: { size: 6, periodMs: minuteMs },
} as const;

export const bucketsOf = (name: keyof typeof rates): TokenBuckets =>
  new TokenBuckets(rates[name].size, rates[name].periodMs);

/**
 * Bytes held by connections. Above the limit, the source with most bytes loses its longest-waiting connection. The log
 * names the source.
 */
export const heldBytes = {
  /** Incomplete headers, headers that wait for their body, and headers that wait for their turn. */
  headers: 32 * mebibyte,
  /** Bodies that are read as a whole, from before they arrive until their requests are answered. */
  bodies: 64 * mebibyte,
  /** Answers that clients have not read yet, and the headers of their requests. */
  answers: 128 * mebibyte,
  /** Data of web sockets that waits for a tool that has not accepted the socket yet, or that the other side has not read. */
  earlyOfSocket: 64 * kibibyte,
  unsentOfSocket: 4 * mebibyte,
} as const;

/**
 * Connections and requests from outside. Beyond the limit they are closed or answered `manyConnections` or
 * `manyUnanswered`.
 */
export const connectionLimits = {
  all: 4_096,
  /** Connections of one direct source. A trusted proxy carries the clients of many. */
  ofSource: 512,
  /** Up to this many connections of a source are not checked for headers: five full headers on each are 80 MiB. */
  uncountedHeaders: 128,
  /** Requests of one connection that wait for the end of an answer. Browsers and proxies send one after the other. */
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
  /** A slow writer may hang on a dead connection. Another one may replace it this many times. */
  maxStalled: 4,
} as const;

/** A share of the connections to the database, and how long it may take there, in milliseconds; 0 means without limit. */
export interface Share {
  /** The maximum; without it, that of `person`. */
  readonly connections?: number;
  /** One statement. */
  readonly statementMs: number;
  /** Waiting for a lock. */
  readonly lockMs: number;
}

/** The connections of a portal: nobody takes those of another share, so an ingest finds one whatever people ask. */
export const shares = {
  /** A person waits; the default. */
  person: { connections: 16, statementMs: 30_000, lockMs: 10_000 },
  /**
   * A gateway sends again what was not stored, so a large body on a slow disk should finish rather than start over. While it
   * waits for a lock, later ones wait in memory.
   */
  ingest: { connections: 10, statementMs: 300_000, lockMs: 30_000 },
  /** The energy worker, the push and the alarms: nobody waits for them, but they must not hang forever. */
  worker: { connections: 5, statementMs: 900_000, lockMs: 60_000 },
  /** Migrations, conversions, rebuilds, backups and maintenance take as long as they need. */
  background: { connections: 3, statementMs: 0, lockMs: 0 },
} as const satisfies Record<string, Share>;

/**
 * Longest pause between two statements of a transaction, except in `background`. After a longer pause the process has
 * hung while holding locks.
 */
export const restInTransactionMs = 60_000;

/** The dashboard tool has few connections of its own, because it uses the database of the portal. */
export const toolConnections = { reading: 4, writing: 2 } as const;

/** The users of each share that hold connections for longer than a moment. The rest is for short statements of all. */
const holders = {
  person: {
    connections: shares.person.connections,
    of: {
      reads: budgets.reads.max,
      materializing: budgets.materializing.max,
      exports: budgets.exports.max,
      comparisons: budgets.comparisons.max,
      fleetActivity: budgets.fleetActivity.max,
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

/** Throws if the work that holds connections of a share may need more than the share has. */
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
