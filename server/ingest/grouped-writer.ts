import { writers } from '../base/budgets.ts';
import { DomainError, refuse } from '../base/errors.ts';

const { max: maxWriters, maxStalled: maxStalledWriters } = writers;
/**
 * Another writer starts once as many rows wait as are under way, within these limits. So two writers have groups of about the same
 * size: in groups of 100 rows a request costs the database three times as much as in groups of 640.
 */
const rowsForAnotherWriter = { min: 100, max: 320 };
/** The maximum number of rows that share a transaction. A single request may have more. */
const maxGroupRows = 10_000;
/** After this time a writer counts as stalled: its connection may be dead. */
const stalledAfterMs = 15_000;

export interface GroupedWriterParts<Work, Result> {
  /** Stores a group in one transaction; after its commit returns a result for each, in order. */
  store: (group: readonly Work[]) => Promise<Result[]>;
  rowsOf: (work: Work) => number;
  /** Whether a request is known to be out of reach. It is rejected. */
  isAway?: (work: Work) => boolean;
  /**
   * Finds out which requests are out of reach, after an error or because a writer has stalled. Returns whether the error concerns
   * only some requests of a group, so that the others can still be stored.
   */
  findAway?: (error?: unknown) => Promise<boolean>;
}

interface Waiting<Work, Result> {
  work: Work;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Lets requests that wait at the same time share one transaction, so that they share the cost of a commit. A request that fails
 * does not fail the others.
 */
export function createGroupedWriter<Work, Result>({
  store,
  rowsOf,
  isAway = () => false,
  findAway = () => Promise.resolve(false),
}: GroupedWriterParts<Work, Result>): (work: Work) => Promise<Result> {
  type One = Waiting<Work, Result>;
  const waiting: One[] = [];
  let waitingRows = 0;
  /** The rows that writers are storing; without those of stalled writers. */
  let storingRows = 0;
  let writers = 0;
  let stalledWriters = 0;

  const isWorthIt = () => {
    const { min, max } = rowsForAnotherWriter;
    return waiting.length > 0 && (storingRows === 0 || waitingRows >= Math.min(Math.max(storingRows, min), max));
  };
  const startWriter = () => {
    if (writers < maxWriters && stalledWriters <= maxStalledWriters && isWorthIt()) void write();
  };

  const takeGroup = (): One[] => {
    let rows = 0;
    let count = 0;
    for (const { work } of waiting) {
      if (count > 0 && rows + rowsOf(work) > maxGroupRows) break;
      rows += rowsOf(work);
      count += 1;
    }
    waitingRows -= rows;
    return waiting.splice(0, count);
  };

  const storeAndAnswer = async (all: readonly One[]) => {
    const { away = [], group = [] } = Object.groupBy(all, ({ work }) => (isAway(work) ? 'away' : 'group'));
    for (const one of away) one.reject(refuse('databaseAway'));
    if (group.length === 0) return;
    try {
      const results = await store(group.map(({ work }) => work));
      for (const [at, one] of group.entries()) {
        const result = results[at];
        if (result === undefined) one.reject(new Error('There is no result for a request of the group.'));
        else one.resolve(result);
      }
    } catch (error) {
      const isUnavailable = error instanceof DomainError && error.kind === 'unavailable' && !(await findAway(error));
      if (group.length === 1 || isUnavailable) for (const one of group) one.reject(error);
      else if (group.some(({ work }) => isAway(work))) await storeAndAnswer(group);
      else for (const one of group) await storeAndAnswer([one]);
    }
  };

  const write = async () => {
    writers += 1;
    while (isWorthIt() && writers <= maxWriters) {
      const group = takeGroup();
      const rows = group.reduce((sum, { work }) => sum + rowsOf(work), 0);
      storingRows += rows;
      let isStalled = false;
      const timer = setTimeout(() => {
        isStalled = true;
        writers -= 1;
        stalledWriters += 1;
        storingRows -= rows;
        // Otherwise the next group would hang too.
        void findAway().then(startWriter);
      }, stalledAfterMs);
      await storeAndAnswer(group);
      clearTimeout(timer);
      if (!isStalled) {
        storingRows -= rows;
        continue;
      }
      writers += 1;
      stalledWriters -= 1;
    }
    writers -= 1;
  };

  return (work) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ work, resolve, reject });
    waitingRows += rowsOf(work);
    startWriter();
    return promise;
  };
}
