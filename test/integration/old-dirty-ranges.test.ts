import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { materializeSome } from '../../server/energy/materialize-energy.ts';
import { lockReadingSpans } from '../../server/energy/dirty-ranges.sql.ts';
import { type EnergyReading, dayOf } from '../../server/energy/energy.rules.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { daysAround, expectedSlots, materializeAll, readSlots } from '../support/energy-rollup.ts';
import { anyRules, hostileReadingsFrom } from '../support/hostile-readings.ts';
import { type Meters, openMeters, usualRules } from '../support/meters.ts';
import { dayMicros } from '../../server/base/instants.ts';

const portal = appOfFile();
let meters: Meters;

beforeAll(async () => {
  meters = await openMeters(portal);
});

const micros = (time: string) => Date.parse(time) * 1000;
const minute = 60_000_000;
const reading = (timeMicros: number, importedKwh: number): EnergyReading => ({
  timeMicros,
  activePowerKw: 1,
  importedKwh,
  exportedKwh: null,
});
const numberOf = async (id: string) =>
  (
    await portal.database.query<{ number: number }>({ text: 'SELECT number FROM monitoring.devices WHERE id = $1' }, [
      id,
    ])
  ).rows[0]?.number ?? 0;
const countDirty = async (ids: readonly string[]) => {
  const text = `SELECT FROM monitoring.energy_dirty_ranges JOIN monitoring.devices ON number = device_number WHERE devices.id = ANY ($1)`;
  return (await portal.database.query({ text }, [ids])).rowCount;
};

/** Dirty ranges on days of their own, far from all readings. */
const markFar = (deviceNumber: number, first: string, count: number) =>
  portal.database.query(
    {
      text: `INSERT INTO monitoring.energy_dirty_ranges (device_number, from_time, to_time)
             SELECT $1, day, day FROM (SELECT $2::timestamptz + at * interval '1 day' AS day
                                       FROM generate_series(1, $3::integer) at) days`,
    },
    [deviceNumber, first, count],
  );
const forgetAll = () => portal.database.query({ text: 'DELETE FROM monitoring.energy_dirty_ranges' });

describe('old readings that are not materialized yet (energy-and-cost.md 5)', () => {
  it('delay no query about today, of the same devices or of all', async () => {
    const [devices, rows] = [30, 700];
    const today = micros('2026-03-10T00:00:00Z');
    const from = micros('2000-01-01T00:00:00Z');
    const ids: string[] = [];
    const payload: object[] = [];
    for (let device = 0; device < devices; device += 1) {
      const { id, externalId } = await meters.create(usualRules);
      ids.push(id);
      const add = ({ timeMicros, activePowerKw, importedKwh }: EnergyReading) =>
        payload.push({
          externalId,
          time: new Date(timeMicros / 1000).toISOString(),
          activePowerKw,
          energyImportedKwh: importedKwh,
        });
      // Twelve days apart.
      for (let row = 0; row < rows; row += 1) add(reading(from + (row * 12 * 96 + device) * 15 * minute, row));
      for (let at = 0; at <= 12; at += 1) add(reading(today + at * 10 * minute, 10_000 + at));
    }
    const ingest = { method: 'POST', url: '/api/ingest/measurements', headers: meters.session.headers } as const;
    const delivered = await portal.app.inject({ ...ingest, payload });
    expect(delivered.json()).toMatchObject({ accepted: devices * (rows + 13) });
    const summary = async (devicesAsked: string) =>
      portal.app.inject({
        method: 'GET',
        url: `/api/dashboard/summary?from=2026-03-10T00:30:00Z&to=2026-03-10T02:00:00Z${devicesAsked}`,
        headers: meters.session.headers,
      });
    // They cannot be materialized.
    const numbers = await Promise.all(ids.map(numberOf));
    const answers = await portal.database.transaction(async (tx) => {
      await lockReadingSpans(tx, numbers, { skip: false });
      return [await summary(`&deviceIds=${ids[0]}`), await summary('')];
    });
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    const [one, all] = answers.map((answer) => answer.json<{ energyImportedKwh: number }>().energyImportedKwh);
    expect(one).toBeCloseTo(9, 9);
    expect(all).toBeCloseTo(9 * devices, 6);
    expect(await countDirty(ids)).toBeGreaterThan(devices * rows);
    await forgetAll();
  }, 120_000);

  it('are left for later if a query has its own materialized first', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const daily = (first: string, count: number, kwh: number) =>
      Array.from({ length: count }, (_, at) => reading(micros(first) + at * dayMicros, kwh + at));
    await meters.deliver(externalId, daily('2001-01-01T06:00:00Z', 1_100, 0));
    await meters.deliver(externalId, daily('2025-05-01T06:00:00Z', 300, 10_000));
    const days = { firstDay: dayOf(micros('2025-06-01T00:00:00Z')), count: 260 };
    const before = await countDirty([id]);
    const slots = await readSlots(portal.database, id, days);
    expect(slots.energy.importedKwh.reduce((sum, kwh) => sum + kwh, 0)).toBeCloseTo(260, 6);
    const left = await countDirty([id]);
    expect(left).toBeLessThan(before);
    expect(left).toBeGreaterThanOrEqual(1_100);
    await forgetAll();
  }, 60_000);

  it('still count for when a device was last measured, although they are left out', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const dense = Array.from({ length: 24 }, (_, at) => reading(micros('2022-05-01T00:00:00Z') + at * 15 * minute, at));
    await meters.deliver(externalId, dense);
    await materializeAll(portal.database, [await numberOf(id)]);
    const later = Array.from({ length: 1_100 }, (_, at) =>
      reading(micros('2022-05-02T00:00:00Z') + at * dayMicros, 100 + at),
    );
    await meters.deliver(externalId, later);
    const ask = async () => {
      const range = 'from=2022-05-01T00:00:00Z&to=2022-05-02T00:00:00Z';
      const answer = await portal.app.inject({
        method: 'GET',
        url: `/api/dashboard/summary?${range}&deviceIds=${id}`,
        headers: meters.session.headers,
      });
      return answer.json<object>();
    };
    const atOnce = await ask();
    expect(atOnce).toMatchObject({ devices: [{ lastMeasuredAt: '2025-05-05T00:00:00Z' }] });
    await materializeAll(portal.database, [await numberOf(id)]);
    expect(await ask()).toEqual(atOnce);
  });

  it.each([
    ['before', '1950-01-01T00:00:00Z'],
    ['after', '2150-01-01T00:00:00Z'],
  ])(
    'change no requested slot: exact, to the bit, whatever lies %s',
    async (_, far) => {
      const start = micros('2026-03-10T00:00:00Z');
      await fc.assert(
        fc.asyncProperty(
          hostileReadingsFrom(start),
          anyRules,
          fc.array(
            fc.record({
              size: fc.integer({ min: 1, max: 30 }),
              days: fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 3 })),
              materialized: fc.option(fc.tuple(fc.integer({ min: 0, max: 480 }), fc.integer({ min: 1, max: 96 }))),
            }),
            { minLength: 6 },
          ),
          async (readings, rules, steps) => {
            const { id, externalId } = await meters.create(rules);
            const own = await numberOf(id);
            let delivered = 0;
            for (const { size, days, materialized } of steps) {
              const part = readings.slice(delivered, delivered + size);
              if (part.length === 0) break;
              delivered += part.length;
              await meters.deliver(externalId, part);
              if (materialized !== null) {
                // Any part of the dirty ranges, in any order.
                const fromMicros = start + materialized[0] * 15 * minute;
                const interval = {
                  deviceNumber: own,
                  fromMicros,
                  toMicros: fromMicros + materialized[1] * 15 * minute,
                };
                while ((await materializeSome(portal.database, { within: [interval], skip: false })) > 0);
              }
              await markFar(own, far, 1_001);
              const asked = { firstDay: dayOf(start) + days[0], count: days[1] };
              const expected = expectedSlots(readings.slice(0, delivered), rules, asked);
              expect(await readSlots(portal.database, id, asked)).toEqual(expected);
              await portal.database.query({
                text: `DELETE FROM monitoring.energy_dirty_ranges WHERE from_time < '2000-01-01Z' OR from_time > '2100-01-01Z'`,
              });
            }
            await materializeAll(portal.database, [own]);
            const days = daysAround(readings.slice(0, delivered));
            expect(await readSlots(portal.database, id, days)).toEqual(
              expectedSlots(readings.slice(0, delivered), rules, days),
            );
          },
        ),
        { numRuns: Number(process.env['ROLLUP_RUNS'] ?? 25) },
      );
    },
    300_000,
  );
});
