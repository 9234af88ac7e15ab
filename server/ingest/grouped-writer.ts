import { writers } from '../base/budgets.ts';
import { DomainError } from '../base/errors.ts';

const { max: maxWriters, maxStalled: maxStalledWriters } = writers;
/** With fewer rows waiting, larger transactions one after another store as much as small ones in parallel. */
const rowsForAnotherWriter = 100;
/** Rows that may share a transaction; a single request may be larger. */
const maxGroupRows = 10_000;
/** A writer that takes longer may hang on a dead connection. */
const stalledAfterMs = 15_000;

export interface GroupedWriterParts<Work, Result> {
  /** Stores a group in one transaction; after its commit returns a result for each, in order. */
  store: (group: readonly Work[]) => Promise<Result[]>;
  rowsOf: (work: Work) => number;
  /** Whether others of a group can be stored although the database was out of reach for it. */
  concernsSome?: ((error: unknown) => boolean) | undefined;
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
  concernsSome = () => false,
}: GroupedWriterParts<Work, Result>): (work: Work) => Promise<Result> {
  type One = Waiting<Work, Result>;
  const waiting: One[] = [];
  let waitingRows = 0;
  let writers = 0;
  let stalledWriters = 0;

  const startWriter = () => {
    const mayStart = writers < maxWriters && stalledWriters <= maxStalledWriters;
    if (mayStart && waiting.length > 0 && (writers === 0 || waitingRows >= rowsForAnotherWriter)) void write();
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

  const storeAndAnswer = async (group: readonly One[]) => {
    try {
      const results = await store(group.map(({ work }) => work));
      for (const [at, one] of group.entries()) {
        const result = results[at];
        if (result === undefined) one.reject(new Error('There is no result for a request of the group.'));
        else one.resolve(result);
      }
    } catch (error) {
      const isUnavailable = error instanceof DomainError && error.kind === 'unavailable' && !concernsSome(error);
      if (group.length === 1 || isUnavailable) for (const one of group) one.reject(error);
      else for (const one of group) await storeAndAnswer([one]);
    }
  };

  const write = async () => {
    writers += 1;
    while (waiting.length > 0 && writers <= maxWriters) {
      let isStalled = false;
      const timer = setTimeout(() => {
        isStalled = true;
        writers -= 1;
        stalledWriters += 1;
        startWriter();
      }, stalledAfterMs);
      await storeAndAnswer(takeGroup());
      clearTimeout(timer);
      if (!isStalled) continue;
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
