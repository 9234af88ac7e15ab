import { createHash, randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { type BackedUpTable, type BackupManifest, manifestDigestName, manifestName } from './backup-manifest.ts';
import { countRows, cutAtRows } from './copy-rows.ts';
import { tarBlocks, tarEnd } from './tar.ts';

/** Size of a part before compression: small enough to hold several in memory, and larger ones compress no better. */
const partBytes = 4 * 1024 * 1024;
/** Level 6, the default, is much slower for a file that is hardly smaller. */
const level = 4;
const compress = promisify(gzip);

export interface TableSource {
  name: string;
  columns: string[];
  rows: AsyncIterable<Buffer>;
  /** Collects the months in the first column. */
  months?: Set<string> | undefined;
}

/** A backup being written. `finish` syncs it and moves it into place; without `finish` nothing is left. */
export interface BackupArchive extends AsyncDisposable {
  addTable(source: TableSource): Promise<BackedUpTable>;
  addFile(name: string, bytes: Buffer): Promise<BackupManifest['files'][number]>;
  /** Returns the size of the archive in bytes. */
  finish(manifest: BackupManifest): Promise<number>;
}

/** Throws if a file of that name exists or the folder does not. */
export async function createBackupArchive(path: string, nowSeconds: number): Promise<BackupArchive> {
  if (existsSync(path)) throw new Error(`${path} already exists; give the backup another name.`);
  const folder = dirname(path);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new Error(`The folder ${folder} does not exist; create it or choose another one.`);
  }
  const draft = `${path}.${randomUUID().slice(0, 8)}.partial`;
  // Readable by its owner only: it holds password hashes and session keys.
  const handle = await open(draft, 'wx', 0o600);
  let written = 0;

  const write = async (blocks: readonly Buffer[]) => {
    for (const block of blocks) {
      await handle.writeFile(block);
      written += block.length;
    }
  };
  const add = (name: string, bytes: Buffer) => write(tarBlocks({ name, bytes }, nowSeconds));

  return {
    addTable: (source) => addParts(source, add),
    async addFile(name, bytes) {
      await add(name, bytes);
      return { name, bytes: bytes.length, sha256: digestOf(bytes) };
    },
    async finish(manifest) {
      const bytes = Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`);
      await add(manifestName, bytes);
      await add(manifestDigestName, Buffer.from(`${digestOf(bytes)}  ${manifestName}\n`));
      await write([tarEnd]);
      await handle.sync();
      await handle.close();
      await rename(draft, path);
      await syncFolder(folder);
      return written;
    },
    async [Symbol.asyncDispose]() {
      await handle.close().catch(() => undefined);
      await rm(draft, { force: true });
    },
  };
}

export const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function addParts(
  { name, columns, rows: source, months }: TableSource,
  add: (name: string, bytes: Buffer) => Promise<void>,
): Promise<BackedUpTable> {
  const digest = createHash('sha256');
  let [rows, bytes, parts] = [0, 0, 0];
  let packing: Promise<Buffer> | undefined;
  const addPacked = async () => {
    if (packing === undefined) return;
    parts += 1;
    await add(`tables/${name}/${String(parts).padStart(6, '0')}.copy.gz`, await packing);
  };
  for await (const part of cutAtRows(source, partBytes)) {
    digest.update(part);
    rows += countRows(part, months);
    bytes += part.length;
    // One part is compressed in the thread pool while the next one is read.
    const next = compress(part, { level });
    await addPacked();
    packing = next;
  }
  await addPacked();
  return { name, columns, rows, bytes, sha256: digest.digest('hex') };
}

/** Makes the new name survive a power cut; not every system can sync a folder. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
}
