import { randomBytes } from 'node:crypto';
import { constants, existsSync, globSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type Account, canRead } from './account.ts';
import type { Binaries } from './choose-binaries.ts';
import { programIn } from './find-binaries.ts';

export interface RuntimeOptions {
  account: Account | undefined;
  /** Target folder of a copy. */
  dataPath: string;
}

/**
 * The folder from which the binaries can be started. The npm package may lack the links between its libraries, because its
 * install script may not have run; they are added. If that is impossible, or the account cannot read the package, the binaries
 * are copied to `runtime-<release>` in the data folder.
 */
export async function usableFolder(binaries: Binaries, { account, dataPath }: RuntimeOptions): Promise<string> {
  if (binaries.source === 'machine') return binaries.folder;
  const native = dirname(binaries.folder);
  if (isReadable(native, account) && (await completeLinks(native))) return binaries.folder;
  const runtime = join(dataPath, `runtime-${binaries.release}`);
  if (!existsSync(programIn(join(runtime, 'bin'), 'postgres'))) await copyRuntime(native, runtime);
  return join(runtime, 'bin');
}

/** Removes copies of other releases and leftovers of interrupted copies. */
export async function removeOtherRuntimes(dataPath: string, folderInUse: string): Promise<void> {
  const names = (await readdir(dataPath)).filter((name) => name.startsWith('runtime-') && !name.includes('.making-'));
  const others = names.map((name) => join(dataPath, name)).filter((path) => join(path, 'bin') !== folderInUse);
  await Promise.all(others.map((path) => rm(path, { recursive: true, force: true })));
}

/** An install under umask 077 makes every single file private. */
function isReadable(native: string, account: Account | undefined): boolean {
  if (account === undefined) return true;
  const needed = ['bin/*', 'lib/*.so*', 'lib/*.dylib', 'lib/postgresql/plpgsql.*', 'share/postgresql/postgres.bki'];
  return canRead(globSync(needed.map((pattern) => join(escapeGlob(native), pattern))), account);
}

const escapeGlob = (path: string) => path.replaceAll(/[[\]{}()*?!]/g, '\\$&');

/** Creates the missing links listed in `pg-symlinks.json`. False if they cannot be created here. */
async function completeLinks(native: string): Promise<boolean> {
  for (const { source, target } of await listLinks(native)) {
    const link = join(native, target);
    if (existsSync(link)) continue;
    try {
      await symlink(relative(dirname(target), source), link);
    } catch {
      // Another portal may have created it at the same time.
      if (!existsSync(link)) return false;
    }
  }
  return true;
}

interface Link {
  source: string;
  target: string;
}

/** Both paths relative to the folder `native`; the list counts from the folder above it. */
async function listLinks(native: string): Promise<Link[]> {
  const path = join(native, 'pg-symlinks.json');
  if (!existsSync(path)) return [];
  const list: unknown = JSON.parse(await readFile(path, 'utf8'));
  const inNative = (value: string) => relative('native', value);
  return (Array.isArray(list) ? list : [])
    .filter(isLink)
    .map(({ source, target }) => ({ source: inNative(source), target: inNative(target) }));
}

function isLink(value: unknown): value is Link {
  if (typeof value !== 'object' || value === null || !('source' in value) || !('target' in value)) return false;
  return typeof value.source === 'string' && typeof value.target === 'string';
}

async function copyRuntime(native: string, runtime: string): Promise<void> {
  const making = `${runtime}.making-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    await copyTree(native, making);
    if (!(await completeLinks(making)))
      throw new Error(`The links between the libraries in ${making} cannot be created.`);
    await rename(making, runtime);
  } catch (error) {
    if (!existsSync(programIn(join(runtime, 'bin'), 'postgres'))) throw error;
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/** Copies the binaries, readable for everybody, and keeps links as links. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'pkgconfig' && entry.name !== 'pgxs') await copyTree(source, target);
    } else if (entry.isSymbolicLink()) {
      await symlink(await readlink(source), target);
    } else if (!entry.name.endsWith('.a')) {
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      await chmod(target, ((await stat(source)).mode & 0o100) === 0 ? 0o644 : 0o755);
    }
  }
}
