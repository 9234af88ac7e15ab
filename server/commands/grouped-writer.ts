import { DomainError } from '../domain/errors.ts';

/** Two connections keep two cores of the database busy; more only make each other wait for the log (bench/ingest). */
const maxWriters = 2;
/** With fewer rows waiting, one larger transaction after another stores more of them than two small ones side by side. */
const rowsForAnotherWriter = 1_000;
/** Rows that may share a transaction; a single request may be larger. */
const maxGroupRows = 10_000;
/** A writer that takes longer may hang on a dead connection: another may take its place, so many times. */
const stalledAfterMs = 15_000;
const maxStalledWriters = 4;

export interface GroupedWriterParts<Work, Result> {
  /** Stores a group in one transaction and answers after its commit: a result for each, in their order. */
  store: (group: readonly Work[]) => Promise<Result[]>;
  rowsOf: (work: Work) => number;
}

interface Waiting<Work, Result> {
  work: Work;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Lets requests that wait at the same time share one transaction, so that the price of a commit is paid once for all of them.
 * What fails one request does not fail the others.
 */
export function createGroupedWriter<Work, Result>({
  store,
  rowsOf,
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
      const isUnavailable = error instanceof DomainError && error.code === 'unavailable';
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
