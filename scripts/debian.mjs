import { existsSync } from 'node:fs';
import { runQuietly } from './project.mjs';

/** Whether packages of the system can be installed here: Debian or a child of it, as root. */
export function canInstallDebianPackages() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/**
 * Installs system packages; the caller checks whether that worked.
 * @param {string[]} names
 */
export async function installDebianPackages(...names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runQuietly('apt-get', ['update'], env);
  await runQuietly('apt-get', ['install', '-y', '--no-install-recommends', ...names], env);
}
