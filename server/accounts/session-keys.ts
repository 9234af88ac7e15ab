import { createHash, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { link, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { batchedLookup } from '../database/turns.ts';
import { dayMs } from '../base/instants.ts';
import { makeFolder } from '../settings/storage-files.ts';
import { absoluteLifetimeMs } from './sessions.rules.ts';

export interface SealingKey {
  /** The id of the key, which is written into everything that the key seals. */
  id: string;
  secret: Uint8Array;
}

export type SessionKeys = Awaited<ReturnType<typeof openSessionKeys>>;

interface KeyFile extends SealingKey {
  name: string;
  /** Midnight UTC of the day in the name. */
  madeAt: number;
}

const rotateAfterMs = 90 * dayMs;
const keyBytes = 32;
/** Keys that are never rotated, and created on first use. */
const lastingKeys = {
  /** For secrets in the database. */
  'second-factor.key': () => randomBytes(keyBytes),
  /** By which the push services of browsers know the portal (RFC 8292): a private key of P-256. */
  'push.key': () =>
    Buffer.from(
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }).d ?? '',
      'base64url',
    ),
} as const;
type LastingName = keyof typeof lastingKeys;
const keyFileName = /^session-(\d{4}-\d{2}-\d{2})\.key$/;

/**
 * The keys that seal session cookies (startup rule 11). Each key is a file `session-<day>.key` with 32 random bytes in base64.
 * The newest key seals; all keys open. A key is replaced after 90 days, and deleted once no cookie that it sealed can be valid.
 * Several portals may share the folder. Throws if the folder cannot be used or contains a damaged key.
 */
export async function openSessionKeys({
  folder,
  now,
  onProblem,
}: {
  /** `Storage__KeysPath`. */
  folder: string;
  /** Epoch milliseconds. */
  now: () => number;
  /** Called if the folder fails while the portal runs. The keys in memory stay in use. */
  onProblem: (error: unknown) => void;
}) {
  let files: readonly KeyFile[] = [];
  let maintenance: Promise<void> | undefined;
  const lasting = new Map<LastingName, SealingKey>();

  const reload = async () => {
    files = await readKeyFiles(folder);
    return new Map(files.map((file) => [file.id, file]));
  };
  const findInFolder = batchedLookup<string, KeyFile>(reload);

  const isRotationDue = () => now() - (files.at(-1)?.madeAt ?? Number.NEGATIVE_INFINITY) >= rotateAfterMs;
  const outdated = () =>
    files.filter((_, index) => {
      const replacement = files[index + 1];
      return replacement !== undefined && now() >= replacement.madeAt + dayMs + absoluteLifetimeMs;
    });
  const maintain = async () => {
    if (isRotationDue()) await createKeyFile(folder, `session-${new Date(now()).toISOString().slice(0, 10)}.key`);
    await reload();
    for (const { name } of outdated()) await rm(join(folder, name), { force: true });
    await reload();
  };

  try {
    await makeFolder(folder, 0o700);
    await reload();
    await maintain();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Storage__KeysPath: the session keys cannot be kept in ${folder}: ${reason}`, { cause: error });
  }

  return {
    /** The newest key, which seals everything new. */
    async newest(): Promise<SealingKey> {
      if (isRotationDue() || outdated().length > 0) {
        maintenance ??= maintain()
          .catch(onProblem)
          .finally(() => {
            maintenance = undefined;
          });
        await maintenance;
      }
      const newest = files.at(-1);
      if (newest === undefined) throw new Error(`There is no session key in ${folder}.`);
      return newest;
    },
    async lasting(name: LastingName = 'second-factor.key'): Promise<SealingKey> {
      let key = lasting.get(name) ?? (await readKey(folder, name));
      if (key === undefined) {
        await createKeyFile(folder, name, lastingKeys[name]());
        key = await readKey(folder, name);
      }
      if (key === undefined) throw new Error(`There is no ${name} in ${folder}.`);
      lasting.set(name, key);
      return key;
    },
    /** The key with that id; the folder is read again if it is unknown, because another portal may have created it. */
    async find(id: string): Promise<SealingKey | undefined> {
      const known = files.find((file) => file.id === id);
      if (known !== undefined) return known;
      try {
        return await findInFolder(id);
      } catch (error) {
        onProblem(error);
        return undefined;
      }
    },
  };
}

/** All keys in the folder, the oldest first. */
async function readKeyFiles(folder: string): Promise<KeyFile[]> {
  const names = (await readdir(folder)).filter((name) => keyFileName.test(name)).toSorted();
  const files: KeyFile[] = [];
  for (const name of names) {
    const key = await readKey(folder, name);
    // Another portal may just have deleted it.
    if (key === undefined) continue;
    files.push({ ...key, name, madeAt: Date.parse(keyFileName.exec(name)?.[1] ?? '') });
  }
  return files;
}

async function readKey(folder: string, name: string): Promise<SealingKey | undefined> {
  const text = await readFile(join(folder, name), 'utf8').catch(ignore('ENOENT'));
  if (text === undefined) return undefined;
  const secret = Buffer.from(text.trim(), 'base64');
  if (secret.length !== keyBytes) {
    throw new Error(
      `${name} is damaged (${keyBytes} bytes in base64 are expected); restore it, or delete it, which makes what it sealed worthless`,
    );
  }
  return { id: createHash('sha256').update(secret).digest('base64url').slice(0, 16), secret };
}

/** Creates the key with that name, either completely or not at all. If another portal has created it first, that key stays. */
async function createKeyFile(folder: string, name: string, secret = randomBytes(keyBytes)): Promise<void> {
  const draft = join(folder, `.draft-${randomUUID()}`);
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${secret.toString('base64')}\n`);
    await handle.sync();
    await handle.close();
    await link(draft, join(folder, name)).catch(ignore('EEXIST'));
  } finally {
    await handle.close().catch(() => undefined);
    await rm(draft, { force: true });
  }
}

const ignore = (code: 'ENOENT' | 'EEXIST') => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) throw error;
  return undefined;
};
