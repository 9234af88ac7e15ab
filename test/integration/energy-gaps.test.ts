import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DataQuality } from '../../shared/data-quality.ts';
import { readEnergy } from '../../server/energy/read-energy.ts';
import { listAffectedParts, openTouched, piecesOf, recompute } from '../../server/energy/recompute-energy.ts';
import { allOf, listDirtyRanges, listReadingSpans, lockReadingSpans } from '../../server/energy/dirty-ranges.sql.ts';
import type { Statement, Transaction } from '../../server/database/pool.ts';
import { materializeSome, rebuildEnergy } from '../../server/energy/materialize-energy.ts';
import { type EnergyReading, type EnergyRules, slotsPerDay } from '../../server/energy/energy.rules.ts';
import { allDevices } from '../../server/base/scopes.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { type Meters, openMeters, usualRules } from '../support/meters.ts';
import { anyRules } from '../support/hostile-readings.ts';
import {
  type ComparableSlots,
  daysAround,
  digestSlots,
  expectedSlots,
  materializeAll,
  readSlots,
} from '../support/energy-rollup.ts';
import { dayMicros } from '../../server/base/instants.ts';

const portal = appOfFile();
let meters: Meters;

beforeAll(async () => {
  meters = await openMeters(portal);
});

const at = (time: string) => Date.parse(time) * 1000;
const start = at('2026-03-10T00:00:00Z');
const reading = (timeMicros: number, importedKwh: number | null, exportedKwh: number | null = null): EnergyReading => ({
  timeMicros,
  activePowerKw: 1,
  importedKwh,
  exportedKwh,
});

const numbersOf = async () =>
  (
    await portal.database.query<{ number: number }>({ text: 'SELECT number FROM monitoring.devices ORDER BY number' })
  ).rows.map((row) => row.number);
const count = async (text: string) =>
  (await portal.database.query<{ count: number }>({ text: `SELECT count(*)::integer AS count FROM ${text}` })).rows[0]
    ?.count;

/** With a million slots `toEqual` takes minutes. */
function isSame(a: ComparableSlots, b: ComparableSlots): boolean {
  const sameBits = (x: Float64Array, y: Float64Array) => Buffer.from(x.buffer).equals(Buffer.from(y.buffer));
  return (
    sameBits(a.samples, b.samples) &&
    sameBits(a.energy.importedKwh, b.energy.importedKwh) &&
    sameBits(a.energy.exportedKwh, b.energy.exportedKwh) &&
    sameBits(a.energy.interpolatedImportedKwh, b.energy.interpolatedImportedKwh) &&
    sameBits(a.energy.interpolatedExportedKwh, b.energy.interpolatedExportedKwh) &&
    a.flags.join() === b.flags.join()
  );
}

async function expectExact(
  id: string,
  readings: readonly EnergyReading[],
  rules: EnergyRules,
  days = daysAround(readings),
) {
  expect(isSame(await readSlots(portal.database, id, days), expectedSlots(readings, rules, days))).toBe(true);
}

describe('dirty ranges that a read computes', () => {
  it('are rejected with Retry-After if they are too much and cannot be materialized', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const start = at('2015-01-01T12:00:00Z');
    const readings = Array.from({ length: 2_100 }, (_, day) => reading(start + day * dayMicros, 1000 + day));
    await meters.deliver(externalId, readings);
    const own = (await numbersOf()).at(-1) ?? 0;
    const url = `/api/dashboard/summary?from=2015-01-01T00:00:00Z&to=2026-04-01T00:00:00Z&deviceIds=${id}`;
    const ask = () => portal.app.inject({ method: 'GET', url, headers: meters.session.headers });
    const refused = await portal.database.transaction(async (tx) => {
      await lockReadingSpans(tx, [own], { skip: false });
      return ask();
    });
    expect(refused.statusCode).toBe(503);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // Once the lock is free the read does it itself, which on a busy machine takes longer than one read waits.
    let answer = await ask();
    while (answer.statusCode === 503) answer = await ask();
    expect(answer.json<{ energyImportedKwh: number }>().energyImportedKwh).toBeCloseTo(2_099, 6);
  }, 60_000);

  it('end between two pieces when the client has disconnected', async () => {
    const gone = new AbortController();
    const range = { fromMicros: at('2026-01-01T00:00:00Z'), toMicros: at('2026-02-01T00:00:00Z') };
    const read = readEnergy(portal.database.until(gone.signal), { scope: allDevices, range }, async (snapshot) => {
      gone.abort(new Error('the client went away'));
      await snapshot.yieldOrAbort();
    });
    await expect(read).rejects.toThrow('the client went away');
  });
});

describe('the flags of a range inside a long gap', () => {
  const hour = 3_600_000_000;
  const samples = Array.from({ length: 40 * 24 }, (_, at) => reading(start + at * hour, null));
  it.each([
    ['a gap of a register', usualRules, [], [reading(start, 100), reading(start + 30 * dayMicros, 200)]],
    [
      'one that a late reading splits',
      usualRules,
      [reading(start, 100), reading(start + 30 * dayMicros, 200)],
      [reading(start + 8 * dayMicros, 150), reading(start + 25 * dayMicros, 160)],
    ],
    ['a gap of measured power', usualRules, [], [reading(start, null), reading(start + 30 * dayMicros, null)]],
    [
      'a register that is read once a month, of a meter that sends its power every hour',
      { ...usualRules, expectedIntervalSeconds: 3600 },
      [],
      [...samples, reading(start - hour, 100), reading(start + 40 * dayMicros, 200)],
    ],
  ])('are immediately the same as after materializing: %s', async (_name, rules, stored, late) => {
    const { id, externalId } = await meters.create(rules);
    if (stored.length > 0) await meters.deliver(externalId, stored);
    await materializeAll(portal.database, await numbersOf());
    await meters.deliver(externalId, late);
    const ask = () =>
      Promise.all(
        [6, 12, 20, 27].map(async (day) => {
          const [from, to] = [day, day + 1].map((at) => new Date((start + at * dayMicros) / 1000).toISOString());
          const url = `/api/data-quality?from=${from}&to=${to}&deviceIds=${id}`;
          const answer = await portal.app.inject({ method: 'GET', url, headers: meters.session.headers });
          return answer.json<DataQuality>().devices;
        }),
      );
    const atOnce = await ask();
    await materializeAll(portal.database, await numbersOf());
    expect(atOnce).toEqual(await ask());
    for (const [device] of atOnce) expect(device?.flags).toHaveLength(1);
  });
});

describe('a meter that sends once a month', () => {
  it('is read once, however many months have partitions, not again for each reading', async () => {
    const months = 240;
    const { externalId } = await meters.create(usualRules);
    const readings = Array.from({ length: months }, (_, month) => reading(Date.UTC(2005, month, 5) * 1000, month));
    await meters.deliver(externalId, readings);
    const own = (await numbersOf()).at(-1) ?? 0;
    let [scans, rows] = [0, 0];
    const dirtyRanges = await listDirtyRanges(portal.database, allOf([own]), months);
    let kwh = 0;
    await portal.database.snapshot(async (tx) => {
      const countScans = async (text: string, values: readonly unknown[] = []) => {
        const plan = await tx.query<{ 'QUERY PLAN': string }>(
          { text: `EXPLAIN (ANALYZE, TIMING OFF) ${text}` },
          values,
        );
        for (const { 'QUERY PLAN': line } of plan.rows) {
          const [, loops] = / Scan .*\b(?:measurements_\d|_hyper_).* loops=(\d+)/.exec(line) ?? [];
          scans += Number(loops ?? 0);
        }
      };
      const counting: Transaction = {
        ...tx,
        async query<Row extends object>(statement: Statement, values?: readonly unknown[]) {
          await countScans(statement.text, values);
          const result = await tx.query<Row>(statement, values);
          rows += result.rows.length;
          return result;
        },
        async copyOut(text) {
          await countScans(text.replace(/^COPY \(/, '').replace(/\) TO STDOUT.*$/, ''));
          return tx.copyOut(text);
        },
      };
      const touched = await openTouched(counting, dirtyRanges, new Map([[own, usualRules]]), new Map());
      for (const piece of piecesOf(await listAffectedParts(counting, touched))) {
        const { patches, gaps } = await recompute(counting, piece);
        for (const patch of patches) for (const slot of patch.importedKwh) kwh += slot;
        for (const gap of gaps) kwh += (gap.toDay - gap.fromDay) * slotsPerDay * gap.importedKwh;
      }
    });
    expect(kwh).toBeCloseTo(months - 1, 6);
    // There are 3 and 2 for each reading; with a search around each reading there were 49 and 31.
    expect(scans).toBeLessThan(10 * months);
    expect(rows).toBeLessThan(5 * months);
  }, 120_000);

  it('continues where a round ended: with its last readings at hand, and many of its days in one piece', async () => {
    const months = 240;
    const { externalId } = await meters.create(usualRules);
    const readings = Array.from({ length: months }, (_, month) => reading(Date.UTC(2005, month, 5) * 1000, month));
    await meters.deliver(externalId, readings);
    const own = (await numbersOf()).at(-1) ?? 0;
    const firstHalf = { deviceNumber: own, fromMicros: 0, toMicros: Date.UTC(2015, 0) * 1000 };
    while ((await materializeSome(portal.database, { within: [firstHalf], skip: false })) > 0);
    let searches = 0;
    const dirtyRanges = await listDirtyRanges(portal.database, allOf([own]), months);
    expect(dirtyRanges).toHaveLength(months / 2);
    const materialized = await listReadingSpans(portal.database, [own]);
    const pieces = await portal.database.snapshot(async (tx) => {
      const counting: Transaction = {
        ...tx,
        query(statement, values) {
          if (statement.text.includes('near.part')) searches += 1;
          return tx.query(statement, values);
        },
      };
      const touched = await openTouched(counting, dirtyRanges, new Map([[own, usualRules]]), materialized);
      const found = [...piecesOf(await listAffectedParts(counting, touched))];
      for (const piece of found) await recompute(counting, piece);
      return found;
    });
    // There were 20 searches, each planned over all months of its range, and 8 pieces with five statements each.
    expect(searches).toBe(0);
    expect(pieces.length).toBeLessThan(4);
  }, 120_000);
});

describe('a long gap', () => {
  it('of a quarter of a century is one row, until a reading splits it', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const readings = [reading(at('2000-01-01T00:00:00Z'), 1, 5), reading(at('2026-03-01T06:07:08Z'), 100_000, 7)];
    const days = daysAround(readings);
    const own = (await numbersOf()).at(-1);
    await meters.deliver(externalId, readings);
    await expectExact(id, readings, usualRules, days);
    await materializeAll(portal.database, await numbersOf());
    expect(await count(`monitoring.energy_gaps WHERE device_number = ${own}`)).toBe(1);
    expect(await count(`monitoring.energy_days WHERE device_number = ${own}`)).toBe(2);
    await expectExact(id, readings, usualRules, days);

    const more = reading(at('2013-05-05T12:00:00Z'), 40_000, null);
    await meters.deliver(externalId, [more]);
    await expectExact(id, [...readings, more], usualRules, days);
    await materializeAll(portal.database, await numbersOf());
    expect(await count(`monitoring.energy_gaps WHERE device_number = ${own}`)).toBe(2);
    expect(await count(`monitoring.energy_days WHERE device_number = ${own}`)).toBe(3);
    await expectExact(id, [...readings, more], usualRules, days);
  }, 60_000);

  it('is known for a range inside it, even before it is materialized', async () => {
    const { id, externalId } = await meters.create(usualRules);
    await meters.deliver(externalId, [reading(at('2025-01-01T00:00:00Z'), 0), reading(at('2025-03-02T00:00:00Z'), 60)]);
    const url = `/api/dashboard/summary?from=2025-02-01T00:00:00Z&to=2025-02-08T00:00:00Z&deviceIds=${id}`;
    const answer = await portal.app.inject({ url, headers: meters.session.headers });
    expect(answer.json<{ energyImportedKwh: number }>().energyImportedKwh).toBeCloseTo(7, 9);
  });

  it('equals the pure functions to the bit, however it is split, and a rebuild produces the same bytes', async () => {
    const start = at('2024-01-01T00:00:00Z');
    const sparse = fc.array(
      fc
        .record({
          day: fc.oneof(fc.integer({ min: 0, max: 700 }), fc.constantFrom(0, 7, 8, 9, 100, 300)),
          minute: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1439 })),
          imported: fc.option(fc.integer({ min: 0, max: 2000 })),
          exported: fc.option(fc.integer({ min: 0, max: 2000 }), { freq: 2 }),
        })
        .map(({ day, minute, imported, exported }) =>
          reading(start + day * dayMicros + minute * 60_000_000, imported, exported),
        ),
      { minLength: 2, maxLength: 14 },
    );
    await fc.assert(
      fc.asyncProperty(sparse, anyRules, fc.array(fc.boolean()), async (all, rules, isMaterialized) => {
        const { id, externalId } = await meters.create(rules);
        const days = daysAround(all);
        for (let delivered = 0; delivered < all.length; delivered += 2) {
          await meters.deliver(externalId, all.slice(delivered, delivered + 2));
          if (isMaterialized[delivered / 2] === true) await materializeAll(portal.database, await numbersOf());
          await expectExact(id, all.slice(0, delivered + 2), rules, days);
        }
        await materializeAll(portal.database, await numbersOf());
        await expectExact(id, all, rules, days);
      }),
      { numRuns: 6 },
    );
    expect(await count('monitoring.energy_gaps')).toBeGreaterThan(0);
    const before = await digestSlots(portal.database);
    for (const number of await numbersOf()) await rebuildEnergy(portal.database, number);
    expect(await digestSlots(portal.database)).toBe(before);
  }, 120_000);
});
