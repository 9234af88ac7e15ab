import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

interface CommandOptions {
  account?: Account | undefined;
  cwd?: string;
  /** Standard input of the program. */
  input?: string;
  signal: AbortSignal;
  timeoutMs: number;
}

/**
 * The environment of every PostgreSQL program on POSIX systems. With the portal's own they would inherit folder, port, language
 * and library path. Any locale but C also makes macOS start threads, which PostgreSQL refuses.
 */
const environment = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' };
export const environmentOption = process.platform === 'win32' ? {} : { env: environment };

/** Runs a program and returns its output. Throws with the last lines of its error output if it fails. */
export function runCommand(file: string, args: readonly string[], options: CommandOptions): Promise<string> {
  const { account, cwd, input, signal, timeoutMs } = options;
  const settings = { ...identityOf(account), ...environmentOption, ...(cwd === undefined ? {} : { cwd }) };
  return new Promise((resolve, reject) => {
    const child = execFile(
      file,
      args,
      { ...settings, signal, timeout: timeoutMs, windowsHide: true },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else if (signal.aborted) reject(error);
        else reject(new Error(explain(file, error, stderr || stdout), { cause: error }));
      },
    );
    // A program that ends before it has read all input has printed the reason.
    child.stdin?.on('error', () => undefined).end(input ?? '');
  });
}

function explain(file: string, error: { code?: unknown; killed?: boolean }, output: string): string {
  const said = lastLines(output, 5);
  if (error.killed) return `${file} did not come to an end and was stopped. ${said}`.trimEnd();
  return `${file} failed (${String(error.code)})${said === '' ? '' : `: ${said}`}`;
}

/** The last non-empty lines, joined. */
export function lastLines(text: string, count: number): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .slice(-count)
    .join(' | ');
}

/** A system account under which PostgreSQL runs. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

// 65534 is `nobody` on Linux, even without an account list.
const nobody: Account = { name: 'nobody', uid: 65_534, gid: 65_534 };
const preferredNames = ['postgres', '_postgres', 'nobody'];

/** The accounts in an `/etc/passwd`; invalid lines are skipped. */
export function parseAccounts(passwd: string): Account[] {
  return passwd.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || !/^-?\d+$/.test(uid ?? '') || !/^-?\d+$/.test(gid ?? '')) return [];
    // macOS writes the id of `nobody` as -2.
    return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }];
  });
}

/**
 * PostgreSQL refuses to run as root; for a portal that runs as root it gets the account of the existing cluster's owner, else
 * `postgres`, else `nobody`.
 */
export function chooseAccount(accounts: readonly Account[], owner?: { uid: number; gid: number }): Account {
  if (owner !== undefined && owner.uid !== 0) {
    return accounts.find(({ uid }) => uid === owner.uid) ?? { name: `#${owner.uid}`, uid: owner.uid, gid: owner.gid };
  }
  const unprivileged = accounts.filter(({ uid }) => uid !== 0);
  return preferredNames.flatMap((name) => unprivileged.find((account) => account.name === name) ?? [])[0] ?? nobody;
}

/** The account for the cluster in this folder; undefined if the portal does not run as root. */
export function accountFor(cluster: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = existsSync('/etc/passwd') ? parseAccounts(readFileSync('/etc/passwd', 'utf8')) : [];
  return chooseAccount(accounts, existsSync(cluster) ? statSync(cluster) : undefined);
}

/** Options of `spawn` to start a program under the account. */
export function identityOf(account: Account | undefined): { uid?: number; gid?: number } {
  // Node takes signed 32-bit ids here, and unsigned ones everywhere else.
  return account === undefined ? {} : { uid: account.uid | 0, gid: account.gid | 0 };
}

/** The outermost existing folder on the path that the account cannot enter. */
export function folderInTheWay(path: string, account: Account): string | undefined {
  return firstThatFails('-x', foldersOnTheWay(path), account);
}

/** Whether the account can read all of these files; missing ones are skipped. */
export function canRead(files: readonly string[], account: Account): boolean {
  return firstThatFails('-r', files, account) === undefined;
}

function foldersOnTheWay(path: string): string[] {
  const parent = dirname(path);
  const outer = parent === path ? [] : foldersOnTheWay(parent);
  return existsSync(path) ? [...outer, path] : outer;
}

/** Asks the system itself, under the account: access lists and mount options count too. */
function firstThatFails(test: '-x' | '-r', paths: readonly string[], account: Account): string | undefined {
  const script = `for path do test ${test} "$path" || { printf %s "$path"; exit 1; }; done`;
  const existing = paths.filter((path) => existsSync(path));
  const result = spawnSync('/bin/sh', ['-c', script, 'sh', ...existing], {
    ...identityOf(account),
    cwd: '/',
    env: {},
    encoding: 'utf8',
    timeout: 10_000,
  });
  // Without a shell this cannot be checked; PostgreSQL then reports what it cannot reach.
  return result.status === 1 && result.stdout !== '' ? result.stdout : undefined;
}
