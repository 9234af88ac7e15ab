import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { absorbAll, absorbSome, rebuildEnergy } from '../../server/commands/absorb-energy.ts';
import type { EnergyReading, EnergyRules } from '../../server/domain/energy.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { createDevice, createSite } from '../support/sites.ts';
import { daysAround, digestSlots, expectedSlots, readSlots } from '../support/slot-store.ts';

let portal: TestApp;
let session: { app: TestApp['app']; headers: { cookie: string } };
let siteId = '';
let made = 0;

beforeAll(async () => {
  portal = await createTestApp();
  session = { app: portal.app, headers: await portal.signIn() };
  siteId = await createSite(session);
});
afterAll(() => portal.close());

const start = Date.parse('2026-03-10T00:00:00Z') * 1000;
const minute = 60_000_000;
const defaults: EnergyRules = {
  energySource: 'auto',
  ratedPowerKw: null,
  registerMaxKwh: null,
  expectedIntervalSeconds: null,
};

/** Some hours of a register that glitches all the time, in runs that touch each other. */
const glitchingReadings = fc
  .array(
    fc.record({
      minutes: fc.integer({ min: 0, max: 150 }),
      importedKwh: fc.option(fc.constantFrom(0, 10, 1000, 1000.5, 1001, 1040, 5000, 99_999), { freq: 9 }),
    }),
    { minLength: 4, maxLength: 60 },
  )
  .map((rows) =>
    rows.map(({ minutes, importedKwh }): EnergyReading => ({
      timeMicros: start + minutes * minute,
      activePowerKw: 1,
      importedKwh,
      exportedKwh: null,
    })),
  );
/** Days of a meter that glitches, resets, falls silent for long, and has registers only now and then. */
const silentReadings = fc
  .array(
    fc.record({
      minutes: fc.oneof(
        fc.integer({ min: 0, max: 240 }),
        fc.integer({ min: 0, max: 5 * 1440 - 1 }),
        fc.constantFrom(1439, 1440, 1441),
      ),
      activePowerKw: fc.integer({ min: -50, max: 50 }),
      importedKwh: fc.option(
        fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constantFrom(0, 1000, 1000.2, 1000.4, 1001, 99_999)),
      ),
      exportedKwh: fc.option(fc.integer({ min: 0, max: 5 }), { freq: 2 }),
    }),
    { minLength: 1, maxLength: 70 },
  )
  .map((rows) => rows.map(({ minutes, ...row }): EnergyReading => ({ ...row, timeMicros: start + minutes * minute })));
const hostileReadings = fc.oneof(glitchingReadings, silentReadings);
const anyRules = fc.record<EnergyRules>({
  energySource: fc.constantFrom('auto', 'register', 'power'),
  ratedPowerKw: fc.option(fc.constantFrom(5, 100)),
  registerMaxKwh: fc.option(fc.constantFrom(1000, 100_000)),
  expectedIntervalSeconds: fc.option(fc.constantFrom(60, 3600)),
});

async function createMeter(rules: EnergyRules) {
  const externalId = `meter-${(made += 1)}`;
  const id = await createDevice(session, siteId, { externalId, ...rules });
  return { id, externalId };
}

async function deliver(externalId: string, readings: readonly EnergyReading[]): Promise<void> {
  const payload = readings.map((reading) => ({
    externalId,
    time: new Date(reading.timeMicros / 1000).toISOString(),
    activePowerKw: reading.activePowerKw,
    energyImportedKwh: reading.importedKwh,
    energyExportedKwh: reading.exportedKwh,
  }));
  const answer = await portal.app.inject({
    method: 'POST',
    url: '/api/ingest/measurements',
    payload,
    headers: session.headers,
  });
  expect(answer.json()).toMatchObject({ accepted: readings.length });
}

const numbersOf = async () =>
  (await portal.database.query<{ number: number }>({ text: 'SELECT number FROM monitoring.devices' })).rows.map(
    (row) => row.number,
  );

describe('the slot store equals the pure functions over all committed readings, to the bit', () => {
  it('whatever order the readings come in, however much is absorbed, and after a rebuild (energy-and-cost.md 5)', async () => {
    await fc.assert(
      fc.asyncProperty(
        hostileReadings,
        anyRules,
        fc.array(fc.record({ size: fc.integer({ min: 1, max: 30 }), isAbsorbed: fc.boolean() }), { minLength: 6 }),
        async (readings, rules, steps) => {
          const { id, externalId } = await createMeter(rules);
          const days = daysAround(readings);
          let delivered = 0;
          for (const { size, isAbsorbed } of [...steps, { size: readings.length, isAbsorbed: false }]) {
            const part = readings.slice(delivered, delivered + size);
            if (part.length === 0) continue;
            delivered += part.length;
            await deliver(externalId, part);
            if (isAbsorbed) while ((await absorbSome(portal.database, { deviceNumbers: null, skip: true })) > 0);
            const expected = expectedSlots(readings.slice(0, delivered), rules, days);
            expect(await readSlots(portal.database, id, days)).toEqual(expected);
          }
          await absorbAll(portal.database, await numbersOf());
          expect(await readSlots(portal.database, id, days)).toEqual(expectedSlots(readings, rules, days));
        },
      ),
      { numRuns: Number(process.env['SLOT_STORE_RUNS'] ?? 60) },
    );
    const before = await digestSlots(portal.database);
    for (const number of await numbersOf()) await rebuildEnergy(portal.database, number);
    expect(await digestSlots(portal.database)).toBe(before);
  }, 300_000);

  it('changed settings of a device change the past, at once and after absorption', async () => {
    const { id, externalId } = await createMeter(defaults);
    const readings = [0, 15, 30, 45, 300, 315].map((minutes, at) => ({
      timeMicros: start + minutes * minute,
      activePowerKw: 4,
      importedKwh: 100 + at * 10,
      exportedKwh: null,
    }));
    const days = daysAround(readings);
    await deliver(externalId, readings);
    await absorbAll(portal.database, await numbersOf());
    for (const change of [
      { energySource: 'power' as const },
      { ratedPowerKw: 5 },
      { expectedIntervalSeconds: 6 * 3600 },
      { registerMaxKwh: 1000 },
    ]) {
      const rules = { ...defaults, ...change };
      const answer = await portal.app.inject({
        method: 'PUT',
        url: `/api/admin/devices/${id}`,
        payload: { siteId, name: externalId, externalId, ...rules },
        headers: session.headers,
      });
      expect(answer.statusCode).toBe(200);
      const expected = expectedSlots(readings, rules, days);
      expect(await readSlots(portal.database, id, days)).toEqual(expected);
      await absorbAll(portal.database, await numbersOf());
      expect(await readSlots(portal.database, id, days)).toEqual(expected);
    }
  });

  it('marks only what was stored: a re-delivery leaves none', async () => {
    const { externalId } = await createMeter(defaults);
    const reading = { timeMicros: start, activePowerKw: 1, importedKwh: 1, exportedKwh: null };
    await deliver(externalId, [reading]);
    await absorbAll(portal.database, await numbersOf());
    await deliver(externalId, [reading]);
    const { rows } = await portal.database.query({ text: 'SELECT FROM monitoring.energy_marks' });
    expect(rows).toHaveLength(0);
  });
});
