import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { materializeSome, rebuildEnergy } from '../../server/energy/materialize-energy.ts';
import { readEnergy } from '../../server/energy/read-energy.ts';
import { applyRetention, keptFromOf } from '../../server/energy/retention.ts';
import { lockReadingSpans, markStoredDaysDirty } from '../../server/energy/dirty-ranges.sql.ts';
import type { EnergyReading, EnergyRules } from '../../server/energy/energy.rules.ts';
import { allDevices } from '../../server/base/scopes.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { anyRules, hostileReadingsFrom } from '../support/hostile-readings.ts';
import { type Meters, openMeters, usualRules } from '../support/meters.ts';
import { daysAround, digestSlots, expectedSlots, readSlots } from '../support/energy-rollup.ts';

const now = Date.parse('2026-05-20T12:00:00Z');
const keptFrom = Date.parse('2026-04-01T00:00:00Z') * 1000;
const day = 86_400_000_000;

const portal = appOfFile({ now: () => now });
let meters: Meters;

beforeAll(async () => {
  meters = await openMeters(portal);
});

const log = { info: () => undefined, warn: () => undefined };
const retain = (months: number) =>
  applyRetention({ database: portal.database, engine: portal.engine, months, now: () => now, log });
const get = async <T>(path: string, query: Record<string, string>) =>
  (await portal.app.inject({ method: 'GET', url: path, query, headers: meters.session.headers })).json<T>();
const materializeEverything = async () => {
  while ((await materializeSome(portal.database, { within: null, skip: true })) > 0);
};

const createMeter = (rules: EnergyRules) => meters.create(rules);
const deliver = (externalId: string, readings: readonly EnergyReading[]) => meters.deliver(externalId, readings);

async function forget(): Promise<void> {
  await portal.database.query({
    text: `TRUNCATE monitoring.measurements, monitoring.energy_days, monitoring.energy_dirty_ranges, monitoring.energy_flags,
             monitoring.energy_state, monitoring.retention`,
  });
  await portal.database.query({
    text: 'INSERT INTO monitoring.energy_state (device_number) SELECT number FROM monitoring.devices',
  });
}

describe('Database__RetentionMonths', () => {
  it('keeps whole months: months before the limit are removed', () => {
    expect(keptFromOf(now, 1)).toBe(keptFrom);
    expect(keptFromOf(Date.parse('2026-01-31T23:59:59Z'), 12)).toBe(Date.parse('2025-01-01T00:00:00Z') * 1000);
  });

  it('slots stay, and late rows change them as if every reading still existed, to the bit', async () => {
    await fc.assert(
      fc.asyncProperty(
        hostileReadingsFrom(keptFrom - 2.5 * day),
        anyRules,
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 3 }),
        async (readings, rules, size, silentDays) => {
          await forget();
          const { id, externalId } = await createMeter(rules);
          // Some meters are silent around the edge.
          const own = readings.filter(
            ({ timeMicros }) => Math.abs(timeMicros - keptFrom) >= (silentDays - 1) * 0.5 * day,
          );
          const before = own.slice(0, size);
          if (before.length === 0) return;
          await deliver(externalId, before);
          await retain(1);
          const after = own.slice(size);
          if (after.length > 0) await deliver(externalId, after);
          const accepted = [...before, ...after.filter(({ timeMicros }) => timeMicros >= keptFrom)];
          const days = daysAround(own);
          const expected = expectedSlots(accepted, rules, days);
          expect(await readSlots(portal.database, id, days)).toEqual(expected);
          await materializeEverything();
          expect(await readSlots(portal.database, id, days)).toEqual(expected);
          const digest = await digestSlots(portal.database);
          const { rows } = await portal.database.query<{ number: number }>(
            {
              text: 'SELECT number FROM monitoring.devices WHERE id = $1',
            },
            [id],
          );
          await rebuildEnergy(portal.database, rows[0]?.number ?? 0);
          expect(await digestSlots(portal.database)).toBe(digest);
        },
      ),
      { numRuns: Number(process.env['ROLLUP_RUNS'] ?? 40) },
    );
  }, 300_000);

  it('removes the readings: pages and minutes show none of them, hours and totals stay', async () => {
    await forget();
    const { id, externalId } = await createMeter({ ...usualRules, expectedIntervalSeconds: 3600 });
    const readings = Array.from({ length: 60 * 24 }, (_, hour) => ({
      timeMicros: keptFrom + (hour - 45 * 24) * 3_600_000_000,
      activePowerKw: 2,
      importedKwh: hour,
      exportedKwh: null,
    }));
    expect(await deliver(externalId, readings)).toMatchObject({ accepted: readings.length });
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-06-01T00:00:00Z', deviceIds: id };
    const summary = await get('/api/dashboard/summary', range);
    const days = await get('/api/measurements', { ...range, deviceId: id, bucket: 'day' });
    await retain(1);
    expect(await get('/api/dashboard/summary', range)).toEqual(summary);
    expect(await get('/api/measurements', { ...range, deviceId: id, bucket: 'day' })).toEqual(days);
    const raw = await get<{ totalCount: number; rows: { time: string }[] }>('/api/measurements/raw', {
      ...range,
      limit: '1000',
    });
    expect(raw.totalCount).toBe(15 * 24);
    expect(raw.rows.at(-1)?.time).toBe('2026-04-01T00:00:00Z');
    const exported = await portal.app.inject({
      method: 'GET',
      url: '/api/measurements/raw/export.csv',
      query: range,
      headers: meters.session.headers,
    });
    const lines = exported.body.trim().split('\r\n');
    expect(lines).toHaveLength(1 + 15 * 24);
    expect(lines.at(-1)).toMatch(/^2026-04-01T00:00:00Z,/);
    const minutes = await get<{ time: string; energyImportedKwh: number }[]>('/api/measurements', {
      from: '2026-03-31T12:00:00Z',
      to: '2026-04-01T12:00:00Z',
      deviceId: id,
      bucket: '5min',
    });
    expect(minutes[0]?.time).toBe('2026-04-01T00:00:00Z');
    expect(minutes.reduce((sum, one) => sum + one.energyImportedKwh, 0)).toBeCloseTo(12, 9);
    const { rows } = await portal.database.query<{ count: number }>(
      {
        text: 'SELECT count(*)::integer AS count FROM monitoring.measurements WHERE time < $1',
      },
      ['2026-03-01T00:00:00Z'],
    );
    expect(rows[0]?.count).toBe(0);
  });

  it('an older row is rejected with its reason, and the good ones of its batch are stored', async () => {
    const { externalId } = await createMeter(usualRules);
    const reading = { activePowerKw: 1, importedKwh: null, exportedKwh: null };
    const answer = await deliver(externalId, [
      { ...reading, timeMicros: keptFrom - 1000 },
      { ...reading, timeMicros: keptFrom },
    ]);
    expect(answer).toMatchObject({ accepted: 1 });
    expect(JSON.stringify(answer)).toContain(
      'time 2026-03-31T23:59:59.999Z is before 2026-04-01T00:00:00Z; older readings are no longer kept',
    );
  });

  it('changed settings of a device affect kept readings, and nothing before them', async () => {
    await forget();
    const { id, externalId } = await createMeter(usualRules);
    const readings = Array.from({ length: 40 }, (_, at) => ({
      timeMicros: keptFrom + (at - 20) * 6 * 3_600_000_000,
      activePowerKw: 4,
      importedKwh: at,
      exportedKwh: null,
    }));
    await deliver(externalId, readings);
    await retain(1);
    const days = daysAround(readings);
    const before = await readSlots(portal.database, id, { ...days, count: 4 });
    const payload = { siteId: meters.siteId, name: externalId, externalId, energySource: 'power' };
    await portal.app.inject({
      method: 'PUT',
      url: `/api/admin/devices/${id}`,
      payload,
      headers: meters.session.headers,
    });
    await materializeEverything();
    expect(await readSlots(portal.database, id, { ...days, count: 4 })).toEqual(before);
    const kept = { firstDay: keptFrom / day + 1, count: 3 };
    const expected = expectedSlots(readings, { ...usualRules, energySource: 'power' }, kept);
    expect((await readSlots(portal.database, id, kept)).energy).toEqual(expected.energy);
  });

  /** A device with readings in April and the two months before, materialized, and its slots. */
  async function fillMonths() {
    await forget();
    const { id, externalId } = await createMeter({ ...usualRules, expectedIntervalSeconds: 7200 });
    const readings = Array.from({ length: 12 * 75 }, (_, at) => ({
      timeMicros: keptFrom + (at - 12 * 60) * 2 * 3_600_000_000,
      activePowerKw: 4,
      importedKwh: at,
      exportedKwh: null,
    }));
    await deliver(externalId, readings);
    await materializeEverything();
    const { rows } = await portal.database.query<{ number: number }>(
      { text: 'SELECT number FROM monitoring.devices WHERE id = $1' },
      [id],
    );
    return { number: rows[0]?.number ?? 0, digest: await digestSlots(portal.database) };
  }

  it('settings that are changed at that moment destroy no slot whose readings are removed', async () => {
    const { number, digest } = await fillMonths();
    const { promise: isDirty, resolve: markDirty } = Promise.withResolvers<void>();
    const changing = portal.database.transaction(async (tx) => {
      await lockReadingSpans(tx, [number], { skip: false });
      await markStoredDaysDirty(tx, number);
      markDirty();
      await sleep(400);
    });
    await isDirty;
    await Promise.all([changing, retain(1)]);
    await materializeEverything();
    expect(await digestSlots(portal.database)).toBe(digest);
  });

  it('a rebuild at that moment destroys no slot whose readings are removed', async () => {
    const { number, digest } = await fillMonths();
    const { promise: isReading, resolve: read } = Promise.withResolvers<void>();
    // A reader holds a lock for a while, so that the retention waits in the middle.
    const reading = portal.database.snapshot(async (tx) => {
      await tx.query({ text: 'SELECT count(*) FROM monitoring.measurements' });
      read();
      await sleep(500);
    });
    await isReading;
    const retaining = retain(1);
    await sleep(200);
    await Promise.all([reading, retaining, rebuildEnergy(portal.database, number)]);
    await materializeEverything();
    expect(await digestSlots(portal.database)).toBe(digest);
  });

  it('the removal waits for a running read, which keeps its readings', async () => {
    const { number } = await fillMonths();
    const { promise: isReading, resolve: read } = Promise.withResolvers<void>();
    const range = { fromMicros: keptFrom - 90 * day, toMicros: keptFrom + 30 * day };
    const reading = readEnergy(portal.database, { scope: allDevices, range }, async ({ tx }) => {
      read();
      await sleep(400);
      const { rows } = await tx.query<{ count: number }>(
        { text: 'SELECT count(*)::integer AS count FROM monitoring.measurements WHERE device_number = $1' },
        [number],
      );
      return rows[0]?.count;
    });
    await isReading;
    await retain(1);
    expect(await reading).toBe(12 * 75);
  });

  it('a device whose readings are removed keeps its energy: it cannot be deleted', async () => {
    await forget();
    const { id, externalId } = await createMeter(usualRules);
    const reading = { activePowerKw: 1, importedKwh: null, exportedKwh: null };
    await deliver(externalId, [
      { ...reading, timeMicros: keptFrom - 40 * day },
      { ...reading, timeMicros: keptFrom - 39 * day },
    ]);
    await retain(1);
    const answer = await portal.app.inject({
      method: 'DELETE',
      url: `/api/admin/devices/${id}`,
      headers: meters.session.headers,
    });
    expect(answer.statusCode).toBe(409);
  });
});
