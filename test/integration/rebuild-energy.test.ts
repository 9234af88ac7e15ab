import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { materializeSome } from '../../server/energy/materialize-energy.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { runPortalToItsEnd } from '../support/portal.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { createDevice, createSite } from '../support/sites.ts';
import { digestSlots } from '../support/energy-rollup.ts';

const words = ['rebuild-energy'];

describe('npm run rebuild-energy', () => {
  let made: TestDatabase;
  let portal: TestApp;
  beforeAll(async () => {
    made = await createTestDatabase();
    portal = await createTestApp({ connectionString: made.connectionString });
    const session = { app: portal.app, headers: await portal.signIn() };
    const siteId = await createSite(session);
    for (const externalId of ['a', 'b']) await createDevice(session, siteId, { externalId });
    const payload = ['a', 'b'].flatMap((externalId) =>
      Array.from({ length: 500 }, (_, at) => ({
        externalId,
        time: new Date(Date.UTC(2026, 2, 10) + at * 7 * 60_000).toISOString(),
        activePowerKw: (at % 13) - 4,
        energyImportedKwh: at === 300 ? 0 : 100 + at / 3,
      })),
    );
    await portal.app.inject({ method: 'POST', url: '/api/ingest/measurements', payload, headers: session.headers });
    while ((await materializeSome(portal.database, { within: null, skip: false })) > 0);
  });
  afterAll(async () => {
    await portal.close();
    await made.drop();
  });

  it('makes the same bytes from the readings alone, and repairs changed or lost slots', async () => {
    const before = await digestSlots(portal.database);
    for (const text of [
      `UPDATE monitoring.energy_days SET samples = 0, imported = NULL WHERE day = '2026-03-10'`,
      `DELETE FROM monitoring.energy_days WHERE day = '2026-03-11'`,
      `DELETE FROM monitoring.energy_flags`,
      `UPDATE monitoring.energy_state SET imported_first = NULL`,
    ]) {
      await portal.database.query({ text });
    }
    expect(await digestSlots(portal.database)).not.toBe(before);
    const environment = { Database__ConnectionString: made.connectionString };
    const ended = await runPortalToItsEnd({ environment, words });
    expect(ended.ending, ended.output).toBe(0);
    expect(ended.output).toContain('"done":2,"of":2');
    expect(await digestSlots(portal.database)).toBe(before);
  });

  it('an Admin has no energy: the command reports that and exits with 1', async () => {
    const environment = { Database__ConnectionString: made.connectionString, Application__RunMode: 'Admin' };
    const ended = await runPortalToItsEnd({ environment, words });
    expect(ended.ending).toBe(1);
    expect(ended.errors).toMatch(/^The energy was not rebuilt\. Only a Client has energy to rebuild/);
  });
});
