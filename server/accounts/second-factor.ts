import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { OwnProof } from '../../shared/passkeys.ts';
import type { Transaction } from '../database/pool.ts';
import type { AccountActor, AnonymousActor, Author } from '../base/scopes.ts';
import { found, refuse } from '../base/errors.ts';
import { findSecrets, hasSecondFactor, recordSignIn, replaceStamp } from './accounts.sql.ts';
import {
  deleteSecondFactors,
  findOwnSecondFactor,
  findSealedSecret,
  findSignInPolicy,
  replaceRecoveryCodes,
  type SignInPolicy,
  takeRecoveryCode,
  takeStep,
  updateSignInPolicy,
  upsertApp,
} from './second-factor.sql.ts';
import { deleteSessionsOf } from './sessions.sql.ts';
import {
  formatRecoveryCode,
  isStepOpen,
  readTypedCode,
  recoveryCodeBytes,
  recoveryCodesAtOnce,
} from './second-factor.rules.ts';
import { type StampedAccount, withOwnPassword } from './accounts.ts';
import { makeChange, type RecordChange } from './audit.ts';
import { type AnsweredChallenge, takePasskey } from './webauthn.ts';
import type { OpenStep, SecretBox } from './sealed.ts';
import { type AccountParts, attempt, countOwnChange } from './sign-in-attempts.ts';

export interface SecondFactorParts {
  accounts: AccountParts;
  box: SecretBox;
}

/** The result of the second step of signing in. It has recovery codes if an app or passkey was added. */
export interface SecondProof extends StampedAccount {
  recoveryCodes: string[] | null;
}

export const stepOver = () => refuse('signInTooSlow', {}, { field: 'token' });

/**
 * Checks the second factor of a user whose password was right. It is a code of the app, a recovery code, or the first code of
 * an app that the account must add. Throws `invalid` if the step has expired; `unauthenticated` for a wrong code, which counts
 * as a failed sign-in; and `tooManyRequests` while the email or the source is locked.
 */
export async function takeSecondFactor(
  { accounts, box }: SecondFactorParts,
  by: Author<AnonymousActor>,
  { step, code }: { step: OpenStep; code: string },
): Promise<SecondProof> {
  const { database, now } = accounts;
  const { accountId, securityStamp } = step;
  const secrets = await findSecretsOfStep(accounts, step);
  const guess = () =>
    makeChange({ database, by }, async (tx, recordChange): Promise<SecondProof | null> => {
      const at = new Date(now());
      const { newSecret } = step;
      if (newSecret === null) {
        if (!(await takeCode(tx, recordChange, { box, secrets, code, at }))) return null;
        const account = await recordSignIn(tx, { accountId, securityStamp, at });
        if (account === null) throw stepOver();
        return { account, securityStamp, recoveryCodes: null };
      }
      const added = await addApp(tx, recordChange, { box, step: { ...step, newSecret }, code, at, keptSession: null });
      if (added === null) return null;
      const account = await recordSignIn(tx, { accountId, securityStamp: added.securityStamp, at });
      return account && { account, ...added };
    });
  return attempt(accounts, { email: secrets.email, by, isSecondFactor: true }, guess, () => refuse('wrongCode'));
}

/** The secrets of the account of a step. Throws if the step has expired or the account has changed since. */
export async function findSecretsOfStep({ database, now }: AccountParts, step: OpenStep) {
  const secrets = isStepOpen(step.startedAt, now()) ? await findSecrets(database, step.accountId) : null;
  if (secrets === null || secrets.securityStamp !== step.securityStamp) throw stepOver();
  return secrets;
}

/** Uses up a code. False if it is not a code of the account. */
async function takeCode(
  tx: Transaction,
  recordChange: RecordChange,
  { box, secrets, code, at }: { box: SecretBox; secrets: { id: string; email: string }; code: string; at: Date },
): Promise<boolean> {
  const { id, email } = secrets;
  const typed = readTypedCode(code);
  if (typed === null) return false;
  if (typed.kind === 'recovery') {
    const isTaken = await takeRecoveryCode(tx, id, hashOf(typed.code));
    const left = (await findOwnSecondFactor(tx, id))?.recoveryCodesLeft ?? 0;
    if (isTaken) await recordChange('user.use-recovery-code', { id, name: email, after: { recoveryCodesLeft: left } });
    return isTaken;
  }
  const sealed = await findSealedSecret(tx, id);
  if (sealed === null) return false;
  const secret = await box.open(id, sealed);
  if (secret === null) {
    throw refuse('lostAppKey');
  }
  const step = await findStep(secret, typed.digits, at.getTime());
  return step !== null && takeStep(tx, id, step);
}

/**
 * Adds the app of a step if the code belongs to that app; null for any other code. The account gets a new stamp, so all of its
 * sessions except this one end.
 */
async function addApp(
  tx: Transaction,
  recordChange: RecordChange,
  {
    box,
    step: { accountId, securityStamp: expectedStamp, newSecret },
    code,
    at,
    keptSession,
  }: { box: SecretBox; step: OpenStep & { newSecret: string }; code: string; at: Date; keptSession: string | null },
): Promise<{ securityStamp: string; recoveryCodes: string[] } | null> {
  const typed = readTypedCode(code);
  const lastStep = typed?.kind === 'app' ? await findStep(newSecret, typed.digits, at.getTime()) : null;
  if (lastStep === null) return null;
  const { stamp, email } = await endOtherSessions(tx, { accountId, expectedStamp, keptSession });
  await upsertApp(tx, accountId, { sealedSecret: await box.seal(accountId, newSecret), lastStep, addedAt: at });
  const recoveryCodes = await renewCodes(tx, accountId);
  await recordChange('user.turn-on-second-factor', { id: accountId, name: email });
  return { securityStamp: stamp, recoveryCodes };
}

/** Gives the account a new stamp. Throws if it has changed since the step began. */
export async function endOtherSessions(
  tx: Transaction,
  { accountId, expectedStamp, keptSession }: { accountId: string; expectedStamp: string; keptSession: string | null },
): Promise<{ stamp: string; email: string }> {
  const stamp = randomUUID();
  const email = await replaceStamp(tx, { accountId, passwordHash: null, securityStamp: stamp, expectedStamp });
  if (email === null) throw stepOver();
  await deleteSessionsOf(tx, accountId, keptSession);
  return { stamp, email };
}

export async function renewCodes(tx: Transaction, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodesAtOnce }, () => formatRecoveryCode(randomBytes(recoveryCodeBytes)));
  await replaceRecoveryCodes(
    tx,
    accountId,
    codes.map((code) => hashOf(code.replaceAll('-', ''))),
  );
  return codes;
}

const hashOf = (code: string) => createHash('sha256').update(code).digest();

/** The proof needed to change your own second factor: the password, and a code or passkey if there is one already. */
export interface OwnChange {
  by: Author<AccountActor>;
  proof: Omit<OwnProof, 'passkey'> & { passkey: AnsweredChallenge | undefined };
}

/**
 * Counts a change that users make to their own second factor. Runs the change once the password and any existing second factor
 * are proven. A wrong proof counts as a failed sign-in.
 */
async function withOwnProof<T>(
  { accounts, box }: SecondFactorParts,
  { by, proof }: OwnChange,
  act: (securityStamp: string) => Promise<T | null>,
): Promise<T> {
  const { database, now } = accounts;
  const { currentPassword, code, passkey } = proof;
  return withOwnPassword(accounts, { by, currentPassword }, act, async (secrets) => {
    // Checked before a code is used up.
    countOwnChange(accounts, by.actor);
    if (!hasSecondFactor(secrets)) return true;
    if (code === undefined && passkey === undefined) {
      throw refuse('wantsSecondFactor', {}, { field: 'code' });
    }
    return makeChange({ database, by }, async (tx, recordChange) => {
      const at = new Date(now());
      if (passkey === undefined) return takeCode(tx, recordChange, { box, secrets, code: code ?? '', at });
      return (await takePasskey(tx, passkey, at)) === secrets.id;
    });
  });
}

/** Verifies the user before an app or a passkey is added. Returns the stamp of the account. */
export const beginAdding = (parts: SecondFactorParts, change: OwnChange) =>
  withOwnProof(parts, change, async (securityStamp) => securityStamp);

/** A change that users make to their own second factor, which already exists. */
export const changeOwnFactor = <T>(
  parts: SecondFactorParts,
  change: OwnChange,
  act: (tx: Transaction, recordChange: RecordChange, securityStamp: string) => Promise<T | null>,
): Promise<T> =>
  withOwnProof(parts, change, (stamp) =>
    makeChange({ database: parts.accounts.database, by: change.by }, (tx, record) => act(tx, record, stamp)),
  );

/**
 * Adds the app of a step that the same account began, and replaces its current one. This session continues with the new stamp;
 * all others end. Throws `invalid` for a wrong code. That does not count as a failed sign-in, because guessing gains nothing: the
 * client already has the secret of the app.
 */
export async function finishAddingApp(
  { accounts, box }: SecondFactorParts,
  by: Author<AccountActor>,
  { step, code }: { step: OpenStep; code: string },
): Promise<{ securityStamp: string; recoveryCodes: string[] }> {
  const { database, now } = accounts;
  const { newSecret } = step;
  if (newSecret === null || step.accountId !== by.actor.accountId || !isStepOpen(step.startedAt, now()))
    throw stepOver();
  return makeChange({ database, by }, async (tx, recordChange) => {
    const at = new Date(now());
    const keptSession = by.actor.sessionId;
    const added = await addApp(tx, recordChange, { box, step: { ...step, newSecret }, code, at, keptSession });
    if (added === null) {
      throw refuse('notCodeOfApp', {}, { field: 'code' });
    }
    return added;
  });
}

/** Makes new recovery codes and invalidates the old ones. Throws `conflict` without a second factor. */
export async function renewRecoveryCodes(parts: SecondFactorParts, change: OwnChange) {
  const { accountId } = change.by.actor;
  return changeOwnFactor(parts, change, async (tx, recordChange, expectedStamp) => {
    const secrets = found(await findSecrets(tx, accountId), 'account');
    if (secrets.securityStamp !== expectedStamp) return null;
    if (!hasSecondFactor(secrets)) throw refuse('noSecondFactor');
    await recordChange('user.renew-recovery-codes', { id: accountId, name: secrets.email });
    return renewCodes(tx, accountId);
  });
}

export const mustKeep = () => refuse('needsSecondFactor');

/**
 * Turns off the second factor of the caller's account. This session continues with the new stamp; all others end.
 * Throws `conflict` if a second factor is required.
 */
export async function turnOffSecondFactor(parts: SecondFactorParts, change: OwnChange) {
  const { accountId, sessionId } = change.by.actor;
  return changeOwnFactor(parts, change, async (tx, recordChange, expectedStamp) => {
    // This comes first, because it locks the account. A change that requires a second factor at the same moment then either
    // waits or is visible below.
    const { stamp, email } = await endOtherSessions(tx, { accountId, expectedStamp, keptSession: sessionId });
    if ((await findOwnSecondFactor(tx, accountId))?.isRequired) throw mustKeep();
    if (await deleteSecondFactors(tx, accountId)) {
      await recordChange('user.turn-off-second-factor', { id: accountId, name: email });
    }
    return stamp;
  });
}

/**
 * Removes the second factor of another user who has lost it, and ends their sessions. Throws `notFound`, and `conflict` for the
 * user's own account.
 */
export async function resetSecondFactor(
  { accounts }: SecondFactorParts,
  { by, id }: { by: Author<AccountActor>; id: string },
): Promise<void> {
  if (id === by.actor.accountId) {
    throw refuse('notOwnSecondFactor');
  }
  await makeChange({ database: accounts.database, by }, async (tx, recordChange) => {
    const change = { accountId: id, passwordHash: null, securityStamp: randomUUID(), expectedStamp: null };
    const email = found(await replaceStamp(tx, change), 'user');
    await deleteSessionsOf(tx, id, null);
    if (await deleteSecondFactors(tx, id)) await recordChange('user.reset-second-factor', { id, name: email });
  });
}

/**
 * Sets whether administrators need a second factor. Those without one are signed out and add one when they sign in again, so
 * nobody is locked out. Throws `conflict` if the administrator who requires it has none.
 */
export async function changeSignInPolicy(
  { accounts }: SecondFactorParts,
  by: Author<AccountActor>,
  policy: SignInPolicy,
): Promise<void> {
  await makeChange({ database: accounts.database, by }, async (tx, recordChange) => {
    const before = await findSignInPolicy(tx);
    await updateSignInPolicy(tx, policy);
    const own = found(await findSecrets(tx, by.actor.accountId), 'account');
    if (policy.adminsNeedSecondFactor && !hasSecondFactor(own)) {
      throw refuse('ownSecondFactorFirst');
    }
    await recordChange('sign-in.change-policy', { id: null, before, after: policy });
  });
}

const secretBytes = 20;
const periodSeconds = 30;
/** RFC 6238: one time step before and one after are accepted, because clocks differ and people type slowly. */
const window = 1;

// Loaded for the first code, because many portals never use one.
const load = () => import('otpauth');

/** A new secret for an authenticator app: Base32, to be typed, and as `otpauth://…`, to be shown as a picture. */
export async function createNewApp(names: { issuer: string; label: string }) {
  const { Secret, TOTP } = await load();
  const secret = new Secret({ size: secretBytes });
  // A colon would end the issuer.
  const issuer = names.issuer.replaceAll(':', ' ');
  return { secret: secret.base32, uri: new TOTP({ issuer, label: names.label, secret }).toString() };
}

/** The time step of this code. It must be the time step of `nowMs` or one next to it; null for any other code. */
async function findStep(secret: string, digits: string, nowMs: number): Promise<number | null> {
  const { Secret, TOTP } = await load();
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: periodSeconds });
  const delta = totp.validate({ token: digits, timestamp: nowMs, window });
  return delta === null ? null : Math.floor(nowMs / 1000 / periodSeconds) + delta;
}
