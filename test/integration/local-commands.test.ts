import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backUp, restoreFrom } from '../support/backup.ts';
import { makePortalFolder, runPortalToItsEnd, signInAt, startPortal } from '../support/portal.ts';

const environment = { Demo__Enabled: 'false' };

it('backup and rebuild-energy use the local database of a running portal, or start it if none runs; restore creates one', async () => {
  await using resources = new AsyncDisposableStack();
  const [here, there] = [await makePortalFolder(), await makePortalFolder()];
  for (const path of [here, there]) resources.defer(() => rm(path, { recursive: true, force: true }));
  const rebuild = () => runPortalToItsEnd({ folder: here, environment, words: ['rebuild-energy'] });
  const portal = resources.use(await startPortal({ folder: here, environment }));
  const cookie = await signInAt(portal.url);
  const users = await fetch(`${portal.url}/api/users`, { headers: { cookie } });

  const taken = await backUp('portal.tar', environment, here);
  expect(taken.ending, taken.output).toBe(0);
  const running = await restoreFrom('portal.tar', environment, here);
  expect(running.ending).toBe(1);
  expect(running.errors).toContain('in use by another running portal');
  const meanwhile = await rebuild();
  expect(meanwhile.ending, meanwhile.output).toBe(0);
  expect(meanwhile.output).not.toContain('local database');

  expect(await portal.stop()).toBe(0);
  const alone = await backUp('alone.tar', environment, here);
  expect(alone.ending, alone.output).toBe(0);
  const again = await rebuild();
  expect(again.ending, again.output).toBe(0);
  expect(again.output).toContain('started the local database');

  const done = await restoreFrom(join(here, 'portal.tar'), environment, there);
  expect(done.ending, done.output).toBe(0);
  await using second = await startPortal({ folder: there, environment, port: portal.port });
  const restored = await fetch(`${second.url}/api/users`, { headers: { cookie } });
  expect(await restored.json()).toEqual(await users.json());
}, 300_000);
