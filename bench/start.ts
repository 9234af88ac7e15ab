// How long a portal with data takes to become ready: with its own database and with an existing one, after a clean stop and
// after kill -9 during an ingest, which also kills its own database. A bare `node:http` process is the floor for time and
// memory.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureExecutable, executable } from '../scripts/executable.mjs';
import { rowOrigin } from './support/meter-rows.ts';
import { latencyOf, timed } from './support/measuring.ts';
import { type BenchPortal, type BenchPortalOptions, startBenchPortal } from './support/portal.ts';
import { cpuSeconds, mappedFilesMiB, residentMiB } from './support/processes.ts';
import { batchesOf, openReadings } from './support/readings.ts';
import { count, head, judged, line, milliseconds } from './support/report.ts';

const devices = 100;
const rowsPerBatch = 5_000;
const batches = process.argv.includes('--full') ? 400 : 60;
const runs = 7;
const marks = { readyMs: 1_500, idleMiB: 120 };
const restMs = 2_000;
/** The CPU time of an idle portal within {@link quietMs} is at most this; its worker pauses at most ten seconds. */
const idleCpuSeconds = 0.3;
const quietMs = 12_000;

await ensureExecutable();
const rowOf = openReadings(devices);
const floor = await measureFloor();
console.log(
  `${count(batches * rowsPerBatch)} ${rowOrigin} rows of ${devices} devices; median and worst of ${runs} starts. A bare node:http process listens after ${milliseconds(floor.median)} ms and takes ${count(floor.residentMiB)} MiB.`,
);
console.log(`The executable has ${count(statSync(executable).size / 2 ** 20)} MiB.`);
console.log('');
head('start | ready, median ms: | worst ms: | steps of the last, ms | idle MiB: | of which | mark | holds');
const places: [string, Partial<BenchPortalOptions>][] = [
  ['own database', { isEmbedded: true }],
  ['given database', {}],
  ['given database, the executable', { executable }],
];
for (const [where, options] of places) {
  await using portal = await startBenchPortal({ devices, connections: 2, ...options });
  const bodies = batchesOf(rowOf, { from: 0, to: batches * rowsPerBatch, size: rowsPerBatch });
  await timed(bodies, 2, (rows) => portal.deliver(JSON.stringify(rows)));
  await measure(portal, `${where}, after a clean stop`, 'stop');
  await measure(portal, `${where}, after kill -9`, 'kill');
}

async function measure(portal: BenchPortal, what: string, ending: 'stop' | 'kill'): Promise<void> {
  const taken: number[] = [];
  let steps = '';
  for (let run = 0; run < runs; run += 1) {
    const rows = Array.from({ length: rowsPerBatch }, (_, at) => rowOf(at));
    const moved = rows.map((row) => ({ ...row, time: row.time.replace('2026', String(2025 - run)) }));
    // The kill breaks it off; a clean stop finishes it.
    const ingest = portal.deliver(JSON.stringify(moved)).catch(() => undefined);
    if (ending === 'stop') await ingest;
    const said = /ready in (\d+) ms: ([^"]*)/.exec(await portal.restart(ending));
    await ingest;
    taken.push(Number(said?.[1]));
    steps = said?.[2] ?? '';
  }
  // Background work fills its memory once, so measure when it has finished.
  while ((await cpuWhileQuiet(portal.pid())) > idleCpuSeconds);
  await portal.restart('stop');
  await sleep(restMs);
  const { median, worst } = latencyOf(taken);
  const memory = portal.residentMemory();
  const parts = await partsOfMemory(portal);
  const isMet = median < marks.readyMs && memory < marks.idleMiB;
  const mark = `< ${count(marks.readyMs)} ms, < ${marks.idleMiB} MiB`;
  line(what, milliseconds(median), milliseconds(worst), steps, count(memory), parts, ...judged(mark, isMet));
}

/** Parts of the resident memory: pages of the program, which all its processes share, V8's heap, and the rest. */
async function partsOfMemory(portal: BenchPortal): Promise<string> {
  const files = mappedFilesMiB(portal.pid());
  const own = portal.residentMemory() - files;
  const metrics = await (await fetch(`${portal.url}/metrics`)).text();
  const heap = Number(/^nodejs_heap_size_total_bytes (\S+)/m.exec(metrics)?.[1]) / 2 ** 20;
  return `program ${count(files)}, heap ${count(heap)}, other ${count(own - heap)}`;
}

async function cpuWhileQuiet(pid: number): Promise<number> {
  const before = cpuSeconds(pid);
  await sleep(quietMs);
  return cpuSeconds(pid) - before;
}

async function measureFloor(): Promise<{ median: number; residentMiB: number }> {
  const program = `require('node:http').createServer((_, response) => response.end()).listen(0, () => console.log('ready'))`;
  const taken: number[] = [];
  let resident = 0;
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now();
    const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    taken.push(performance.now() - started);
    resident = residentMiB(child.pid ?? 0);
    child.kill();
    await once(child, 'close');
  }
  return { median: latencyOf(taken).median, residentMiB: resident };
}
