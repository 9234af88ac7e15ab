import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, inject } from 'vitest';
import { nativePartitions } from '../../server/database/engines/native.ts';
import { timescaleHypertable } from '../../server/database/engines/timescale.ts';
import { Database } from '../../server/database/pool.ts';
import { listTariffs } from '../../server/rates/tariffs.sql.ts';
import { type Demo, startDemo } from '../../server/demo/run.ts';
import { createMeters } from '../../server/demo/meter.ts';
import { demoSites, type DemoWorld, worlds } from '../../server/demo/sites.ts';
import { tariffInForce } from '../../server/rates/tariffs.rules.ts';
import type { Incoming } from '../../shared/arrivals.ts';
import type { DashboardSummary, LoadCurve } from '../../shared/dashboard.ts';
import type { DataQuality } from '../../shared/data-quality.ts';
import type { MunicipalityWithTariffs } from '../../shared/rates.ts';
import { createTestApp } from '../support/app.ts';
import { createTestDatabase } from '../support/postgres.ts';

interface Line {
  level: 'info' | 'warn' | 'error';
  message: string;
  fields: Record<string, unknown>;
}

/** The demo of one portal on a database: starts it, stops it, and reads its log. */
class Portal implements AsyncDisposable {
  readonly database: Database;
  readonly lines: Line[] = [];
  #demo: Demo | undefined;
  readonly #now: () => number;

  constructor(connectionString: string, now: () => number = Date.now) {
    this.database = new Database(connectionString);
    this.#now = now;
  }

  start(options: { historyDays: number; liveIntervalSeconds?: number; world?: DemoWorld }): Demo {
    const write = (level: Line['level']) => (fields: object, message: string) =>
      void this.lines.push({ level, message, fields: { ...fields } });
    const log = { info: write('info'), warn: write('warn'), error: write('error') };
    this.#demo = startDemo({
      database: this.database,
      engine:
        inject('postgres').engine === 'native'
          ? nativePartitions(this.#now)
          : timescaleHypertable({ version: '', compressAfterDays: 7, now: this.#now, log }),
      log,
      now: this.#now,
      retryMs: 100,
      ...options,
    });
    return this.#demo;
  }

  stop(): Promise<void> {
    return this.#demo?.stop() ?? Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.database.close();
  }

  async number(text: string, values: unknown[] = []): Promise<number> {
    const { rows } = await this.database.query<{ number: number }>(
      { text: `SELECT (${text})::bigint AS number` },
      values,
    );
    return rows[0]?.number ?? Number.NaN;
  }

  readonly countRows = () => this.number('SELECT count(*) FROM monitoring.measurements');

  async untilComplete(): Promise<void> {
    await until(async () => this.lines.some((line) => line.message === 'demo data: complete'));
    expect(await this.number('SELECT count(*) FROM monitoring.demo_gaps')).toBe(0);
  }

  problems(): Line[] {
    return this.lines.filter((line) => line.level !== 'info');
  }
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 2750; attempt += 1) {
    if (await isTrue()) return;
    await sleep(20);
  }
  throw new Error('it did not happen in 55 s');
}

const minutesOf = (days: number) => days * 1440;
const activeMeters = 9;

/** Every one-minute reading of the last `days` before `to` exists once, and equals that of the generator. */
async function expectWhole(portal: Portal, from: number, to: number, sites = demoSites): Promise<void> {
  const { rows } = await portal.database.query<{
    externalId: string;
    second: number;
    power: number;
    energy: number | null;
  }>(
    {
      text: `SELECT d.external_id AS "externalId", extract(epoch FROM m.time)::bigint AS second,
                    m.active_power_milliwatts AS power, m.energy_imported_milliwatthours AS energy
             FROM monitoring.measurements m JOIN monitoring.devices d ON d.number = m.device_number
             WHERE m.time >= to_timestamp($1) AND m.time < to_timestamp($2)
               AND extract(second FROM m.time) = 0 ORDER BY m.time`,
    },
    [from, to],
  );
  const { rows: demos } = await portal.database.query<{ seed: number; firstDay: number }>({
    text: 'SELECT seed, first_day AS "firstDay" FROM monitoring.demo',
  });
  const [demo] = demos;
  if (demo === undefined) throw new Error('no demo');
  const stored = new Map(rows.map((row) => [`${row.externalId} ${row.second}`, row]));
  const wrong: string[] = [];
  let expected = 0;
  const meters = createMeters(demo, sites);
  for (let second = Math.ceil(from / 60) * 60; second < to; second += 60) {
    for (const meter of meters) {
      const reading = meter.reading(second);
      if (reading === null) continue;
      expected += 1;
      const row = stored.get(`${meter.externalId} ${second}`);
      if (row?.power !== reading.activePower || row.energy !== reading.energyImported) {
        wrong.push(`${meter.externalId} ${new Date(second * 1000).toISOString()}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(rows).toHaveLength(expected);
}

describe('decisions.md 7: demo data', () => {
  test('an empty database gets sites, devices and history, newest day first, then live readings', async () => {
    await using database = await createTestDatabase();
    await using portal = new Portal(database.connectionString);
    const began = Date.now() / 1000;
    portal.start({ historyDays: 7, liveIntervalSeconds: 1 });
    await portal.untilComplete();

    const tens = portal.lines.filter((line) => line.fields['percent'] !== undefined);
    const percents = tens.map((line) => Number(line.fields['percent']));
    expect(percents.at(-1)).toBe(100);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(percents.length).toBeGreaterThanOrEqual(6);
    const days = tens.slice(0, -1).map((line) => String(line.fields['backTo']));
    expect(days).toEqual(days.toSorted().toReversed());
    const liveRows = () =>
      portal.number('SELECT count(*) FROM monitoring.measurements WHERE time >= to_timestamp($1)', [began]);
    await until(async () => (await liveRows()) >= 3 * activeMeters);
    await portal.stop();
    await expectWhole(portal, Math.floor(began / 60) * 60 - minutesOf(7) * 60, began);
    expect(portal.problems()).toEqual([]);
  });

  test('the page sees it: three sites in three time zones, ten devices, one switched off, each with its latest reading', async () => {
    await using database = await createTestDatabase();
    await using portal = new Portal(database.connectionString);
    portal.start({ historyDays: 1 });
    await portal.untilComplete();
    await using web = await createTestApp({ connectionString: database.connectionString });
    const headers = await web.signIn();
    const get = async <T>(url: string) => (await web.app.inject({ url, headers })).json<T>();

    const sites = await get<{ id: string; name: string; timeZone: string; deviceCount: number }[]>('/api/sites');
    expect(sites.map(({ name, timeZone, deviceCount }) => [name, timeZone, deviceCount])).toEqual([
      ['Hillside workshop', 'Asia/Kolkata', 3],
      ['Lakeside cold store', 'America/Chicago', 4],
      ['Riverside office', 'Europe/Berlin', 3],
    ]);
    const devices = await get<{ isActive: boolean; externalId: string }[]>('/api/sites/devices');
    expect(devices.filter((device) => !device.isActive).map((device) => device.externalId)).toEqual([
      'demo-cold-store-old-freezer',
    ]);
    const office = await get<{ devices: { lastMeasuredAt: string }[] }>(`/api/sites/${sites[2]?.id}`);
    for (const { lastMeasuredAt } of office.devices) {
      expect(Date.now() - Date.parse(lastMeasuredAt)).toBeLessThan(120_000);
    }

    // Sub-meters of the main meter count once, and its balance is complete.
    const [from, to] = [20, 4].map((hours) => new Date(Date.now() - hours * 3_600_000).toISOString());
    const range = `from=${from}&to=${to}&siteIds=${sites[1]?.id}`;
    const summary = await get<DashboardSummary>(`/api/dashboard/summary?${range}`);
    const main = summary.devices.find(({ deviceName }) => deviceName === 'Main meter');
    expect(summary.devices.filter(({ countedIn }) => countedIn === main?.deviceId)).toHaveLength(3);
    expect(summary.energyImportedKwh).toBe(main?.energyImportedKwh);
    expect(main?.notSubMeteredKwh).toBeGreaterThan(30);
    expect((await get<DataQuality>(`/api/data-quality?${range}`)).balances).toEqual([]);
    const byEndUse = await get<LoadCurve>(`/api/dashboard/load-curve?${range}&bucket=hour&groupBy=endUse`);
    expect(byEndUse.series.map(({ name }) => name)).toEqual(['Charging', 'Refrigeration', 'No end use']);
    // The chill room, offices and lights.
    for (const kw of byEndUse.series[2]?.averagePowerKw ?? []) expect(kw).toBeGreaterThan(2);
  });

  test('each municipality has tariffs with day and night periods in its currency, for every day of the history; PV is credited', async () => {
    await using database = await createTestDatabase();
    await using portal = new Portal(database.connectionString);
    portal.start({ historyDays: 1 });
    await portal.untilComplete();
    await using web = await createTestApp({ connectionString: database.connectionString });
    const headers = await web.signIn();
    const rates = (await web.app.inject({ url: '/api/rates', headers })).json<MunicipalityWithTariffs[]>();
    expect(rates.map(({ name, tariffs }) => [name, new Set(tariffs.map((tariff) => tariff.currency))])).toEqual([
      ['Berlin', new Set(['EUR'])],
      ['Chicago', new Set(['USD'])],
      ['Pune', new Set(['INR'])],
    ]);
    const tariffs = rates.flatMap((municipality) => municipality.tariffs);
    for (const tariff of tariffs) {
      const names = tariff.periods.map((period) => period.name).join();
      expect(names).toMatch(/Day/);
      expect(names).toMatch(/Night/);
      expect(tariff.vatPercent).toBeGreaterThan(0);
      // The demo has nothing that an Admin could not create.
      const url = `/api/admin/rates/tariffs/${tariff.id}`;
      const answer = await web.app.inject({ method: 'PUT', url, payload: tariff, headers });
      expect(answer.statusCode, answer.body).toBe(200);
    }
    for (const { name, tariffs } of rates) {
      expect(tariffs.every((tariff) => (tariff.exportRatePerKwh ?? 0) > 0)).toBe(name === 'Pune');
    }
    const stored = await listTariffs(portal.database, null);
    for (const { id } of rates) {
      for (let daysAgo = -400; daysAgo <= 92; daysAgo += 1) {
        const date = new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
        expect(tariffInForce(stored.get(id) ?? [], date), date).not.toBeNull();
      }
    }
    const inBerlin = stored.get(rates[0]?.id ?? '') ?? [];
    const inForce = [0, 89].map((days) =>
      tariffInForce(inBerlin, new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)),
    );
    expect(new Set(inForce.map((tariff) => tariff?.id)).size).toBe(2);
  });

  test('one country: one time zone and currency, which the database keeps; live deliveries stand in Incoming', async () => {
    await using database = await createTestDatabase();
    const began = Math.floor(Date.now() / 60_000) * 60;
    {
      await using portal = new Portal(database.connectionString);
      const demo = portal.start({ historyDays: 1, liveIntervalSeconds: 1, world: 'OneCountry' });
      await until(async () => demo.percent() !== null);
      await portal.untilComplete();
      expect(demo.percent()).toBeNull();
      await using web = await createTestApp({ connectionString: database.connectionString });
      const headers = await web.signIn();
      const get = async <T>(url: string) => (await web.app.inject({ url, headers })).json<T>();
      const sites = await get<{ timeZone: string }[]>('/api/sites');
      expect(sites.map(({ timeZone }) => timeZone)).toEqual(Array.from({ length: 3 }, () => 'Europe/Berlin'));
      const rates = await get<MunicipalityWithTariffs[]>('/api/rates');
      expect(new Set(rates.flatMap(({ tariffs }) => tariffs.map(({ currency }) => currency)))).toEqual(
        new Set(['EUR']),
      );
      // Before anybody has looked.
      await until(async () => (await portal.number('SELECT count(*) FROM monitoring.arrivals')) >= activeMeters);
      const { rows } = await get<Incoming>('/api/incoming');
      expect(rows.length).toBeGreaterThanOrEqual(activeMeters);
      expect(new Set(rows.map(({ verdict }) => verdict))).toEqual(new Set(['accepted']));
    }
    await using second = new Portal(database.connectionString, () => Date.now() + 3_600_000);
    second.start({ historyDays: 1 });
    await second.untilComplete();
    await second.stop();
    await expectWhole(second, began - 86_400 + 3600 + 60, began + 3600, worlds.OneCountry.sites);
    expect(second.problems()).toEqual([]);
  });

  test('a database with real data is left alone', async () => {
    await using database = await createTestDatabase();
    await using portal = new Portal(database.connectionString);
    await portal.database.query({
      text: `INSERT INTO monitoring.municipalities (id, name, time_zone) VALUES (gen_random_uuid(), 'Own', 'UTC')`,
    });
    await portal.start({ historyDays: 1 }).finished;
    expect(await portal.number('SELECT count(*) FROM monitoring.sites')).toBe(0);
    expect(await portal.number('SELECT count(*) FROM monitoring.demo')).toBe(0);
    expect(portal.problems()).toEqual([]);
  });

  test('two portals that find the database empty at the same moment make one demo', async () => {
    await using database = await createTestDatabase();
    await using one = new Portal(database.connectionString);
    await using two = new Portal(database.connectionString);
    one.start({ historyDays: 1 });
    two.start({ historyDays: 1 });
    await until(
      async () => (await one.number('SELECT count(*) FROM monitoring.demo_gaps')) === 0 && (await one.countRows()) > 0,
    );
    await Promise.all([one.stop(), two.stop()]);
    expect(await one.number('SELECT count(*) FROM monitoring.sites')).toBe(3);
    expect(await one.number('SELECT count(*) FROM monitoring.devices')).toBe(10);
    expect([...one.problems(), ...two.problems()]).toEqual([]);
  });

  test('stopped in the middle of loading, it goes on at the next start and fills the time in between: nothing is missing', async () => {
    await using database = await createTestDatabase();
    const began = Math.floor(Date.now() / 60_000) * 60;
    {
      await using first = new Portal(database.connectionString);
      first.start({ historyDays: 4 });
      await until(async () => (await first.countRows()) > 15_000);
      await first.stop();
      expect(await first.number('SELECT count(*) FROM monitoring.demo_gaps')).toBeGreaterThan(0);
    }
    const offHours = 30;
    await using second = new Portal(database.connectionString, () => Date.now() + offHours * 3_600_000);
    second.start({ historyDays: 4 });
    await second.untilComplete();
    await second.stop();
    // The history ends 4 days ago, and the clock has moved on.
    await expectWhole(second, began + offHours * 3600 - 4 * 86_400 + 60, began + offHours * 3600);
    expect(second.problems()).toEqual([]);
  });

  test('after a year without the portal, the last days are filled in, no more than the history is long', async () => {
    await using database = await createTestDatabase();
    {
      await using first = new Portal(database.connectionString);
      first.start({ historyDays: 1 });
      await first.untilComplete();
    }
    const later = () => Date.now() + 365 * 86_400_000;
    await using second = new Portal(database.connectionString, later);
    const before = await second.countRows();
    second.start({ historyDays: 2 });
    await second.untilComplete();
    const added = (await second.countRows()) - before;
    expect(added).toBeGreaterThan(activeMeters * (minutesOf(2) - 5));
    expect(added).toBeLessThan(activeMeters * (minutesOf(2) + 10));
    const now = Math.floor(later() / 60_000) * 60;
    await expectWhole(second, now - 2 * 86_400 + 120, now);
  });

  test('an Admin may rename, move and delete: nothing is made again, and the others go on', async () => {
    await using database = await createTestDatabase();
    {
      await using first = new Portal(database.connectionString);
      first.start({ historyDays: 1 });
      await first.untilComplete();
      await first.stop();
      const run = (text: string) => first.database.query({ text });
      await run(`DELETE FROM monitoring.measurements
                 WHERE device_number IN (SELECT number FROM monitoring.devices WHERE external_id LIKE 'demo-workshop-%')`);
      await run(`DELETE FROM monitoring.devices WHERE external_id LIKE 'demo-workshop-%'`);
      await run(`DELETE FROM monitoring.sites WHERE name = 'Hillside workshop'`);
      await run(`UPDATE monitoring.sites SET name = 'Ours' WHERE name = 'Riverside office'`);
      await run(`UPDATE monitoring.devices SET external_id = 'ours' WHERE external_id = 'demo-office-servers'`);
    }
    await using second = new Portal(database.connectionString, () => Date.now() + 3_600_000);
    second.start({ historyDays: 1 });
    await second.untilComplete();
    expect(await second.number('SELECT count(*) FROM monitoring.sites')).toBe(2);
    expect(await second.number('SELECT count(*) FROM monitoring.devices')).toBe(7);
    const added = (externalId: string) =>
      second.number(
        `SELECT count(*) FROM monitoring.measurements m JOIN monitoring.devices d ON d.number = m.device_number
         WHERE d.external_id = $1 AND m.time > to_timestamp($2)`,
        [externalId, Date.now() / 1000 + 60],
      );
    expect(await added('demo-office-lighting')).toBeGreaterThan(50);
    expect(await added('ours')).toBe(0);
    expect(second.problems()).toEqual([]);
  });

  test('connections that break repeatedly are a warning, and the demo continues', async () => {
    await using database = await createTestDatabase();
    await using portal = new Portal(database.connectionString);
    const began = Math.floor(Date.now() / 60_000) * 60;
    // Connections break throughout the load: nothing that is written afterwards could fail.
    const historyDays = 12;
    portal.start({ historyDays });
    await until(async () => (await portal.countRows()) > 0);
    const other = new Database(database.connectionString, { maxConnections: 1 });
    // A broken connection is replaced silently, so they break until the next one does too.
    await until(async () => {
      await other.query({
        text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      });
      return portal.lines.some((line) => line.level === 'warn');
    });
    await other.close();
    await portal.untilComplete();
    await portal.stop();
    await expectWhole(portal, began - historyDays * 86_400 + 60, began);
    expect(portal.problems().map((line) => line.level)).not.toContain('error');
  });

  test('it stops at once in the middle of its work', async () => {
    await using database = await createTestDatabase();
    await using portal = new Portal(database.connectionString);
    portal.start({ historyDays: 30 });
    await until(async () => (await portal.countRows()) > 5000);
    await portal.stop();
    expect(await portal.countRows()).toBeLessThan(activeMeters * minutesOf(30));
    expect(portal.problems()).toEqual([]);
  });
});
