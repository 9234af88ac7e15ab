import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { BenchPortal } from './portal.ts';
import { forgetPeak, peakMiB } from './processes.ts';
import { externalIdOf, type RowOf } from './readings.ts';
import { count, milliseconds } from './report.ts';

const senders = 500;
/** About 2 MiB. */
const rowsOfSender = 8_500;

/** More rows than the portal accepts at once, and the largest bodies. */
export async function measureOverload(portal: BenchPortal, rowOf: RowOf, from: number): Promise<void> {
  const bodies = Array.from({ length: senders }, (_, sender) => {
    const first = from + sender * rowsOfSender;
    return Buffer.from(JSON.stringify(Array.from({ length: rowsOfSender }, (_row, at) => rowOf(first + at))));
  });
  const started = performance.now();
  forgetPeak(portal.pid());
  const before = peakMiB(portal.pid());
  const stored = await countRows(portal);
  let refused = 0;
  const send = async (body: Buffer) => {
    await portal.deliver(body).catch((error: unknown) => {
      if (!String(error).includes(' 503 ')) throw error;
      refused += 1;
    });
  };
  const worst = await longestHealth(portal, () => Promise.all(bodies.map(send)));
  const accepted = (senders - refused) * rowsOfSender;
  const lost = stored + accepted - (await countRows(portal));
  console.log(
    `${senders} senders with 2 MiB each at once: ${senders - refused} stored, ${refused} told to come again (503), ${lost} rows lost, in ${milliseconds((performance.now() - started) / 1000)} s; memory ${count(before)} to ${count(peakMiB(portal.pid()))} MiB (mark < 300 MiB); longest /health ${milliseconds(worst)} ms`,
  );

  for (const rows of [250_000, 440_000]) {
    forgetPeak(portal.pid());
    const body = Buffer.from(JSON.stringify(Array.from({ length: rows }, (_, at) => minimalRow(at))));
    let answer = '200';
    const send = () =>
      portal.deliver(body).catch((error: unknown) => {
        answer = / (\d{3}) /.exec(String(error))?.[1] ?? String(error);
      });
    const longest = await longestHealth(portal, send);
    console.log(
      `One body of ${count(rows)} minimal rows, ${(body.length / 2 ** 20).toFixed(1)} MiB: ${answer}; longest /health ${milliseconds(longest)} ms (mark < 50 ms); memory ${count(peakMiB(portal.pid()))} MiB`,
    );
  }
}

const start = Date.UTC(2025, 0, 1);
const minimalRow = (at: number) => ({
  externalId: externalIdOf(at % 100),
  time: `${new Date(start + Math.floor(at / 100) * 1000).toISOString().slice(0, 19)}Z`,
  activePowerKw: 1,
});

/**
 * The longest answer of `/health` until something is over, in milliseconds. A thread of its own asks, because the load keeps
 * this one busy.
 */
async function longestHealth(portal: BenchPortal, work: () => Promise<unknown>): Promise<number> {
  const longest = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
  const workerData = { url: `${portal.url}/health`, longest };
  const watch = new Worker(new URL('health-watch.ts', import.meta.url), { workerData });
  await once(watch, 'online');
  try {
    await work();
  } finally {
    await watch.terminate();
  }
  return longest[0] ?? Number.NaN;
}

async function countRows(portal: BenchPortal): Promise<number> {
  const { rows } = await portal.database.query<{ count: number }>({
    text: 'SELECT count(*) AS count FROM monitoring.measurements',
  });
  return rows[0]?.count ?? Number.NaN;
}
