import type { Message } from '../../shared/messages.ts';
import type { Database } from '../database/pool.ts';
import type { AccountActor, AnonymousActor, Author } from '../base/scopes.ts';
import { bucketsOf, limiterOf, rates } from '../base/budgets.ts';
import { type DomainError, message, refuse } from '../base/errors.ts';
import { sourceOf } from '../base/source-address.ts';
import {
  findSecretsByEmail,
  deleteFailures,
  deleteOutdatedFailures,
  findFailures,
  lockFailures,
  updateFailures,
} from './accounts.sql.ts';
import { Summaries } from './audit.rules.ts';
import { afterFailure, failureWindowMs, lockedForSeconds } from './lockout.rules.ts';
import { makeChange } from './audit.ts';
import type { Passwords } from './passwords.ts';

/** The dependencies of the use cases of accounts. `now` is in epoch milliseconds. */
export const createAccountParts = (database: Database, passwords: Passwords, now: () => number) => ({
  database,
  passwords,
  guessers: limiterOf('guessers'),
  laterGuessers: limiterOf('laterGuessers'),
  firstTries: bucketsOf('firstTries'),
  attempts: limiterOf('guessesOfEmail'),
  failuresBySource: bucketsOf('failuresOfSource'),
  failureSummaries: new Summaries(),
  ownChanges: bucketsOf('ownChanges'),
  now,
});
export type AccountParts = ReturnType<typeof createAccountParts>;

/** Counts a user's change of their own account. Throws `tooManyRequests`. */
export function countOwnChange({ ownChanges, now }: AccountParts, { accountId }: AccountActor): void {
  const seconds = ownChanges.take(accountId, now());
  if (seconds === null) return;
  throw refuse(
    'tooManyOwnChanges',
    { max: rates.ownChanges.size, time: inMinutes(seconds) },
    { retryAfterSeconds: seconds },
  );
}

/**
 * The keys by which failures are counted: the email, and for people with a session also their account. For people with a
 * session only the account is locked. Otherwise strangers could prevent them from changing their password.
 */
const failureKeysOf = ({ email, by: { actor } }: Guesser): string[] => {
  // An email has an @. A text without one cannot be an email, but could equal the key of an account.
  if (!email?.includes('@')) return [];
  return actor.kind === 'anonymous' ? [email] : [ownFailuresKey(actor.accountId), email];
};
export const ownFailuresKey = (accountId: string) => `account ${accountId}`;

/** Who tries a password or second factor: an anonymous source, or an account with a session. */
export interface Guesser {
  /** Null for a passkey. Nobody can guess a passkey, so it locks no email. */
  email: string | null;
  by: Author<AccountActor | AnonymousActor>;
  /** The second step, after a correct password. */
  isSecondFactor?: boolean;
}

/**
 * Makes one attempt. Rejected while the source or the email (for people with a session: the account) is locked. A null counts
 * as a failure. Any other result clears the failures, unless a second factor must follow the password. Otherwise someone who
 * knows the password could try codes without end.
 */
export async function attempt<T>(
  parts: AccountParts,
  guesser: Guesser,
  guess: () => Promise<T | null>,
  failure: () => DomainError,
  isProven: (result: T) => boolean = () => true,
): Promise<T> {
  const { database, failuresBySource, now } = parts;
  const { actor } = guesser.by;
  const keys = failureKeysOf(guesser);
  const [lockKey = null] = keys;
  const source = actor.kind === 'anonymous' ? sourceOf(actor.sourceAddress) : null;
  const key = actor.kind === 'anonymous' ? `source ${source}` : `account ${actor.accountId}`;
  const guessOnce = async () => {
    if (actor.kind === 'anonymous') refuseLockedSource(parts, actor.sourceAddress);
    const failures = lockKey === null ? null : await findFailures(database, lockKey);
    if (failures !== null) refuseWhileLocked(lockedForSeconds(failures, now()), 'accountLocked');
    const result = await guess();
    if (result === null) {
      if (source !== null) failuresBySource.record(source, now());
      await recordFailure(parts, guesser);
      throw failure();
    }
    const isForgiven = failures !== null && failures.failedAt.length > 0 && isProven(result);
    if (isForgiven) for (const one of keys) await deleteFailures(database, one);
    return result;
  };
  const oneAtATime = () =>
    lockKey === null ? guessOnce() : parts.attempts.run(guessOnce, { key: lockKey.toLowerCase() });
  const inTurn = () => parts.guessers.run(oneAtATime, { key });
  if (source === null) return inTurn();
  if (parts.firstTries.take(source, now()) !== null) return parts.laterGuessers.run(inTurn, { key });
  const result = await inTurn();
  parts.firstTries.giveBack(source);
  return result;
}

/** Throws `tooManyRequests` while an address has failed too often. */
export function refuseLockedSource({ failuresBySource, now }: AccountParts, sourceAddress: string): void {
  refuseWhileLocked(failuresBySource.peek(sourceOf(sourceAddress), now()), 'addressLocked');
}

function refuseWhileLocked(lockedSeconds: number, code: 'accountLocked' | 'addressLocked'): void {
  if (lockedSeconds === 0) return;
  throw refuse(code, { time: inMinutes(lockedSeconds) }, { retryAfterSeconds: lockedSeconds });
}

/**
 * Records each failure of an account in the audit trail; the lock allows only a few. Failures of unknown emails and passkeys
 * are only counted. The typed text is not kept, because it may be a password.
 */
async function recordFailure(parts: AccountParts, guesser: Guesser): Promise<void> {
  const { email, by, isSecondFactor = false } = guesser;
  const { database, failureSummaries } = parts;
  const now = parts.now();
  await makeChange({ database, by }, async (tx, recordChange) => {
    let lockedUntil: number | null = null;
    // Always in this order, so that two attempts that fail at the same time wait for each other instead of deadlocking.
    for (const key of failureKeysOf(guesser)) {
      const before = await lockFailures(tx, key);
      // A failure with a session does not end the lock of the email.
      if (lockedForSeconds(before, now) > 0) continue;
      const failures = afterFailure(before, now);
      await updateFailures(tx, key, failures);
      lockedUntil ??= failures.lockedUntil;
    }
    const account = email === null ? null : await findSecretsByEmail(tx, email);
    const after = {
      ...(isSecondFactor && { secondFactor: true }),
      ...(lockedUntil !== null && { lockedUntil: new Date(lockedUntil) }),
    };
    await recordChange('sign-in.fail', {
      id: account?.id ?? null,
      name: account?.email ?? null,
      after: Object.keys(after).length === 0 ? null : after,
      summary: account === null ? failureSummaries.of('sign-in.fail', sourceOf(by.actor.sourceAddress), now) : null,
    });
  });
  await deleteOutdatedFailures(database, new Date(now - failureWindowMs), new Date(now));
}

function inMinutes(seconds: number): Message {
  if (seconds < 10) return message('fewSeconds');
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? message('aMinute') : message('someMinutes', { count: minutes });
}
