import type { Queryable, Transaction } from '../database/pool.ts';
import { affectsRows, execute, findRow, findValue, listRows, listValues, valuesOf } from '../database/rows.ts';

/** A passkey as its own account sees it. */
export interface ListedPasskey {
  id: string;
  name: string;
  /** The host name for which it is valid. */
  host: string;
  createdAt: string;
  lastUsedAt: string | null;
}

/** What is needed to check the answer of a passkey. */
export interface PasskeySecrets {
  id: string;
  accountId: string;
  host: string;
  publicKey: Buffer;
  signCount: number;
}

export interface NewPasskey extends Omit<PasskeySecrets, 'publicKey'> {
  credentialId: Uint8Array;
  publicKey: Uint8Array;
  name: string;
  createdAt: Date;
}

// Index passkeys_account_idx; an account has few.
const LIST = `SELECT id, name, host, created_at AS "createdAt", last_used_at AS "lastUsedAt"
  FROM portal.passkeys WHERE account_id = $1 ORDER BY created_at, id`;
const LIST_CREDENTIALS = `SELECT credential_id AS "credentialId" FROM portal.passkeys WHERE account_id = $1`;
// Index passkeys_credential_key.
const FIND = `SELECT id, account_id AS "accountId", host, public_key AS "publicKey", sign_count::float8 AS "signCount"
  FROM portal.passkeys WHERE credential_id = $1`;
const INSERT = `INSERT INTO portal.passkeys (id, account_id, credential_id, public_key, sign_count, host, name, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
// A device that counts never shows the same number twice; a repeated one comes from a copy.
const RECORD_USE = `UPDATE portal.passkeys SET sign_count = $2, last_used_at = $3
  WHERE id = $1 AND (sign_count < $2 OR (sign_count = 0 AND $2 = 0))`;
const DELETE = `DELETE FROM portal.passkeys WHERE account_id = $1 AND id = $2 RETURNING name`;
const SPEND_CHALLENGE = `INSERT INTO portal.spent_challenges (challenge_hash, expires_at) VALUES ($1, $2)
  ON CONFLICT (challenge_hash) DO NOTHING`;
// Index spent_challenges_expires_at_idx.
const DELETE_OUTDATED_CHALLENGES = `DELETE FROM portal.spent_challenges WHERE expires_at <= $1`;

export const listPasskeys = (database: Queryable, accountId: string) =>
  listRows<ListedPasskey>(database, LIST, accountId);

export const listCredentials = async (database: Queryable, accountId: string): Promise<Buffer[]> =>
  listValues<Buffer>(database, LIST_CREDENTIALS, accountId);

export const findPasskey = (database: Queryable, credentialId: Buffer) =>
  findRow<PasskeySecrets>(database, FIND, credentialId);

export async function insertPasskey(transaction: Transaction, passkey: NewPasskey): Promise<void> {
  const { credentialId, publicKey, ...rest } = passkey;
  const values = valuesOf(rest, ['signCount', 'host', 'name', 'createdAt']);
  await execute(
    transaction,
    INSERT,
    rest.id,
    rest.accountId,
    Buffer.from(credentialId),
    Buffer.from(publicKey),
    ...values,
  );
}

/** False if the count was used before. */
export const recordPasskeyUse = (transaction: Transaction, id: string, signCount: number, at: Date) =>
  affectsRows(transaction, RECORD_USE, id, signCount, at);

/** The name of the deleted passkey; null if the account has no such passkey. */
export const deletePasskey = (transaction: Transaction, accountId: string, id: string) =>
  findValue<string>(transaction, DELETE, accountId, id);

/** False if the challenge was answered before. Also deletes expired ones. */
export async function spendChallenge(
  transaction: Transaction,
  { hash, expiresAt, now }: { hash: Buffer; expiresAt: Date; now: Date },
): Promise<boolean> {
  await execute(transaction, DELETE_OUTDATED_CHALLENGES, now);
  return affectsRows(transaction, SPEND_CHALLENGE, hash, expiresAt);
}
