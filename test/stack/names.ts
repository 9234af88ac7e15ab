import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

// Small ones, because those of the machine may be lower than what podman asks for.
export const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'];

const patienceMs = 60_000;
const remedy = 'install netavark, aardvark-dns and iptables, and set network_backend = "netavark" in containers.conf';

/**
 * Why containers do not find each other by their names in a network without a way out, as the services of a stack do; undefined
 * where they do. Tries it in a network of its own, with the programs of this machine, because there may be no image yet.
 */
export function whyNoNames(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'stack-names-'));
  const name = basename(folder).toLowerCase();
  try {
    makeRoot(folder);
    // Read-only, and seen by the container alone.
    const words = ['--rm', ...limits, '--network', name, '--volume', '/usr:/usr:ro', '--rootfs', folder];
    const problem =
      podman('network', 'create', '--internal', name) ??
      podman('run', '--detach', '--name', name, ...words, 'sleep', '60') ??
      podman('run', ...words, 'getent', 'hosts', name);
    return problem === undefined
      ? undefined
      : `containers do not find each other by name in podman's internal networks (${problem}); ${remedy}`;
  } finally {
    podman('rm', '--force', '--time', '0', name);
    podman('network', 'rm', '--force', name);
    spawnSync('rm', ['-rf', '--one-file-system', folder]);
  }
}

/** A root folder that has the programs of this machine once /usr is mounted into it. */
function makeRoot(folder: string): void {
  for (const name of ['usr', 'etc', 'proc', 'sys', 'dev', 'run', 'tmp']) mkdirSync(join(folder, name));
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
    const status = lstatSync(`/${name}`, { throwIfNoEntry: false });
    if (status?.isSymbolicLink()) symlinkSync(readlinkSync(`/${name}`), join(folder, name));
  }
  writeFileSync(join(folder, 'etc', 'nsswitch.conf'), 'hosts: files dns\n');
}

/** What went wrong, in a line; undefined if nothing did. */
function podman(...words: string[]): string | undefined {
  const { status, stderr, error } = spawnSync('podman', ['--runtime', 'runc', ...words], {
    encoding: 'utf8',
    timeout: patienceMs,
  });
  if (status === 0) return undefined;
  if (words.includes('getent') && status === 2) return 'the name of the other container is not known';
  return error?.message ?? stderr.trim().split('\n').at(-1);
}
