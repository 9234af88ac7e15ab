import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { rawMeasurementsPage } from '../../shared/measurements.ts';
import { createAdministrator } from '../support/chaos/settings.ts';
import { onlyIf } from '../support/only-if.ts';
import { makePortalFolder, startPortal } from '../support/portal.ts';
import { findServerPackage, openServers } from '../support/standby-pair.ts';

const program = '/usr/bin/pgbackrest';
const isThere = existsSync(program) && (await findServerPackage()) !== undefined;

/** The blocks of the recipe in docs/operations.md, in their order. */
async function readRecipe() {
  const text = await readFile('docs/operations.md', 'utf8');
  const section = text.split('\n## ').find((one) => one.startsWith('Point-in-time recovery'));
  const blocks = [...(section ?? '').matchAll(/```\n(.*?)```/gs)].map(([, block = '']) => block);
  const [configuration = '', settings = '', commands = '', restore = ''] = blocks;
  return { configuration, settings, commands, restore };
}

it(
  'the recipe for pgBackRest returns to an instant: what was accepted before is there, and nothing after it',
  { timeout: 180_000, ...onlyIf(isThere, 'pgbackrest or the server package of PostgreSQL is not installed') },
  async () => {
    await using resources = new AsyncDisposableStack();
    const folder = await makePortalFolder();
    resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
    const servers = await openServers(folder);
    const server = await servers.server('main');
    const recipe = await readRecipe();

    const conf = join(folder, 'pgbackrest.conf');
    const own = (text: string) =>
      text
        .replaceAll('pgbackrest --', `${program} --config=${conf} --`)
        .replaceAll('/var/lib/pgbackrest', join(folder, 'repository'))
        .replaceAll('/var/lib/postgresql/15/main', server.data)
        .replaceAll('5432', String(server.port));
    // The folders of the package belong to another account.
    const places = ['lock', 'log', 'spool'].map((name) => `${name}-path=${folder}/${name}\n`).join('');
    const configuration = own(recipe.configuration).replace('[global]\n', `[global]\n${places}`);
    await writeFile(conf, `${configuration}pg1-socket-path=${folder}/socket\n`);
    for (const name of ['repository', 'lock', 'log', 'spool', 'socket']) await servers.makeFolder(join(folder, name));
    const settings = Object.fromEntries(
      [...own(recipe.settings).matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
    const start = () => servers.start(server, { ...settings, unix_socket_directories: join(folder, 'socket') });
    const follow = async (text: string) => {
      for (const line of own(text).trim().split('\n')) {
        const [, ...words] = [...line.matchAll(/"([^"]*)"|[^\s"]+(?:"([^"]*)")?/g)].map(([word]) =>
          word.replaceAll('"', ''),
        );
        await servers.runAnything(program, words);
      }
    };

    await servers.create(server);
    await start();
    resources.defer(() => servers.kill(server));
    await servers.ask(server, 'CREATE DATABASE portal');
    const environment = { Database__ConnectionString: servers.addressOf(server, 'portal') };
    const first = await startPortal({ folder, environment });
    let url = first.url;
    const ask = createAdministrator(() => url);
    const create = async (path: string, payload: object) => {
      const answer = await ask('POST', path, payload);
      expect(answer?.status, JSON.stringify(answer?.body)).toBe(201);
      return Object.assign({ id: '' }, answer?.body).id;
    };
    const town = await create('/api/admin/rates/municipalities', { name: 'Town', timeZone: 'Europe/Berlin' });
    const siteId = await create('/api/admin/sites', { name: 'Plant', municipalityId: town });
    const deviceId = await create('/api/admin/devices', { siteId, name: 'Meter', externalId: 'meter' });
    const deliver = async (minute: number) => {
      const rows = [
        { externalId: 'meter', time: `2026-03-01T00:0${minute}:00Z`, activePowerKw: minute, importedKwh: 100 + minute },
      ];
      expect((await ask('POST', '/api/ingest/measurements', rows))?.body).toMatchObject({ accepted: 1 });
    };
    const powers = async () => {
      const day = 'from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z';
      const answer = await ask('GET', `/api/measurements/raw?deviceIds=${deviceId}&${day}`);
      const { rows } = rawMeasurementsPage.parse(answer?.body);
      return rows.map(({ activePowerKw }) => activePowerKw).toSorted((a, b) => a - b);
    };

    await deliver(1);
    await follow(recipe.commands);
    // pgBackRest knows the end of a backup to the second.
    await sleep(1_100);
    await deliver(2);
    const [at] = (await servers.ask(server, 'SELECT clock_timestamp()::text AS now')).rows;
    const instant = String(Object.assign({ now: '' }, at).now);
    await deliver(3);
    await servers.ask(server, 'SELECT pg_switch_wal()');
    await first.stop();
    await servers.run('pg_ctl', ['stop', '-w', '-m', 'fast', '-D', server.data]);

    await follow(recipe.restore.replace('2026-03-01 12:00:00+00', instant));
    await start();
    const recovering = async () =>
      Object.assign({ on: true }, (await servers.ask(server, 'SELECT pg_is_in_recovery() AS on')).rows[0]).on;
    await expect.poll(recovering).toBe(false);
    const second = resources.use(await startPortal({ folder, environment }));
    url = second.url;
    expect(await powers()).toEqual([1, 2]);
    await deliver(4);
    expect(await powers()).toEqual([1, 2, 4]);
  },
);
