import { createHash, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { Database, type Statement } from '../../server/database/pool.ts';
import { createRandom } from '../support/chaos/random.ts';
import { createAdministrator } from '../support/chaos/settings.ts';
import { findFreePort } from '../support/ports.ts';
import { makePortalFolder, type RunningPortal, startPortal } from '../support/portal.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { filesOf, headerOf, partOf, startSmtpServer } from '../support/smtp-server.ts';

// `npm run chaos` sets them.
const { CHAOS_ROUNDS = '20', CHAOS_SEED = '20261127' } = process.env;
const [rounds, seed] = [Number(CHAOS_ROUNDS), Number(CHAOS_SEED)];
const patience = { timeout: 60_000, interval: 10 };
const tenMinutesMs = 600_000;

/** When a portal is killed. */
const instants = [
  'before alarms are committed',
  'after alarms are committed',
  'before the data of a mail',
  'in the data of a mail',
  'before the answer to a mail',
  'after the answer to a mail',
  'in the answer of a webhook',
  'after the answer of a webhook',
  'before a report is committed',
  'in the data of a report',
  'after the answer to a report',
  'at any time',
  'while another one runs',
] as const;
type Instant = (typeof instants)[number];
/** The receiver has the message, but the portal does not know it. */
const isAccepted = (instant: Instant) => /answer/.test(instant);
const isOfReport = (instant: Instant) => /report/.test(instant);

const devices = ['Freezer', 'Oven', 'Press'];
/** The alarms that a message names, such as `Freezer: Load 3`. */
const alarmsIn = (content: string) => new Set([...content.matchAll(/(\w+: Load \d+), 9 kW/g)].map(([, name]) => name));
const alarmsOf = (round: number) => devices.map((device) => `${device}: Load ${round}`);
// Everyone gets the alarms of each round, and one person those of all rounds.
const person = 'person@example.com';
const readerOf = (purpose: 'round' | 'report', round: number) => `${purpose}${round}@example.com`;

/** A delivery that the receiver has, and that waits for its answer. */
interface Reached {
  answer: () => void;
  id?: string;
  response?: ServerResponse;
}

interface Delivery {
  to: string;
  /** Message-ID of a mail, webhook-id of a delivery. */
  id: string;
  content: string;
  /** The start of the portal after which it arrived. */
  life: number;
  atMs: number;
}

it(
  `no message is lost, and each kill repeats one at most once, with its id: ${rounds} rounds, seed ${seed}`,
  { timeout: 60_000 + rounds * 20_000 },
  async () => {
    await using resources = new AsyncDisposableStack();
    const random = createRandom(seed, 'messages');
    const { connectionString } = resources.use(await createTestDatabase());
    const [database, locks] = [1, 1].map((maxConnections) => new Database(connectionString, { maxConnections }));
    if (database === undefined || locks === undefined) throw new Error('There is no database.');
    resources.defer(async () => void (await Promise.all([database.close(), locks.close()])));
    const smtp = await startSmtpServer();
    resources.defer(() => smtp.stop());
    const receiver = createServer();
    await new Promise<void>((resolve) => {
      receiver.listen(0, '127.0.0.1', resolve);
    });
    resources.defer(() => void receiver.close());
    const address = receiver.address();
    const folder = await makePortalFolder();
    resources.defer(() => rm(folder, { recursive: true, force: true }));
    const ports = [await findFreePort(), await findFreePort()];
    const environment = {
      Application__PublicUrl: `http://127.0.0.1:${ports[0]}`,
      Database__ConnectionString: connectionString,
      Mail__Host: 'localhost',
      Mail__Port: String(smtp.port),
      Mail__From: 'portal@example.com',
      Mail__Security: 'none',
      Notifications__AllowPrivateTargets: 'true',
    };

    const deliveries: Delivery[] = [];
    /** The life in which a message was marked as sent. */
    const sentIn = new Map<string, number>();
    let [life, kills] = [0, 0];
    let running: Promise<RunningPortal>[] = [];
    resources.defer(async () => void (await Promise.all(running.map(async (portal) => (await portal).stop()))));
    const start = async (count = 1) => {
      // A message that a dead portal was about to send stays reserved for a minute. Nobody waits for that minute.
      await database.query({ text: 'UPDATE portal.messages SET next_attempt_at = created_at WHERE sent_at IS NULL' });
      life += 1;
      running = ports.slice(0, count).map((port) => startPortal({ environment, folder, port }));
      await Promise.all(running);
    };
    const kill = async (which = running) => {
      kills += which.length;
      await Promise.all(which.map(async (portal) => (await portal).kill()));
    };
    const noteSent = async () => {
      const sent = { text: 'SELECT id FROM portal.messages WHERE sent_at IS NOT NULL' };
      for (const { id } of (await database.query<{ id: string }>(sent)).rows) sentIn.getOrInsert(id, life);
    };

    /** The next delivery of a purpose that reaches a step; the receiver waits until `strike` is done or answers. */
    let aim: { step: string; purpose: string; strike: (at: Reached) => Promise<void> } | null = null;
    const reach = async (step: string, to: string, more: { id?: string; response?: ServerResponse } = {}) => {
      if (aim === null || step !== aim.step || !to.startsWith(aim.purpose)) return;
      const { strike } = aim;
      aim = null;
      await new Promise<void>((answer) => void strike({ answer, ...more }).finally(answer));
    };
    const listUncommitted = {
      text: `SELECT name FROM portal.alarm_rules r WHERE name LIKE 'Load %'
               AND NOT EXISTS (SELECT FROM portal.alarms WHERE rule_id = r.id AND firing_at IS NOT NULL)
             UNION ALL SELECT name FROM portal.report_subscriptions s
             WHERE NOT EXISTS (SELECT FROM portal.kept_reports WHERE subscription_id = s.id)`,
    };
    /** Waits until the portal has committed what it has found at its start, so that each life adds messages for the next one. */
    const committed = () =>
      vi.waitFor(async () => expect((await database.query(listUncommitted)).rows).toEqual([]), patience);
    const hold = async (...arrived: Parameters<typeof reach>) => {
      const ofLife = life;
      await Promise.all([...running, committed()]);
      if (life === ofLife) await reach(...arrived);
    };
    smtp.state.onRecipient = (to) => hold('recipient', to);
    smtp.state.onData = (to) => void reach('data', to);
    smtp.state.onReceived = ({ to: [to = ''], raw }) => {
      const id = /<(.+)@/.exec(headerOf(raw, 'Message-ID') ?? '')?.[1] ?? '';
      const files = [...filesOf(raw)].map(
        ([name, file]) => `${name} ${createHash('sha256').update(file).digest('hex')}`,
      );
      const content = [partOf(raw, 'text/plain'), ...files].join('\n');
      deliveries.push({ to, id, content, life, atMs: Date.now() });
      return reach('received', to, { id });
    };
    const take = async (request: IncomingMessage, response: ServerResponse) => {
      const [ofLife, id, content] = [life, String(request.headers['webhook-id']), await text(request)];
      deliveries.push({ to: 'webhook', id, content, life: ofLife, atMs: Date.now() });
      await hold('posted', 'webhook', { id, response });
      response.writeHead(204).end();
    };
    receiver.on('request', (request, response) => void take(request, response));

    /** Kills the portal while it waits for a lock: what it is about to commit is never committed. */
    const killAtLock = (lock: Statement, values: readonly unknown[], onLocked: () => unknown) =>
      locks.transaction(async (tx) => {
        await tx.query(lock, values);
        const { rows } = await tx.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' });
        await onLocked();
        const blocked = { text: 'SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))' };
        const pids = rows.map(({ pid }) => pid);
        await vi.waitFor(async () => expect((await database.query(blocked, pids)).rows).toHaveLength(1), patience);
        await kill();
      });
    const killBeforeCommit = (table: string) =>
      killAtLock({ text: `LOCK TABLE portal.${table} IN SHARE MODE` }, [], () => start());
    /** Starts a portal, and kills it when a delivery reaches a step. */
    const killAt = async (step: string, purpose: string, strike: (at: Reached) => Promise<void> = () => kill()) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      aim = { step, purpose, strike: (at) => strike(at).then(resolve, reject) };
      await start();
      await promise;
    };
    /** Kills a portal that has the answer to a delivery, before it marks the message as sent. */
    const beforeMark = ({ id, answer }: Reached) =>
      killAtLock({ text: 'SELECT FROM portal.messages WHERE id = $1 FOR UPDATE' }, [id], answer);
    const killDuring: Record<Instant, () => Promise<void>> = {
      'before alarms are committed': () => killBeforeCommit('alarm_events'),
      'after alarms are committed': async () => {
        await start();
        await committed();
        await kill();
      },
      'before the data of a mail': () => killAt('recipient', 'round'),
      'in the data of a mail': () => killAt('data', 'round'),
      'before the answer to a mail': () => killAt('received', 'round'),
      'after the answer to a mail': () => killAt('received', 'round', beforeMark),
      'in the answer of a webhook': () =>
        killAt('posted', 'webhook', ({ response }) => {
          response?.socket?.write('HTTP/1.1 20');
          return kill();
        }),
      'after the answer of a webhook': () => killAt('posted', 'webhook', beforeMark),
      'before a report is committed': () => killBeforeCommit('kept_reports'),
      'in the data of a report': () => killAt('data', 'report'),
      'after the answer to a report': () => killAt('received', 'report', beforeMark),
      'at any time': async () => {
        await start();
        await sleep(random.whole(0, 1_500));
        await kill();
      },
      'while another one runs': async () => {
        await start(2);
        for (const portal of running) {
          await sleep(random.whole(0, 1_000));
          await kill([portal]);
        }
      },
    };

    await start();
    const ask = createAdministrator(() => `http://127.0.0.1:${ports[0]}`);
    const create = async (path: string, body: object) => (await ask('POST', path, body))?.body;
    const idOf = (made: unknown) => Object.assign({ id: '' }, made).id;
    const municipalityId = idOf(await create('/api/admin/rates/municipalities', { name: 'Town', timeZone: 'UTC' }));
    const siteId = idOf(await create('/api/admin/sites', { name: 'Site', municipalityId }));
    for (const name of devices) {
      // A reading counts as current for hours.
      await create('/api/admin/devices', { siteId, name, externalId: name, expectedIntervalSeconds: 3_600 });
    }
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`;
    const { webhook } = Object.assign({ webhook: null }, await create('/api/admin/webhooks', { name: 'Hook', url }));
    const time = new Date().toISOString();
    const rows = devices.map((externalId) => ({ externalId, time, activePowerKw: 9 }));
    expect(await create('/api/ingest/measurements', rows)).toMatchObject({ accepted: devices.length });
    await kill();
    // While no portal runs, because one evaluates as soon as it starts.
    const addRule = (round: number) =>
      database.query(
        {
          text: `INSERT INTO portal.alarm_rules (id, name, kind, is_active, severity, scope, condition, duration_seconds, recipients)
                 VALUES (gen_random_uuid(), $1, 'limit', true, 'warning', '{}',
                         '{"quantity": "activePowerKw", "above": 5, "below": null, "hysteresis": 0}', 0, $2::jsonb)`,
        },
        [
          `Load ${round}`,
          JSON.stringify([{ email: readerOf('round', round) }, { email: person }, { webhookId: idOf(webhook) }]),
        ],
      );
    const addReport = (round: number) =>
      database.query(
        {
          text: `INSERT INTO portal.report_subscriptions (id, name, is_active, period, subject_ids, recipients, has_workbook, created_at)
                 VALUES ($1, 'Weekly', true, 'week', '{}', $2::jsonb, true, '2020-01-01')`,
        },
        [randomUUID(), JSON.stringify([{ email: readerOf('report', round), language: 'en' }])],
      );

    const schedule = Array.from({ length: Math.ceil(rounds / instants.length) }, () => random.shuffled(instants))
      .flat()
      .slice(0, rounds);
    for (const [round, instant] of schedule.entries()) {
      await addRule(round);
      if (isOfReport(instant)) await addReport(round);
      aim = null;
      await killDuring[instant]();
      await noteSent();
    }
    await start();

    const deliveriesTo = (to: string) => deliveries.filter((one) => one.to === to);
    const told = (to: string) => new Set(deliveriesTo(to).flatMap(({ content }) => [...alarmsIn(content)]));
    const all = schedule.flatMap((_, round) => alarmsOf(round));
    const reported = [...schedule.entries()].flatMap(([round, instant]) =>
      isOfReport(instant) ? [readerOf('report', round)] : [],
    );
    const missing = () => [
      ...all.filter((alarm) => !told('webhook').has(alarm)),
      ...schedule.flatMap((_, round) => alarmsOf(round).filter((alarm) => !told(readerOf('round', round)).has(alarm))),
      ...reported.filter((to) => deliveriesTo(to).length === 0),
    ];
    await vi.waitFor(() => expect(missing()).toEqual([]), patience);
    const listUnsent = { text: 'SELECT recipient, error FROM portal.messages WHERE sent_at IS NULL' };
    await vi.waitFor(async () => expect((await database.query(listUnsent)).rows).toEqual([]), patience);

    // Repeats count once: they have the same id. Ten minutes later, one message has the other alarms.
    const firsts = [...Map.groupBy(deliveriesTo(person), ({ id }) => id).values()].map(([first]) => first?.atMs ?? 0);
    for (const [at, fourthMs] of firsts.slice(3).entries()) {
      expect(fourthMs - (firsts[at] ?? 0)).toBeGreaterThanOrEqual(tenMinutesMs);
    }
    const later = `UPDATE portal.messages SET sent_at = sent_at - interval '10 minutes' WHERE recipient = $1`;
    await database.query({ text: later }, [`email:${person}`]);
    await vi.waitFor(() => expect(told(person)).toEqual(new Set(all)), patience);
    await vi.waitFor(async () => expect((await database.query(listUnsent)).rows).toEqual([]), patience);
    await noteSent();

    const byId = Map.groupBy(deliveries, ({ id }) => id);
    for (const [id, same] of byId) {
      const [lives, contents] = [same.map((one) => one.life), same.map(({ to, content }) => `${to} ${content}`)];
      expect(new Set(contents).size, contents.join('\n\n')).toBe(1);
      // Only the end of a life repeats a message, and only if it was not marked as sent before.
      expect(lives).toEqual([...new Set(lives)]);
      expect(lives.at(-1)).toBeLessThanOrEqual(sentIn.get(id) ?? 0);
    }
    // Each alarm is in exactly one message of each recipient, and each report in one.
    const messages = [...byId.values()].flatMap(([first]) => (first === undefined ? [] : [first]));
    for (const [to, own] of Map.groupBy(messages, (one) => one.to)) {
      const named = own.flatMap(({ content }) => [...alarmsIn(content)]);
      expect(named, to).toHaveLength(new Set(named).size);
      if (to.startsWith('report')) expect(own, to).toHaveLength(1);
    }
    const repeats = deliveries.length - messages.length;
    expect(repeats).toBeGreaterThanOrEqual(schedule.filter(isAccepted).length);
    process.stderr.write(
      `chaos, seed ${seed}: ${rounds} rounds, ${kills} kills, ${all.length} alarms, ${reported.length} reports, ` +
        `${messages.length} messages, ${repeats} repeats\n`,
    );
  },
);
