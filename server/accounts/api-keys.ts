import { hash, randomBytes, randomUUIDv7 } from 'node:crypto';
import type { ApiKey, CreatedApiKey } from '../../shared/accounts.ts';
import { batchedLookup } from '../database/turns.ts';
import type { Queryable } from '../database/pool.ts';
import { found } from '../base/errors.ts';
import type { ApiKeyName } from '../http/request-log.ts';
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

export interface IngestKeys {
  /** Looks up the key; null if there is none. */
  find: (key: string) => Promise<ApiKeyName | null>;
  /** Returns a key that was found recently. It may have been revoked since. */
  recall: (key: string) => ApiKeyName | undefined;
}

/** Keys above this number are not remembered, so they are looked up again. */
const maxRecalled = 1_000;

/**
 * The keys with the scope `ingest`, by bearer token. Requests that arrive during a look-up share the next one. So few queries
 * are needed for thousands of requests a second. The last use is written at most once a minute.
 */
export function createIngestKeys({
  database,
  now,
  onProblem,
}: {
  database: Queryable;
  /** Epoch milliseconds. */
  now: () => number;
  /** Called if the time of the last use could not be written; no request waits for it. */
  onProblem: (error: unknown) => void;
}): IngestKeys {
  const findKey = batchedLookup<string, KnownKey>(async (keyHashes) => {
    const keys = await findIngestKeys(database, keyHashes);
    return new Map(keys.map((key) => [key.keyHash, key]));
  });
  const usedKeys = new Set<string>();
  /** The keys by their hash, because only the hash of a key is kept. */
  const recalled = new Map<string, Recalled>();

  const recordUse = async (known: Recalled) => {
    const { id } = known.name;
    usedKeys.add(id);
    try {
      await recordUseOfKey(database, id, now(), useIsRecordedEveryMs);
      known.usedAt = now();
    } catch (error) {
      onProblem(error);
    } finally {
      usedKeys.delete(id);
    }
  };
  const use = (known: Recalled): ApiKeyName => {
    const isDue = Math.abs(now() - known.usedAt) >= useIsRecordedEveryMs;
    if (isDue && !usedKeys.has(known.name.id)) void recordUse(known);
    return known.name;
  };

  return {
    async find(key) {
      if (!keyShape.test(key)) return null;
      const keyHash = hash('sha256', key);
      const found = await findKey(keyHash);
      recalled.delete(keyHash);
      if (found === undefined) return null;
      const { id, name, lastUsedAt } = found;
      const known = { name: { id, name }, usedAt: lastUsedAt === null ? -Infinity : Date.parse(lastUsedAt) };
      recalled.set(keyHash, known);
      const [oldest] = recalled.keys();
      if (recalled.size > maxRecalled && oldest !== undefined) recalled.delete(oldest);
      return use(known);
    },
    recall(key) {
      const known = recalled.get(hash('sha256', key));
      return known && use(known);
    },
  };
}

interface Recalled {
  name: ApiKeyName;
  /** When its use was recorded, epoch milliseconds. */
  usedAt: number;
}
