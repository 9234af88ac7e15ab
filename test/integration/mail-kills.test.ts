import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { Database } from '../../server/database/pool.ts';
import { createAdministrator } from '../support/chaos/settings.ts';
import { createRandom } from '../support/chaos/random.ts';
import { findFreePort } from '../support/ports.ts';
import { makePortalFolder, startPortal } from '../support/portal.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { headerOf, partOf, startSmtpServer } from '../support/smtp-server.ts';

// `npm run chaos` sets them.
const { CHAOS_ROUNDS = '2', CHAOS_SEED = '20261127' } = process.env;
const rounds = Math.max(2, Number(CHAOS_ROUNDS));
const devices = ['Freezer', 'Oven', 'Press'];
const emailOf = (round: number) => `round${round}@example.com`;

it(
  `no alarm is lost and a repeated mail has its Message-ID: ${rounds} rounds in which the portal is killed`,
  { timeout: 60_000 + rounds * 20_000 },
  async () => {
    await using resources = new AsyncDisposableStack();
    const random = createRandom(Number(CHAOS_SEED), 'mails');
    const { connectionString } = resources.use(await createTestDatabase());
    const database = new Database(connectionString, { maxConnections: 1 });
    resources.defer(() => database.close());
    const smtp = await startSmtpServer();
    resources.defer(() => smtp.stop());
    const [folder, port] = [await makePortalFolder(), await findFreePort()];
    resources.defer(() => rm(folder, { recursive: true, force: true }));
    const environment = {
      Database__ConnectionString: connectionString,
      Mail__Host: 'localhost',
      Mail__Port: String(smtp.port),
      Mail__From: 'portal@example.com',
      Mail__Security: 'none',
    };
    const start = () => startPortal({ environment, folder, port });
    let running = start();
    resources.defer(async () => void (await (await running).stop()));
    const { url } = await running;
    const ask = createAdministrator(() => url);
    const create = async (path: string, body: object) =>
      Object.assign({ id: '' }, (await ask('POST', path, body))?.body).id;
    let kills = 0;
    const kill = async () => {
      kills += 1;
      await (await running).kill();
    };
    // A new rule for each round, added while no portal runs, because one evaluates as soon as it starts.
    const addRule = (round: number) =>
      database.query(
        {
          text: `INSERT INTO portal.alarm_rules (id, name, kind, is_active, severity, scope, condition, duration_seconds, recipients)
                 VALUES (gen_random_uuid(), 'Load', 'limit', true, 'warning', '{}',
                         '{"quantity": "activePowerKw", "above": 5, "below": null, "hysteresis": 0}', 0, $1::jsonb)`,
        },
        [JSON.stringify([{ email: emailOf(round) }])],
      );
    const restart = async () => {
      // The mail that a dead portal was about to send stays reserved for a minute.
      await database.query({ text: 'UPDATE portal.messages SET next_attempt_at = created_at WHERE sent_at IS NULL' });
      running = start();
      await running;
    };

    const municipalityId = await create('/api/admin/rates/municipalities', { name: 'Town', timeZone: 'UTC' });
    const siteId = await create('/api/admin/sites', { name: 'Site', municipalityId });
    for (const name of devices) await create('/api/admin/devices', { siteId, name, externalId: name });
    const time = new Date().toISOString();
    const rows = devices.map((externalId) => ({ externalId, time, activePowerKw: 9 }));
    expect((await ask('POST', '/api/ingest/measurements', rows))?.body).toMatchObject({ accepted: devices.length });

    await kill();
    for (let round = 0; round < rounds; round += 1) {
      await addRule(round);
      const accepted = new Promise<void>((resolve) => {
        if (round % 2 === 1) return;
        // The mail server has accepted the mail, but the portal does not learn it.
        smtp.state.onReceived = async () => {
          smtp.state.onReceived = null;
          await kill();
          resolve();
        };
      });
      await restart();
      if (round % 2 === 0) await accepted;
      else {
        await sleep(random.whole(0, 2_200));
        await kill();
      }
    }
    await restart();

    const told = (round: number) => smtp.received.filter(({ to }) => to[0] === emailOf(round)).map(({ raw }) => raw);
    const missing = () =>
      Array.from({ length: rounds }, (_, round) => round).flatMap((round) => {
        const texts = told(round).join('\n');
        return devices.filter((name) => !texts.includes(name)).map((name) => `${name} in round ${round}`);
      });
    await vi.waitFor(() => expect(missing()).toEqual([]), { timeout: 60_000, interval: 50 });
    const settled = async () =>
      (await database.query({ text: 'SELECT FROM portal.messages WHERE sent_at IS NULL' })).rows.length;
    await vi.waitFor(async () => expect(await settled()).toBe(0), { timeout: 60_000, interval: 50 });

    let repeats = 0;
    for (let round = 0; round < rounds; round += 1) {
      const byId = [...Map.groupBy(told(round), (raw) => headerOf(raw, 'Message-ID')).values()];
      for (const same of byId) {
        repeats += same.length - 1;
        expect(new Set(same.map((raw) => partOf(raw, 'text/plain'))).size).toBe(1);
      }
      // Each alarm is in exactly one message.
      const named = byId.flatMap(([raw = '']) => devices.filter((name) => raw.includes(name)));
      expect(named.toSorted(), `round ${round}`).toEqual(devices);
    }
    expect(repeats).toBeGreaterThanOrEqual(Math.ceil(rounds / 2));
    expect(repeats).toBeLessThanOrEqual(kills);
  },
);
