import { randomUUID, randomUUIDv7 } from 'node:crypto';
import {
  findSecrets,
  findSecretsByEmail,
  insertAccountUnlessEmailExists,
  recordSignIn,
  replacePassword,
  updateDisplayName,
} from '../db/accounts.ts';
import type { Database } from '../db/pool.ts';
import { deleteSessionsOf } from '../db/sessions.ts';
import {
  deleteFailures,
  deleteOutdatedFailures,
  findFailures,
  lockFailures,
  updateFailures,
} from '../db/sign-in-failures.ts';
import { lockUser } from '../db/users.ts';
import type { Account } from '../domain/accounts.ts';
import { Allowance } from '../domain/allowance.ts';
import type { AccountActor, AnonymousActor } from '../domain/actors.ts';
import { Summaries } from '../domain/audit.ts';
import { DomainError, found } from '../domain/errors.ts';
import { Limiter } from '../domain/limiter.ts';
import { afterFailure, failureWindowMs, FailuresBySource, lockedForSeconds } from '../domain/lockout.ts';
import { refuseWeakPassword } from '../domain/passwords.ts';
import { sourceOf } from '../domain/source-address.ts';
import type { Precondition } from '../domain/preconditions.ts';
import { type Author, makeChange } from './audit.ts';
import { tooManySignIns, type Passwords } from './passwords.ts';

/** What the use cases of accounts need. */
export interface AccountParts {
  database: Database;
  passwords: Passwords;
  /** Keyed by source, so that a flood from one delays neither other sources nor people with a session. */
  guessers: Limiter;
  /** One attempt at a time for each email, so that a burst of parallel guesses gets no more tries than a slow one. */
  attempts: Limiter;
  failuresBySource: FailuresBySource;
  failureSummaries: Summaries;
  /** By account. */
  ownChanges: Allowance;
  /** Epoch milliseconds. */
  now: () => number;
}

/** An account and the stamp for its new sessions. */
export interface StampedAccount {
  account: Account;
  securityStamp: string;
}

/** Of one's own name, password and sessions: each is in the audit trail for two years, which anybody who signs in could fill. */
const ownChangesAnHour = 30;
// Some fifty guesses are checked within a second or two: nobody stands behind a longer queue of the same address.
const guesserLimits = { max: 64, maxPerKey: 4, maxWaiting: 1_000, maxWaitingPerKey: 50 } as const;
const tooManyOfOneSource = () =>
  new DomainError('tooManyRequests', 'Too many sign-ins come from one address at the moment; try again shortly.', 2);
// One more than an email may have: a longer text is cut and belongs to nobody.
const maxEmailLength = 255;

export function createAccountParts(database: Database, passwords: Passwords, now: () => number): AccountParts {
  return {
    database,
    passwords,
    guessers: new Limiter({ ...guesserLimits, refusal: tooManyOfOneSource }),
    attempts: new Limiter({ max: Infinity, maxPerKey: 1, refusal: tooManySignIns }),
    failuresBySource: new FailuresBySource(),
    failureSummaries: new Summaries(),
    ownChanges: new Allowance(ownChangesAnHour, 3_600_000),
    now,
  };
}

/**
 * Signs in. Throws `unauthenticated` with the same message for an unknown email, a wrong password and an inactive account, and
 * `tooManyRequests` while the email (with or without an account) or the source is locked.
 */
export async function signIn(
  parts: AccountParts,
  by: Author<AnonymousActor>,
  given: { email: string; password: string },
): Promise<StampedAccount> {
  const email = attemptedEmail(given.email);
  return attempt(
    parts,
    { email, by },
    async () => {
      const secrets = await findSecretsByEmail(parts.database, email);
      const verdict = await parts.passwords.verify(given.password, secrets?.passwordHash ?? null);
      if (secrets === null || !secrets.isActive || !verdict.isCorrect) return null;
      const account = await recordSignIn(parts.database, {
        accountId: secrets.id,
        securityStamp: secrets.securityStamp,
        at: new Date(parts.now()),
        newPasswordHash: verdict.renewedHash,
      });
      return account && { account, securityStamp: secrets.securityStamp };
    },
    () => new DomainError('unauthenticated', 'The email or the password is wrong.'),
  );
}

/** Counts a change of what is one's own. Throws `tooManyRequests`. */
export function countOwnChange({ ownChanges, now }: AccountParts, { accountId }: AccountActor): void {
  const seconds = ownChanges.take(accountId, now());
  if (seconds === null) return;
  throw new DomainError(
    'tooManyRequests',
    `You may change your name, password and sessions ${ownChangesAnHour} times an hour; try again in ${inMinutes(seconds)}.`,
    Math.ceil(seconds),
  );
}

/** Changes one's own name. Throws `notFound`, `tooManyRequests`, and what `refuse` throws for the account as it was. */
export async function changeDisplayName(
  parts: AccountParts,
  by: Author<AccountActor>,
  displayName: string,
  refuse: Precondition<{ displayName: string }>,
): Promise<Account> {
  const id = by.actor.accountId;
  return makeChange({ database: parts.database, by }, async (tx, recordChange) => {
    const before = found(await lockUser(tx, id), 'account');
    refuse(before);
    if (before.displayName !== displayName) countOwnChange(parts, by.actor);
    const account = found(await updateDisplayName(tx, id, displayName), 'account');
    const shown = { before: { displayName: before.displayName }, after: { displayName: account.displayName } };
    await recordChange('user.change-own-name', { id, name: account.email, ...shown });
    return account;
  });
}

/**
 * Changes one's own password and returns the stamp with which the session continues; all other sessions end. The current
 * password is checked first: a wrong one is `invalid` with `Incorrect password.` whatever the new one is, and counts as a failed
 * sign-in.
 */
export async function changePassword(
  parts: AccountParts,
  change: {
    /** This session continues. */
    by: Author<AccountActor>;
    currentPassword: string;
    newPassword: string;
  },
): Promise<string> {
  const { by, currentPassword } = change;
  const { accountId, sessionId } = by.actor;
  return withOwnPassword(parts, { by, currentPassword }, async (expectedStamp) => {
    refuseWeakPassword(change.newPassword, parts.passwords.isCommon);
    countOwnChange(parts, by.actor);
    const securityStamp = randomUUID();
    const passwordHash = await parts.passwords.hash(change.newPassword);
    return makeChange({ database: parts.database, by }, async (tx, recordChange) => {
      const name = await replacePassword(tx, { accountId, passwordHash, securityStamp, expectedStamp });
      if (name === null) return null;
      await deleteSessionsOf(tx, accountId, sessionId);
      await recordChange('user.change-own-password', { id: accountId, name });
      return securityStamp;
    });
  });
}

/** Checks the password of the account that asks. A wrong one is `invalid` and counts as a failed sign-in. */
export async function proveOwnPassword(
  parts: AccountParts,
  proof: { by: Author<AccountActor>; currentPassword: string },
): Promise<void> {
  await withOwnPassword(parts, proof, async () => true);
}

/** Runs `act` once the current password is proven; a null from `act` counts as a wrong password. */
async function withOwnPassword<T>(
  parts: AccountParts,
  { by, currentPassword }: { by: Author<AccountActor>; currentPassword: string },
  act: (securityStamp: string) => Promise<T | null>,
): Promise<T> {
  const { accountId } = by.actor;
  const { email } = found(await findSecrets(parts.database, accountId), 'account');
  return attempt(
    parts,
    { email, by },
    async () => {
      const secrets = await findSecrets(parts.database, accountId);
      const { isCorrect } = await parts.passwords.verify(currentPassword, secrets?.passwordHash ?? null);
      return secrets === null || !isCorrect ? null : act(secrets.securityStamp);
    },
    () => new DomainError('invalid', 'Incorrect password.'),
  );
}

/** Startup rule 4. True when the account was created now. Several portals may do this at the same moment. */
export async function seedDefaultAdmin(
  parts: AccountParts,
  by: Author,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  if ((await findSecretsByEmail(parts.database, email)) !== null) return false;
  const id = randomUUIDv7();
  const shown = { email, displayName: 'Administrator', roles: ['Admin' as const] };
  const passwordHash = await parts.passwords.hash(password);
  return makeChange({ database: parts.database, by }, async (tx, recordChange) => {
    const account = { id, ...shown, passwordHash, securityStamp: randomUUID() };
    const isCreated = await insertAccountUnlessEmailExists(tx, account);
    if (isCreated) await recordChange('user.create', { id, name: email, after: { ...shown, isActive: true } });
    return isCreated;
  });
}

/**
 * Startup rule 6, for the accounts in the database: throws if one of them can still sign in with the shipped password, whatever
 * the settings say.
 */
export async function refuseShippedPassword(
  { database, passwords }: AccountParts,
  emails: readonly string[],
  shippedPassword: string,
): Promise<void> {
  for (const email of new Set(emails)) {
    const secrets = await findSecretsByEmail(database, email);
    if (secrets === null || !secrets.isActive) continue;
    const { isCorrect } = await passwords.verify(shippedPassword, secrets.passwordHash);
    if (isCorrect) {
      throw new Error(
        `The account ${email} still has the password that ships, which Production refuses; ` +
          'Authentication__DefaultAdminPassword is read only when the account is made. Start the portal once with ' +
          'Application__Environment=Development where only you can reach it, and change the password under Settings → Password.',
      );
    }
  }
}

/** Who tries a password: an anonymous source, or somebody with a session. */
interface Guesser {
  email: string;
  by: Author<AccountActor | AnonymousActor>;
}

/** One attempt at a password: refused while the email or the source is locked; a null counts as a failure, anything else clears the failures of the email. */
async function attempt<T>(
  parts: AccountParts,
  guesser: Guesser,
  guess: () => Promise<T | null>,
  failure: () => DomainError,
): Promise<T> {
  const { database, failuresBySource, now } = parts;
  const { email } = guesser;
  const { actor } = guesser.by;
  const source = actor.kind === 'anonymous' ? sourceOf(actor.sourceAddress) : null;
  const key = actor.kind === 'anonymous' ? `source ${source}` : `account ${actor.accountId}`;
  const guessOnce = async () => {
    if (source !== null) refuseWhileLocked(failuresBySource.lockedForSeconds(source, now()), 'from this address');
    const failures = await findFailures(database, email);
    refuseWhileLocked(lockedForSeconds(failures, now()), 'for this email');
    const result = await guess();
    if (result === null) {
      if (source !== null) failuresBySource.record(source, now());
      await recordFailure(parts, guesser);
      throw failure();
    }
    if (failures.failedAt.length > 0) await deleteFailures(database, email);
    return result;
  };
  return parts.guessers.run(() => parts.attempts.run(guessOnce, { key: email.toLowerCase() }), { key });
}

function refuseWhileLocked(lockedSeconds: number, ofWhat: string): void {
  if (lockedSeconds === 0) return;
  throw new DomainError(
    'tooManyRequests',
    `There were too many failed attempts ${ofWhat}; try again in ${inMinutes(lockedSeconds)}.`,
    lockedSeconds,
  );
}

/**
 * The audit trail has each failure of an account, of which the lock allows few; those of emails that nobody has are counted, and
 * what was typed is not kept: it may be a password.
 */
async function recordFailure(parts: AccountParts, { email, by }: Guesser): Promise<void> {
  const { database, failureSummaries } = parts;
  const now = parts.now();
  await makeChange({ database, by }, async (tx, recordChange) => {
    const failures = afterFailure(await lockFailures(tx, email), now);
    await updateFailures(tx, email, failures);
    const account = await findSecretsByEmail(tx, email);
    await recordChange('sign-in.fail', {
      id: account?.id ?? null,
      name: account?.email ?? null,
      after: failures.lockedUntil === null ? null : { lockedUntil: new Date(failures.lockedUntil) },
      summary: account === null ? failureSummaries.of('sign-in.fail', sourceOf(by.actor.sourceAddress), now) : null,
    });
  });
  await deleteOutdatedFailures(database, new Date(now - failureWindowMs), new Date(now));
}

/** A typed email in a form that the database can store; if it is not an email, it belongs to nobody. */
function attemptedEmail(given: string): string {
  return given.trim().replaceAll('\u0000', '\uFFFD').slice(0, maxEmailLength);
}

function inMinutes(seconds: number): string {
  if (seconds < 10) return 'a few seconds';
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
