// Exports of 250,000 readings: the cost of writing them compared with the floor and with similar packages, the memory
// and CPU of the portal while one or four are downloaded, the effect on other requests, and the remains of an aborted
// one.
import { join } from 'node:path';
import { rowCap } from '../shared/reports.ts';
import { rowOrigin } from './support/meter-rows.ts';
import { fill } from './support/materialization.ts';
import { measureAborts } from './support/export-aborts.ts';
import { measureDownloads } from './support/export-downloads.ts';
import { saveExportedRows } from './support/export-rows.ts';
import { compareWriters } from './support/export-writers.ts';
import { dayMs, historyBodies, meterHistory, rowsOf } from './support/history.ts';
import { makeBenchFolder, startBenchPortal } from './support/portal.ts';
import { count } from './support/report.ts';
import { addTariffs } from './support/tariffs.ts';

const devices = Array.from({ length: 20 }, (_, device) => device);
const days = 14;
const cap = rowCap.max;

if (process.platform !== 'linux') {
  throw new Error('This benchmark reads in /proc what a process takes, which only Linux has.');
}

const endMs = Math.floor(Date.now() / dayMs) * dayMs;
const startMs = endMs - days * dayMs;
const interval = { from: 0, to: days * 1440, step: 1 };

await using resources = new AsyncDisposableStack();
const folder = await makeBenchFolder(resources);
const portal = resources.use(await startBenchPortal({ devices: devices.length, connections: 32 }));
await addTariffs(portal, startMs, endMs);
await fill(portal, historyBodies(meterHistory(startMs), devices, [interval]));

const rowsFile = join(folder, 'rows');
const range = { fromMicros: startMs * 1000, toMicros: endMs * 1000, dates: null };
const { rows, columns, cells } = await saveExportedRows(portal.database, { range, rowCap: cap }, rowsFile);
if (rows !== cap) throw new Error(`${rows} rows are exported, and must be ${cap}.`);
console.log(
  `Database: ${portal.description}. ${count(rowsOf(interval) * devices.length)} ${rowOrigin} one-minute rows of ${devices.length} devices, of which the newest ${count(rows)} are exported: ${columns} columns, ${count(cells)} cells with something in them. Portal, database and load share the machine.`,
);
console.log('');
const floorSeconds = await compareWriters(rowsFile, folder);
console.log('');
const asked = { from: new Date(startMs).toISOString(), to: new Date(endMs).toISOString(), rowCap: cap };
await measureDownloads(portal, { ...asked, floorSeconds });
console.log('');
await measureAborts(portal, asked);
