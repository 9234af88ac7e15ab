import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type MemoryFolder, scratchFolder } from './scratch-folder.ts';

const roomy: MemoryFolder = {
  mounts: '/dev/vda / ext4 rw,noexec 0 0\ntmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0\n',
  freeBytes: 4 * 2 ** 30,
  availableMemory: 8 * 2 ** 30,
};

beforeEach(() => vi.stubEnv('TMPDIR', undefined));
afterEach(() => vi.unstubAllEnvs());

it('is in memory if programs can start there and there is enough of it', () => {
  expect(scratchFolder(() => roomy)).toBe('/dev/shm');
});

it.each([
  ['has no such folder', { mounts: '/dev/vda / ext4 rw 0 0\n' }],
  ['keeps it on a disk', { mounts: '/dev/vda /dev/shm ext4 rw 0 0\n' }],
  ['starts no programs there', { mounts: 'shm /dev/shm tmpfs rw,nosuid,nodev,noexec,size=65536k 0 0\n' }],
  ['has little room there', { freeBytes: 4 * 2 ** 30 - 1 }],
  ['has little memory', { availableMemory: 8 * 2 ** 30 - 1 }],
])('is with the other temporary files on a machine that %s', (_, differs) => {
  expect(scratchFolder(() => ({ ...roomy, ...differs }))).toBe(tmpdir());
});

it('is the temporary folder if nothing is known about the machine, or if TMPDIR names a folder', () => {
  const fails = () => {
    throw new Error('ENOENT');
  };
  expect(scratchFolder(fails)).toBe(tmpdir());
  vi.stubEnv('TMPDIR', '/somewhere');
  expect(scratchFolder(() => roomy)).toBe('/somewhere');
});
