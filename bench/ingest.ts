// Bulk and gateway ingest over HTTP with an API key, durable and idempotent, beside the limit of the same database: binary
// COPY into a temporary table and INSERT … ON CONFLICT DO NOTHING, prepared beforehand, on as many connections.
import { encodeCopy } from '../server/db/ingest.ts';
import { limits } from '../server/db/limits.ts';
import { Database } from '../server/db/pool.ts';
import { JudgedReadings } from '../server/domain/judged-readings.ts';
import { judgeRow } from '../server/domain/readings.ts';
import { SortedReadings } from '../server/domain/sorted-readings.ts';
import { timed } from './support/measuring.ts';
import { startBenchPortal } from './support/portal.ts';
import { type BenchRow, readingBatches } from './support/readings.ts';
import { count, line } from './support/report.ts';

const isFull = process.argv.includes('--full');
const devices = 100;
const rowsPerBatch = 5_000;
const bulkRows = isFull ? 20_000_000 : 1_000_000;
const limitRows = 500_000;
const gatewayConnections = 64;
const gatewayRowsPerRequest = 10;
const gatewayRequests = isFull ? 100_000 : 30_000;

/** Rows per second of the limit, on a table of the same shape beside the real one. */
async function measureLimit(connectionString: string, width: number): Promise<number> {
  const database = new Database(connectionString, { maxConnections: width });
  await database.query({ text: 'DROP TABLE IF EXISTS bench_limit' });
  await database.query({ text: 'CREATE TABLE bench_limit (LIKE monitoring.measurements INCLUDING ALL)' });
  const batches: Buffer[] = [];
  for (const rows of readingBatches({ batches: limitRows / rowsPerBatch, rowsPerBatch, devices }))
    batches.push(Buffer.concat([...encodeCopy(judged(rows))]));
  const columns = `time, active_power_milliwatts, reactive_power_millivars, apparent_power_millivoltamperes,
    energy_imported_milliwatthours, energy_exported_milliwatthours, device_number, power_factor_millionths,
    voltage_millivolts, frequency_tenth_millihertz`;
  const seconds = await timed(batches.values(), width, (batch) =>
    database.transaction(async (tx) => {
      await tx.query({
        text: `CREATE TEMPORARY TABLE IF NOT EXISTS bench_incoming ON COMMIT DELETE ROWS AS SELECT ${columns} FROM bench_limit WITH NO DATA`,
      });
      await tx.copyIn('COPY bench_incoming FROM STDIN (FORMAT binary)', [batch]);
      await tx.query({
        text: `INSERT INTO bench_limit (${columns}) SELECT ${columns} FROM bench_incoming ON CONFLICT DO NOTHING`,
      });
    }),
  );
  await database.query({ text: 'DROP TABLE bench_limit' });
  await database.close();
  return limitRows / seconds;
}

function judged(rows: readonly BenchRow[]): SortedReadings {
  const readings = new JudgedReadings();
  for (const [index, row] of rows.entries()) {
    const verdict = judgeRow({ ...row }, index, Date.now() * 1000);
    if ('reason' in verdict) throw new Error(verdict.reason);
    readings.add(index, verdict.externalId, verdict);
  }
  const sorted = new SortedReadings([readings]);
  const steps = readings.sorted();
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const { order, starts } = step.value;
  for (const [id, externalId] of readings.externalIds.entries()) {
    const deviceNumber = Number(externalId.split('-')[1]);
    for (const row of order.subarray(starts[id], starts[id + 1])) sorted.add(deviceNumber, 0, row);
  }
  return sorted;
}

function* bodies(batches: number, offset = 0): Generator<string> {
  let number = 0;
  for (const rows of readingBatches({ batches: offset + batches, rowsPerBatch, devices })) {
    if (number >= offset) yield JSON.stringify(rows);
    number += 1;
  }
}

await using portal = await startBenchPortal({ devices, connections: gatewayConnections });
console.log(
  `Database: ${portal.description}. Real rows of 8 quantities over ${devices} devices; portal, database and load share the machine.`,
);
console.log(`Memory of the portal when idle: ${count(portal.residentMemory())} MiB`);
console.log('');
line('what', 'rows/s', 'limit rows/s', 'ratio', 'mark');
line('---', '---:', '---:', '---:', '---');

const deliver = (body: string) => portal.send('POST', '/api/ingest/measurements', body);
let delivered = 0;
let peakMemory = 0;
for (const width of [1, 2]) {
  const limit = await measureLimit(portal.connectionString, width);
  const batches = [...bodies(bulkRows / 2 / rowsPerBatch, delivered)];
  delivered += batches.length;
  const seconds = await timed(batches.values(), width, deliver);
  peakMemory = Math.max(peakMemory, portal.residentMemory());
  const rate = (batches.length * rowsPerBatch) / seconds;
  line(`bulk, ${width} connection(s), first delivery`, count(rate), count(limit), (rate / limit).toFixed(2), '>= 0.65');
  const again = await timed(batches.values(), width, deliver);
  const againRate = (batches.length * rowsPerBatch) / again;
  line(
    `bulk, ${width} connection(s), re-delivery`,
    count(againRate),
    '',
    (againRate / rate).toFixed(2),
    '> 1 x the first delivery',
  );
}

const gatewayBodies: string[] = [];
for (const rows of readingBatches({ batches: gatewayRequests, rowsPerBatch: gatewayRowsPerRequest, devices })) {
  const moved = rows.map((row) => ({ ...row, time: row.time.replace('2026', '2025') }));
  gatewayBodies.push(JSON.stringify(moved));
}
const latencies: number[] = [];
const gatewaySeconds = await timed(gatewayBodies.values(), gatewayConnections, async (body) => {
  const sent = performance.now();
  await deliver(body);
  latencies.push(performance.now() - sent);
});
latencies.sort((a, b) => a - b);
const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN;
const gatewayRate = (gatewayRequests * gatewayRowsPerRequest) / gatewaySeconds;
line(
  `gateway, ${gatewayConnections} connections x ${gatewayRowsPerRequest} rows`,
  count(gatewayRate),
  '',
  '',
  '>= 60,000',
);
console.log('');
console.log(
  `Gateway latency: p50 ${(latencies[latencies.length >> 1] ?? Number.NaN).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (mark < 50 ms)`,
);
console.log(
  `Memory of the portal under load: ${count(Math.max(peakMemory, portal.residentMemory()))} MiB (mark < 350 MiB)`,
);

const database = new Database(portal.connectionString, { maxConnections: 1, limits: limits.background });
const hypertable = await database.query({ text: `SELECT FROM pg_extension WHERE extname = 'timescaledb'` });
console.log(`Disk: ${await diskOfARow()} (mark <= 140)`);
if (hypertable.rowCount > 0) {
  await database.query({ text: `SELECT compress_chunk(chunk) FROM show_chunks('monitoring.measurements') chunk` });
  console.log(`Disk once compressed: ${await diskOfARow()} (mark <= 20)`);
}
await database.close();

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
