import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** An account of this machine under which PostgreSQL runs. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

// 65534 is nobody on every Linux that has no account list at all.
const nobody: Account = { name: 'nobody', uid: 65_534, gid: 65_534 };
const preferredNames = ['postgres', '_postgres', 'nobody'];

/** The accounts of a `/etc/passwd`; lines that are none are passed over. */
export function parseAccounts(passwd: string): Account[] {
  return passwd.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || !/^-?\d+$/.test(uid ?? '') || !/^-?\d+$/.test(gid ?? '')) return [];
    // macOS writes the id of nobody as -2.
    return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }];
  });
}

/**
 * Whose rights PostgreSQL gets when the portal runs as root, which PostgreSQL refuses: the owner of the existing cluster,
 * else the account `postgres`, else `nobody`.
 */
export function chooseAccount(accounts: readonly Account[], owner?: { uid: number; gid: number }): Account {
  if (owner !== undefined && owner.uid !== 0) {
    return accounts.find(({ uid }) => uid === owner.uid) ?? { name: `#${owner.uid}`, uid: owner.uid, gid: owner.gid };
  }
  const unprivileged = accounts.filter(({ uid }) => uid !== 0);
  return preferredNames.flatMap((name) => unprivileged.find((account) => account.name === name) ?? [])[0] ?? nobody;
}

/** The account for the cluster in this folder, or undefined when the portal is no root and PostgreSQL runs as itself. */
export function accountFor(cluster: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = existsSync('/etc/passwd') ? parseAccounts(readFileSync('/etc/passwd', 'utf8')) : [];
  return chooseAccount(accounts, existsSync(cluster) ? statSync(cluster) : undefined);
}

/** What `spawn` needs to start a program under the account. */
export function identityOf(account: Account | undefined): { uid?: number; gid?: number } {
  // Node takes signed 32-bit ids here, and unsigned ones everywhere else.
  return account === undefined ? {} : { uid: account.uid | 0, gid: account.gid | 0 };
}

/** The outermost folder on the way to `path` that the account cannot enter. What does not exist yet is in nobody's way. */
export function folderInTheWay(path: string, account: Account): string | undefined {
  return firstThatFails('-x', foldersOnTheWay(path), account);
}

/** Whether the account can read all of these files; those that do not exist are passed over. */
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
  // Without a shell nobody can tell; PostgreSQL then says itself what it cannot reach.
  return result.status === 1 && result.stdout !== '' ? result.stdout : undefined;
}
