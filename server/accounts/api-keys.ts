import { hash, randomBytes, randomUUIDv7 } from 'node:crypto';
import type { ApiKey, CreatedApiKey } from '../../shared/accounts.ts';
import { batchedLookup } from '../database/turns.ts';
import type { Queryable } from '../database/pool.ts';
import { found } from '../base/errors.ts';
import { nameTaken, refuseViolation } from '../database/errors.ts';
import {
  deleteApiKey,
  findApiKey,
  findIngestKeys,
  insertApiKey,
  recordUseOfKey,
  type KnownKey,
} from './api-keys.sql.ts';
import { type Changing, makeChange } from './audit.ts';

const keyShape = /^pmk_[A-Za-z0-9_-]{43}$/;
const keyBytes = 32;
const useIsRecordedEveryMs = 60_000;

/** Creates a key; `key` is the only copy of it. Throws `conflict` on a taken name. */
export async function createApiKey(
  changing: Changing,
  { name, scope }: Pick<ApiKey, 'name' | 'scope'>,
): Promise<CreatedApiKey> {
  const key = `pmk_${randomBytes(keyBytes).toString('base64url')}`;
  const keyHash = hash('sha256', key);
  const id = randomUUIDv7();
  return makeChange(changing, async (tx, recordChange) => {
    const created = await insertApiKey(tx, { id, name, scope, keyHash }).catch(
      refuseViolation({ api_keys_name_key: () => nameTaken('anApiKey', name) }),
    );
    await recordChange('api-key.create', { id, name, after: { name, scope } });
    return { ...created, key };
  });
}

/** Throws `notFound`. */
export const getApiKey = async (database: Queryable, id: string): Promise<ApiKey> =>
  found(await findApiKey(database, id), 'apiKey');

/** Deletes a key; later requests with it are refused. Throws `notFound`. */
export async function revokeApiKey(changing: Changing, id: string): Promise<void> {
  await makeChange(changing, async (tx, recordChange) => {
    const { name, scope } = found(await deleteApiKey(tx, id), 'apiKey');
    await recordChange('api-key.revoke', { id, name, before: { name, scope } });
  });
}

/**
 * Finds the key with the scope `ingest` for a bearer token; null if there is none. Requests that arrive while a look-up runs share
 * the next one, and nothing is cached, so thousands of requests per second need few queries and a revoked key is refused at
 * once. The last use is written at most once a minute.
 */
export function createIngestKeyFinder({
  database,
  now,
  onProblem,
}: {
  database: Queryable;
  /** Epoch milliseconds. */
  now: () => number;
  /** Called if the time of the last use could not be written; no request waits for it. */
  onProblem: (error: unknown) => void;
}): (key: string) => Promise<{ id: string; name: string } | null> {
  const findKey = batchedLookup<string, KnownKey>(async (keyHashes) => {
    const keys = await findIngestKeys(database, keyHashes);
    return new Map(keys.map((key) => [key.keyHash, key]));
  });
  const usedKeys = new Set<string>();

  const recordUse = async (id: string) => {
    usedKeys.add(id);
    try {
      await recordUseOfKey(database, id, now(), useIsRecordedEveryMs);
    } catch (error) {
      onProblem(error);
    } finally {
      usedKeys.delete(id);
    }
  };

  return async (key) => {
    if (!keyShape.test(key)) return null;
    const known = await findKey(hash('sha256', key));
    if (known === undefined) return null;
    const usedAt = known.lastUsedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(known.lastUsedAt);
    if (Math.abs(now() - usedAt) >= useIsRecordedEveryMs && !usedKeys.has(known.id)) void recordUse(known.id);
    return { id: known.id, name: known.name };
  };
}
