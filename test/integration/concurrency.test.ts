import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEnergy } from '../../server/energy/read-energy.ts';
import { listReadings, energyReadingOf } from '../../server/energy/energy-readings.sql.ts';
import { Database } from '../../server/database/pool.ts';
import type { EnergyReading, EnergyRules } from '../../server/energy/energy.rules.ts';
import { allDevices } from '../../server/base/scopes.ts';
import { dashboardSummary } from '../../shared/dashboard.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type RunningPortal, startPortal } from '../support/portal.ts';
import { daysAround, digestSlots, expectedSlots, slotsOf } from '../support/energy-rollup.ts';
import { rebuildEnergy } from '../../server/energy/materialize-energy.ts';
import { dayMicros } from '../../server/base/instants.ts';

const start = Date.parse('2026-03-10T00:00:00Z') * 1000;
const minute = 60_000_000;
const rules: EnergyRules = {
  energySource: 'auto',
  ratedPowerKw: null,
  registerMaxKwh: null,
  expectedIntervalSeconds: null,
};
const externalIds = ['grid', 'pv', 'machine', 'heat'];
const writers = 8;

let made: TestDatabase;
let database: Database;
const portals: RunningPortal[] = [];
/** Each has keys of its own, so a session of one is invalid at the other. */
const cookies = new Map<RunningPortal, string>();

beforeAll(async () => {
  made = await createTestDatabase();
  database = new Database(made.connectionString);
  const environment = { Database__ConnectionString: made.connectionString };
  portals.push(await startPortal({ environment }), await startPortal({ environment }));
});
afterAll(async () => {
  for (const portal of portals) await portal[Symbol.asyncDispose]();
  await database.close();
  await made.drop();
});

/** The same numbers in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** Half a day of a meter by the minute: a register that resets, glitches and pauses for an hour, and power in between. */
function readingsOf(device: number): EnergyReading[] {
  const next = random(device + 1);
  const readings: EnergyReading[] = [];
  let register = 100 * device;
  for (let at = 0; at < 720; at += 1) {
    register = at === 400 ? 0 : register + next();
    if (at > 200 && at < 262) continue;
    const isGlitch = next() < 0.02;
    const hasRegister = next() < 0.8;
    readings.push({
      timeMicros: start + at * minute,
      activePowerKw: Math.round((next() - 0.3) * 40),
      importedKwh: hasRegister ? (isGlitch ? 0 : Math.round(register * 1e6) / 1e6) : null,
      exportedKwh: null,
    });
  }
  return readings;
}

const ask = (portal: RunningPortal, method: string, path: string, body?: unknown) =>
  fetch(new URL(path, portal.url), {
    method,
    headers: {
      cookie: cookies.get(portal) ?? '',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

async function signIn(portal: RunningPortal): Promise<string> {
  const answer = await ask(portal, 'POST', '/api/auth/login', {
    email: 'admin@example.com',
    password: 'ChangeMe123!',
  });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

async function create(path: string, body: object): Promise<string> {
  const [portal] = portals;
  if (portal === undefined) throw new Error('no portal');
  const answer = await ask(portal, 'POST', path, body);
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${text}`);
  return String(JSON.parse(text).id);
}

describe('two portals on one database, eight writers with overlapping late rows, one portal killed', () => {
  it('every read equals the pure functions over the rows committed at that moment, and so does the final state', async () => {
    const [first, second] = portals;
    if (first === undefined || second === undefined) throw new Error('no portals');
    for (const portal of portals) cookies.set(portal, await signIn(portal));
    const municipalityId = await create('/api/admin/rates/municipalities', { name: 'M', timeZone: 'Europe/Berlin' });
    const siteId = await create('/api/admin/sites', { name: 'S', municipalityId });
    const ids = new Map<string, string>();
    for (const externalId of externalIds) {
      ids.set(externalId, await create('/api/admin/devices', { siteId, name: externalId, externalId }));
    }
    const alive = new Set(portals);
    const all = externalIds.flatMap((externalId, device) =>
      readingsOf(device).map((reading) => ({
        externalId,
        time: new Date(reading.timeMicros / 1000).toISOString(),
        activePowerKw: reading.activePowerKw,
        energyImportedKwh: reading.importedKwh,
      })),
    );
    /** Until a living portal has confirmed them. */
    const deliver = async (rows: object[], preferred: number) => {
      for (let attempt = 0; ; attempt += 1) {
        const living = [...alive];
        const portal = living[(preferred + attempt) % living.length];
        if (portal === undefined) throw new Error('no portal is left');
        const answer = await ask(portal, 'POST', '/api/ingest/measurements', rows).catch(() => undefined);
        if (answer?.status === 200) return;
        if (attempt > 100) throw new Error('nobody takes the rows');
        await sleep(20);
      }
    };
    const state = { isWriting: true, written: 0 };
    const write = async (writer: number) => {
      const next = random(1000 + writer);
      const rows = all.filter(() => next() < 0.6).toSorted(() => next() - 0.5);
      for (let at = 0; at < rows.length; at += 20) {
        await deliver(rows.slice(at, at + 20), writer);
        state.written += 1;
      }
    };
    const work = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
      .then(() => deliver(all, 0))
      .finally(() => {
        state.isWriting = false;
      });

    const days = daysAround(readingsOf(0));
    const range = { fromMicros: days.firstDay * dayMicros, toMicros: (days.firstDay + days.count) * dayMicros };
    let reads = 0;
    let summaries = 0;
    const readSnapshots = async () => {
      while (state.isWriting) {
        await readEnergy(database, { scope: allDevices, range }, async (snapshot) => {
          for (const device of snapshot.devices) {
            const asked = [{ deviceNumber: device.number, ...range }];
            const committed = (await listReadings(snapshot.tx, asked)).flat().map(energyReadingOf);
            expect(await slotsOf(snapshot, device.number, days)).toEqual(expectedSlots(committed, rules, days));
          }
        });
        reads += 1;
      }
    };
    const readSummaries = async () => {
      const query = new URLSearchParams({ from: '2026-03-10T00:00:00Z', to: '2026-03-11T00:00:00Z' });
      while (state.isWriting) {
        const answer = await ask(first, 'GET', `/api/dashboard/summary?${query.toString()}`);
        expect(answer.status).toBe(200);
        dashboardSummary.parse(await answer.json());
        summaries += 1;
      }
    };
    const kill = async () => {
      while (state.isWriting && state.written < 60) await sleep(5);
      alive.delete(second);
      await second.kill();
    };
    await Promise.all([work, readSnapshots(), readSnapshots(), readSummaries(), kill()]);
    expect(state.written).toBeGreaterThan(200);
    expect(Math.min(reads, summaries)).toBeGreaterThan(10);

    const query = new URLSearchParams({ from: '2026-03-10T00:00:00Z', to: '2026-03-11T00:00:00Z' });
    const answer = await ask(first, 'GET', `/api/dashboard/summary?${query.toString()}`);
    const summary = dashboardSummary.parse(await answer.json());
    for (const [device, externalId] of externalIds.entries()) {
      const { energy } = expectedSlots(readingsOf(device), rules, days);
      const found = summary.devices.find(({ deviceId }) => deviceId === ids.get(externalId));
      const imported = energy.importedKwh.reduce((sum, kwh) => sum + kwh, 0);
      expect(found?.energyImportedKwh).toBeCloseTo(imported, 9);
    }
    // The living portal materializes the rest; the result does not depend on which portal computed it.
    for (let patience = 200; patience > 0; patience -= 1) {
      const { rows } = await database.query({ text: 'SELECT FROM monitoring.energy_dirty_ranges LIMIT 1' });
      if (rows.length === 0) break;
      await sleep(50);
    }
    const digest = await digestSlots(database);
    const { rows } = await database.query<{ number: number }>({ text: 'SELECT number FROM monitoring.devices' });
    for (const { number } of rows) await rebuildEnergy(database, number);
    expect(await digestSlots(database)).toBe(digest);
  }, 120_000);
});
