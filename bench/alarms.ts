// Alarms while readings arrive: 1,000 rules over 300 devices that send 3,000 rows a second, from the reading beyond a limit to the
// mail at a mail server; what the rules cost ingest; and whether memory grows.
import { setTimeout as sleep } from 'node:timers/promises';
import { startSmtpServer } from '../test/support/smtp-server.ts';
import { latencyOf, timed } from './support/measuring.ts';
import { startBenchPortal } from './support/portal.ts';
import { externalIdOf } from './support/readings.ts';
import { count, head, judged, line, times } from './support/report.ts';
import { startSteadyLoad } from './support/steady-load.ts';

const devices = Array.from({ length: 300 }, (_, device) => device);
const requestsPerSecond = 10;
/** Each device exceeds its limit once in this time. */
const steadySeconds = process.argv.includes('--full') ? 600 : 100;
const warmSeconds = 20;
const [pairs, bodiesOfRun] = [4, 150];
const marks = { mailSeconds: 30, ingestShare: 0.95, moreMiB: 30 };

await using resources = new AsyncDisposableStack();
const smtp = await startSmtpServer();
resources.defer(() => smtp.stop());
const mail = { Host: 'localhost', Port: String(smtp.port), From: 'portal@example.com', Security: 'none' };
const portal = resources.use(
  await startBenchPortal({
    devices: devices.length,
    connections: 8,
    settings: Object.fromEntries(Object.entries(mail).map(([name, value]) => [`Mail__${name}`, value])),
  }),
);
const { database } = portal;
const addressOf = (device: number) => `device-${device}@example.com`;

/** One rule that fires for each device, and others that watch one device, or all of them. */
const rules = Array.from({ length: 1_000 }, (_, at) => {
  const device = at % devices.length;
  const scope = at < 990 ? { deviceIds: [portal.deviceIds[device]] } : {};
  const firing = { quantity: 'activePowerKw', above: 50, below: null, hysteresis: 0 };
  const others = [
    ['limit', { ...firing, quantity: 'voltageV', above: 260 }],
    ['offline', { afterSeconds: null }],
    ['limit', { ...firing, above: 5_000 }],
  ] as const;
  const [kind, condition] = at < devices.length ? (['limit', firing] as const) : (others[at % 3] ?? others[0]);
  const recipients = at < devices.length ? [{ email: addressOf(device) }] : [{ email: 'others@example.com' }];
  return { kind, condition, scope, recipients };
});
await database.query({ text: 'DELETE FROM portal.alarm_rules' });
await database.query(
  {
    text: `INSERT INTO portal.alarm_rules (id, name, kind, is_active, severity, scope, condition, duration_seconds, recipients)
           SELECT gen_random_uuid(), 'Rule', r.kind, false, 'warning', r.scope, r.condition, 0, r.recipients
           FROM unnest($1::text[], $2::jsonb[], $3::jsonb[], $4::jsonb[]) AS r (kind, scope, condition, recipients)`,
  },
  [
    rules.map(({ kind }) => kind),
    ...[
      rules.map(({ scope }) => scope),
      rules.map(({ condition }) => condition),
      rules.map((one) => one.recipients),
    ].map((all) => all.map((one) => JSON.stringify(one))),
  ],
);
const activate = (isActive: boolean) =>
  database.query({ text: 'UPDATE portal.alarm_rules SET is_active = $1' }, [isActive]);

let lastMs = 0;
/** One row of each device, all of one instant. */
function rowsNow(powerOf: (device: number) => number): string {
  lastMs = Math.max(lastMs + 1, Date.now());
  const time = new Date(lastMs).toISOString();
  return JSON.stringify(
    devices.map((device) => ({
      externalId: externalIdOf(device),
      time,
      activePowerKw: powerOf(device),
      voltageV: 230 + (device % 7),
    })),
  );
}
const calm = (device: number) => 1 + (device % 5);

console.log(
  `Database: ${portal.description}. ${count(rules.length)} rules over ${devices.length} devices; portal, database, load and mail server share the machine.`,
);

// In turns, so that both meet the same machine.
const rates: Record<'with' | 'without', number[]> = { with: [], without: [] };
for (let pair = 0; pair <= pairs; pair += 1) {
  for (const name of ['without', 'with'] as const) {
    await activate(name === 'with');
    // The evaluation learns it.
    await sleep(6_000);
    const bodies = Array.from({ length: bodiesOfRun }, () => rowsNow(calm));
    const seconds = await timed(bodies.values(), 4, portal.deliver);
    // The first pair warms up.
    if (pair > 0) rates[name].push((bodies.length * devices.length) / seconds);
  }
}
const [without, withRules] = [latencyOf(rates.without).median, latencyOf(rates.with).median];

await activate(true);
const told = new Map<string, number>();
smtp.state.onReceived = () => {
  const { to: [to = ''] = [] } = smtp.received.pop() ?? {};
  if (!told.has(to)) told.set(to, performance.now());
};
const begun = performance.now();
const dueMs = (device: number) => begun + (warmSeconds + (device / devices.length) * (steadySeconds - 45)) * 1000;
const exceeded = new Map<number, number>();
let sent = 0;
const load = startSteadyLoad(
  new Map([
    [
      'rows',
      async () => {
        const nowMs = performance.now();
        const body = rowsNow((device) => {
          if (nowMs < dueMs(device)) return calm(device);
          if (!exceeded.has(device)) exceeded.set(device, nowMs);
          return 99;
        });
        await portal.deliver(body);
        sent += devices.length;
      },
    ],
  ]),
  requestsPerSecond,
);
await sleep(warmSeconds * 1000);
const before = portal.residentMemory();
await sleep((steadySeconds - warmSeconds) * 1000);
const taken = await load.stop();
const seconds = (performance.now() - begun) / 1000;
const after = portal.residentMemory();
const answers = latencyOf(taken.get('rows') ?? []);
const delays = devices.flatMap((device) => {
  const [at, toldAt] = [exceeded.get(device), told.get(addressOf(device))];
  return at === undefined || toldAt === undefined ? [] : [toldAt - at];
});
const delay = latencyOf(delays);
const inSeconds = (ms: number) => (ms / 1000).toFixed(1);

console.log('');
head('reading to mail | mails: | median s: | p99 s: | worst s: | mark | holds');
const isTold = delays.length === devices.length && delay.p99 < marks.mailSeconds * 1000;
line(
  `${count(sent / seconds)} rows/s`,
  delays.length,
  inSeconds(delay.median),
  inSeconds(delay.p99),
  inSeconds(delay.worst),
  ...judged(`all ${devices.length}, p99 < ${marks.mailSeconds} s`, isTold),
);
console.log('');
head('ingest, 4 connections | rows/s: | compared with | rows/s: | ratio: | mark | holds');
const ratio = withRules / without;
line(
  'with the rules',
  count(withRules),
  'without rules',
  count(without),
  times(ratio),
  ...judged(`>= ${marks.ingestShare}`, ratio >= marks.ingestShare),
);
console.log('');
const isFlat = after - before < marks.moreMiB;
console.log(
  `At ${count(sent / seconds)} rows/s requests took ${answers.median.toFixed(0)} ms (p99 ${answers.p99.toFixed(0)} ms). ` +
    `Memory of the portal: ${count(before)} MiB, and ${count(after)} MiB after ${steadySeconds - warmSeconds} s ` +
    `(mark < ${marks.moreMiB} MiB more: ${isFlat ? 'yes' : 'NO'}).`,
);
