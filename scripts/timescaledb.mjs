import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The control file of a TimescaleDB extension on this machine, or undefined.
 * @returns {string | undefined}
 */
export function findTimescaleDb() {
  return shareFolders()
    .map((folder) => join(folder, 'extension', 'timescaledb.control'))
    .find((file) => existsSync(file));
}

function shareFolders() {
  const { stdout, status } = spawnSync('pg_config', ['--sharedir'], { encoding: 'utf8' });
  const asked = status === 0 ? [stdout.trim()] : [];
  const debian = list('/usr/share/postgresql').map((version) => join('/usr/share/postgresql', version));
  const redHat = list('/usr')
    .filter((name) => /^pgsql-\d+$/.test(name))
    .map((name) => join('/usr', name, 'share'));
  return [...asked, ...debian.toReversed(), ...redHat.toReversed()];
}

/** @param {string} folder */
function list(folder) {
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}
