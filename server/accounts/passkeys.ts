import { randomUUIDv7 } from 'node:crypto';
import type { PasskeyCreate } from '../../shared/passkeys.ts';
import type { Transaction } from '../database/pool.ts';
import type { AccountActor, AnonymousActor, Author } from '../base/scopes.ts';
import { found, refuse } from '../base/errors.ts';
import { refuseViolation } from '../database/errors.ts';
import { findSecrets, hasSecondFactor, recordSignIn } from './accounts.sql.ts';
import {
  deletePasskey,
  insertPasskey,
  listCredentials,
  deleteSecondFactors,
  findOwnSecondFactor,
} from './second-factor.sql.ts';
import type { OpenStep } from './sealed.ts';
import { maxPasskeys, type RelyingParty, type AnsweredChallenge, takePasskey, readMadePasskey } from './webauthn.ts';
import { isStepOpen } from './second-factor.rules.ts';
import type { StampedAccount } from './accounts.ts';
import { makeChange } from './audit.ts';
import {
  beginAdding,
  changeOwnFactor,
  endOtherSessions,
  findSecretsOfStep,
  mustKeep,
  type OwnChange,
  renewCodes,
  type SecondFactorParts,
  type SecondProof,
  stepOver,
} from './second-factor.ts';
import { type AccountParts, attempt } from './sign-in-attempts.ts';

/**
 * Signs in with a passkey alone. The user's device verifies the user, so a passkey is two factors in one. Throws
 * `unauthenticated`, which counts as a failure of the source, and `tooManyRequests` while the source is locked.
 */
export async function signInWithPasskey(
  { accounts }: SecondFactorParts,
  by: Author<AnonymousActor>,
  answered: AnsweredChallenge,
): Promise<StampedAccount> {
  const { database, now } = accounts;
  const guess = () =>
    makeChange({ database, by }, async (tx): Promise<StampedAccount | null> => {
      const at = new Date(now());
      const accountId = await takePasskey(tx, answered, at);
      const secrets = accountId === null ? null : await findSecrets(tx, accountId);
      if (accountId === null || secrets === null) return null;
      const { securityStamp } = secrets;
      const account = await recordSignIn(tx, { accountId, securityStamp, at });
      return account && { account, securityStamp };
    });
  const refusal = () => refuse('unknownPasskey');
  return attempt(accounts, { email: null, by }, guess, refusal);
}

/**
 * Verifies the user before a passkey is added. Returns the stamp of the account and its credentials. Throws `conflict`
 * if it has too many.
 */
export async function beginAddingPasskey(parts: SecondFactorParts, change: OwnChange) {
  const credentials = await listCredentials(parts.accounts.database, change.by.actor.accountId);
  if (credentials.length >= maxPasskeys) throw tooMany();
  return { securityStamp: await beginAdding(parts, change), credentials };
}

const tooMany = () => refuse('manyPasskeys', { max: maxPasskeys });

/** A passkey that a browser created for the challenge of a step. */
interface Adding {
  step: OpenStep;
  name: string;
  made: PasskeyCreate['credential'];
  party: RelyingParty;
}

/** The new stamp of the account, and recovery codes if it had no second factor before. */
interface Added {
  securityStamp: string;
  recoveryCodes: string[] | null;
}

/** Adds the passkey of a step that this account began. This session continues with the new stamp; all others end. */
export async function finishAddingPasskey(
  { accounts }: SecondFactorParts,
  by: Author<AccountActor>,
  adding: Adding,
): Promise<Added> {
  if (adding.step.accountId !== by.actor.accountId) throw stepOver();
  return addPasskey(accounts, by, adding, by.actor.sessionId, async (_tx, added) => added);
}

/**
 * Verifies a user whose account must have a second factor and who starts with a passkey. Returns the email of the
 * account.
 */
export async function beginFirstPasskey({ accounts }: SecondFactorParts, step: OpenStep): Promise<string> {
  // An account that has a second factor must prove it; the password alone cannot add another.
  if (step.newSecret === null) throw stepOver();
  return (await findSecretsOfStep(accounts, step)).email;
}

/** Adds the passkey that the account must get, and signs in with it. */
export async function finishFirstPasskey(
  { accounts }: SecondFactorParts,
  by: Author<AnonymousActor>,
  adding: Adding,
): Promise<SecondProof> {
  return addPasskey(accounts, by, adding, null, async (tx, added) => {
    const { securityStamp } = added;
    const at = new Date(accounts.now());
    const account = await recordSignIn(tx, { accountId: adding.step.accountId, securityStamp, at });
    if (account === null) throw stepOver();
    return { account, ...added };
  });
}

/** Stores the passkey and ends all other sessions. `finish` runs in the same transaction. */
async function addPasskey<T>(
  { database, now }: AccountParts,
  by: Author<AccountActor | AnonymousActor>,
  { step, name, made, party }: Adding,
  keptSession: string | null,
  finish: (tx: Transaction, added: Added) => Promise<T>,
): Promise<T> {
  const { accountId, newSecret: challenge, securityStamp: expectedStamp } = step;
  if (challenge === null || !isStepOpen(step.startedAt, now())) throw stepOver();
  const credential = await readMadePasskey(made, { challenge, party });
  if (credential === null) throw refuse('notAPasskey', {}, { field: 'credential' });
  const change = makeChange({ database, by }, async (tx, recordChange) => {
    const { stamp, email } = await endOtherSessions(tx, { accountId, expectedStamp, keptSession });
    if ((await listCredentials(tx, accountId)).length >= maxPasskeys) throw tooMany();
    const isFirst = !hasSecondFactor(found(await findSecrets(tx, accountId), 'account'));
    await insertPasskey(tx, {
      id: randomUUIDv7(),
      accountId,
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      signCount: credential.counter,
      host: party.id,
      name,
      createdAt: new Date(now()),
    });
    await recordChange('user.add-passkey', { id: accountId, name: email, after: { name } });
    return finish(tx, { securityStamp: stamp, recoveryCodes: isFirst ? await renewCodes(tx, accountId) : null });
  });
  return change.catch(refuseViolation({ passkeys_credential_key: () => refuse('passkeyTaken') }));
}

/**
 * Removes a passkey of the account that asks, and with its last second factor the recovery codes. Throws `notFound`, and
 * `conflict` if a second factor is required.
 */
export async function removePasskey(parts: SecondFactorParts, { id, ...change }: OwnChange & { id: string }) {
  const { accountId, sessionId } = change.by.actor;
  return changeOwnFactor(parts, change, async (tx, recordChange, expectedStamp) => {
    const { stamp, email } = await endOtherSessions(tx, { accountId, expectedStamp, keptSession: sessionId });
    const name = found(await deletePasskey(tx, accountId, id), 'passkey');
    if (!hasSecondFactor(found(await findSecrets(tx, accountId), 'account'))) {
      if ((await findOwnSecondFactor(tx, accountId))?.isRequired) throw mustKeep();
      await deleteSecondFactors(tx, accountId);
    }
    await recordChange('user.remove-passkey', { id: accountId, name: email, before: { name } });
    return stamp;
  });
}
