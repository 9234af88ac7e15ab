import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { materializeSome, rebuildEnergy } from '../../server/energy/materialize-energy.ts';
import { changeDevice } from '../../server/sites/devices.ts';
import { listAffectedParts, openTouched, recompute } from '../../server/energy/recompute-energy.ts';
import { allOf, listDirtyRanges, listReadingSpans, lockReadingSpans } from '../../server/energy/dirty-ranges.sql.ts';
import type { Transaction } from '../../server/database/pool.ts';
import { type EnergyReading, type EnergyRules, slotsPerDay } from '../../server/energy/energy.rules.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { type Meters, openMeters, usualRules } from '../support/meters.ts';
import { plansOf } from '../support/plans.ts';
import { anyRules, hostileReadingsFrom } from '../support/hostile-readings.ts';
import {
  daysAround,
  digestSlots,
  expectedSlots,
  materializeAll,
  readSlots,
  slotsOf,
} from '../support/energy-rollup.ts';
import { dayMicros } from '../../server/base/instants.ts';
import { readEnergy } from '../../server/energy/read-energy.ts';

const portal = appOfFile();
let meters: Meters;

beforeAll(async () => {
  meters = await openMeters(portal);
});

const start = Date.parse('2026-03-10T00:00:00Z') * 1000;
const minute = 60_000_000;
const hostileReadings = hostileReadingsFrom(start);

const createMeter = (rules: EnergyRules) => meters.create(rules);

async function deliver(externalId: string, readings: readonly EnergyReading[]): Promise<void> {
  expect(await meters.deliver(externalId, readings)).toMatchObject({ accepted: readings.length });
}

const numbersOf = async () =>
  (
    await portal.database.query<{ number: number }>({ text: 'SELECT number FROM monitoring.devices ORDER BY number' })
  ).rows.map((row) => row.number);

describe('the quarter-hour rollup equals the pure functions over all committed readings, to the bit', () => {
  it('in any order of the readings, however much is materialized, and after a rebuild (energy-and-cost.md 5)', async () => {
    await fc.assert(
      fc.asyncProperty(
        hostileReadings,
        anyRules,
        fc.array(fc.record({ size: fc.integer({ min: 1, max: 30 }), isMaterialized: fc.boolean() }), { minLength: 6 }),
        async (readings, rules, steps) => {
          const { id, externalId } = await createMeter(rules);
          const days = daysAround(readings);
          let delivered = 0;
          for (const { size, isMaterialized } of [...steps, { size: readings.length, isMaterialized: false }]) {
            const part = readings.slice(delivered, delivered + size);
            if (part.length === 0) continue;
            delivered += part.length;
            await deliver(externalId, part);
            if (isMaterialized) while ((await materializeSome(portal.database, { within: null, skip: true })) > 0);
            const expected = expectedSlots(readings.slice(0, delivered), rules, days);
            expect(await readSlots(portal.database, id, days)).toEqual(expected);
          }
          await materializeAll(portal.database, await numbersOf());
          expect(await readSlots(portal.database, id, days)).toEqual(expectedSlots(readings, rules, days));
        },
      ),
      { numRuns: Number(process.env['ROLLUP_RUNS'] ?? 60) },
    );
    const before = await digestSlots(portal.database);
    for (const number of await numbersOf()) await rebuildEnergy(portal.database, number);
    expect(await digestSlots(portal.database)).toBe(before);
  }, 300_000);

  it('changed settings of a device change the past, at once and after materialization', async () => {
    const { id, externalId } = await createMeter(usualRules);
    const readings = [0, 15, 30, 45, 300, 315].map((minutes, at) => ({
      timeMicros: start + minutes * minute,
      activePowerKw: 4,
      importedKwh: 100 + at * 10,
      exportedKwh: null,
    }));
    const days = daysAround(readings);
    await deliver(externalId, readings);
    await materializeAll(portal.database, await numbersOf());
    for (const change of [
      { energySource: 'power' as const },
      { ratedPowerKw: 5 },
      { expectedIntervalSeconds: 6 * 3600 },
      { registerMaxKwh: 1000 },
    ]) {
      const rules = { ...usualRules, ...change };
      const answer = await portal.app.inject({
        method: 'PUT',
        url: `/api/admin/devices/${id}`,
        payload: { siteId: meters.siteId, name: externalId, externalId, ...rules },
        headers: meters.session.headers,
      });
      expect(answer.statusCode).toBe(200);
      const expected = expectedSlots(readings, rules, days);
      expect(await readSlots(portal.database, id, days)).toEqual(expected);
      await materializeAll(portal.database, await numbersOf());
      expect(await readSlots(portal.database, id, days)).toEqual(expected);
    }
  });

  it('makes only stored rows dirty: sending rows again leaves no dirty range', async () => {
    const { externalId } = await createMeter(usualRules);
    const reading = { timeMicros: start, activePowerKw: 1, importedKwh: 1, exportedKwh: null };
    await deliver(externalId, [reading]);
    await materializeAll(portal.database, await numbersOf());
    await deliver(externalId, [reading]);
    const { rows } = await portal.database.query({ text: 'SELECT FROM monitoring.energy_dirty_ranges' });
    expect(rows).toHaveLength(0);
  });

  it('reads what a meter has just sent with one query', async () => {
    const { externalId } = await createMeter(usualRules);
    const readings = Array.from({ length: 61 }, (_, at) => ({
      timeMicros: start + at * minute,
      activePowerKw: 6,
      importedKwh: 100 + at / 10,
      exportedKwh: null,
    }));
    await deliver(externalId, readings.slice(0, -1));
    await materializeAll(portal.database, await numbersOf());
    await deliver(externalId, readings.slice(-1));
    const [own = 0] = (await numbersOf()).slice(-1);
    const dirtyRanges = await listDirtyRanges(portal.database, allOf([own]), 10);
    const spans = await listReadingSpans(portal.database, [own]);
    const plans = await plansOf(portal.database, async (tx) => {
      const touched = await openTouched(tx, dirtyRanges, new Map([[own, usualRules]]), spans);
      const { patches } = await recompute(tx, await listAffectedParts(tx, touched));
      expect(patches).toHaveLength(1);
    });
    expect(plans).toHaveLength(1);
  });

  it('returns the same for some devices of a read as a read of only these', async () => {
    const [one, other] = [await createMeter(usualRules), await createMeter(usualRules)];
    const reading = (day: number, kwh: number) => ({
      timeMicros: start + day * 24 * 60 * minute,
      activePowerKw: 1,
      importedKwh: kwh,
      exportedKwh: null,
    });
    // Both devices pause for weeks, and one has data that is not materialized yet.
    const readings = [reading(0, 100), reading(0.1, 101), reading(20, 200)];
    for (const { externalId } of [one, other]) await deliver(externalId, readings);
    await materializeAll(portal.database, await numbersOf());
    await deliver(one.externalId, [reading(9.5, 180), reading(20.1, 210)]);
    const days = daysAround([...readings, reading(20.1, 0)]);
    const range = {
      fromMicros: days.firstDay * dayMicros,
      toMicros: (days.firstDay + days.count) * dayMicros,
    };
    const tell = (ids: readonly string[], asked: readonly string[]) =>
      readEnergy(portal.database, { scope: { devices: ids }, range }, async (reader) => {
        const some = reader.only(reader.devices.filter(({ id }) => asked.includes(id)));
        const known = { fromDay: days.firstDay, toDay: days.firstDay + days.count };
        const numbers = new Set((await some.listDays(known)).map(({ deviceNumber }) => deviceNumber));
        const [number = 0] = numbers;
        const counts = [...(await some.countSamples(known))].toSorted(([a], [b]) => a - b);
        const flags = (await some.listFlags(range)).map(({ deviceNumber }) => deviceNumber);
        return { numbers, counts, flags: new Set(flags), slots: await slotsOf(some, number, days) };
      });
    for (const { id } of [one, other]) expect(await tell([one.id, other.id], [id])).toEqual(await tell([id], [id]));
  });

  it('two simultaneous changes of one device leave its energy as its last rules require', async () => {
    const { id, externalId } = await createMeter(usualRules);
    const reading = { timeMicros: start, activePowerKw: 1, importedKwh: 1, exportedKwh: null };
    await deliver(externalId, [reading]);
    const numbers = await numbersOf();
    await materializeAll(portal.database, numbers);
    const own = numbers.at(-1) ?? 0;
    const change = (energySource: EnergyRules['energySource']) =>
      changeDevice(
        { database: portal.database, by: { actor: { kind: 'system' }, log: portal.app.log } },
        id,
        { siteId: meters.siteId, name: externalId, externalId, energySource },
        () => undefined,
      );
    // Both begin before the first can end: the second must compare with the result of the first.
    const changes = await portal.database.transaction(async (tx) => {
      await lockReadingSpans(tx, [own], { skip: false });
      const first = change('power');
      await waitUntilWaiting(1);
      const second = change('auto');
      await waitUntilWaiting(2);
      return [first, second];
    });
    await Promise.all(changes);
    expect(await listDirtyRanges(portal.database, allOf([own]), 10)).toHaveLength(2);
  });

  it('reads do not wait for a lock on the slots of a device, and leave connections to ingests', async () => {
    const { id, externalId } = await createMeter(usualRules);
    const other = await createMeter(usualRules);
    const readings = Array.from({ length: 300 }, (_, day) =>
      [0, 1439].map((minutes) => ({
        timeMicros: start - (day * 1440 - minutes) * minute,
        activePowerKw: 1,
        importedKwh: 100_000 - day * 10 + minutes / 1440,
        exportedKwh: null,
      })),
    ).flat();
    await deliver(externalId, readings);
    const own = (await numbersOf()).at(-2) ?? 0;
    const ask = () =>
      portal.app.inject({
        method: 'GET',
        url: `/api/dashboard/summary?from=2025-01-01T00:00:00Z&to=2026-04-01T00:00:00Z&deviceIds=${id}`,
        headers: meters.session.headers,
      });
    // A transaction that holds its slots and does not continue: a portal that hangs, or a long rebuild.
    const answers = await portal.database.transaction(async (tx) => {
      await lockReadingSpans(tx, [own], { skip: false });
      const asked = Promise.all(Array.from({ length: 20 }, ask));
      await deliver(other.externalId, [{ timeMicros: start, activePowerKw: 1, importedKwh: 1, exportedKwh: null }]);
      return asked;
    });
    const kwh = answers.map((answer) => answer.json<{ energyImportedKwh: number }>().energyImportedKwh);
    expect(kwh).toEqual(kwh.map(() => expect.closeTo(2990 + 1439 / 1440, 6)));
  }, 60_000);

  it('reads lay thousands of deliveries of one hour over the slots, and do not wait until these are materialized', async () => {
    const { id, externalId } = await createMeter(usualRules);
    const readings = Array.from({ length: 60 }, (_, at) => ({
      timeMicros: start + at * minute,
      activePowerKw: 1,
      importedKwh: at,
      exportedKwh: null,
    }));
    await deliver(externalId, readings);
    const own = (await numbersOf()).at(-1) ?? 0;
    await materializeAll(portal.database, [own]);
    await portal.database.query(
      {
        text: `INSERT INTO monitoring.energy_dirty_ranges (device_number, from_time, to_time)
               SELECT $1, time, time FROM (SELECT $2::timestamptz + at * interval '0.2 seconds' AS time
                                           FROM generate_series(1, 15000) at) times`,
      },
      [own, new Date(start / 1000)],
    );
    expect(await readSlots(portal.database, id, daysAround(readings))).toEqual(
      expectedSlots(readings, usualRules, daysAround(readings)),
    );
    expect((await listDirtyRanges(portal.database, allOf([own]), 20_000)).length).toBe(15_000);
    await materializeAll(portal.database, [own]);
  });

  it('a reading from long ago does not cause a search through all of the time since', async () => {
    const { externalId } = await createMeter(usualRules);
    const at = (time: string, importedKwh: number) => ({
      timeMicros: Date.parse(time) * 1000,
      activePowerKw: 1,
      importedKwh,
      exportedKwh: null,
    });
    // A meter whose clock restarts in the year 2000 after a power cut.
    await deliver(externalId, [at('2000-01-01T00:00:00Z', 1), at('2026-03-01T00:00:00Z', 100_000)]);
    const own = (await numbersOf()).at(-1) ?? 0;
    let searches = 0;
    const dirtyRanges = await listDirtyRanges(portal.database, allOf([own]), 10);
    let kwh = 0;
    const { patches, gaps } = await portal.database.snapshot(async (tx) => {
      const counting: Transaction = {
        ...tx,
        query: (statement, values) => {
          if (statement.text.includes('near.part')) searches += 1;
          return tx.query(statement, values);
        },
      };
      const touched = await openTouched(counting, dirtyRanges, new Map([[own, usualRules]]), new Map());
      return recompute(counting, await listAffectedParts(counting, touched));
    });
    for (const patch of patches) for (const own of patch.importedKwh) kwh += own;
    for (const { fromDay, toDay, importedKwh } of gaps) kwh += (toDay - fromDay) * slotsPerDay * importedKwh;
    expect(gaps).toHaveLength(1);
    expect(kwh).toBeCloseTo(99_999, 3);
    expect(searches).toBeLessThan(40);
  });
});

/** Until this many sessions wait for a lock in this database. */
async function waitUntilWaiting(count: number): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const { rows } = await portal.database.query({
      text: `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    });
    if (rows.length >= count) return;
    await sleep(20);
  }
  throw new Error(`nobody waits for a lock`);
}
