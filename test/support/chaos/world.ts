import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { choicesForNew, findBinaries } from '../../../server/database/local/binaries.ts';
import { makePortalFolder } from '../portal.ts';
import { findFreePort } from '../ports.ts';
import { type BothSides, findDifferences } from './comparison.ts';
import { createGateway } from './gateway.ts';
import { startHostileNetwork } from './hostile-network.ts';
import { startMortalDatabase } from './mortal-database.ts';
import { keepAlive } from './mortal-portal.ts';
import { createRandom } from './random.ts';
import { createAdministrator, createSettings } from './settings.ts';
import { rm } from 'node:fs/promises';

/** A Client and its fleet as real processes, each on a database of its own, with a network between them. */
export interface World extends AsyncDisposable {
  /**
   * Kills everything at random moments, and disturbs the network, while rows and settings arrive; then everything is calm
   * again.
   */
  rage: () => Promise<void>;
  /** The differences once all is pushed (and materialized); waits as long as allowed. */
  differences: (options: { withEnergy: boolean; patienceMs: number }) => Promise<string[]>;
  summary: () => string;
}

const shifts = { client: 12 * 60, fleet: 36 * 60 };
const betweenMs = { faults: 900, bodies: 100, changes: 250, nudges: 150 };

export async function openWorld(seed: number): Promise<World> {
  const resources = new AsyncDisposableStack();
  try {
    const random = (label: string) => createRandom(seed, label);
    const folder = await makePortalFolder();
    resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
    const [clientPostgres, fleetPostgres] = random('engines').shuffled(await differentPostgres());
    if (clientPostgres === undefined) throw new Error('There is no PostgreSQL.');
    const ofClient = resources.use(await startMortalDatabase(join(folder, 'client-data'), clientPostgres));
    const ofFleet = resources.use(
      await startMortalDatabase(join(folder, 'fleet-data'), fleetPostgres ?? clientPostgres),
    );

    const began = new Date();
    const clocks = random('clocks');
    const aheadByUpTo = (minutes: number) => [
      '--import',
      `${new URL('shifted-clock.ts', import.meta.url).href}?minutes=${clocks.whole(-minutes, minutes)}`,
    ];
    const [fleetPort, clientPort] = [await findFreePort(), await findFreePort()];
    const fleet = resources.use(
      keepAlive(fleetPort, () => ({
        folder,
        nodeArguments: aheadByUpTo(shifts.fleet),
        environment: {
          Application__RunMode: 'Admin',
          Database__ConnectionString: ofFleet.connectionString,
          Storage__DataPath: join(folder, 'fleet-files'),
          FleetIngest__MaxBatchesPerMinute: '1000000',
        },
      })),
    );
    await fleet.ready();
    const made = await createAdministrator(() => fleet.url)('POST', '/api/admin/customers', {
      code: 'survivor',
      name: 'Survivor',
    });
    const { customer, token } = Object.assign({ customer: { id: '' }, token: '' }, made?.body);

    const network = resources.use(await startHostileNetwork(fleetPort, random('network')));
    const sizes = random('sizes');
    let isPushing = false;
    const client = resources.use(
      keepAlive(clientPort, () => ({
        folder,
        nodeArguments: aheadByUpTo(shifts.client),
        environment: {
          Database__ConnectionString: ofClient.connectionString,
          Storage__DataPath: join(folder, 'client-files'),
          FleetIngest__Enabled: String(isPushing),
          FleetIngest__Url: `http://127.0.0.1:${network.port}/api/fleet/ingest`,
          FleetIngest__Token: token,
          FleetIngest__IntervalSeconds: '1',
          FleetIngest__BatchSize: String(sizes.one([150, 300, 700])),
          FleetIngest__BackoffMinSeconds: '0.05',
          FleetIngest__BackoffMaxSeconds: '0.5',
        },
      })),
    );
    await client.ready();
    const ask = createAdministrator(() => client.url);
    const settings = createSettings(ask, random('settings'));
    await settings.begin();
    const { key } = Object.assign({ key: '' }, (await ask('POST', '/api/api-keys', { name: 'Gateway' }))?.body);
    const gateway = createGateway({
      post: (rows) => postRows(client.url, key, rows),
      listDevices: settings.devices,
      isGone: settings.isGone,
      seed,
      random: random('gateway'),
    });
    // Rows stored before any push.
    for (let bodies = 0; bodies < 12; bodies += 1) await gateway.deliver();
    isPushing = true;
    await client.kill();

    const both: BothSides = {
      client: ofClient.connectionString,
      fleet: ofFleet.connectionString,
      customerId: customer.id,
    };
    const faults = random('faults');
    const kills = { client: 0, fleet: 0, clientDatabase: 0, fleetDatabase: 0 };
    const deadly = {
      client: client.kill,
      fleet: fleet.kill,
      clientDatabase: ofClient.kill,
      fleetDatabase: ofFleet.kill,
    };
    const strike = async (name: keyof typeof deadly) => {
      kills[name] += 1;
      await deadly[name]();
    };

    return {
      async rage() {
        const over = new AbortController();
        const repeat = async (work: () => Promise<void>, pauseMs: number) => {
          while (!over.signal.aborted) {
            await work();
            await sleep(pauseMs);
          }
        };
        const push = async () => void (await ask('POST', '/api/admin/push/run'));
        const busy = [
          repeat(gateway.deliver, betweenMs.bodies),
          repeat(settings.change, betweenMs.changes),
          repeat(push, betweenMs.nudges),
        ];
        network.beCalm(false);
        const names = ['client', 'fleet', 'clientDatabase', 'fleetDatabase'] as const;
        const struck: Promise<void>[] = [];
        for (const name of faults.shuffled([...names, 'network' as const])) {
          // In the middle of a push, or while a killed process is still down.
          if (faults.chance(0.6)) await network.busy(faults.whole(2, 12));
          else await sleep(faults.whole(0, betweenMs.faults));
          struck.push(name === 'network' ? network.cut(faults.whole(50, 800)) : strike(name));
        }
        await Promise.all(struck);
        await network.busy(10);
        network.beCalm(true);
        over.abort();
        await Promise.all(busy);
      },
      async differences({ withEnergy, patienceMs }) {
        const deadline = performance.now() + patienceMs;
        await Promise.all([client.ready(), fleet.ready()]);
        await gateway.settle();
        for (;;) {
          await ask('POST', '/api/admin/push/run');
          const found = await findDifferences(both, {
            gateway,
            isGone: settings.isGone,
            withEnergy,
            began,
            fleetShiftMinutes: shifts.fleet,
          });
          const ended = [...client.ownEndings(), ...fleet.ownEndings()].map(
            (text) => `a portal ended by itself: ${text}`,
          );
          if (found.length + ended.length === 0) return [];
          if (ended.length > 0 || performance.now() > deadline) {
            return [...found, ...ended, client.output().slice(-3_000), fleet.output().slice(-3_000)];
          }
          await sleep(100);
        }
      },
      summary: () => JSON.stringify({ kills, network: network.mishaps() }),
      [Symbol.asyncDispose]: () => resources.disposeAsync(),
    };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

/** One with TimescaleDB, if the machine has it, and one without. */
async function differentPostgres() {
  const choices = choicesForNew(await findBinaries(AbortSignal.timeout(60_000))).map(({ binaries }) => binaries);
  const plain = choices.find(({ timescaleDb }) => timescaleDb === undefined);
  const extended = choices.find(({ timescaleDb }) => timescaleDb !== undefined);
  return [plain, extended].filter((binaries) => binaries !== undefined);
}

async function postRows(url: string, key: string, rows: readonly object[]) {
  try {
    const answer = await fetch(`${url}/api/ingest/measurements`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(rows),
      signal: AbortSignal.timeout(60_000),
    });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return null;
  }
}
