// Ingest over HTTP with an API key, durable and idempotent: bulk compared with COPY into the same database, small requests of
// many connections compared with a process that only parses them, and more load than the portal can take.
import { shares } from '../server/base/budgets.ts';
import { encodeBatches, measureCopies } from './support/copy-limits.ts';
import {
  connections,
  gatewayBodies,
  type GatewayRun,
  rowsPerRequest,
  runFloor,
  runGateway,
} from './support/gateway.ts';
import { rowOrigin } from './support/meter-rows.ts';
import { timed } from './support/measuring.ts';
import { measureOverload } from './support/overload.ts';
import { startBenchPortal } from './support/portal.ts';
import { forgetPeak, peakMiB } from './support/processes.ts';
import { batchesOf, openReadings } from './support/readings.ts';
import { count, head, judged, line, milliseconds, times } from './support/report.ts';

const isFull = process.argv.includes('--full');
const devices = 100;
const rowsPerBatch = 5_000;
const bulkRows = isFull ? 20_000_000 : 1_000_000;
const limitRows = 500_000;
const gatewayRequests = isFull ? 100_000 : 30_000;

const rowOf = openReadings(devices);
await using portal = await startBenchPortal({ devices, connections: 500 });
console.log(
  `Database: ${portal.description}. Rows (${rowOrigin}) of 8 quantities over ${devices} devices; portal, database and load share the machine.`,
);
console.log(`Memory of the portal when idle: ${count(portal.residentMemory())} MiB (mark < 120 MiB)`);

const { deliver } = portal;
const memory = (): string => {
  const peak = peakMiB(portal.pid());
  forgetPeak(portal.pid());
  return count(peak);
};
forgetPeak(portal.pid());

console.log('');
head('bulk | rows/s: | compared with | rows/s: | ratio: | mark | holds | memory MiB:');
let delivered = 0;
for (const [width, mark] of [
  [1, 0.85],
  [2, 1],
] as const) {
  const encoded = encodeBatches(batchesOf(rowOf, { from: 0, to: limitRows, size: rowsPerBatch }));
  const limitOf = async (way: 'temporary' | 'direct') =>
    limitRows / (await measureCopies(portal.connectionString, { way, width, batches: encoded }));
  const temporary = await limitOf('temporary');
  const direct = await limitOf('direct');
  const rows = bulkRows / 2;
  const bodies = Array.from(batchesOf(rowOf, { from: delivered, to: delivered + rows, size: rowsPerBatch }), (batch) =>
    Buffer.from(JSON.stringify(batch)),
  );
  delivered += rows;
  const rate = rows / (await timed(bodies.values(), width, deliver));
  const what = `${width} connection(s)`;
  const comparison = [count(temporary), times(rate / temporary), ...judged(`>= ${mark}`, rate / temporary >= mark)];
  line(`${what}, first delivery`, count(rate), 'COPY over a temporary table', ...comparison, memory());
  line(
    `${what}, first delivery`,
    count(rate),
    'COPY straight into the table',
    count(direct),
    times(rate / direct),
    '',
    '',
    '',
  );
  const again = rows / (await timed(bodies.values(), width, deliver));
  line(`${what}, re-delivery`, count(again), 'first delivery', count(rate), times(again / rate), '', '', memory());
}

console.log('');
head(
  `${connections} connections x ${rowsPerRequest} rows | rows/s: | p50 ms: | p99 ms: | compared with | ratio: | mark | holds | cores of server, load | memory MiB:`,
);
const show = (what: string, run: GatewayRun, rest: readonly string[], peak: string) => {
  const latencies = [milliseconds(run.latency.median), milliseconds(run.latency.p99)];
  line(what, count(run.rate), ...latencies, ...rest, `${times(run.server)}, ${times(run.load)}`, peak);
};
const next = (isMixed: boolean) => {
  const bodies = gatewayBodies(rowOf, { from: delivered, requests: gatewayRequests, isMixed });
  delivered += gatewayRequests * rowsPerRequest;
  return bodies;
};
const bodies = next(false);
const floor = await runFloor(bodies);
show('a process that only parses', floor, ['', '', '', ''], '');
const pure = await runGateway(bodies, portal.pid(), deliver);
const isPureMet = pure.rate >= 0.6 * floor.rate && pure.latency.p99 < 40;
show(
  'portal',
  pure,
  ['that process', times(pure.rate / floor.rate), ...judged('>= 0.6, p99 < 40 ms', isPureMet)],
  memory(),
);
const mixed = await runGateway(next(true), portal.pid(), deliver);
const isMixedMet = mixed.rate >= 0.7 * pure.rate;
show(
  'portal, 5 % late and 5 % re-delivered',
  mixed,
  ['without them', times(mixed.rate / pure.rate), ...judged('>= 0.7', isMixedMet)],
  memory(),
);

console.log('');
await measureOverload(portal, rowOf, delivered);

const database = portal.database.within(shares.background);
const hypertable = await database.query({ text: `SELECT FROM pg_extension WHERE extname = 'timescaledb'` });
console.log(`Disk: ${await diskOfARow()} (mark <= 140)`);
if (hypertable.rowCount > 0) {
  await database.query({ text: `SELECT compress_chunk(chunk) FROM show_chunks('monitoring.measurements') chunk` });
  console.log(`Disk once compressed: ${await diskOfARow()} (mark <= 20)`);
}

async function diskOfARow(): Promise<string> {
  const ownSize =
    hypertable.rowCount > 0
      ? `hypertable_size('monitoring.measurements')`
      : `(SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'monitoring.measurements'::regclass)`;
  const { rows } = await database.query<{ bytes: number; rows: number }>({
    text: `SELECT ${ownSize}::bigint AS bytes, (SELECT count(*) FROM monitoring.measurements) AS rows`,
  });
  const [size = { bytes: Number.NaN, rows: 1 }] = rows;
  return `${(size.bytes / size.rows).toFixed(1)} bytes a row with its indexes, ${count(size.rows)} rows`;
}
