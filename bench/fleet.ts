// Fleet ingest over HTTP: large gzip batches beside what the same database copies, and small ones of many customers at once.
import { randomUUIDv7 } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startPortal } from '../test/support/portal.ts';
import { encodeBatches, measureCopies } from './support/copy-limits.ts';
import { latencyOf, timed } from './support/measuring.ts';
import { exchange, signIn, startBenchDatabase } from './support/portal.ts';
import { peakMiB } from './support/processes.ts';
import { batchesOf, openReadings } from './support/readings.ts';
import { count, judged, line, milliseconds, times } from './support/report.ts';

const devices = 100;
const largeRows = 500_000;
const rowsOfLarge = 10_000;
const customers = 500;
const batchesOfCustomer = 40;
const rowsOfSmall = 20;

await using resources = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'portal-bench-'));
// PostgreSQL runs under another account where we are root.
await chmod(folder, 0o711);
resources.defer(() => rm(folder, { recursive: true, force: true }));
const { connectionString, description } = resources.use(await startBenchDatabase(join(folder, 'data')));
const environment = {
  Application__RunMode: 'Admin',
  Database__ConnectionString: connectionString,
  FleetIngest__MaxBatchesPerMinute: '1000000',
};
const portal = resources.use(await startPortal({ environment, folder }));
const agent = new Agent({ keepAlive: true, maxSockets: customers });
resources.defer(() => agent.destroy());
console.log(`Database: ${description}. Real rows of 8 quantities; portal, database and load share the machine.`);

const cookie = await signIn(portal.url);
const tokens: string[] = [];
for (let customer = 0; customer < customers; customer += 1) {
  const body = JSON.stringify({ code: `bench-${customer}`, name: `Bench ${customer}` });
  const created = JSON.parse(await exchange(agent, portal.url, 'POST', '/api/admin/customers', { cookie }, body));
  tokens.push(String(created.token));
}
const deviceIds = Array.from({ length: devices }, () => randomUUIDv7());
const rowOf = openReadings(devices);
const bodyOf = (batch: readonly { externalId: string }[]) =>
  gzipSync(
    JSON.stringify(
      batch.map(({ externalId, ...row }) => ({ deviceId: deviceIds[Number(externalId.split('-')[1])], ...row })),
    ),
    { level: 1 },
  );
const push = (customer: number, body: Buffer) => {
  const headers = {
    'x-customer-token': tokens[customer % customers] ?? '',
    'x-batch-type': 'measurements',
    'content-encoding': 'gzip',
  };
  return exchange(agent, portal.url, 'POST', '/api/fleet/ingest', headers, body);
};

line('what', 'rate', 'compared with', 'rate', 'ratio', 'mark', 'holds');
line('---', '---:', '---', '---:', '---:', '---', '---');
const large = [...batchesOf(rowOf, { from: 0, to: largeRows, size: rowsOfLarge })];
const batches = encodeBatches(large);
const limit = largeRows / (await measureCopies(connectionString, { way: 'fleet', width: 2, batches }));
const bodies = large.map(bodyOf);
const rate = largeRows / (await timed(bodies.entries(), 2, ([at, body]) => push(at % 2, body)));
line(
  `${count(rowsOfLarge)}-row gzip batches of two customers, rows/s`,
  count(rate),
  'COPY over a temporary table, two connections',
  count(limit),
  times(rate / limit),
  ...judged('>= 0.6', rate / limit >= 0.6),
);
const again = largeRows / (await timed(bodies.entries(), 2, ([at, body]) => push(at % 2, body)));
line(
  'the same again, rows/s',
  count(again),
  'first delivery',
  count(rate),
  times(again / rate),
  ...judged('> 1', again > rate),
);

const small = Array.from({ length: batchesOfCustomer }, (_, n) =>
  bodyOf(
    [
      ...batchesOf(rowOf, {
        from: largeRows + n * rowsOfSmall,
        to: largeRows + (n + 1) * rowsOfSmall,
        size: rowsOfSmall,
      }),
    ].flat(),
  ),
);
const sends = small.flatMap((body) => tokens.map((_, customer) => ({ customer, body })));
// Each customer's devices are numbered with its first batches.
await timed(sends.splice(0, customers * 10).values(), 100, ({ customer, body }) => push(customer, body));
const taken: number[] = [];
const seconds = await timed(sends.values(), 100, async ({ customer, body }) => {
  const sent = performance.now();
  await push(customer, body);
  taken.push(performance.now() - sent);
});
const [perSecond, { median, p99 }] = [sends.length / seconds, latencyOf(taken)];
line(
  `${rowsOfSmall}-row batches of ${customers} customers over 100 connections, batches/s`,
  count(perSecond),
  `p50 ${milliseconds(median)} ms, p99 ${milliseconds(p99)} ms`,
  '',
  '',
  ...judged('>= 1,000, p99 < 200 ms', perSecond >= 1_000 && p99 < 200),
);
console.log(`Memory of the portal at its highest: ${count(peakMiB(portal.pid))} MiB (mark < 300 MiB)`);
