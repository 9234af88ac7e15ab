import { createHash, type Hash, randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { damaged, readTar, tarBlocks, tarEnd } from './tar.ts';
import { z } from 'zod';
import { makeFolder, writeWhole } from '../settings/storage-files.ts';

/** The folders of the files that do not belong to the database. */
export interface StorageFolders {
  /** `Storage__KeysPath`. */
  keys: string;
  /** `Storage__UploadsPath`. */
  uploads: string;
}

/** Bytes by name, such as `keys/session-2026-03-01.key`. */
export type StoredFiles = Map<string, Buffer>;

const kinds = [
  { kind: 'keys', setting: 'Storage__KeysPath', folderMode: 0o700, fileMode: 0o600 },
  { kind: 'uploads', setting: 'Storage__UploadsPath', folderMode: 0o755, fileMode: 0o644 },
] as const;
const storedFileName = /^(?:keys|uploads)\/[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/;

/** All files of the portal in these folders, without drafts and files of other programs. */
export async function readStoredFiles(folders: StorageFolders): Promise<StoredFiles> {
  const files: StoredFiles = new Map();
  for (const { kind } of kinds) {
    const entries = await readdir(folders[kind], { withFileTypes: true }).catch(onlyMissing);
    for (const entry of entries ?? []) {
      const name = `${kind}/${entry.name}`;
      if (!entry.isFile() || !storedFileName.test(name)) continue;
      const bytes = await readFile(join(folders[kind], entry.name)).catch(onlyMissing);
      if (bytes !== undefined) files.set(name, bytes);
    }
  }
  return files;
}

/** Throws if a file of that name exists with other content. Changes nothing. */
export async function refuseOtherFiles(folders: StorageFolders, files: StoredFiles): Promise<void> {
  for (const { kind, setting } of kinds) {
    for (const [name, bytes] of filesOf(kind, files)) {
      const present = await readFile(join(folders[kind], name)).catch(onlyMissing);
      if (present === undefined || present.equals(bytes)) continue;
      throw new Error(
        `${setting} (${folders[kind]}) has a file ${name} that differs from the one in the backup. Move it away, then restore again.`,
      );
    }
  }
}

/** Writes the files into the folders, and creates folders if needed. Each file appears completely or not at all. */
export async function putStoredFiles(folders: StorageFolders, files: StoredFiles): Promise<void> {
  for (const { kind, folderMode, fileMode } of kinds) {
    const wanted = filesOf(kind, files);
    if (wanted.length > 0) await makeFolder(folders[kind], folderMode);
    for (const [name, bytes] of wanted) await writeWhole(folders[kind], name, bytes, fileMode);
  }
}

function filesOf(kind: string, files: StoredFiles): [string, Buffer][] {
  return [...files]
    .filter(([name]) => name.startsWith(`${kind}/`))
    .map(([name, bytes]) => [name.slice(kind.length + 1), bytes]);
}

function onlyMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Incremented when older versions can no longer read the format. */
export const backupFormat = 1;
const manifestName = 'manifest.json';
const manifestDigestName = 'manifest.json.sha256';
const partName = /^tables\/([^/]+)\/\d{6}\.copy\.gz$/;

const count = z.int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const manifestSchema = z.object({
  format: z.literal(backupFormat),
  /** Version of the portal that took the backup. */
  version: z.string(),
  runMode: z.enum(['Client', 'Admin']),
  /** When the snapshot was taken. */
  takenAt: z.string(),
  postgresql: z.string(),
  engine: z.string(),
  migrations: z.array(z.object({ stream: z.string(), name: z.string(), checksum: sha256 })),
  /** The tables in the order in which they can be loaded. The digest covers the uncompressed COPY text of all parts. */
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()).min(1), rows: count, bytes: count, sha256: sha256 }),
  ),
  /** The UTC months that have measurements, such as `2026-03`. */
  months: z.array(z.string().regex(/^\d{4}-\d{2}$/)),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string().regex(/^-?\d+$/), isCalled: z.boolean() })),
  files: z.array(z.object({ name: z.string().regex(storedFileName), bytes: count, sha256: sha256 })),
});

/** The manifest of a backup, which is its last file but one. */
export type BackupManifest = z.infer<typeof manifestSchema>;
export type BackedUpTable = BackupManifest['tables'][number];

function parseManifest(bytes: Buffer): BackupManifest {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    throw damaged('its manifest is no JSON');
  }
  const result = manifestSchema.safeParse(value);
  if (result.success) return result.data;
  const format = new Map(Object.entries(Object(value))).get('format');
  if (typeof format === 'number' && format > backupFormat) {
    throw damaged(`it was made by a newer version of the portal (format ${format}, known is ${backupFormat})`);
  }
  const [issue] = result.error.issues;
  throw damaged(`its manifest is wrong at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

/** The size of a part before compression. Several parts fit into memory, and larger parts would not compress better. */
const partBytes = 4 * 1024 * 1024;
/** Level 6, the default, is much slower for a file that is hardly smaller. */
const level = 4;
const compress = promisify(gzip);

interface TableSource {
  name: string;
  columns: string[];
  rows: AsyncIterable<Buffer>;
  /** Collects the months that occur in the first column. */
  months?: Set<string> | undefined;
}

/** A backup that is being written. `finish` syncs the file and moves it into place. Without `finish`, no file is left. */
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
  // Only the owner may read the file, because it contains password hashes and session keys.
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

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

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

/** Makes the new name survive a power failure. Not every system can sync a folder. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
}

const newline = 0x0a;
const monthBytes = '2026-03'.length;

/**
 * Cuts COPY text into parts of whole rows, each of about `partBytes`, or longer if a single row is. A line break in a value is
 * escaped as `\n` in this format, so byte 10 always ends a row.
 */
export async function* cutAtRows(source: AsyncIterable<Buffer>, partBytes: number): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    const end = length + chunk.length < partBytes ? -1 : chunk.lastIndexOf(newline);
    if (end < 0) {
      chunks.push(chunk);
      length += chunk.length;
      continue;
    }
    yield Buffer.concat([...chunks, chunk.subarray(0, end + 1)]);
    chunks = [chunk.subarray(end + 1)];
    length = chunk.length - end - 1;
  }
  if (length > 0) yield Buffer.concat(chunks);
}

/** Counts the rows of a part and adds the months in its first column, an ISO timestamp, to `months`. */
export function countRows(part: Buffer, months?: Set<string>): number {
  let rows = 0;
  let known: Buffer | undefined;
  for (let at = 0, end = 0; at < part.length && end >= 0; at = end + 1) {
    end = part.indexOf(newline, at);
    rows += 1;
    if (months === undefined || (known !== undefined && isSameMonth(part, at, known))) continue;
    known = part.subarray(at, at + monthBytes);
    months.add(known.toString('latin1'));
  }
  return rows;
}

/** Compares from the end, where consecutive values differ first. */
function isSameMonth(part: Buffer, at: number, month: Buffer): boolean {
  for (let index = monthBytes - 1; index >= 0; index -= 1) if (part[at + index] !== month[index]) return false;
  return true;
}

const unpack = promisify(gunzip);
/** Far more than a real part has. A file that unpacks to more is an attack on memory. */
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
