// What Linux says of a process of its own; other systems do not, and the benchmarks that need it say so.
import { readFileSync, writeFileSync } from 'node:fs';

/** USER_HZ, which is 100 wherever Node runs on Linux. */
const ticksPerSecond = 100;

/** Seconds that all threads of a process have computed so far, in the program and in the kernel. */
export function cpuSeconds(pid: number): number {
  // The name of the program stands in brackets, and may hold spaces.
  const fields = read(pid, 'stat')
    .replace(/^.*\) /, '')
    .split(' ');
  const [user, system] = [fields[11], fields[12]];
  return (Number(user) + Number(system)) / ticksPerSecond;
}

export const residentMiB = (pid: number): number => statusMiB(pid, 'VmRSS');

/** The most that was resident since the process began, or since {@link forgetPeak}. */
export const peakMiB = (pid: number): number => statusMiB(pid, 'VmHWM');

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function statusMiB(pid: number, field: string): number {
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(read(pid, 'status'))?.[1] ?? Number.NaN) / 1024;
}

const read = (pid: number, file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
