// The dashboard's summary with cost of 100 devices, compared with a plain sum of the raw rows of the same range; then the same
// during ingest, with each answer checked against the registers of the rows stored at that moment.
import { setTimeout as sleep } from 'node:timers/promises';
import { dashboardSummary } from '../shared/dashboard.ts';
import { rowOrigin } from './support/meter-rows.ts';
import { settle, store, untilMaterialized } from './support/materialization.ts';
import { copyMeters, measureSlots } from './support/energy-store.ts';
import {
  dayMs,
  historyBodies,
  type Interval,
  minuteMs,
  minutesPerDay,
  meterHistory,
  repeatedHistory,
  rowsOf,
} from './support/history.ts';
import { startLiveLoad } from './support/live.ts';
import { type Latency, repeated } from './support/measuring.ts';
import { startBenchPortal } from './support/portal.ts';
import { comparison, comparisonHead, count } from './support/report.ts';
import { addTariffs } from './support/tariffs.ts';

const isFull = process.argv.includes('--full');
const devices = Array.from({ length: 100 }, (_, device) => device);
/** Further devices are copies of these: their rows and slots are copied in the database, which saves minutes. */
const meters = devices.slice(0, 10);
const historyDays = 1826;
const recentDays = 31;
const step = isFull ? { older: 15, recent: 1 } : { older: 360, recent: 15 };
/** This much is materialized at a time, as if the years went by. */
const daysPerPart = 365;
const maxSlowdown = 2;
const slotMs = 15 * minuteMs;
const steadyAfterMs = 2_000;

/** The history ends with yesterday (UTC); live rows are of today and tomorrow. */
const endMs = Math.floor(Date.now() / dayMs) * dayMs;
const startMs = endMs - historyDays * dayMs;
const toMs = endMs + 2 * dayMs;
const endMinute = historyDays * minutesPerDay;
const questions = [
  { name: 'a month', fromMs: endMs - 30 * dayMs, markMs: 15 },
  { name: 'a year', fromMs: endMs - 365 * dayMs, markMs: 80 },
  { name: 'five years', fromMs: startMs, markMs: 350 },
];
const markBytesADay = 1_500;

const history = repeatedHistory(meterHistory(startMs), meters.length);
await using portal = await startBenchPortal({
  devices: devices.length,
  connections: 48,
  expectedIntervalSeconds: step.older * 60,
});
const { database } = portal;
await addTariffs(portal, startMs, toMs);

const parts: Interval[] = [];
const recentFrom = endMinute - recentDays * minutesPerDay;
for (let from = 0; from < recentFrom; from += daysPerPart * minutesPerDay) {
  parts.push({ from, to: Math.min(recentFrom, from + daysPerPart * minutesPerDay), step: step.older });
}
parts.push({ from: recentFrom, to: endMinute, step: step.recent });

let fillSeconds = 0;
let materializeSeconds = 0;
for (const part of parts) {
  fillSeconds += await store(portal, historyBodies(history, meters, [part]));
  materializeSeconds += await untilMaterialized(database);
}
const copySeconds = await copyMeters(database, meters.length);
await settle(database);
const rows = devices.length * parts.reduce((sum, part) => sum + rowsOf(part), 0);
console.log(
  `Database: ${portal.description}. ${count(rows)} ${rowOrigin} rows of ${devices.length} devices over five years: one each ${step.recent} min in the last ${recentDays} days, one each ${step.older} min before (the slots of a day are as many whatever the interval); a tariff a year with day and night rate. Portal, database and load share the machine.`,
);
console.log(
  `${meters.length} devices stored in ${fillSeconds.toFixed(1)} s and their ${count(meters.length * historyDays)} days of slots materialized in ${materializeSeconds.toFixed(1)} s more, in ${parts.length} parts; copied to the others in ${copySeconds.toFixed(1)} s.`,
);
const bytesADay = await measureSlots(database, endMs - (recentDays - 1) * dayMs, endMs);
console.log(
  `Slots on disk, of a device and a day with a row each ${step.recent} min: ${count(bytesADay)} B with their index (mark <= ${count(markBytesADay)} B: ${bytesADay <= markBytesADay ? 'yes' : 'NO'})`,
);
console.log('');
comparisonHead('summary of');

/** Energy imported by all devices from the first row to a minute, by their registers, in kWh. */
const importedUpTo = (minute: number) =>
  devices.reduce((sum, device) => sum + history.registerAt(device, minute) - history.registerAt(device, 0), 0);
const importedBefore = importedUpTo(endMinute - step.recent);

const { rows: known } = await database.query<{ number: number }>({ text: 'SELECT number FROM monitoring.devices' });
const numbers = known.map(({ number }) => number);
const remarks: string[] = [];
const quiet = new Map<string, { latency: Latency; importedKwh: number }>();
for (const { name, fromMs, markMs } of questions) {
  const first = performance.now();
  await ask(fromMs);
  const firstMs = performance.now() - first;
  const latency = await repeated(() => ask(fromMs));
  const importedKwh = importedOf(await ask(fromMs));
  quiet.set(name, { latency, importedKwh });
  const raw = await repeated(() => sumRawRows(fromMs), 10);
  comparison(name, latency, 'sum of raw rows', raw, `< ${count(markMs)} ms`, latency.median < markMs);
  remarks.push(`Asked for ${name} for the first time: ${count(firstMs)} ms, until what its weeks add up to is kept.`);
}
const allImported = quiet.get('five years')?.importedKwh ?? Number.NaN;
expectWithin('The summary of five years', allImported, importedBefore, importedBefore);

let nextMinute = endMinute;
await measureLive('stamped as they are sent', { startMs: Date.now(), stepMs: 100 });
// Rows beyond the quarter-hours that the initial load has filled.
await measureLive('stamped a minute apart', { startMs: Date.now() + 4 * slotMs, stepMs: minuteMs });
console.log('');
for (const remark of remarks) console.log(remark);
console.log(`Memory of the portal: ${count(portal.residentMemory())} MiB (mark < 350 MiB)`);

async function measureLive(stamps: string, { startMs, stepMs }: { startMs: number; stepMs: number }): Promise<void> {
  const firstMinute = nextMinute;
  const live = startLiveLoad(portal, history, { fromMinute: firstMinute, startMs, stepMs });
  try {
    await sleep(steadyAfterMs);
    for (const { name, fromMs } of questions) {
      const before = quiet.get(name);
      if (before === undefined) throw new Error(`No data: ${name}`);
      const answers: (() => void)[] = [];
      const latency = await repeated(async () => {
        const least = live.storedUpTo();
        const importedKwh = importedOf(await ask(fromMs));
        const most = live.sentUpTo();
        // Before the first live row is stored, the last row is that of the history.
        const since = (minute: number) => (minute < endMinute ? 0 : importedUpTo(minute) - importedBefore);
        const upTo = (minute: number) => before.importedKwh + since(minute);
        answers.push(() => expectWithin(`The summary of ${name}`, importedKwh, upTo(least), upTo(most)));
      }, 20);
      const what = `${name} while rows come in, ${stamps}`;
      const isMet = latency.median <= maxSlowdown * before.latency.median;
      comparison(what, latency, 'without them', before.latency, `<= ${maxSlowdown} x`, isMet);
      for (const check of answers) check();
    }
    remarks.push(
      `Rows ${stamps}: ${count(live.rate())} rows/s came in; no summary was other than the rows stored then. The latest quarter-hour of a device had up to ${count(Math.min(live.sentUpTo() + 1 - firstMinute, slotMs / stepMs))} readings.`,
    );
  } finally {
    await live.stop();
  }
  nextMinute = live.sentUpTo() + 1;
  await untilMaterialized(database);
}

function ask(fromMs: number): Promise<string> {
  const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
  return portal.sendSignedIn('GET', `/api/dashboard/summary?from=${from}&to=${to}`);
}

function importedOf(answer: string): number {
  return dashboardSummary.pick({ energyImportedKwh: true }).parse(JSON.parse(answer)).energyImportedKwh;
}

/** The least work on raw rows that answers the question: energy of each device, by its register and its power. */
async function sumRawRows(fromMs: number): Promise<void> {
  await database.query(
    {
      text: `SELECT device_number, count(*), max(energy_imported_milliwatthours) - min(energy_imported_milliwatthours),
                    sum(active_power_milliwatts), sum(reactive_power_millivars)
             FROM monitoring.measurements
             WHERE device_number = ANY ($1::integer[]) AND time >= $2 AND time < $3 GROUP BY device_number`,
    },
    [numbers, new Date(fromMs), new Date(toMs)],
  );
}

function expectWithin(what: string, value: number, least: number, most: number): void {
  const tolerance = 1e-9 * most;
  if (value >= least - tolerance && value <= most + tolerance) return;
  throw new Error(`${what} has ${value} kWh, and the stored rows have from ${least} to ${most} kWh.`);
}
