// Late rows: a gateway that replays a month of one device, and single rows of any age, into a database with readings of other
// devices. Each answer is checked against the registers.
import { z } from 'zod';
import { dashboardSummary } from '../shared/dashboard.ts';
import { bucketedRow } from '../shared/measurements.ts';
import { rowOrigin } from './support/meter-rows.ts';
import { settle, store, untilMaterialized } from './support/materialization.ts';
import { dayMs, historyBodies, minuteMs, minutesPerDay, meterHistory, rowsOf } from './support/history.ts';
import { type Latency, latencyOf, timed } from './support/measuring.ts';
import { startBenchPortal } from './support/portal.ts';
import { comparison, comparisonHead, count } from './support/report.ts';
import { addTariffs } from './support/tariffs.ts';

const isFull = process.argv.includes('--full');
const devices = Array.from({ length: isFull ? 450 : 50 }, (_, device) => device);
const historyDays = 33;
const month = { from: minutesPerDay, to: 32 * minutesPerDay, step: 1 };
const materializedWithinMs = 2_000;
/** Devices that were offline for the month, one for each run. */
const offline = devices.slice(0, 5);
/** A device with readings every day, of which each misses one at the edge of a quarter-hour that then arrives late. */
const patchy = devices.at(-1) ?? 0;
const runs = 15;

const endMs = Math.floor(Date.now() / dayMs) * dayMs;
const startMs = endMs - historyDays * dayMs;

const history = meterHistory(startMs);
const lateMinutes = Array.from({ length: 2 * (runs + 1) }, (_, at) => telling((at + 1) * minutesPerDay));

await using portal = await startBenchPortal({ devices: devices.length, connections: 4 });
const { database } = portal;
await addTariffs(portal, startMs, endMs);

const all = { from: 0, to: historyDays * minutesPerDay, step: 1 };
const isLeftOut = (device: number, minute: number) =>
  (offline.includes(device) && minute >= month.from && minute < month.to) ||
  (device === patchy && lateMinutes.includes(minute));
let fillSeconds = 0;
let materializeSeconds = 0;
for (let from = all.from; from < all.to; from += 7 * minutesPerDay) {
  const part = { from, to: Math.min(all.to, from + 7 * minutesPerDay), step: 1 };
  fillSeconds += await store(portal, historyBodies(history, devices, [part], isLeftOut));
  // A read computes the dirty ranges that it touches, without the pauses of the background worker.
  materializeSeconds += await timed([endMs].values(), 1, summaryUpTo);
  materializeSeconds += await untilMaterialized(database);
}
await settle(database);
const rows = devices.length * rowsOf(all) - offline.length * rowsOf(month) - lateMinutes.length;
console.log(
  `Database: ${portal.description}. ${count(rows)} ${rowOrigin} one-minute rows of ${devices.length} devices over ${historyDays} days; portal, database and load share the machine.`,
);
console.log(`Stored in ${fillSeconds.toFixed(1)} s, materialized in ${materializeSeconds.toFixed(1)} s more.`);
console.log('');
comparisonHead('what');

const sendMs: number[] = [];
const materializeMs: number[] = [];
for (const device of offline) {
  // Prepared beforehand, so that this takes no time from the portal.
  const bodies = [...historyBodies(history, [device], [month])];
  sendMs.push((await timed(bodies.values(), 1, ({ body }) => portal.deliver(body))) * 1000);
  materializeMs.push((await untilMaterialized(database, 5)) * 1000);
}
const [sent, materialized] = [latencyOf(sendMs), latencyOf(materializeMs)];
const areWhole = `month of one device, ${count(rowsOf(month))} rows, from the last answer until materialized`;
comparison(
  areWhole,
  materialized,
  'sending it',
  sent,
  `< ${count(materializedWithinMs)} ms`,
  materialized.worst < materializedWithinMs,
);

// The first run warms up.
const summaries = await readAfterLateRows(lateMinutes.slice(0, runs + 1), readSummary);
const series = await readAfterLateRows(lateMinutes.slice(runs + 1), readSeries);
for (const [what, { late, quiet }] of [
  [`summary of ${devices.length} devices right after a late row`, summaries],
  ['series of a day by quarter-hour right after a late row', series],
] as const) {
  comparison(what, late, 'the same once it is materialized', quiet, 'shows it', true);
}
console.log('');
console.log(`Each of the ${lateMinutes.length} late rows changed what was read next, and to what the registers say.`);
console.log(`Memory of the portal: ${count(portal.residentMemory())} MiB (mark < 350 MiB)`);

/** Sends one late row after another. After each it reads the changed energy at once, and again after it is materialized. */
async function readAfterLateRows(
  minutes: readonly number[],
  read: (minute: number) => Promise<{ importedKwh: number; ms: number }>,
): Promise<{ late: Latency; quiet: Latency }> {
  const late: number[] = [];
  const quiet: number[] = [];
  for (const minute of minutes) {
    const before = await read(minute);
    await portal.deliver(JSON.stringify([history.rowAt(patchy, minute)]));
    const after = await read(minute);
    await untilMaterialized(database);
    const again = await read(minute);
    expectChange(minute, before.importedKwh, after.importedKwh);
    expectChange(minute, before.importedKwh, again.importedKwh);
    late.push(after.ms);
    quiet.push(again.ms);
  }
  return { late: latencyOf(late.slice(-runs)), quiet: latencyOf(quiet.slice(-runs)) };
}

/** The quarter-hour edge in the day from `dayMinute` whose late reading changes the energy most. */
function telling(dayMinute: number): number {
  const edges = Array.from({ length: minutesPerDay / 15 - 1 }, (_, slot) => dayMinute + (slot + 1) * 15);
  const [most = dayMinute] = edges.toSorted((a, b) => Math.abs(changeBy(b)) - Math.abs(changeBy(a)));
  return most;
}

/**
 * How much imported energy moves to the time before a reading when it arrives, in kWh. Without it, energy is interpolated
 * between the two readings beside it, so half of theirs counts as before it.
 */
function changeBy(minute: number): number {
  const around = (history.registerAt(patchy, minute - 1) + history.registerAt(patchy, minute + 1)) / 2;
  return history.registerAt(patchy, minute) - around;
}

function expectChange(minute: number, before: number, after: number): void {
  const expected = changeBy(minute);
  if (Math.abs(after - before - expected) <= 1e-9 * Math.abs(before)) return;
  throw new Error(`The late row of minute ${minute} changed ${before} kWh to ${after} kWh, not by ${expected} kWh.`);
}

/** Energy of the device from the start to the late row, from the summary of all devices. */
async function readSummary(minute: number): Promise<{ importedKwh: number; ms: number }> {
  const { answer, ms } = await clocked(() => summaryUpTo(startMs + minute * minuteMs));
  const { devices: found } = dashboardSummary.parse(JSON.parse(answer));
  const own = found.find(({ deviceId }) => deviceId === portal.deviceIds[patchy]);
  return { importedKwh: own?.energyImportedKwh ?? Number.NaN, ms };
}

/** The same for the day of the row only, from the quarter-hours before it. */
async function readSeries(minute: number): Promise<{ importedKwh: number; ms: number }> {
  const fromMs = startMs + Math.floor(minute / minutesPerDay) * dayMs;
  const [from, to] = [fromMs, fromMs + dayMs].map((ms) => new Date(ms).toISOString());
  const path = `/api/measurements?deviceId=${portal.deviceIds[patchy]}&from=${from}&to=${to}&bucket=15min`;
  const { answer, ms } = await clocked(() => portal.sendSignedIn('GET', path));
  const buckets = z.array(bucketedRow).parse(JSON.parse(answer));
  const before = buckets.filter(({ time }) => Date.parse(time) < startMs + minute * minuteMs);
  return { importedKwh: before.reduce((sum, { energyImportedKwh }) => sum + energyImportedKwh, 0), ms };
}

function summaryUpTo(toMs: number): Promise<string> {
  const [from, to] = [startMs, toMs].map((ms) => new Date(ms).toISOString());
  return portal.sendSignedIn('GET', `/api/dashboard/summary?from=${from}&to=${to}`);
}

async function clocked(work: () => Promise<string>): Promise<{ answer: string; ms: number }> {
  const started = performance.now();
  const answer = await work();
  return { answer, ms: performance.now() - started };
}
