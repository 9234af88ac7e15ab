// The push of a Client on both engines: its cost for ingest, measured in turns on one portal; how fast a backlog of a million
// rows is sent (`--backlog=10000000` measures only a backlog of ten million); and the cost of finding a batch in backlogs of
// different sizes. The receiving fleet only answers.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { shares } from '../server/base/budgets.ts';
import { findHorizon, listDueRows } from '../server/push/push-outbox.sql.ts';
import { connections as gatewayConnections, gatewayBodies } from './support/gateway.ts';
import { rowOrigin } from './support/meter-rows.ts';
import { latencyOf, repeated, timed } from './support/measuring.ts';
import { startBenchPortal } from './support/portal.ts';
import { cpuSeconds, forgetPeak, peakMiB } from './support/processes.ts';
import { batchesOf, openReadings } from './support/readings.ts';
import { count, head, judged, line, milliseconds, times } from './support/report.ts';

const devices = 100;
const turns = 5;
// Loads that last longer than the pause between two pushes.
const bulk = { rows: 400_000, batch: 5_000, connections: 2 };
const gateway = { requests: 6_000, rows: 10 };
const asked = process.argv.find((one) => one.startsWith('--backlog='));
const backlogRows = Number(asked?.split('=')[1] ?? 1_000_000);
/** Rows of the backlog whose push is timed. */
const drainedRows = 1_000_000;
const intervalSeconds = 1;
const batchSize = 5_000;
const batchesPerTick = 3;
/** Rows of a batch whose cost is compared; the small backlog has at least as many. */
const comparedRows = 500;
/** Rows of one request of the compared backlogs; a batch reads whole outbox entries. */
const entryRows = 1_000;
const rowOf = openReadings(devices);
const median = (values: readonly number[]) => latencyOf(values).median;

const engines = process.argv.includes('--native') ? [true] : [false, true];
for (const isNative of engines) await measure(isNative);

async function measure(isNative: boolean): Promise<void> {
  await using resources = new AsyncDisposableStack();
  /** Answers that are held back, so that the push stops in the middle of a batch; null while it continues. */
  const gate: { held: (() => void)[] | null } = { held: null };
  let pushedRows = 0;
  const fleet = createServer((request, response) => {
    if (request.headers['x-batch-type'] === 'measurements') pushedRows += batchSize;
    const answer = () => response.end('{"accepted":0,"rejected":0}');
    request.resume().once('end', () => (gate.held === null ? answer() : gate.held.push(answer)));
  });
  await new Promise<void>((resolve) => {
    fleet.listen(0, '127.0.0.1', resolve);
  });
  resources.defer(async () => {
    fleet.closeAllConnections();
    fleet.close();
  });
  const address = fleet.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const portal = resources.use(
    await startBenchPortal({
      devices,
      connections: 100,
      isNative,
      settings: {
        FleetIngest__Enabled: 'true',
        FleetIngest__Url: `http://127.0.0.1:${port}/api/fleet/ingest`,
        FleetIngest__Token: '0'.repeat(64),
        FleetIngest__IntervalSeconds: String(intervalSeconds),
        FleetIngest__BatchSize: String(batchSize),
      },
    }),
  );
  const database = portal.database.within(shares.background);
  const run = (text: string) => database.query<{ count: number }>({ text });
  const countBacklog = async () =>
    (await run('SELECT coalesce(sum(row_count), 0)::bigint AS count FROM monitoring.push_outbox')).rows[0]?.count ?? 0;
  const setPushing = async (isPushing: boolean) => {
    const answers = gate.held ?? [];
    gate.held = isPushing ? null : [];
    for (const answer of answers) answer();
    while (gate.held?.length === 0) await sleep(20);
  };
  const setRecording = (isOn: boolean) =>
    run(
      isOn
        ? 'INSERT INTO monitoring.push_recording SELECT * FROM bench_recording ON CONFLICT DO NOTHING'
        : 'DELETE FROM monitoring.push_recording',
    );

  console.log(`\nDatabase: ${portal.description}. Rows (${rowOrigin}) of 8 quantities over ${devices} devices.\n`);
  while (
    (await run('SELECT count(*) AS count FROM monitoring.push_recording WHERE walk_time IS NULL')).rows[0]?.count !== 1
  )
    await sleep(100);
  await run('CREATE TABLE bench_recording AS SELECT * FROM monitoring.push_recording');

  let delivered = 0;
  const bulkRun = async (rows: number, size = bulk.batch) => {
    const batches = batchesOf(rowOf, { from: delivered, to: delivered + rows, size });
    const bodies = Array.from(batches, (batch) => Buffer.from(JSON.stringify(batch)));
    delivered += rows;
    return rows / (await timed(bodies.values(), bulk.connections, portal.deliver));
  };
  const gatewayRun = async () => {
    const { requests, rows } = gateway;
    const bodies = gatewayBodies(rowOf, { from: delivered, requests, isMixed: false });
    delivered += requests * rows;
    return (requests * rows) / (await timed(bodies.values(), gatewayConnections, portal.deliver));
  };
  gate.held = [];
  await bulkRun(200_000);
  await gatewayRun();
  await setPushing(false);

  if (asked === undefined) await compareIngest();
  await setRecording(true);
  await run('TRUNCATE monitoring.push_outbox');
  await bulkRun(entryRows, entryRows);
  const small = await costOfBatch();
  while ((await countBacklog()) < backlogRows) await bulkRun(100_000, entryRows);
  const large = await costOfBatch();
  const cost = (of: { median: number; p95: number }) => `${milliseconds(of.median)} ms (p95 ${milliseconds(of.p95)})`;
  console.log(
    `\nFinding a batch of ${comparedRows} rows: ${cost(small)} with a backlog of ${count(entryRows)} rows, ${cost(large)} with one of ${count(await countBacklog())}${await compressedCost()}.`,
  );

  const backlog = await countBacklog();
  forgetPeak(portal.pid());
  const before = peakMiB(portal.pid());
  const started = performance.now();
  await setPushing(true);
  const left = Math.max(0, backlog - drainedRows);
  const cpuBefore = cpuSeconds(portal.pid());
  while ((await countBacklog()) > left) await sleep(100);
  const seconds = (performance.now() - started) / 1000;
  const cpuMicros = ((cpuSeconds(portal.pid()) - cpuBefore) * 1e6) / (backlog - left);
  const allowed = Math.ceil((backlog - left) / (batchSize * batchesPerTick)) * intervalSeconds;
  console.log(
    `${count(backlog - left)} rows of a backlog of ${count(backlog)} were drained in ${milliseconds(seconds)} s; ${batchesPerTick} batches of ${count(batchSize)} each ${intervalSeconds} s take ${allowed} s (mark: as fast as that): ${times(seconds / allowed)}, ${cpuMicros.toFixed(1)} µs CPU of the portal a row. Memory ${count(before)} to ${count(peakMiB(portal.pid()))} MiB.`,
  );

  /** Ingest without recording to the outbox, with it, and beside the push, in turns. */
  async function compareIngest(): Promise<void> {
    const shapes = new Map([
      [`${count(bulk.batch)} rows a request, ${bulk.connections} connections`, () => bulkRun(bulk.rows)],
      [`${gateway.rows} rows a request, ${gatewayConnections} connections`, gatewayRun],
    ]);
    const rates = new Map<string, { off: number[]; on: number[]; pushing: number[] }>();
    for (const shape of shapes.keys()) rates.set(shape, { off: [], on: [], pushing: [] });
    const pushing = { rows: 0, seconds: 0 };
    const inTurns = ['off', 'on', 'pushing'] as const;
    for (let turn = 0; turn < turns; turn += 1) {
      // Each mode runs equally often in each position.
      for (let at = 0; at < inTurns.length; at += 1) {
        const mode = inTurns[(turn + at) % inTurns.length] ?? 'off';
        await setRecording(mode !== 'off');
        if (mode === 'pushing') await setPushing(true);
        const [began, before] = [performance.now(), pushedRows];
        for (const [shape, work] of shapes) rates.get(shape)?.[mode].push(await work());
        if (mode !== 'pushing') continue;
        pushing.rows += pushedRows - before;
        pushing.seconds += (performance.now() - began) / 1000;
        await setPushing(false);
      }
    }
    head(
      'ingest, rows/s, medians | nothing recorded: | recorded: | ratio: | recorded and pushed: | ratio: | mark | holds',
    );
    for (const [shape, { off, on, pushing }] of rates) {
      // Compared within each turn, because its parts ran on the machine in the same state.
      const ratioOf = (own: readonly number[]) => median(own.map((rate, turn) => rate / (off[turn] ?? Number.NaN)));
      const [recorded, pushed] = [ratioOf(on), ratioOf(pushing)];
      const isMet = judged('>= 0.9', Math.min(recorded, pushed) >= 0.9);
      line(
        shape,
        count(median(off)),
        count(median(on)),
        times(recorded),
        count(median(pushing)),
        times(pushed),
        ...isMet,
      );
    }

    console.log(`\nMeanwhile ${count(pushing.rows / pushing.seconds)} rows/s were pushed.`);
  }

  /** As the push reads it. */
  async function costOfBatch() {
    // Rows received only just now are not sent yet.
    await sleep(500);
    return repeated(async () => {
      const horizon = await findHorizon(database);
      const due = await database.snapshot((tx) => listDueRows(tx, horizon, comparedRows));
      if (due?.rows.count !== comparedRows) throw new Error(`there were ${due?.rows.count} rows`);
    });
  }

  async function compressedCost(): Promise<string> {
    if (isNative || !portal.description.includes('TimescaleDB')) return '';
    await run(`SELECT compress_chunk(chunk, true) FROM show_chunks('monitoring.measurements') chunk`);
    return `, ${cost(await costOfBatch())} with all its chunks compressed`;
  }
}
