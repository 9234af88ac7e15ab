// A backup of millions of readings while the portal runs, and its restore into an empty database of the same engine.
import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rowOrigin } from './support/meter-rows.ts';
import { fill } from './support/materialization.ts';
import { dayMs, historyBodies, meterHistory, rowsOf } from './support/history.ts';
import { makeBenchFolder, startBenchDatabase, startBenchPortal } from './support/portal.ts';
import { count, head, line } from './support/report.ts';

const devices = Array.from({ length: 20 }, (_, device) => device);
const days = process.argv.includes('--full') ? 280 : 70;
const interval = { from: 0, to: days * 1440, step: 1 };
const endMs = Math.floor(Date.now() / dayMs) * dayMs;
const history = meterHistory(endMs - days * dayMs);
const program = join(import.meta.dirname, '../server/main.mjs');

await using resources = new AsyncDisposableStack();
const portal = resources.use(await startBenchPortal({ devices: devices.length, connections: 4 }));
await fill(portal, historyBodies(history, devices, [interval]));
const rows = rowsOf(interval) * devices.length;
console.log(
  `Database: ${portal.description}. ${count(rows)} ${rowOrigin} one-minute rows of ${devices.length} devices.`,
);
console.log('');
head('what | seconds: | rows/s: | memory MiB:');

const folder = await makeBenchFolder(resources);
const file = join(folder, 'backup.tar');
const storage = { Storage__KeysPath: join(folder, 'keys'), Storage__UploadsPath: join(folder, 'uploads') };
await report('backup, while the portal runs', ['backup', '--to', file], portal.connectionString);
const target = resources.use(await startBenchDatabase(join(folder, 'target')));
await report('restore', ['restore', '--from', file], target.connectionString);
const { size } = await stat(file);
console.log('');
console.log(`The file has ${(size / rows).toFixed(1)} bytes a row, ${count(size / 1e6)} MB.`);

async function report(what: string, words: readonly string[], connectionString: string): Promise<void> {
  const started = performance.now();
  const { peakMiB, code } = await run(words, connectionString);
  const seconds = (performance.now() - started) / 1000;
  if (code !== 0) throw new Error(`The ${what} ended with ${code}.`);
  line(what, seconds.toFixed(1), count(rows / seconds), count(peakMiB));
}

/** Runs a command of the portal as npm does, and samples its memory for the peak. */
async function run(words: readonly string[], connectionString: string): Promise<{ peakMiB: number; code: number }> {
  const environment = { PATH: process.env['PATH'] ?? '', Database__ConnectionString: connectionString, ...storage };
  const child = spawn(process.execPath, [program, ...words], { cwd: folder, env: environment, stdio: 'ignore' });
  const ending = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? -1)));
  let peakMiB = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peakMiB = Math.max(peakMiB, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    await sleep(50);
  }
  return { peakMiB, code: await ending };
}
