import { ApiError } from './http.ts';
import { sharedValue } from './shared-value.ts';

/** One field in which two versions of a record differ, in words. */
export interface Difference {
  label: string;
  mine: string;
  theirs: string;
}

export type Decision = 'mine' | 'theirs' | 'neither';

/** Someone else has changed this resource; the user has to choose a version. */
interface EditConflict {
  differences: readonly Difference[];
  decide: (decision: Decision) => void;
}

/** The user chose the other version. Nothing was written, and the form may close. */
export class TheirsKept extends Error {
  override readonly name = 'TheirsKept';
}

const open = sharedValue<EditConflict | null>(null);
export const { read: currentConflict, subscribe: subscribeToConflicts } = open;

const ask = (differences: readonly Difference[]): Promise<Decision> =>
  new Promise((resolve) => {
    currentConflict()?.decide('neither');
    const decide = (decision: Decision) => {
      open.write(null);
      resolve(decision);
    };
    open.write({ differences, decide });
  });

export interface Save<Stored, Saved> {
  /** The values at the start of the form; null creates a new record. */
  seen: Stored | null;
  versionOf: (stored: Stored) => string;
  write: (ifMatch: string | undefined) => Promise<Saved>;
  /** The stored resource; undefined if it was deleted. */
  read: () => Promise<Stored | undefined>;
  /** The fields of both versions. */
  describe: (theirs: Stored) => readonly Difference[];
}

/**
 * Saves over the version that the user saw. If someone else has changed it since, both versions are shown, and the user
 * keeps one. @throws TheirsKept, the ApiError 412 if the user made no choice, and errors of `write` and `read`
 */
export async function saveOver<Stored, Saved>(save: Save<Stored, Saved>): Promise<Saved> {
  let expected = save.seen;
  for (;;) {
    try {
      return await save.write(expected === null ? undefined : `"${save.versionOf(expected)}"`);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
      const theirs = await save.read();
      if (theirs === undefined) throw error;
      const decision = await ask(save.describe(theirs).filter(({ mine, theirs: other }) => mine !== other));
      if (decision === 'theirs') throw new TheirsKept();
      if (decision === 'neither') throw error;
      expected = theirs;
    }
  }
}
