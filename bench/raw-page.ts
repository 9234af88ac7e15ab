// Pages of readings, newest first, at the start, in the middle and at the end of millions of them: of all devices and of one.
import { rawMeasurementsPage } from '../shared/measurements.ts';
import { copyMeters } from './support/energy-store.ts';
import { rowOrigin } from './support/meter-rows.ts';
import { settle, store, untilMaterialized } from './support/materialization.ts';
import {
  dayMs,
  historyBodies,
  minuteMs,
  minutesPerDay,
  meterHistory,
  repeatedHistory,
  rowsOf,
} from './support/history.ts';
import { type Latency, repeated } from './support/measuring.ts';
import { startBenchPortal } from './support/portal.ts';
import { comparison, comparisonHead, count } from './support/report.ts';

const devices = Array.from({ length: 40 }, (_, device) => device);
/** The other devices are copied from these in the database, which saves minutes. */
const meters = devices.slice(0, 4);
const limit = 200;
const markMs = 50;
const maxGrowth = 1.5;
/** About 2 and 20 million rows; `--small` is for a quick look. */
const sizes = process.argv.includes('--small') ? [4, 35] : [35, 348];

const endMs = Math.floor(Date.now() / dayMs) * dayMs;
const historyDays = Math.max(...sizes);
const startMs = endMs - historyDays * dayMs;
const history = repeatedHistory(meterHistory(startMs), meters.length);
await using portal = await startBenchPortal({ devices: devices.length, connections: 4 });
const { database } = portal;

const first = new Map<string, Latency>();
let stored = 0;
for (const days of sizes) {
  const interval = {
    from: (historyDays - days) * minutesPerDay,
    to: historyDays * minutesPerDay - (stored === 0 ? 0 : (sizes[0] ?? 0) * minutesPerDay),
    step: 1,
  };
  await store(portal, historyBodies(history, meters, [interval]));
  stored += rowsOf(interval) * devices.length;
  await untilMaterialized(database);
  await copyMeters(database, meters.length);
  await settle(database);
  if (days === sizes[0]) {
    console.log(`Database: ${portal.description}. One-minute rows (${rowOrigin}) of ${devices.length} devices.`);
    comparisonHead('page of 200');
  }
  for (const who of ['all devices', 'one device'] as const) {
    const total = who === 'one device' ? stored / devices.length : stored;
    for (const [where, offset] of [
      ['first', 0],
      ['in the middle', Math.floor(total / 2)],
      ['last', total - limit],
    ] as const) {
      const answer = rawMeasurementsPage.parse(JSON.parse(await ask(who, offset)));
      if (answer.totalCount !== total)
        throw new Error(`There are ${total} rows, and totalCount is ${answer.totalCount}.`);
      expectPage(answer.rows, who, offset, days);
      const own = await repeated(() => ask(who, offset));
      const what = `${where}, ${who}`;
      const before = first.get(what) ?? own;
      first.set(what, before);
      const isMet = own.p95 < markMs && own.median <= maxGrowth * before.median;
      comparison(
        `${count(stored)} rows: ${what}`,
        own,
        `the same of ${sizes[0]} days`,
        before,
        `p95 < ${markMs} ms, <= ${maxGrowth} x`,
        isMet,
      );
    }
  }
}
console.log('');
const { rows: slotSizes } = await database.query<{ bytes: number; days: number }>({
  text: `SELECT pg_total_relation_size('monitoring.energy_days')::bigint AS bytes, count(*) AS days FROM monitoring.energy_days`,
});
const [slots = { bytes: Number.NaN, days: 1 }] = slotSizes;
console.log(`Disk of the slots: ${count(slots.bytes / slots.days)} bytes a device and day of one-minute rows`);
console.log(`Memory of the portal: ${count(portal.residentMemory())} MiB (mark < 300 MiB)`);

function ask(who: string, offset: number): Promise<string> {
  const [from, to] = [startMs, endMs].map((ms) => new Date(ms).toISOString());
  const chosen = who === 'one device' ? `&deviceIds=${portal.deviceIds[7]}` : '';
  return portal.sendSignedIn(
    'GET',
    `/api/measurements/raw?from=${from}&to=${to}&limit=${limit}&offset=${offset}${chosen}`,
  );
}

/** Every device sends each minute, so the position of each row is known. */
function expectPage(rows: readonly { time: string }[], who: string, offset: number, days: number): void {
  const perMinute = who === 'one device' ? 1 : devices.length;
  for (const [at, row] of rows.entries()) {
    const minutesAgo = Math.floor((offset + at) / perMinute) + 1;
    const expected = endMs - minutesAgo * minuteMs;
    if (Date.parse(row.time) !== expected || minutesAgo > days * minutesPerDay) {
      throw new Error(`Row ${offset + at} is of ${row.time}, and must be of ${new Date(expected).toISOString()}.`);
    }
  }
  if (rows.length !== limit) throw new Error(`A page has ${rows.length} rows, was ${limit}.`);
}
