import { randomUUIDv7 } from 'node:crypto';
import { findSecrets, hasSecondFactor, recordSignIn } from '../db/accounts.ts';
import { deletePasskey, insertPasskey, listCredentials } from '../db/passkeys.ts';
import { deleteSecondFactors, findOwnSecondFactor } from '../db/second-factors.ts';
import type { AccountActor, AnonymousActor } from '../domain/actors.ts';
import { DomainError, found } from '../domain/errors.ts';
import { maxPasskeys, type RelyingParty } from '../domain/relying-party.ts';
import { isStepOpen } from '../domain/second-factor.ts';
import type { StampedAccount } from './accounts.ts';
import { type AnsweredChallenge, takePasskey } from './answered-challenge.ts';
import { type Author, makeChange } from './audit.ts';
import {
  beginAdding,
  endOtherSessions,
  mustKeep,
  type OpenStep,
  type OwnChange,
  renewCodes,
  type SecondFactorParts,
  stepOver,
  withOwnProof,
} from './second-factor.ts';
import { attempt, countOwnChange } from './sign-in-attempts.ts';
import { refuseViolation } from './violations.ts';
import { type MadePasskey, readMadePasskey } from './webauthn.ts';

/**
 * Signs in with a passkey alone, whose device knows its user: what one has and what one is or knows. Throws `unauthenticated`, which
 * counts as a failure of the source, and `tooManyRequests` while that is locked.
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
      const account = await recordSignIn(tx, { accountId, securityStamp, at, newPasswordHash: null });
      return account && { account, securityStamp };
    });
  const refusal = () =>
    new DomainError('unauthenticated', 'The passkey is not known here, or its answer came too late.');
  return attempt(accounts, { email: null, by }, guess, refusal);
}

/** Proves who begins to add a passkey. Answers the stamp of the account, and the credentials that it has. Throws `conflict` where there are too many. */
export async function beginAddingPasskey(parts: SecondFactorParts, change: OwnChange) {
  const credentials = await listCredentials(parts.accounts.database, change.by.actor.accountId);
  if (credentials.length >= maxPasskeys) throw tooMany();
  return { securityStamp: await beginAdding(parts, change), credentials };
}

const tooMany = () =>
  new DomainError('conflict', `Your account has ${maxPasskeys} passkeys already; remove one of them first.`);

/**
 * Adds the passkey of a step that the same account began; this session goes on with the new stamp, all others end. The recovery
 * codes are those of an account that had no second factor before.
 */
export async function finishAddingPasskey(
  { accounts: { database, now } }: SecondFactorParts,
  by: Author<AccountActor>,
  { step, name, made, party }: { step: OpenStep; name: string; made: MadePasskey; party: RelyingParty },
): Promise<{ securityStamp: string; recoveryCodes: string[] | null }> {
  const { accountId, newSecret: challenge, securityStamp: expectedStamp } = step;
  if (challenge === null || accountId !== by.actor.accountId || !isStepOpen(step.startedAt, now())) throw stepOver();
  const credential = await readMadePasskey(made, { challenge, party });
  if (credential === null) {
    throw new DomainError(
      'invalid',
      'credential: this is no passkey of this portal that asks for a finger, a face or a PIN.',
    );
  }
  const adding = makeChange({ database, by }, async (tx, recordChange) => {
    const { stamp, email } = await endOtherSessions(tx, { accountId, expectedStamp, keptSession: by.actor.sessionId });
    if ((await listCredentials(tx, accountId)).length >= maxPasskeys) throw tooMany();
    const isFirst = !hasSecondFactor(found(await findSecrets(tx, accountId), 'account'));
    await insertPasskey(tx, {
      id: randomUUIDv7(),
      accountId,
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: credential.publicKey,
      signCount: credential.counter,
      host: party.id,
      name,
      createdAt: new Date(now()),
    });
    await recordChange('user.add-passkey', { id: accountId, name: email, after: { name } });
    return { securityStamp: stamp, recoveryCodes: isFirst ? await renewCodes(tx, accountId) : null };
  });
  return adding.catch(
    refuseViolation({
      passkeys_credential_key: () => new DomainError('conflict', 'This passkey is registered already.'),
    }),
  );
}

/** Removes an own passkey, and with the last second factor its recovery codes. Throws `notFound`, and `conflict` where one is required. */
export async function removePasskey(parts: SecondFactorParts, { by, proof, id }: OwnChange & { id: string }) {
  const { accounts } = parts;
  const { accountId, sessionId } = by.actor;
  return withOwnProof(parts, { by, proof }, async (expectedStamp) => {
    countOwnChange(accounts, by.actor);
    return makeChange({ database: accounts.database, by }, async (tx, recordChange) => {
      const { stamp, email } = await endOtherSessions(tx, { accountId, expectedStamp, keptSession: sessionId });
      const name = found(await deletePasskey(tx, accountId, id), 'passkey');
      if (!hasSecondFactor(found(await findSecrets(tx, accountId), 'account'))) {
        if ((await findOwnSecondFactor(tx, accountId))?.isRequired) throw mustKeep();
        await deleteSecondFactors(tx, accountId);
      }
      await recordChange('user.remove-passkey', { id: accountId, name: email, before: { name } });
      return stamp;
    });
  });
}
