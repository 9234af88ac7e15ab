import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { whyNoNames } from '../stack/names.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-podman-'));
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH'] ?? ''}`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** Replaces the machine's podman with one that records its calls and answers. */
async function plantPodman(answers: string): Promise<void> {
  const program = join(folder, 'podman');
  await writeFile(program, `#!/bin/sh\necho "$*" >>'${folder}/asked'\ncase "$*" in\n${answers}\nesac\n`);
  await chmod(program, 0o755);
}

const asked = async () => (await readFile(join(folder, 'asked'), 'utf8')).trim().split('\n');
const remedy = 'install netavark, aardvark-dns and iptables, and set network_backend = "netavark" in containers.conf';

it('a podman whose containers know each other by name can run stacks', async () => {
  await plantPodman(`*getent*) echo '10.89.0.2 name' ;;`);
  expect(whyNoNames()).toBeUndefined();
  const [create = '', first = '', second = '', ...tidied] = await asked();
  const name = create.split(' ').at(-1);
  expect(create).toBe(`--runtime runc network create --internal ${name}`);
  expect(first).toMatch(new RegExp(`run --detach --name ${name} .*--network ${name} .*sleep`));
  expect(second).toMatch(new RegExp(`run .*--network ${name} .*getent hosts ${name}$`));
  expect(tidied).toEqual([`--runtime runc rm --force --time 0 ${name}`, `--runtime runc network rm --force ${name}`]);
});

it('a podman that resolves no names, as with its CNI networks: the reason names what to install', async () => {
  await plantPodman('*getent*) exit 2 ;;');
  expect(whyNoNames()).toBe(
    `containers do not find each other by name in podman's internal networks (the name of the other container is not known); ${remedy}`,
  );
});

it('a podman whose networks do not work at all: the reason says why, and names what to install', async () => {
  await plantPodman(`*--detach*) echo 'Error: netavark: No such file or directory (os error 2)' >&2; exit 126 ;;`);
  expect(whyNoNames()).toBe(
    `containers do not find each other by name in podman's internal networks (Error: netavark: No such file or directory (os error 2)); ${remedy}`,
  );
  expect((await asked()).filter((words) => words.includes('getent'))).toEqual([]);
});
