import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { costBreakdown, dashboardSummary, loadCurve } from '../../shared/dashboard.ts';
import { bucketedRow } from '../../shared/measurements.ts';
import { simulationResult } from '../../shared/rates.ts';
import { materializeSome } from '../../server/energy/materialize-energy.ts';
import { applyRetention } from '../../server/energy/retention.ts';
import { emptyEnergy, type EnergyReading, type EnergyRules } from '../../server/energy/energy.rules.ts';
import { measureEnergy } from '../../server/energy/measure-energy.rules.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { anyRules, hostileReadingsFrom } from '../support/hostile-readings.ts';
import { type Meters, openMeters, usualRules } from '../support/meters.ts';
import { registerSpans } from '../support/register-spans.ts';
import { ranges as vectors, rulesOf } from '../support/vectors.ts';

const now = Date.parse('2026-05-20T12:00:00Z');
const minute = 60_000_000;
const portal = appOfFile({ now: () => now });
let meters: Meters;

beforeAll(async () => {
  meters = await openMeters(portal);
});

const micros = (time: string) => Date.parse(time) * 1000;
/** To the microsecond. */
const text = (at: number) =>
  `${new Date(Math.floor(at / 1000)).toISOString().slice(0, -1)}${String(at % 1000).padStart(3, '0')}Z`;
const get = async (path: string, query: Record<string, string>): Promise<unknown> => {
  const answer = await portal.app.inject({ method: 'GET', url: path, query, headers: meters.session.headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const materializeEverything = async () => {
  while ((await materializeSome(portal.database, { within: null, skip: true })) > 0);
};

interface Asked {
  id: string;
  from: string;
  to: string;
}
const summary = async ({ id, from, to }: Asked) =>
  dashboardSummary.parse(await get('/api/dashboard/summary', { from, to, deviceIds: id }));

const sum = (values: readonly (number | null | undefined)[]) =>
  values.reduce<number>((all, one) => all + (one ?? 0), 0);

/** Imported and exported energy of a device according to each answer of the portal. */
async function everyAnswer({ id, from, to }: Asked): Promise<Record<string, [number, number]>> {
  const said: Record<string, [number, number]> = {};
  const whole = await summary({ id, from, to });
  said['summary'] = [whole.energyImportedKwh, whole.energyExportedKwh];
  for (const group of ['day', 'period']) {
    const { energyImportedKwh, energyExportedKwh, lines } = costBreakdown.parse(
      await get('/api/dashboard/cost-breakdown', { from, to, deviceIds: id, group }),
    );
    said[`breakdown by ${group}`] = [energyImportedKwh, energyExportedKwh];
    said[`lines by ${group}`] = [
      sum(lines.filter(({ kind }) => kind === 'energy' || kind === 'unpriced').map(({ energyKwh }) => energyKwh)),
      energyExportedKwh,
    ];
  }
  for (const bucket of ['minute', '5min', '15min', 'hour', 'day']) {
    const rows = bucketedRow.array().parse(await get('/api/measurements', { from, to, deviceId: id, bucket }));
    said[bucket] = [sum(rows.map((row) => row.energyImportedKwh)), sum(rows.map((row) => row.energyExportedKwh))];
    const query = { from, to, deviceIds: id, bucket, groupBy: 'device' };
    const { series } = loadCurve.parse(await get('/api/dashboard/load-curve', query));
    said[`load curve by ${bucket}`] = [sum(series[0]?.energyImportedKwh ?? []), whole.energyExportedKwh];
  }
  const answer = await portal.app.inject({
    method: 'POST',
    url: '/api/rates/simulate',
    payload: {
      tariff: { currency: 'EUR', defaultRatePerKwh: 1, fixedChargePerMonth: 0, vatPercent: 0, periods: [] },
      timeZone: 'UTC',
      from,
      to,
      load: { kind: 'devices', deviceIds: [id] },
    },
    headers: meters.session.headers,
  });
  const simulated = simulationResult.parse(answer.json());
  said['simulation'] = [simulated.energyImportedKwh, simulated.energyExportedKwh];
  return said;
}

const readingsOf = (rows: (typeof vectors)[number]['readings']): EnergyReading[] =>
  rows.map((row) => ({
    timeMicros: micros(row.time),
    activePowerKw: row.activePowerKw,
    importedKwh: row.energyImportedKwh ?? null,
    exportedKwh: row.energyExportedKwh ?? null,
  }));

describe('a range that begins or ends inside a quarter-hour (energy-and-cost.md 3)', () => {
  it.each(vectors)('$id $what: in every answer', async ({ device, readings, from, to, expect: wanted }) => {
    const { id, externalId } = await meters.create(rulesOf(device));
    await meters.deliver(externalId, readingsOf(readings));
    for (const isMaterialized of [false, true]) {
      if (isMaterialized) await materializeEverything();
      for (const [name, [imported, exported]] of Object.entries(await everyAnswer({ id, from, to }))) {
        expect(imported, name).toBeCloseTo(wanted.importedKwh, 6);
        expect(exported, name).toBeCloseTo(wanted.exportedKwh, 6);
      }
      expect((await summary({ id, from, to })).estimatedEnergyKwh).toBeCloseTo(wanted.interpolatedKwh, 6);
    }
  });

  it('a range that ends now misses nothing, and the priced energy is the measured one', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const from = micros('2026-05-20T11:00:00Z');
    // Nothing until 11:50, then everything in ten minutes, and a reading of the minute after.
    await meters.deliver(
      externalId,
      [0, 50, 58, 59].map((at) => ({
        timeMicros: from + at * minute,
        activePowerKw: 0,
        importedKwh: [100, 100, 107, 109][[0, 50, 58, 59].indexOf(at)] ?? null,
        exportedKwh: null,
      })),
    );
    const upTo = (at: number) => summary({ id, from: text(from), to: text(from + at * minute) });
    expect((await upTo(50)).energyImportedKwh).toBe(0);
    expect((await upTo(58)).energyImportedKwh).toBeCloseTo(7, 9);
    expect((await upTo(59)).energyImportedKwh).toBeCloseTo(9, 9);
    const late = await upTo(58.5);
    expect(late.energyImportedKwh).toBeCloseTo(8, 9);
    expect(late.devices[0]?.averagePowerKw).toBe(0);
  });

  it('two adjacent ranges add up to the one that spans both, for any meter and any order of rows', async () => {
    const start = micros('2026-04-02T00:00:00Z');
    const anyInstant = fc.oneof(
      fc.integer({ min: -60, max: 5 * 1440 }).map((at) => start + at * minute),
      fc.integer({ min: start, max: start + 240 * minute }),
    );
    await fc.assert(
      fc.asyncProperty(
        hostileReadingsFrom(start),
        anyRules,
        fc.uniqueArray(anyInstant, { minLength: 3, maxLength: 3 }),
        fc.nat(60),
        async (readings, rules, instants, early) => {
          const { id, externalId } = await meters.create(rules);
          const [a = 0, b = 0, c = 0] = instants.toSorted((x, y) => x - y);
          const parts = [
            [a, b],
            [b, c],
            [a, c],
          ] as const;
          await meters.deliver(externalId, readings.slice(0, early));
          await materializeEverything();
          if (early < readings.length) await meters.deliver(externalId, readings.slice(early));
          const said = await Promise.all(parts.map(([from, to]) => summary({ id, from: text(from), to: text(to) })));
          for (const [at, [from, to]] of parts.entries()) {
            const exact = oracle(readings, rules, from, to);
            expect(said[at]?.energyImportedKwh).toBeCloseTo(exact.imported, 6);
            expect(said[at]?.energyExportedKwh).toBeCloseTo(exact.exported, 6);
            expect(said[at]?.estimatedEnergyKwh).toBeCloseTo(exact.estimated, 6);
          }
          for (const name of ['energyImportedKwh', 'energyExportedKwh', 'estimatedEnergyKwh'] as const) {
            expect((said[0]?.[name] ?? 0) + (said[1]?.[name] ?? 0)).toBeCloseTo(said[2]?.[name] ?? 0, 6);
          }
          const buckets = await Promise.all(
            parts.map(async ([from, to]) => {
              const query = { from: text(from), to: text(to), deviceId: id, bucket: 'hour' };
              return bucketedRow.array().parse(await get('/api/measurements', query));
            }),
          );
          const samples = buckets.map((rows) => sum(rows.map((row) => row.samples)));
          expect((samples[0] ?? 0) + (samples[1] ?? 0)).toBe(samples[2]);
        },
      ),
      { numRuns: Number(process.env['RANGE_RUNS'] ?? 40) },
    );
  }, 300_000);
});

/** E(to) - E(from) on the line through all readings of a device, by the pure functions. */
function oracle(readings: readonly EnergyReading[], rules: EnergyRules, from: number, to: number) {
  const first = new Map<number, EnergyReading>();
  for (const reading of readings) if (!first.has(reading.timeMicros)) first.set(reading.timeMicros, reading);
  const ordered = [...first.values()].toSorted((x, y) => x.timeMicros - y.timeMicros);
  const grid = { startMicros: from, widthMicros: to - from, count: 1 };
  const energy = ordered.length === 0 ? emptyEnergy(1) : measureEnergy(ordered, rules, registerSpans(ordered), grid);
  return {
    imported: energy.importedKwh[0] ?? 0,
    exported: energy.exportedKwh[0] ?? 0,
    estimated: (energy.interpolatedImportedKwh[0] ?? 0) + (energy.interpolatedExportedKwh[0] ?? 0),
  };
}

describe('a quarter-hour whose readings are no longer kept', () => {
  it('counts by its share of the time, as an estimate', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const start = micros('2026-02-10T00:00:00Z');
    await meters.deliver(
      externalId,
      [0, 10, 15, 30].map((at, index) => ({
        timeMicros: start + at * minute,
        activePowerKw: 1,
        importedKwh: [10, 10, 25, 31][index] ?? null,
        exportedKwh: null,
      })),
    );
    await meters.deliver(externalId, [
      { timeMicros: micros('2026-05-20T00:00:00Z'), activePowerKw: 1, importedKwh: 31, exportedKwh: null },
    ]);
    await materializeEverything();
    const part = { id, from: '2026-02-10T00:05:00Z', to: '2026-02-10T00:30:00Z' };
    expect(await summary(part)).toMatchObject({ energyImportedKwh: expect.closeTo(21, 9), estimatedEnergyKwh: 0 });
    const log = { info: () => undefined, warn: () => undefined };
    await applyRetention({ database: portal.database, engine: portal.engine, months: 2, now: () => now, log });
    const found = await summary(part);
    expect(found.energyImportedKwh).toBeCloseTo(6 + 10, 9);
    expect(found.estimatedEnergyKwh).toBeCloseTo(10, 9);
  });
});
