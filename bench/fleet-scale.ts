// A fleet of thousands over HTTP, on TimescaleDB on one machine and on Citus (a coordinator and workers on the same machine): an
// hour of pushes at once, a minute of them at real speed, what readers wait for, and the processor time of each node.
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { findPostmaster } from '../server/database/local/data-folder.ts';
import { Database } from '../server/database/pool.ts';
import { createDistributed, findCitusBinaries, onServer, startCitusCluster } from '../test/support/citus-cluster.ts';
import { signInAt, startPortal } from '../test/support/portal.ts';
import { type BenchCustomer, fleetDeviceIds, pushedBody, seedFleet } from './support/fleet-store.ts';
import { minuteMs } from './support/history.ts';
import { type Latency, latencyOf, repeated, timed } from './support/measuring.ts';
import { exchange, makeBenchFolder, startBenchDatabase } from './support/portal.ts';
import { cpuSeconds, cpuSecondsOfServer, forgetPeak, peakMiB } from './support/processes.ts';
import { batchesOf, openReadings } from './support/readings.ts';
import { count, head, line, milliseconds } from './support/report.ts';

const sizes = /--customers=([\d,]+)/.exec(process.argv.join(' '))?.[1]?.split(',').map(Number) ?? [1_000];
const optionOf = (name: string, otherwise: number) =>
  Number(new RegExp(`--${name}=(\\d+)`).exec(process.argv.join(' '))?.[1] ?? otherwise);
const workerCount = optionOf('workers', 2);
const shardCount = optionOf('shards', 8);
const connections = 100;
const quarterHours = 4;
const day = 96;
const month = 30 * day;
const minuteSeconds = process.argv.includes('--quick') ? 5 : 60;
const materializingMs = process.argv.includes('--quick') ? 2_000 : 15_000;
const devices = fleetDeviceIds.length;
const rowOf = openReadings(devices);

interface Node {
  name: string;
  pid: number;
  connectionString: string;
}
interface Store {
  name: string;
  connectionString: string;
  /** The first is the one that the portal connects to. */
  nodes: Node[];
  /** Kills the last node, where there are several. */
  killOne?: () => Promise<void>;
}

async function startPlain(folder: string, resources: AsyncDisposableStack): Promise<Store> {
  const dataPath = join(folder, 'data');
  const { connectionString, description } = resources.use(await startBenchDatabase(dataPath));
  const pid = (await findPostmaster(join(dataPath, 'database')))?.pid ?? 0;
  return { name: description, connectionString, nodes: [{ name: 'database', pid, connectionString }] };
}

/** Durable, as `startBenchDatabase` is. */
async function startDistributed(folder: string, resources: AsyncDisposableStack): Promise<Store> {
  const durable = {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    autovacuum: 'on',
    shared_buffers: '256MB',
    'citus.shard_count': `${shardCount}`,
  };
  const { coordinator, workers } = resources.use(
    await startCitusCluster({ within: folder, more: durable, workers: workerCount }),
  );
  const name = 'portal';
  const nodes = [coordinator, ...workers].map((server, at): Node => ({
    name: at === 0 ? 'coordinator' : `worker ${at}`,
    pid: server.pid(),
    connectionString: server.connectionString.replace(/\/postgres$/, `/${name}`),
  }));
  await createDistributed(
    { connectionString: coordinator.connectionString, workers: workers.map((one) => one.connectionString) },
    name,
  );
  return {
    name: `Citus, a coordinator and ${workerCount} workers, ${shardCount} shards`,
    connectionString: nodes[0]?.connectionString ?? '',
    nodes,
    killOne: async () => workers.at(-1)?.stop('SIGKILL'),
  };
}

const ways = [startPlain, ...((await findCitusBinaries()) === undefined ? [] : [startDistributed])];
if (ways.length === 1)
  console.log('There is no PostgreSQL with Citus here (TEST_CITUS_BIN), so only one machine is measured.');
head(
  'store | customers: | hour, batches/s: | p50 ms: | p99 ms: | portal, CPU ms a batch: | nodes, CPU ms a batch | minute, p50 ms: | p99 ms: | backlog after the hour: | ranges/s: | CPU ms for 100 ranges | MiB: | dashboard ms: | customer ms: | search ms: | month ms: | portal MiB:',
);
for (const start of ways) for (const size of sizes) await measure(start, size);

async function measure(start: typeof startPlain, size: number): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const folder = await makeBenchFolder(resources);
  const store = await start(folder, resources);
  const portal = resources.use(
    await startPortal({
      environment: {
        Application__RunMode: 'Admin',
        Database__ConnectionString: store.connectionString,
        FleetIngest__MaxBatchesPerMinute: '1000000',
      },
      folder,
    }),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  resources.defer(() => agent.destroy());
  const database = new Database(store.connectionString, { maxConnections: 1 });
  resources.defer(() => database.close());
  const customers = await seedFleet(database, size);
  const nowMs = Math.floor(Date.now() / minuteMs) * minuteMs;
  const bodyOf = (quarter: number, length = 1) => {
    const rows = { from: (month + quarter) * devices, to: (month + quarter + length) * devices, size: devices };
    return pushedBody(
      [...batchesOf(rowOf, rows)].flat(),
      (_, at) => nowMs - (quarterHours - quarter - Math.floor(at / devices)) * 15 * minuteMs,
    );
  };
  const push = async ({ token }: BenchCustomer, body: Buffer, taken: number[]) => {
    const headers = { 'x-customer-token': token, 'x-batch-type': 'measurements', 'content-encoding': 'gzip' };
    const sent = performance.now();
    await exchange(agent, portal.url, 'POST', '/api/fleet/ingest', headers, body);
    taken.push(performance.now() - sent);
  };
  const cpu = () => [cpuSeconds(portal.pid), ...store.nodes.map(({ pid }) => cpuSecondsOfServer(pid))];

  const sends = Array.from({ length: quarterHours }, (_, quarter) => bodyOf(quarter)).flatMap((body) =>
    customers.map((customer) => ({ customer, body })),
  );
  const taken: number[] = [];
  const before = cpu();
  const seconds = await timed(sends.values(), connections, ({ customer, body }) => push(customer, body, taken));
  const [ofPortal = 0, ...ofNodes] = cpu().map((after, at) => ((after - (before[at] ?? 0)) * 1000) / sends.length);
  const ranges = async () =>
    (await database.query<{ count: number }>({ text: 'SELECT count(*) AS count FROM fleet.energy_dirty_ranges' }))
      .rows[0]?.count ?? 0;
  const backlog = await ranges();
  const atRest = cpu();
  await sleep(materializingMs);
  const done = backlog - (await ranges());
  const forRanges = cpu().map((after, at) => ((after - (atRest[at] ?? 0)) * 1000 * devices) / done);

  // Each pushes once in fifteen minutes, so this many in a minute.
  const paced: number[] = [];
  const inAMinute = Math.ceil((size / 15) * (minuteSeconds / 60));
  const last = bodyOf(quarterHours);
  const running = Array.from({ length: inAMinute }, async (_, at) => {
    await sleep((at * minuteSeconds * 1000) / inAMinute);
    const customer = customers[(at * 7) % size];
    if (customer !== undefined) await push(customer, last, paced);
  });
  await Promise.all(running);

  let bytes = 0;
  for (const { connectionString } of store.nodes) {
    const { rows } = await onServer(connectionString, 'SELECT pg_database_size(current_database()) AS bytes');
    bytes += Number(rows[0]?.bytes);
  }
  const cookie = await signInAt(portal.url);
  const read = (path: string) => repeated(() => exchange(agent, portal.url, 'GET', path, { cookie }), 10);
  const [id] = customers.map((customer) => customer.id);
  const range = { from: new Date(nowMs - 31 * 1440 * minuteMs).toISOString(), to: new Date(nowMs).toISOString() };
  const waits: Latency[] = [
    await read('/api/fleet/dashboard?limit=1000'),
    await read(`/api/fleet/customers/${id}/detail`),
    await read('/api/fleet/customers?search=bench&limit=20'),
    await read(`/api/fleet/customers/${id}/cost/export.xlsx?${new URLSearchParams(range).toString()}`),
  ];
  const [hour, minute] = [latencyOf(taken), latencyOf(paced)];
  line(
    store.name,
    count(size),
    count(sends.length / seconds),
    milliseconds(hour.median),
    milliseconds(hour.p99),
    ofPortal.toFixed(2),
    eachOf(store, ofNodes),
    milliseconds(minute.median),
    milliseconds(minute.p99),
    count(backlog),
    count((done * 1000) / materializingMs),
    `portal ${(forRanges[0] ?? 0).toFixed(2)}, ${eachOf(store, forRanges.slice(1))}`,
    count(bytes / 2 ** 20),
    ...waits.map(({ median }) => milliseconds(median)),
    count(peakMiB(portal.pid)),
  );
  forgetPeak(portal.pid);
  const [first] = customers;
  if (store.killOne === undefined || first === undefined) return;
  for (let quarter = -month; quarter < 0; quarter += day) await push(first, bodyOf(quarter, day), []);
  console.log(await bytesOfRows(store.connectionString, first.id));
  await store.killOne();
  const [dashboard, list] = [await read('/api/fleet/dashboard'), await read('/api/fleet/customers')];
  console.log(
    `With a worker killed: dashboard ${milliseconds(dashboard.median)} ms, list of customers ${milliseconds(list.median)} ms.`,
  );
}

/** What the rows of a customer take, and what they would take in a columnar table (docs/adr/0086). */
async function bytesOfRows(connectionString: string, customerId: string): Promise<string> {
  for (const text of [
    'CREATE EXTENSION citus_columnar',
    `CREATE TABLE heap AS SELECT * FROM fleet.measurements WHERE customer_id = '${customerId}' ORDER BY time, device_number`,
    'CREATE UNIQUE INDEX heap_key ON heap (customer_id, device_number, time)',
    'CREATE TABLE columns USING columnar AS SELECT * FROM heap ORDER BY device_number, time',
  ]) {
    await onServer(connectionString, text);
  }
  const { rows } = await onServer(
    connectionString,
    `SELECT format('A month of a customer, %s rows: a row takes %s bytes in a heap table, %s in a columnar one, %s in the index.', count,
            pg_table_size('heap') / count, pg_table_size('columns') / count, pg_table_size('heap_key') / count) AS text
     FROM (SELECT count(*) FROM heap) AS of`,
  );
  return z.tuple([z.object({ text: z.string() })]).parse(rows)[0].text;
}

function eachOf(store: Store, values: readonly number[]): string {
  return values.map((ms, at) => `${store.nodes[at]?.name ?? ''} ${ms.toFixed(2)}`).join(', ');
}
