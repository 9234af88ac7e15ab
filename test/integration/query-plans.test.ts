import { beforeAll, expect, inject, it, vi } from 'vitest';
import { measureCuts, measureGrids } from '../../server/energy/measure-grids.ts';
import { countSamples } from '../../server/energy/energy-days.sql.ts';
import { replaceFlags } from '../../server/energy/energy-flags.sql.ts';
import { listReadings, listSpansWithin } from '../../server/energy/energy-readings.sql.ts';
import { listKnownIntervals, listNeighbours } from '../../server/energy/energy-neighbours.sql.ts';
import { shares } from '../../server/base/budgets.ts';
import { countReadings, listCurrentPower, listReadingsPage } from '../../server/energy/measurements.sql.ts';
import type { Database, Transaction } from '../../server/database/pool.ts';
import { slotMicros } from '../../server/energy/energy.rules.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { plansOf as plansOfDatabase } from '../support/plans.ts';

const day = 86_400_000_000;
const start = Date.parse('2025-01-01T00:00:00Z') * 1000;
const months = 8;
const devices = Array.from({ length: 12 }, (_, device) => device + 1);

const portal = appOfFile({ now: () => start / 1000 });
let database: Database;

beforeAll(async () => {
  database = portal.database.within(shares.background);
  const times = Array.from({ length: months * 31 }, (_, at) => start + at * day);
  await portal.engine.ensurePartitions(database, times);
  await database.query({
    text: `INSERT INTO monitoring.measurements (time, active_power_milliwatts, energy_imported_milliwatthours, device_number)
           SELECT timestamptz '2025-01-01Z' + n / 12 * interval '20 minutes', n % 1000, n, n % 12 + 1
           FROM generate_series(0, ${months * 30 * 72 * 12}) n`,
  });
  await database.query({
    text: `INSERT INTO monitoring.energy_days (device_number, day, samples, power_sum, factor_active_sum, factor_reactive_sum,
                                               imported)
           SELECT d, date '2015-01-01' + n, 72, 0, 0, 0, decode(repeat('3f', 768), 'hex')
           FROM generate_series(0, 3999) n, generate_series(1, 12) d`,
  });
  await database.query({
    text: `INSERT INTO monitoring.energy_flags (device_number, time, kind, direction)
           SELECT n % 12 + 1, timestamptz '2025-01-01Z' + n / 12 * interval '20 minutes', 'glitch', 'both'
           FROM generate_series(0, 50000) n`,
  });
  if (inject('postgres').engine === 'timescale') {
    await database.query({
      text: `SELECT compress_chunk(c) FROM show_chunks('monitoring.measurements', older_than => timestamptz '2025-07-01Z') c`,
    });
  }
  await database.query({ text: 'VACUUM (ANALYZE)' });
  // The visibility of the rows is recorded only after every transaction that was open when they were written.
  await vi.waitFor(
    async () => {
      await database.query({ text: 'VACUUM monitoring.energy_days' });
      const { rows } = await database.query<{ visible: number }>({
        text: `SELECT relallvisible AS visible FROM pg_class WHERE oid = 'monitoring.energy_days'::regclass`,
      });
      expect(rows[0]?.visible).toBeGreaterThan(0);
    },
    { timeout: 30_000, interval: 200 },
  );
}, 120_000);

const plansOf = (work: (db: Transaction) => Promise<unknown>) => plansOfDatabase(database, work);

const at = (days: number) => start + days * day;
const spans = {
  any: { firstMicros: at(0), lastMicros: at(months * 30) },
  imported: { firstMicros: at(0), lastMicros: at(months * 30) },
  exported: null,
  intervals: null,
};
const rules = {
  energySource: 'auto' as const,
  ratedPowerKw: null,
  registerMaxKwh: null,
  expectedIntervalSeconds: null,
};
const interval = { deviceNumber: 3, fromMicros: at(100), toMicros: at(100.2) };
const grid = { startMicros: at(100), widthMicros: slotMicros, count: 96 };
const cut = { startMicros: at(100) + 1, widthMicros: slotMicros / 8, count: 1 };

it.each<[string, (db: Transaction) => Promise<unknown>]>([
  [
    'a page',
    (db) => listReadingsPage(db, devices, { fromMicros: at(100), toMicros: at(100.5) }, { limit: 200, offset: 3 }),
  ],
  ['the count of a quarter-hour', (db) => countReadings(db, devices, { fromMicros: at(100), toMicros: at(100.01) })],
  [
    'the current power',
    (db) =>
      listCurrentPower(
        db,
        devices.map((number) => ({ number, afterMicros: at(239.9) })),
        at(239.99),
      ),
  ],
  ['the readings of an interval', (db) => listReadings(db, [interval])],
  ['the spans of an interval', (db) => listSpansWithin(db, [interval])],
  ['the readings around an interval', (db) => listNeighbours(db, [{ ...interval, spans }], 8)],
  [
    'what a meter has just sent, with what is around it,',
    (db) =>
      listKnownIntervals(db, [{ deviceNumber: 3, intervals: [{ fromMicros: at(100), toMicros: at(100) + 1 }], spans }]),
  ],
  [
    'what a range has of a quarter-hour that it cuts',
    (db) => measureCuts(db, [{ device: { deviceNumber: 3, rules, spans }, grid: cut }]),
  ],
  ['minutes of a day', (db) => measureGrids(db, [{ device: { deviceNumber: 3, rules, spans }, grid }])],
])('%s is read by device and time, from no more months than it touches', async (_, work) => {
  const plans = await plansOf(work);
  expect(plans.length).toBeGreaterThan(0);
  for (const plan of plans) {
    expect(plan).not.toMatch(/Seq Scan on (measurements|_hyper)/);
    // Day 100 lies in one month, and in one or two chunks; day 239 in the last.
    const pieces = new Set(plan.match(/\b(measurements_\d{4}_\d\d|_hyper_\d+_\d+_chunk)\b(?!_)/g));
    expect(pieces.size, plan).toBeGreaterThan(0);
    expect(pieces.size, plan).toBeLessThanOrEqual(3);
  }
});

it('the readings of years are counted only from an index', async () => {
  const [plan] = await plansOf((db) => countSamples(db, { deviceNumbers: devices, fromDay: 17_000, toDay: 19_000 }));
  expect(plan).toMatch(/Index Only Scan using energy_days_pkey/);
});

it('flags are replaced by device and time, however many others there are', async () => {
  const intervals = Array.from({ length: 70 }, (_, n) => ({ ...interval, fromMicros: at(n), toMicros: at(n + 0.5) }));
  const [plan] = await plansOf((db) => replaceFlags(db, intervals, []));
  expect(plan).toMatch(/Index Scan (using|on) energy_flags_pkey/);
  expect(plan).not.toMatch(/Seq Scan/);
});
