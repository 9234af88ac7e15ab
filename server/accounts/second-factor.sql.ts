import type { ListedPasskey } from '../../shared/passkeys.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { affectsRows, execute, findRow, findValue, listRows, listValues, valuesOf } from '../database/rows.ts';

interface AuthenticatorApp {
  sealedSecret: string;
  /** The time step of the last accepted code. */
  lastStep: number;
  addedAt: Date;
}

/** The second factor as its own account sees it. */
export interface OwnSecondFactor {
  appAddedAt: string | null;
  recoveryCodesLeft: number;
  isRequired: boolean;
}

/** SQL: whether account `a` must have a second factor. */
export const isRequiredOf = `(cardinality(a.roles) > 0 AND EXISTS (SELECT FROM portal.sign_in_policy WHERE admins_need_second_factor))`;
export const hasAppOf = `EXISTS (SELECT FROM portal.authenticator_apps WHERE account_id = a.id)`;
export const hasPasskeyOf = `EXISTS (SELECT FROM portal.passkeys WHERE account_id = a.id)`;
export const hasSecondFactorOf = `(${hasAppOf} OR ${hasPasskeyOf})`;

const FIND_OWN = `SELECT t.added_at AS "appAddedAt", ${isRequiredOf} AS "isRequired",
    (SELECT count(*)::integer FROM portal.recovery_codes WHERE account_id = a.id) AS "recoveryCodesLeft"
  FROM portal.accounts a LEFT JOIN portal.authenticator_apps t ON t.account_id = a.id WHERE a.id = $1`;
const FIND_SECRET = `SELECT sealed_secret AS "sealedSecret" FROM portal.authenticator_apps WHERE account_id = $1`;
// If the same code is used twice, the second use waits for the row. It then finds that the time step is already used.
const TAKE_STEP = `UPDATE portal.authenticator_apps SET last_step = $2 WHERE account_id = $1 AND last_step < $2`;
const UPSERT_APP = `INSERT INTO portal.authenticator_apps (account_id, sealed_secret, last_step, added_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (account_id) DO UPDATE SET sealed_secret = $2, last_step = $3, added_at = $4`;
const DELETE_APP = `DELETE FROM portal.authenticator_apps WHERE account_id = $1`;
const DELETE_PASSKEYS = `DELETE FROM portal.passkeys WHERE account_id = $1`;
const TAKE_CODE = `DELETE FROM portal.recovery_codes WHERE account_id = $1 AND code_hash = $2`;
const DELETE_CODES = `DELETE FROM portal.recovery_codes WHERE account_id = $1`;
const INSERT_CODES = `INSERT INTO portal.recovery_codes (account_id, code_hash) SELECT $1, unnest($2::bytea[])`;

const SET_POLICY = `INSERT INTO portal.sign_in_policy (admins_need_second_factor) VALUES ($1)
  ON CONFLICT (is_only) DO UPDATE SET admins_need_second_factor = $1`;
const FIND_POLICY = `SELECT admins_need_second_factor AS "adminsNeedSecondFactor" FROM portal.sign_in_policy`;
// In the order of their ids, like all changes of users. Waits for a user who is just turning off their second factor.
const LOCK_ADMINISTRATORS = `SELECT FROM portal.accounts WHERE cardinality(roles) > 0 ORDER BY id FOR UPDATE`;
const END_SESSIONS_WITHOUT = `WITH stamped AS (
    UPDATE portal.accounts a SET security_stamp = gen_random_uuid() WHERE cardinality(roles) > 0 AND NOT ${hasSecondFactorOf} RETURNING id)
  DELETE FROM portal.sessions WHERE account_id IN (SELECT id FROM stamped)`;

export interface SignInPolicy {
  adminsNeedSecondFactor: boolean;
}

export const findSignInPolicy = async (database: Queryable): Promise<SignInPolicy> =>
  (await findRow<SignInPolicy>(database, FIND_POLICY)) ?? { adminsNeedSecondFactor: false };

/** Ends the sessions and running sign-ins of those administrators who could no longer sign in. */
export async function updateSignInPolicy(transaction: Transaction, { adminsNeedSecondFactor }: SignInPolicy) {
  await execute(transaction, LOCK_ADMINISTRATORS);
  await execute(transaction, SET_POLICY, adminsNeedSecondFactor);
  if (adminsNeedSecondFactor) await execute(transaction, END_SESSIONS_WITHOUT);
}

export const findOwnSecondFactor = (database: Queryable, accountId: string) =>
  findRow<OwnSecondFactor>(database, FIND_OWN, accountId);

export const findSealedSecret = (database: Queryable, accountId: string) =>
  findValue<string>(database, FIND_SECRET, accountId);

/** False if a code of this or a later time step has been used already. */
export const takeStep = (transaction: Transaction, accountId: string, step: number) =>
  affectsRows(transaction, TAKE_STEP, accountId, step);

export const upsertApp = (transaction: Transaction, accountId: string, app: AuthenticatorApp) =>
  execute(transaction, UPSERT_APP, accountId, app.sealedSecret, app.lastStep, app.addedAt);

/** False if the account no longer has this code. */
export const takeRecoveryCode = (transaction: Transaction, accountId: string, hash: Buffer) =>
  affectsRows(transaction, TAKE_CODE, accountId, hash);

export async function replaceRecoveryCodes(transaction: Transaction, accountId: string, hashes: readonly Buffer[]) {
  await execute(transaction, DELETE_CODES, accountId);
  await execute(transaction, INSERT_CODES, accountId, hashes);
}

/** Deletes every second factor of an account; false if it had none. */
export async function deleteSecondFactors(transaction: Transaction, accountId: string): Promise<boolean> {
  await execute(transaction, DELETE_CODES, accountId);
  const hadPasskeys = await affectsRows(transaction, DELETE_PASSKEYS, accountId);
  return (await affectsRows(transaction, DELETE_APP, accountId)) || hadPasskeys;
}

/** The data needed to check the answer of a passkey. */
interface PasskeySecrets {
  id: string;
  accountId: string;
  host: string;
  publicKey: Buffer;
  signCount: number;
}

interface NewPasskey extends PasskeySecrets {
  credentialId: Buffer;
  name: string;
  createdAt: Date;
}

// Index passkeys_account_idx; an account has few.
const LIST_PASSKEYS = `SELECT id, name, host, created_at AS "createdAt", last_used_at AS "lastUsedAt"
  FROM portal.passkeys WHERE account_id = $1 ORDER BY created_at, id`;
const LIST_CREDENTIALS = `SELECT credential_id AS "credentialId" FROM portal.passkeys WHERE account_id = $1`;
// Index passkeys_credential_key.
const FIND_PASSKEY = `SELECT id, account_id AS "accountId", host, public_key AS "publicKey", sign_count::float8 AS "signCount"
  FROM portal.passkeys WHERE credential_id = $1`;
const INSERT_PASSKEY = `INSERT INTO portal.passkeys (id, account_id, credential_id, public_key, sign_count, host, name, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
const passkeyFields = [
  'id',
  'accountId',
  'credentialId',
  'publicKey',
  'signCount',
  'host',
  'name',
  'createdAt',
] as const;
// A device that counts never repeats a number. A repeated number therefore comes from a copy of the passkey.
const RECORD_PASSKEY_USE = `UPDATE portal.passkeys SET sign_count = $2, last_used_at = $3
  WHERE id = $1 AND (sign_count < $2 OR (sign_count = 0 AND $2 = 0))`;
const DELETE_PASSKEY = `DELETE FROM portal.passkeys WHERE account_id = $1 AND id = $2 RETURNING name`;
const SPEND_CHALLENGE = `INSERT INTO portal.spent_challenges (challenge_hash, expires_at) VALUES ($1, $2)
  ON CONFLICT (challenge_hash) DO NOTHING`;
// Index spent_challenges_expires_at_idx.
const DELETE_OUTDATED_CHALLENGES = `DELETE FROM portal.spent_challenges WHERE expires_at <= $1`;

export const listPasskeys = (database: Queryable, accountId: string) =>
  listRows<ListedPasskey>(database, LIST_PASSKEYS, accountId);

export const listCredentials = async (database: Queryable, accountId: string): Promise<Buffer[]> =>
  listValues<Buffer>(database, LIST_CREDENTIALS, accountId);

export const findPasskey = (database: Queryable, credentialId: Buffer) =>
  findRow<PasskeySecrets>(database, FIND_PASSKEY, credentialId);

export const insertPasskey = (transaction: Transaction, passkey: NewPasskey) =>
  execute(transaction, INSERT_PASSKEY, ...valuesOf(passkey, passkeyFields));

/** False if this count was used before. */
export const recordPasskeyUse = (transaction: Transaction, id: string, signCount: number, at: Date) =>
  affectsRows(transaction, RECORD_PASSKEY_USE, id, signCount, at);

/** The name of the deleted passkey; null if the account does not have it. */
export const deletePasskey = (transaction: Transaction, accountId: string, id: string) =>
  findValue<string>(transaction, DELETE_PASSKEY, accountId, id);

/** False if the challenge was answered before. Also deletes expired ones. */
export async function spendChallenge(
  transaction: Transaction,
  { hash, expiresAt, now }: { hash: Buffer; expiresAt: Date; now: Date },
): Promise<boolean> {
  await execute(transaction, DELETE_OUTDATED_CHALLENGES, now);
  return affectsRows(transaction, SPEND_CHALLENGE, hash, expiresAt);
}
