import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, it } from 'vitest';
import { Database } from '../../server/database/pool.ts';
import { findValue } from '../../server/database/rows.ts';
import { createGateway } from '../support/chaos/gateway.ts';
import { findDifferences } from '../support/chaos/comparison.ts';
import { createRandom } from '../support/chaos/random.ts';
import { createAdministrator, createSettings } from '../support/chaos/settings.ts';
import { onlyIf } from '../support/only-if.ts';
import { makePortalFolder, signInAt, startPortal } from '../support/portal.ts';
import { findServerPackage, startStandbyPair } from '../support/standby-pair.ts';

// `npm run chaos` sets it.
const rounds = Math.min(Number(process.env['CHAOS_ROUNDS'] ?? '2'), 10);
const backWithinMs = 5_000;
const patienceMs = 120_000;

it(
  `nothing is lost when the primary dies and the standby takes over: ${rounds} rounds under ingest, push and dashboards`,
  {
    timeout: (rounds + 2) * patienceMs,
    ...onlyIf((await findServerPackage()) !== undefined, "PostgreSQL's server package is not installed"),
  },
  async () => {
    await using resources = new AsyncDisposableStack();
    const folder = await makePortalFolder();
    resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
    const pair = resources.use(await startStandbyPair(folder));
    const [clientString, fleetString] = [pair.connectionString('client'), pair.connectionString('fleet')];
    const began = new Date();
    const fleet = resources.use(
      await startPortal({
        folder,
        environment: {
          Application__RunMode: 'Admin',
          Database__ConnectionString: fleetString,
          Storage__DataPath: join(folder, 'fleet-files'),
          FleetIngest__MaxBatchesPerMinute: '1000000',
        },
      }),
    );
    const made = await createAdministrator(() => fleet.url)('POST', '/api/admin/customers', {
      code: 'twin',
      name: 'Twin',
    });
    const { customer, token } = Object.assign({ customer: { id: '' }, token: '' }, made?.body);
    const client = resources.use(
      await startPortal({
        folder,
        environment: {
          Database__ConnectionString: clientString,
          Storage__DataPath: join(folder, 'client-files'),
          FleetIngest__Enabled: 'true',
          FleetIngest__Url: `${fleet.url}/api/fleet/ingest`,
          FleetIngest__Token: token,
          FleetIngest__IntervalSeconds: '1',
          FleetIngest__BackoffMinSeconds: '0.05',
          FleetIngest__BackoffMaxSeconds: '0.5',
        },
      }),
    );
    const random = createRandom(20261127, 'standby');
    const ask = createAdministrator(() => client.url);
    const settings = createSettings(ask, random);
    await settings.begin();
    const { key } = Object.assign({ key: '' }, (await ask('POST', '/api/api-keys', { name: 'Gateway' }))?.body);
    const gateway = createGateway({
      post: async (rows) => answerOf(await post(client.url, key, rows)),
      listDevices: settings.devices,
      isGone: settings.isGone,
      seed: 20261127,
      random,
    });
    const cookie = await signInAt(client.url);
    const answers = new Set<string>();
    const read = async () => {
      const answer = await fetch(
        `${client.url}/api/dashboard/summary?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z`,
        { headers: { cookie } },
      );
      await answer.arrayBuffer();
      answers.add(`${answer.status} ${answer.headers.get('retry-after') ?? ''}`.trimEnd());
      return answer.status;
    };

    const over = new AbortController();
    const repeat = async (work: () => Promise<unknown>, pauseMs: number) => {
      for (; !over.signal.aborted; await sleep(pauseMs)) await work();
    };
    const busy = Promise.all([repeat(gateway.deliver, 30), repeat(read, 50)]);
    // If the test fails before this, that is its message.
    busy.catch(() => over.abort());
    const backAfterMs: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      await sleep(1_000);
      await pair.failOver();
      const promoted = performance.now();
      await expect.poll(read, { interval: 20 }).toBe(200);
      backAfterMs.push(Math.round(performance.now() - promoted));
      if (round === 1) {
        const old = await pair.reviveOldPrimary('client');
        const before = await countRows(old);
        // A portal that starts now meets two servers that accept writes.
        const later = new Database(clientString, { maxConnections: 1 });
        resources.defer(() => later.close());
        expect(await findValue(later, 'SELECT inet_server_port()')).toBe(pair.primaryPort());
        // New connections do, too.
        await pair.onPrimary(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'power-%'",
        );
        await sleep(1_500);
        expect(await countRows(old), 'rows of the old primary').toBe(before);
      }
      await pair.rebuildStandby();
    }
    over.abort();
    await busy;
    await gateway.settle();
    process.stderr.write(`standby: back after ${backAfterMs.join(', ')} ms\n`);
    expect(Math.max(...backAfterMs)).toBeLessThan(backWithinMs);
    // Sessions survive, and the only error is the one at this moment.
    expect([...answers].filter((answer) => answer !== '200' && !/^503 \d+$/.test(answer))).toEqual([]);
    const both = { client: clientString, fleet: fleetString, customerId: customer.id };
    const options = { gateway, isGone: settings.isGone, withEnergy: true, began, fleetShiftMinutes: 0 };
    await expect.poll(() => findDifferences(both, options), { timeout: patienceMs, interval: 500 }).toEqual([]);
  },
);

async function post(url: string, key: string, rows: readonly object[]): Promise<Response | null> {
  return fetch(`${url}/api/ingest/measurements`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(rows),
  }).catch(() => null);
}

const answerOf = async (answer: Response | null) =>
  answer === null ? null : { status: answer.status, body: await answer.json() };

async function countRows(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM monitoring.measurements');
  await client.end();
  return rows[0]?.count ?? 0;
}
