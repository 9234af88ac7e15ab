import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { canInstallDebianPackages } from './debian.mjs';
import { modules, runQuietly, say } from './project.mjs';

const folder = join(modules, '.cache', 'caddy');

/** Debian's Caddy, where `ensureCaddy` has put it. */
export const unpackedCaddy = join(folder, 'usr', 'bin', 'caddy');

/** The proxy for the tests: one of this machine, else Debian's, unpacked only: installed it would begin to serve on port 80. */
export async function ensureCaddy() {
  if (['caddy', unpackedCaddy].some(starts) || !canInstallDebianPackages()) return;
  say("There is no Caddy on this machine; unpacking Debian's for the tests…");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const script = 'cd "$0" && apt-get update && apt-get download caddy && dpkg-deb -x caddy_*.deb .';
  await runQuietly('sh', ['-c', script, folder], process.env);
  for (const name of readdirSync(folder)) if (name.endsWith('.deb')) rmSync(join(folder, name));
}

/** @param {string} path */
const starts = (path) => spawnSync(path, ['version'], { stdio: 'ignore' }).status === 0;
