import type { ApiKey } from '../../shared/accounts.ts';
import type { Queryable, Statement } from '../database/pool.ts';
import { execute, findRow, listRows } from '../database/rows.ts';

/** A key found by its hash, SHA-256 in hex. */
export type KnownKey = Pick<ApiKey, 'id' | 'name' | 'lastUsedAt'> & { keyHash: string };

const columns = `id, name, scope, created_at AS "createdAt", last_used_at AS "lastUsedAt"`;

const LIST = `SELECT ${columns} FROM monitoring.api_keys`;
// Names are unique by api_keys_name_key, ignoring case.
const INSERT = `INSERT INTO monitoring.api_keys (id, name, scope, key_hash) VALUES ($1, $2, $3, decode($4, 'hex'))
  RETURNING ${columns}`;
const FIND = `SELECT ${columns} FROM monitoring.api_keys WHERE id = $1`;
const DELETE = `DELETE FROM monitoring.api_keys WHERE id = $1 RETURNING ${columns}`;
// Uses api_keys_key_hash_key. Every ingest needs this query, so concurrent requests share one run.
const FIND_BY_HASHES: Statement = {
  name: 'api_keys.find_by_hashes',
  text: `SELECT id, name, encode(key_hash, 'hex') AS "keyHash", last_used_at AS "lastUsedAt" FROM monitoring.api_keys
         WHERE scope = 'ingest' AND key_hash IN (SELECT decode(hash, 'hex') FROM unnest($1::text[]) AS hash)`,
};
const RECORD_USE = `UPDATE monitoring.api_keys SET last_used_at = $2
  WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3 OR last_used_at >= $4)`;

/** Every key, in no order. */
export const listApiKeys = (database: Queryable) => listRows<ApiKey>(database, LIST);

/** Violates `api_keys_name_key` if the name is taken. */
export async function insertApiKey(
  database: Queryable,
  { id, name, scope, keyHash }: Pick<ApiKey, 'id' | 'name' | 'scope'> & { keyHash: string },
): Promise<ApiKey> {
  const inserted = await findRow<ApiKey>(database, INSERT, id, name, scope, keyHash);
  if (inserted === null) throw new Error('INSERT returned no API key.');
  return inserted;
}

export const findApiKey = (database: Queryable, id: string) => findRow<ApiKey>(database, FIND, id);

export const deleteApiKey = (database: Queryable, id: string) => findRow<ApiKey>(database, DELETE, id);

export const findIngestKeys = (database: Queryable, keyHashes: readonly string[]) =>
  listRows<KnownKey>(database, FIND_BY_HASHES, keyHashes);

/**
 * Stores the time of the last use, unless the stored time is within `everyMs` of it. A stored time that is later than that was
 * written by a clock that was ahead.
 */
export const recordUseOfKey = (database: Queryable, id: string, atMs: number, everyMs: number) =>
  execute(database, RECORD_USE, id, new Date(atMs), new Date(atMs - everyMs), new Date(atMs + everyMs));
