// Exports of 250,000 real readings: what writing them costs beside the floor and beside packages that do the same, what the
// portal takes while one or four are downloaded and what others feel of it, and what is left of one that was given up.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowCap } from '../shared/exports.ts';
import { Database } from '../server/db/pool.ts';
import { settle, untilMaterialized } from './support/materialization.ts';
import { measureAborts } from './support/export-aborts.ts';
import { measureDownloads } from './support/export-downloads.ts';
import { saveExportedRows } from './support/export-rows.ts';
import { compareWriters } from './support/export-writers.ts';
import { dayMs, historyBodies, realHistory, rowsOf } from './support/history.ts';
import { timed } from './support/measuring.ts';
import { startBenchPortal } from './support/portal.ts';
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
const folder = await mkdtemp(join(tmpdir(), 'portal-bench-export-'));
await chmod(folder, 0o711);
resources.defer(() => rm(folder, { recursive: true, force: true }));
const portal = resources.use(await startBenchPortal({ devices: devices.length, connections: 32 }));
const database = new Database(portal.connectionString, { maxConnections: 1 });
resources.defer(() => database.close());
await addTariffs(portal, new Date(startMs).getUTCFullYear(), new Date(endMs).getUTCFullYear());
await timed(historyBodies(realHistory(startMs), devices, [interval]), 2, ({ body }) =>
  portal.send('POST', '/api/ingest/measurements', body),
);
await untilMaterialized(database);
await settle(database);

const rowsFile = join(folder, 'rows');
const range = { fromMicros: startMs * 1000, toMicros: endMs * 1000, dates: null };
const { rows, columns, cells } = await saveExportedRows(portal.connectionString, { range, rowCap: cap }, rowsFile);
if (rows !== cap) throw new Error(`${rows} rows are exported, and must be ${cap}.`);
console.log(
  `Database: ${portal.description}. ${count(rowsOf(interval) * devices.length)} real one-minute rows of ${devices.length} devices, of which the newest ${count(rows)} are exported: ${columns} columns, ${count(cells)} cells with something in them. Portal, database and load share the machine.`,
);
console.log('');
const floorSeconds = await compareWriters(rowsFile, folder);
console.log('');
const asked = { from: new Date(startMs).toISOString(), to: new Date(endMs).toISOString(), rowCap: cap };
await measureDownloads(portal, { ...asked, floorSeconds });
console.log('');
await measureAborts(portal, database, asked);
