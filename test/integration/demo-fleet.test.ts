import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { findPostmaster } from '../../server/database/local/data-folder.ts';
import { customerDetail, fleetDashboard } from '../../shared/fleet.ts';
import { pushOverview } from '../../shared/push.ts';
import { makePortalFolder, type RunningPortal, runPortalToItsEnd, startPortal } from '../support/portal.ts';
import { createAdministrator } from '../support/chaos/settings.ts';

const patience = { timeout: 90_000, interval: 500 };
const silentOne = 'lakeside';

/** The part of `npm run demo:fleet` after installing and building; the fleet listens on the port of the settings. */
const start = (folder: string, silentAfterMinutes: number) =>
  startPortal({
    folder,
    words: ['demo-fleet', '--silent-after', String(silentAfterMinutes)],
    environment: { Storage__DataPath: folder },
    readyWithinMs: 90_000,
  });

/** The addresses of the Clients, in the printed order. */
async function addressesOf(portal: RunningPortal): Promise<string[]> {
  await vi.waitFor(() => expect(portal.output()).toContain('Ctrl-C ends all of it'), patience);
  return [...portal.output().matchAll(/http:\/\/127\.0\.0\.1:\d+$/gm)].map(([address]) => address);
}

async function dashboardOf(ask: ReturnType<typeof createAdministrator>) {
  const { customers } = fleetDashboard.parse((await ask('GET', '/api/fleet/dashboard'))?.body);
  return new Map(customers.map((customer) => [customer.code, customer]));
}

it('demo:fleet shows three customers that push, one of which goes silent, and continues with the same data next time', async () => {
  const folder = await makePortalFolder();
  try {
    const first = await start(folder, 60);
    const askFirst = createAdministrator(() => first.url);
    const ids = await vi.waitFor(async () => {
      const customers = await dashboardOf(askFirst);
      expect([...customers.keys()].toSorted()).toEqual(['hillside', silentOne, 'riverside']);
      for (const { id } of customers.values()) {
        const detail = customerDetail.parse((await askFirst('GET', `/api/fleet/customers/${id}/detail`))?.body);
        expect(detail.sites).toHaveLength(1);
        expect(detail.measurements).toHaveLength(50);
        expect(detail.tariffs).not.toEqual([]);
      }
      return [...customers.values()].map(({ id }) => id);
    }, patience);
    expect(new Set(await addressesOf(first)).size).toBe(4);
    expect(await first.stop()).toBe(0);
    expect(await findPostmaster(join(folder, 'demo-fleet', 'database'))).toBeUndefined();

    const second = await start(folder, 0);
    const addresses = await addressesOf(second);
    await vi.waitFor(() => expect(second.output()).toContain('is cut: it measures on'), patience);
    const askSecond = createAdministrator(() => second.url);
    let before = await dashboardOf(askSecond);
    expect([...before.values()].map(({ id }) => id)).toEqual(ids);
    await vi.waitFor(async () => {
      const after = await dashboardOf(askSecond);
      // Requests in flight when the line was cut may still be stored.
      if (after.get(silentOne)?.lastSeenAt !== before.get(silentOne)?.lastSeenAt) before = after;
      for (const [code, { lastSeenAt }] of before) {
        if (code !== silentOne) expect(after.get(code)?.lastSeenAt).not.toBe(lastSeenAt);
      }
    }, patience);
    const askSilentOne = createAdministrator(() => addresses[3] ?? '');
    await vi.waitFor(async () => {
      const { resources } = pushOverview.parse((await askSilentOne('GET', '/api/admin/push'))?.body);
      expect(resources.map(({ lastErrorKind }) => lastErrorKind)).toContain('unreachable');
      expect(resources.find(({ resource }) => resource === 'measurements')?.backlogRows).toBeGreaterThan(0);
    }, patience);
    expect(await second.stop()).toBe(0);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}, 300_000);

it('a word that it does not know is refused with what it takes', async () => {
  const { ending, errors } = await runPortalToItsEnd({ words: ['demo-fleet', '--silent-after', 'soon'] });
  expect(ending).toBe(1);
  expect(errors).toContain('demo:fleet takes --silent-after <minutes> and nothing else; got "--silent-after soon".');
});
