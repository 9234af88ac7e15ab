// Usual consumption of 100 devices, compared with the load curve of the same range.
import { usualLoad } from '../shared/dashboard.ts';
import { dayMs, historyBodies, minutesPerDay, meterHistory, rowsOf } from './support/history.ts';
import { rowOrigin } from './support/meter-rows.ts';
import { fill } from './support/materialization.ts';
import { repeated } from './support/measuring.ts';
import { startBenchPortal } from './support/portal.ts';
import { comparison, comparisonHead, count } from './support/report.ts';

const devices = Array.from({ length: 100 }, (_, device) => device);
const historyDays = 100;
const markMs = 100;

const endMs = Math.floor(Date.now() / dayMs) * dayMs;
const startMs = endMs - historyDays * dayMs;
const history = meterHistory(startMs);
await using portal = await startBenchPortal({ devices: devices.length, connections: 4, expectedIntervalSeconds: 900 });
const interval = { from: 0, to: historyDays * minutesPerDay, step: 15 };
await fill(portal, historyBodies(history, devices, [interval]));
console.log(
  `Database: ${portal.description}. ${count(devices.length * rowsOf(interval))} ${rowOrigin} rows of ${devices.length} devices, one each 15 min over ${historyDays} days. Portal, database and load share the machine.`,
);
console.log('');
comparisonHead('usual of');
for (const { name, days, bucket } of [
  { name: 'a day by quarter-hour', days: 1, bucket: '15min' },
  { name: 'a week by quarter-hour', days: 7, bucket: '15min' },
  { name: 'a month by hour', days: 31, bucket: 'hour' },
]) {
  const query = `from=${instant(days)}&to=${instant(0)}&bucket=${bucket}`;
  const { weekCounts } = usualLoad.parse(JSON.parse(await ask(`usual?${query}`)));
  if (!weekCounts.some((weeks) => weeks >= 6)) throw new Error(`${name}: fewer than six weeks tell what is usual`);
  const own = await repeated(() => ask(`usual?${query}`));
  const curve = await repeated(() => ask(`load-curve?${query}&groupBy=total`));
  comparison(name, own, 'load curve', curve, `< ${markMs} ms`, own.median < markMs);
}

function instant(daysBefore: number): string {
  return new Date(endMs - daysBefore * dayMs).toISOString();
}

function ask(question: string): Promise<string> {
  return portal.sendSignedIn('GET', `/api/dashboard/${question}`);
}
