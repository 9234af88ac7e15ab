import { createHash, type Hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

import { digestOf } from './backup-archive.ts';
import { type BackupManifest, manifestDigestName, manifestName, parseManifest, partName } from './backup-manifest.ts';
import { countRows } from './copy-rows.ts';
import { storedFileName, type StoredFiles } from './stored-files.ts';
import { damaged, readTar } from './tar.ts';

const unpack = promisify(gunzip);
/** Far more than a real part has; anything that unpacks to more is an attack on memory. */
const largestPartBytes = 64 * 1024 * 1024;

export interface Backup {
  manifest: BackupManifest;
  files: StoredFiles;
}

interface Tally {
  digest: Hash;
  rows: number;
  bytes: number;
}

/**
 * Reads a whole backup and checks every byte against its manifest. `onPart` gets the COPY text of the tables in order, before
 * the rest is known to be intact. Throws if anything is missing, changed or extra.
 */
export async function readBackup(
  path: string,
  { onPart, signal }: { onPart?: (table: string, text: Buffer) => Promise<void>; signal: AbortSignal },
): Promise<Backup> {
  await using handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'there is no such file' : error.message;
    throw new Error(`The backup ${path} cannot be read: ${reason}.`, { cause: error });
  });
  const tallies = new Map<string, Tally>();
  const files: StoredFiles = new Map();
  let manifestBytes: Buffer | undefined;
  let isSealed = false;
  for await (const { name, bytes } of readTar(handle)) {
    signal.throwIfAborted();
    const table = partName.exec(name)?.[1];
    if (isSealed) throw damaged(`it goes on behind its end, with ${name}`);
    if (table !== undefined) {
      const text = await unpackPart(name, bytes);
      tally(tallies, table, text);
      await onPart?.(table, text);
    } else if (storedFileName.test(name)) files.set(name, bytes);
    else if (name === manifestName) manifestBytes = bytes;
    else if (name === manifestDigestName && manifestBytes !== undefined) {
      if (bytes.toString() !== `${digestOf(manifestBytes)}  ${manifestName}\n`)
        throw damaged('its manifest was changed');
      isSealed = true;
    } else throw damaged(`it holds ${name}, which no backup of this version has`);
  }
  if (manifestBytes === undefined || !isSealed) throw damaged('it has no end, so it was not written to its end');
  const manifest = parseManifest(manifestBytes);
  compareTables(manifest, tallies);
  compareFiles(manifest, files);
  return { manifest, files };
}

async function unpackPart(name: string, bytes: Buffer): Promise<Buffer> {
  try {
    return await unpack(bytes, { maxOutputLength: largestPartBytes });
  } catch {
    throw damaged(`${name} in it is not whole`);
  }
}

const emptyTally = (): Tally => ({ digest: createHash('sha256'), rows: 0, bytes: 0 });

function tally(tallies: Map<string, Tally>, table: string, text: Buffer): void {
  const sum = tallies.getOrInsertComputed(table, emptyTally);
  sum.digest.update(text);
  sum.rows += countRows(text);
  sum.bytes += text.length;
}

function compareTables({ tables }: BackupManifest, tallies: ReadonlyMap<string, Tally>): void {
  const unknown = new Set(tallies.keys());
  for (const { name, rows, bytes, sha256 } of tables) {
    unknown.delete(name);
    const sum = tallies.get(name) ?? emptyTally();
    if (sum.rows !== rows || sum.bytes !== bytes || sum.digest.digest('hex') !== sha256) {
      throw damaged(`the rows of ${name} are not those that were written`);
    }
  }
  for (const name of unknown) throw damaged(`it holds rows of ${name}, of which its manifest knows nothing`);
}

function compareFiles(manifest: BackupManifest, files: StoredFiles): void {
  const wanted = new Map(manifest.files.map((file) => [file.name, file]));
  for (const name of files.keys()) if (!wanted.has(name)) throw damaged(`it holds ${name} besides what was written`);
  for (const { name, sha256 } of wanted.values()) {
    const bytes = files.get(name);
    if (bytes === undefined || digestOf(bytes) !== sha256) throw damaged(`${name} in it is not what was written`);
  }
}
