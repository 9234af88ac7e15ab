// What Linux reports about processes. Other systems do not, and the benchmarks that need it say so.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** USER_HZ, which is 100 wherever Node runs on Linux. */
const ticksPerSecond = 100;

/** CPU seconds of all threads of a process, in user and kernel mode. */
export const cpuSeconds = (pid: number): number => readStat(pid).cpuSeconds;

/** The same of a PostgreSQL server: of the process, of those that it has, and of those that have ended. */
export function cpuSecondsOfServer(pid: number): number {
  let all = readStat(pid).cpuSeconds + readStat(pid).endedSeconds;
  for (const one of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    try {
      const { parent, cpuSeconds: own } = readStat(one);
      if (parent === pid) all += own;
    } catch {
      // It has ended in between.
    }
  }
  return all;
}

/**
 * CPU seconds of the machine except those of this process and of its children. A child that has ended counts among the others,
 * so none may end between two calls.
 */
export function cpuSecondsOfStrangers(): number {
  const known = new Map<number, Stat>();
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    try {
      known.set(pid, readStat(pid));
    } catch {
      // The process has ended since the folder was read.
    }
  }
  const isOwn = (pid: number): boolean => pid === process.pid || isOwnChild(known.get(pid));
  const isOwnChild = (stat: Stat | undefined): boolean => stat !== undefined && isOwn(stat.parent);
  let own = 0;
  for (const [pid, stat] of known) if (isOwn(pid)) own += stat.cpuSeconds;
  const [total = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const [user = 0, nice = 0, system = 0, _idle, _waiting, hard = 0, soft = 0] = total.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + hard + soft) / ticksPerSecond - own;
}

export const residentMiB = (pid: number): number => statusMiB(pid, 'VmRSS');

/** How much of the resident memory is pages of files, mainly of the program itself. */
export const mappedFilesMiB = (pid: number): number => statusMiB(pid, 'RssFile');

/** Peak resident memory since the start of the process, or since {@link forgetPeak}. */
export const peakMiB = (pid: number): number => statusMiB(pid, 'VmHWM');

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function statusMiB(pid: number, field: string): number {
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(read(pid, 'status'))?.[1] ?? Number.NaN) / 1024;
}

interface Stat {
  parent: number;
  cpuSeconds: number;
  /** Of the processes that it had started and that have ended. */
  endedSeconds: number;
}

function readStat(pid: number): Stat {
  // The program's name is in parentheses and may contain spaces.
  const fields = read(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ');
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map((at) =>
    Number(fields[at]),
  );
  return {
    parent,
    cpuSeconds: (user + system) / ticksPerSecond,
    endedSeconds: (endedUser + endedSystem) / ticksPerSecond,
  };
}

const read = (pid: number, file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
