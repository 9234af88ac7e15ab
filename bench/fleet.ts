// Fleet ingest over HTTP on both engines: large gzip batches compared with COPY into the same database, small batches of many
// customers at once, a simulated hour of a fleet of 2,000 with the waiting times of its readers, and normal customers beside an
// abusive one.
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../server/database/pool.ts';
import { signInAt, startPortal } from '../test/support/portal.ts';
import { encodeBatches, measureCopies } from './support/copy-limits.ts';
import { startAbuse } from './support/fleet-abuse.ts';
import { type BenchCustomer, fleetDeviceIds, pushedBody, seedFleet } from './support/fleet-store.ts';
import { minuteMs } from './support/history.ts';
import { rowOrigin } from './support/meter-rows.ts';
import { latencyOf, repeated, timed } from './support/measuring.ts';
import { exchange, makeBenchFolder, startBenchDatabase } from './support/portal.ts';
import { cpuSeconds, forgetPeak, peakMiB } from './support/processes.ts';
import { batchesOf, openReadings, rowStart } from './support/readings.ts';
import { count, head, judged, line, milliseconds, times } from './support/report.ts';
import { startSteadyLoad } from './support/steady-load.ts';

const fleetSize = 2_000;
const large = { rows: 300_000, batch: 10_000 };
const small = { customers: 500, rounds: 20, rows: 20, connections: 100 };
const good = { customers: 200, perSecond: 200, seconds: 8 };
const devices = fleetDeviceIds.length;
const rowOf = openReadings(devices);

const engines = process.argv.includes('--native') ? [true] : [false, true];
for (const isNative of engines) await measure(isNative);

async function measure(isNative: boolean): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const folder = await makeBenchFolder(resources);
  const { connectionString, description } = resources.use(await startBenchDatabase(join(folder, 'data'), isNative));
  const start = (settings: Record<string, string>) =>
    startPortal({
      environment: { Application__RunMode: 'Admin', Database__ConnectionString: connectionString, ...settings },
      folder,
      ...(process.env['PROFILES']
        ? { nodeArguments: ['--cpu-prof', `--cpu-prof-dir=${process.env['PROFILES']}`] }
        : {}),
    });
  const withoutLimit = { FleetIngest__MaxBatchesPerMinute: '1000000' };
  let portal = await start(withoutLimit);
  resources.defer(() => portal[Symbol.asyncDispose]());
  const agent = new Agent({ keepAlive: true, maxSockets: 500 });
  resources.defer(() => agent.destroy());
  const database = new Database(connectionString, { maxConnections: 1 });
  resources.defer(() => database.close());
  const customers = await seedFleet(database, fleetSize);
  const push = ({ token }: BenchCustomer, body: Buffer) => {
    const headers = { 'x-customer-token': token, 'x-batch-type': 'measurements', 'content-encoding': 'gzip' };
    return exchange(agent, portal.url, 'POST', '/api/fleet/ingest', headers, body);
  };
  const pushAll = async (rounds: readonly Buffer[], some: readonly BenchCustomer[], connections: number) => {
    const sends = rounds.flatMap((body) => some.map((customer) => ({ customer, body })));
    const taken: number[] = [];
    const before = cpuSeconds(portal.pid);
    const seconds = await timed(sends.values(), connections, async ({ customer, body }) => {
      const sent = performance.now();
      await push(customer, body);
      taken.push(performance.now() - sent);
    });
    const { median, p99 } = latencyOf(taken);
    const cpuMs = ((cpuSeconds(portal.pid) - before) * 1000) / sends.length;
    const told = `p50 ${milliseconds(median)} ms, p99 ${milliseconds(p99)} ms, ${cpuMs.toFixed(2)} ms CPU of the portal each`;
    return { perSecond: sends.length / seconds, p99, told };
  };
  const nowMs = Math.floor(Date.now() / minuteMs) * minuteMs;
  const rowsOf = (from: number, to: number) => [...batchesOf(rowOf, { from, to, size: to - from })].flat();

  console.log(
    `\nDatabase: ${description}. Rows (${rowOrigin}) of 8 quantities; portal, database and load share the machine.\n`,
  );
  head('what | rate: | compared with | rate: | ratio: | mark | holds | memory MiB:');
  const memory = () => {
    const peak = peakMiB(portal.pid);
    forgetPeak(portal.pid);
    return count(peak);
  };

  const bodies = Array.from({ length: large.rows / large.batch }, (_, n) =>
    pushedBody(
      rowsOf(n * large.batch, (n + 1) * large.batch),
      ({ time }) => Date.parse(time) - rowStart + nowMs - 5 * 1440 * minuteMs,
    ),
  );
  const batches = encodeBatches(batchesOf(rowOf, { from: 0, to: large.rows, size: large.batch }));
  const limit = large.rows / (await measureCopies(connectionString, { way: 'fleet', width: 2, batches }));
  const deliver = async (...senders: readonly BenchCustomer[]) => {
    const sends = Array.from(bodies, (body, at) => ({ body, sender: senders[at % senders.length] }));
    return large.rows / (await timed(sends.values(), 2, async ({ body, sender }) => sender && push(sender, body)));
  };
  const [early, secondEarly, first, second] = customers.slice(-4);
  if (early === undefined || secondEarly === undefined || first === undefined || second === undefined)
    throw new Error('there are no customers');
  const what = `${count(large.batch)}-row gzip batches of two customers, rows/s`;
  const copied = ['COPY over a temporary table, two connections', count(limit)];
  forgetPeak(portal.pid);
  // Warms the compiler up.
  const cold = await deliver(early, secondEarly);
  line(`${what}, the first after a start`, count(cold), ...copied, times(cold / limit), '', '', memory());
  const rate = await deliver(first, second);
  const isFastEnough = judged('>= 0.6', rate / limit >= 0.6);
  line(what, count(rate), ...copied, times(rate / limit), ...isFastEnough, memory());
  const again = await deliver(first, second);
  const isNoSlower = judged('> 1', again > rate);
  line(
    'the same again, rows/s',
    count(again),
    'first delivery',
    count(rate),
    times(again / rate),
    ...isNoSlower,
    memory(),
  );

  const live = Array.from({ length: small.rounds + 1 }, (_, n) =>
    pushedBody(
      Array.from({ length: small.rows }, (_row, device) => rowOf(n * devices + device)),
      () => nowMs - (small.rounds + 61 - n) * minuteMs,
    ),
  );
  const many = customers.slice(0, small.customers);
  await pushAll(live.slice(0, 1), many, small.connections);
  forgetPeak(portal.pid);
  const run = await pushAll(live.slice(1), many, small.connections);
  const isSmallMet = judged('>= 1,000, p99 < 200 ms', run.perSecond >= 1_000 && run.p99 < 200);
  const whatSmall = `${small.rows}-row batches of ${small.customers} customers over ${small.connections} connections, batches/s`;
  line(whatSmall, count(run.perSecond), run.told, '', '', ...isSmallMet, memory());

  const hour = Array.from({ length: 4 }, (_, quarter) =>
    pushedBody(rowsOf(quarter * devices, (quarter + 1) * devices), () => nowMs - (3 - quarter) * 15 * minuteMs),
  );
  const hourRun = await pushAll(hour, customers, small.connections);
  const whatHour = `an hour of ${count(fleetSize)} customers with ${devices} devices, a row in 15 minutes, batches/s`;
  line(whatHour, count(hourRun.perSecond), hourRun.told, '', '', '', '', memory());
  await measureReaders();
  await measureAbuse();

  /** The requests of people who look at the fleet. */
  async function measureReaders(): Promise<void> {
    const countRanges = async () => {
      const counting = { text: 'SELECT count(*) AS count FROM fleet.energy_dirty_ranges' };
      return (await database.query<{ count: number }>(counting)).rows[0]?.count ?? 0;
    };
    const size = await database.query<{ bytes: number; rows: number }>({
      text: `SELECT pg_database_size(current_database()) AS bytes, (SELECT count(*) FROM fleet.measurements) AS rows`,
    });
    const { bytes = 0, rows = 0 } = size.rows[0] ?? {};
    console.log(
      `\nThe whole database after that: ${count(bytes / 2 ** 20)} MiB for ${count(rows)} measurements of ${count(fleetSize)} customers and their rollup so far.`,
    );
    const signedIn = { cookie: await signInAt(portal.url) };
    const read = (path: string) => () => exchange(agent, portal.url, 'GET', path, signedIn);
    const [started, before] = [performance.now(), await countRanges()];
    while (performance.now() - started < 15_000 && (await countRanges()) > 0) await sleep(250);
    const materialized = before - (await countRanges());
    const perSecond = (materialized * 1000) / (performance.now() - started);
    console.log(
      `The energy worker, in its share of the time: ${count(perSecond)} ranges a second of ${count(before)} (such a fleet makes ${count((fleetSize * devices) / 900)} a second).`,
    );
    await portal.stop();
    portal = await start(withoutLimit);
    signedIn.cookie = await signInAt(portal.url);
    const firstRead = await timedOnce(read('/api/fleet/dashboard'));
    const usual = await repeated(read('/api/fleet/dashboard'));
    await sleep(5_000);
    const afterPause = await timedOnce(read('/api/fleet/dashboard'));
    const detail = await repeated(read(`/api/fleet/customers/${customers[0]?.id}/detail`));
    console.log(
      `Dashboard of ${count(fleetSize)} customers: first after a start ${milliseconds(firstRead)} ms, then median ${milliseconds(usual.median)} ms, five seconds later ${milliseconds(afterPause)} ms (mark < 300 ms). Detail of a customer: median ${milliseconds(detail.median)} ms, p95 ${milliseconds(detail.p95)} ms.`,
    );
  }

  async function timedOnce(work: () => Promise<unknown>): Promise<number> {
    const sent = performance.now();
    await work();
    return performance.now() - sent;
  }

  /** The normal customers send at their usual rate, first alone and then beside one that sends as much as it can. */
  async function measureAbuse(): Promise<void> {
    await portal.stop();
    portal = await start({});
    const [abuser, ...others] = customers.slice(0, good.customers + 1);
    const body = live[0];
    if (abuser === undefined || body === undefined) return;
    const requests = new Map(others.map((customer) => [customer.id, () => push(customer, body)]));
    const load = async () => {
      const running = startSteadyLoad(requests, good.perSecond);
      await sleep(good.seconds * 1000);
      return latencyOf([...(await running.stop()).values()].flat());
    };
    await load();
    const alone = await load();
    forgetPeak(portal.pid);
    const abuse = startAbuse(portal.url, abuser.token);
    const beside = await load();
    const statuses = [...(await abuse.stop())]
      .toSorted(([, a], [, b]) => b - a)
      .map(([status, came]) => `${came} x ${status}`);
    console.log(
      `${good.customers} good customers, ${good.perSecond} batches/s: p50 ${milliseconds(alone.median)} ms, p99 ${milliseconds(alone.p99)} ms; beside one abusive customer p50 ${milliseconds(beside.median)} ms, p99 ${milliseconds(beside.p99)} ms, all ${count(beside.runs)} stored, memory ${memory()} MiB. It was answered ${statuses.join(', ')}.`,
    );
  }
}
