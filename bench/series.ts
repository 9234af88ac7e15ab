// Series of one device with five years of one-minute readings, and the load curve of a hundred devices, compared with the same
// questions in SQL on the raw rows.
import { z } from 'zod';
import { loadCurve } from '../shared/dashboard.ts';
import type { Bucket } from '../shared/primitives.ts';
import { bucketedRow } from '../shared/measurements.ts';
import { rowOrigin } from './support/meter-rows.ts';
import { settle, store, untilMaterialized } from './support/materialization.ts';
import { dayMs, historyBodies, minutesPerDay, meterHistory, rowsOf } from './support/history.ts';
import { repeated, timed } from './support/measuring.ts';
import { startBenchPortal } from './support/portal.ts';
import { comparison, comparisonHead, count } from './support/report.ts';

const isFull = process.argv.includes('--full');
const devices = Array.from({ length: 100 }, (_, device) => device);
/** Devices with five years of one-minute rows; series are requested of the first. */
const old = devices.slice(0, isFull ? 7 : 1);
const historyDays = 1826;
const curveDays = 7;

const endMs = Math.floor(Date.now() / dayMs) * dayMs;
const startMs = endMs - historyDays * dayMs;
const endMinute = historyDays * minutesPerDay;

const history = meterHistory(startMs);
await using portal = await startBenchPortal({ devices: devices.length, connections: 4 });
const { database } = portal;

const years = { from: 0, to: endMinute - curveDays * minutesPerDay, step: 1 };
const week = { from: years.to, to: endMinute, step: 1 };
let fillSeconds = 0;
let materializeSeconds = 0;
for (const [who, interval] of [
  [old, years],
  [devices, week],
] as const) {
  fillSeconds += await store(portal, historyBodies(history, who, [interval]));
  // A read computes the dirty ranges that it touches, without the pauses of the background worker.
  materializeSeconds += await timed(who.values(), 1, (device) => askSeries(device, 1, '15min'));
  materializeSeconds += await untilMaterialized(database);
}
await settle(database);
const rows = old.length * rowsOf(years) + devices.length * rowsOf(week);
console.log(
  `Database: ${portal.description}. ${count(rows)} ${rowOrigin} one-minute rows: ${old.length} device(s) with five years, ${devices.length} with the last ${curveDays} days. Portal, database and load share the machine.`,
);
console.log(`Stored in ${fillSeconds.toFixed(1)} s, materialized in ${materializeSeconds.toFixed(1)} s more.`);
console.log('');
comparisonHead('what');

const device = old[0] ?? 0;
const { rows: numbers } = await database.query<{ id: string; number: number }>({
  text: 'SELECT id, number FROM monitoring.devices',
});
const deviceNumber = numbers.find(({ id }) => id === portal.deviceIds[device])?.number;
for (const { what, days, bucket, markMs } of [
  { what: 'a day by minute', days: 1, bucket: 'minute', markMs: 30 },
  { what: 'a month by quarter-hour', days: 30, bucket: '15min', markMs: 50 },
  { what: 'five years by day', days: historyDays, bucket: 'day', markMs: 150 },
] as const) {
  const answer = z.array(bucketedRow).parse(JSON.parse(await askSeries(device, days, bucket)));
  expectEqual(what, sumOf(answer.map((found) => found.energyImportedKwh)), importedOf(device, days));
  expectEqual(what, sumOf(answer.map((found) => found.samples)), days * minutesPerDay);
  const own = await repeated(() => askSeries(device, days, bucket));
  const raw = await repeated(() => bucketRawRows([deviceNumber], days, bucket), 20);
  comparison(what, own, 'raw rows in SQL', raw, `< ${markMs} ms`, own.median < markMs);
}

const curve = loadCurve.parse(JSON.parse(await askLoadCurve()));
for (const [at, one] of curve.series.entries()) {
  const number = portal.deviceIds.indexOf(one.id);
  const kwh = sumOf(one.energyImportedKwh.map((value) => value ?? 0));
  expectEqual(`The load curve's series ${at}`, kwh, importedOf(number, curveDays));
}
const curveMarkMs = 40;
const own = await repeated(askLoadCurve);
const raw = await repeated(
  () =>
    bucketRawRows(
      numbers.map(({ number }) => number),
      curveDays,
      'hour',
    ),
  20,
);
const what = `load curve of ${devices.length} devices, ${curveDays} days by hour`;
comparison(what, own, 'raw rows in SQL', raw, `< ${curveMarkMs} ms`, own.median < curveMarkMs);
console.log('');
console.log(`Memory of the portal: ${count(portal.residentMemory())} MiB (mark < 350 MiB)`);

function askSeries(device: number, days: number, bucket: Bucket): Promise<string> {
  return portal.sendSignedIn(
    'GET',
    `/api/measurements?deviceId=${portal.deviceIds[device]}&${lastDays(days)}&bucket=${bucket}`,
  );
}

function askLoadCurve(): Promise<string> {
  return portal.sendSignedIn('GET', `/api/dashboard/load-curve?${lastDays(curveDays)}&bucket=hour&groupBy=device`);
}

function lastDays(days: number): string {
  const [from, to] = [endMs - days * dayMs, endMs].map((ms) => new Date(ms).toISOString());
  return `from=${from}&to=${to}`;
}

/** The query of a portal without slots. */
async function bucketRawRows(deviceNumbers: readonly (number | undefined)[], days: number, bucket: Bucket) {
  const binned =
    bucket === 'hour' || bucket === 'day'
      ? `date_trunc('${bucket}', time, 'Europe/Berlin')`
      : `date_bin('${bucket === 'minute' ? '1 minute' : '15 minutes'}', time, timestamptz 'epoch')`;
  await database.query(
    {
      text: `SELECT device_number, ${binned}, count(*), avg(active_power_milliwatts), min(active_power_milliwatts),
                    max(active_power_milliwatts), avg(reactive_power_millivars), avg(apparent_power_millivoltamperes),
                    avg(voltage_millivolts), max(energy_imported_milliwatthours) - min(energy_imported_milliwatthours)
             FROM monitoring.measurements
             WHERE device_number = ANY ($1::integer[]) AND time >= $2 AND time < $3 GROUP BY 1, 2 ORDER BY 1, 2`,
    },
    [deviceNumbers, new Date(endMs - days * dayMs), new Date(endMs)],
  );
}

/** Energy of the last days by the register. The minute before them belongs to their first bucket if there is one. */
function importedOf(device: number, days: number): number {
  const first = endMinute - days * minutesPerDay;
  return history.registerAt(device, endMinute - 1) - history.registerAt(device, first);
}

function expectEqual(what: string, value: number, expected: number): void {
  if (Math.abs(value - expected) <= 1e-9 * Math.abs(expected)) return;
  throw new Error(`${what} has ${value}, and the rows that were stored have ${expected}.`);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
