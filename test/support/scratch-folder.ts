import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const inMemory = '/dev/shm';
const gibibyte = 2 ** 30;

/** What a machine reports about its file system in memory. */
export interface MemoryFolder {
  /** As in `/proc/mounts`. */
  mounts: string;
  freeBytes: number;
  availableMemory: number;
}

/**
 * The folder for databases and other files that are removed after the run: in memory if there is enough, because creating the
 * thousand files of a database costs ten times as much CPU on a disk. TMPDIR has precedence.
 */
export function scratchFolder(read: () => MemoryFolder = readMemoryFolder): string {
  if (process.env['TMPDIR'] !== undefined) return tmpdir();
  try {
    return isFit(read()) ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}

function isFit({ mounts, freeBytes, availableMemory }: MemoryFolder): boolean {
  const [, , type, options = ''] =
    mounts
      .split('\n')
      .findLast((line) => line.split(' ')[1] === inMemory)
      ?.split(' ') ?? [];
  // Programs are executed there too.
  const canExecute = type === 'tmpfs' && !options.split(',').includes('noexec');
  return canExecute && freeBytes >= 4 * gibibyte && availableMemory >= 8 * gibibyte;
}

function readMemoryFolder(): MemoryFolder {
  const { bavail, bsize } = statfsSync(inMemory);
  return {
    mounts: readFileSync('/proc/self/mounts', 'utf8'),
    freeBytes: bavail * bsize,
    availableMemory: process.availableMemory(),
  };
}
