import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { Recent } from '../../server/base/recent.ts';
import { rebuildEnergy } from '../../server/energy/materialize-energy.ts';
import { removeReadings } from '../../server/energy/remove-readings.ts';
import { applyRetention } from '../../server/energy/retention.ts';
import { findSums, keepSums } from '../../server/energy/energy-sums.sql.ts';
import type { EnergyReading } from '../../server/energy/energy.rules.ts';
import { dashboardSummary } from '../../shared/dashboard.ts';
import { createTestApp } from '../support/app.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { backUp, restoreFrom, settingsOf } from '../support/backup.ts';
import { materializeAll, readSlots } from '../support/energy-rollup.ts';
import { type Meters, openMeters, usualRules } from '../support/meters.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { createSite } from '../support/sites.ts';
import { dayMicros } from '../../server/base/instants.ts';

const startMicros = Date.parse('2026-03-02T00:00:00Z') * 1000;
const days = 45;
const range = { fromDate: '2026-03-05', toDate: '2026-04-14' };
const questions = [
  ['summary', range],
  ['summary', { from: '2026-03-03T00:00:00Z', to: '2026-04-20T00:00:00Z' }],
  ['summary', { from: '2026-03-03T10:20:30Z', to: '2026-04-12T11:22:33Z' }],
  ['cost-breakdown', { ...range, group: 'day' }],
  ['cost-breakdown', { ...range, group: 'month' }],
  ['cost-breakdown', { ...range, group: 'period' }],
  // Ends within the week that still runs.
  ['summary', { ...range, toDate: '2026-04-17', until: '2026-04-15T13:07:11Z' }],
] as const;

const now = () => Date.parse('2026-04-30T12:00:00Z');

const portal = appOfFile({ now });
let meters: Meters;
const made: { id: string; externalId: string; number: number }[] = [];
let municipalityId = '';
let tariffId = '';
let otherSite = '';
const numbers = () => made.map((device) => device.number);
const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) => {
  const { headers } = meters.session;
  const answer = await portal.app.inject({ method, url, headers, ...(payload && { payload }) });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer;
};
const urlOf = ([path, query]: (typeof questions)[number]) =>
  `/api/dashboard/${path}?${String(new URLSearchParams({ ...query }))}`;
const ask = async (question: (typeof questions)[number]) => (await call('GET', urlOf(question))).body;
const askAll = async () => {
  const answers: string[] = [];
  for (const question of questions) answers.push(await ask(question));
  return answers;
};
const forget = ({ database } = portal) => database.query({ text: 'DELETE FROM monitoring.energy_sums' });
const find = vi.spyOn(Recent.prototype, 'find');
/** The answers with nothing kept, neither in the database nor in memory. */
const askAnew = async () => anew(askAll);
const anew = async <Answer>(work: () => Promise<Answer>) => {
  await forget();
  find.mockReturnValue(undefined);
  try {
    return await work();
  } finally {
    find.mockReset();
  }
};
const countKept = async () => {
  const text = 'SELECT count(*)::integer AS count FROM monitoring.energy_sums';
  return (await portal.database.query<{ count: number }>({ text })).rows[0]?.count ?? 0;
};

/** Sampling intervals of a quarter-hour and odder ones, with registers that do not divide evenly. */
const readings = (seed: number, everyMinutes: number): EnergyReading[] =>
  Array.from({ length: Math.floor((days * 1440) / everyMinutes) }, (_, at) => ({
    timeMicros: startMicros + at * everyMinutes * 60_000_000,
    activePowerKw: ((at * 7 + seed) % 23) / 3 - 2,
    importedKwh: 1000 + seed + at / 7 + (at % 5) / 90,
    exportedKwh: seed === 2 ? at / 11 : null,
  }));
const tariff = (values: object) => ({
  municipalityId,
  name: 'Standard',
  currency: 'EUR',
  effectiveFrom: '2026-01-01',
  effectiveTo: null,
  defaultRatePerKwh: 0.31,
  fixedChargePerMonth: 12.5,
  vatPercent: 19,
  exportRatePerKwh: 0.08,
  periods: [
    { name: 'Day', daysOfWeek: 31, startTime: '07:10', endTime: '21:40', ratePerKwh: 0.3415 },
    { name: 'Night', daysOfWeek: 127, startTime: '22:00', endTime: '05:30', ratePerKwh: 0.2235 },
  ],
  ...values,
});

beforeAll(async () => {
  meters = await openMeters(portal);
  otherSite = await createSite(meters.session, { timeZone: 'Asia/Kathmandu', name: 'Kathmandu' });
  for (const everyMinutes of [15, 17, 60]) {
    const device = await meters.create({ ...usualRules, expectedIntervalSeconds: 3600 });
    const { rows } = await portal.database.query<{ number: number }>(
      { text: 'SELECT number FROM monitoring.devices WHERE id = $1' },
      [device.id],
    );
    made.push({ ...device, number: rows[0]?.number ?? 0 });
    await meters.deliver(device.externalId, readings(made.length, everyMinutes));
  }
  const site = await call('GET', '/api/sites');
  const found = site.json<{ id: string; municipalityId: string }[]>().find(({ id }) => id === meters.siteId);
  municipalityId = found?.municipalityId ?? '';
  tariffId = (await call('POST', '/api/admin/rates/tariffs', tariff({}))).json<{ id: string }>().id;
  await materializeAll(portal.database, numbers());
}, 120_000);

const device = (at: number, values: object = {}) => {
  const { id = '', externalId = '' } = made[at] ?? {};
  const settings = { ...usualRules, expectedIntervalSeconds: 3600 };
  const siteId = meters.siteId;
  return call('PUT', `/api/admin/devices/${id}`, {
    name: externalId,
    externalId,
    isActive: true,
    siteId,
    ...settings,
    ...values,
  });
};

/** Each device is a sub-meter of the next one at its site. */
const hangAll = () =>
  portal.database.query({
    text: `UPDATE monitoring.devices d SET parent_device_id = (
             SELECT p.id FROM monitoring.devices p WHERE p.site_id = d.site_id AND p.number > d.number ORDER BY p.number LIMIT 1)`,
  });
const freeAll = () => portal.database.query({ text: 'UPDATE monitoring.devices SET parent_device_id = NULL' });

describe('the sums of weeks', () => {
  it('are read instead of their days, with the same answer to the last digit', async () => {
    await forget();
    const computed = await askAll();
    const kept = await countKept();
    expect(kept).toBeGreaterThan(0);
    // Only the kept sums can answer it, and no more are kept.
    await portal.database.query({ text: 'ALTER TABLE monitoring.energy_days RENAME TO energy_days_away' });
    await portal.database.query({
      text: `CREATE VIEW monitoring.energy_days AS SELECT * FROM monitoring.energy_days_away
             WHERE day < '2026-03-09' OR day >= '2026-04-06'`,
    });
    try {
      expect(await askAll()).toEqual(computed);
    } finally {
      await portal.database.query({ text: 'DROP VIEW monitoring.energy_days' });
      await portal.database.query({ text: 'ALTER TABLE monitoring.energy_days_away RENAME TO energy_days' });
    }
    expect(await countKept()).toBe(kept);
  });

  it('equal the sums of the slots', async () => {
    const question = questions[1];
    const answer = dashboardSummary.parse(JSON.parse(await ask(question)));
    let importedKwh = 0;
    for (const { id } of made) {
      const { energy } = await readSlots(portal.database, id, {
        firstDay: startMicros / dayMicros + 1,
        count: days,
      });
      importedKwh += energy.importedKwh.reduce((all, kwh) => all + kwh, 0);
    }
    expect(answer.energyImportedKwh).toBeCloseTo(importedKwh, 8);
  });

  it('never lead to an answer that the slots would not give, after any change', async () => {
    const past = { effectiveFrom: '2026-03-17', effectiveTo: '2026-03-26', name: 'Spring', defaultRatePerKwh: 0.5 };
    const changes: Record<string, (at: number, minute: number) => Promise<unknown>> = {
      'a late row': (at, minute) =>
        meters.deliver(made[at % made.length]?.externalId ?? '', [
          {
            timeMicros: startMicros + minute * 60_000_000 + 7,
            activePowerKw: 3,
            importedKwh: 1000 + at + minute / 110,
            exportedKwh: null,
          },
        ]),
      'rows of the week that still runs': (at, minute) =>
        meters.deliver(made[at % made.length]?.externalId ?? '', [
          {
            timeMicros: startMicros + ((days - 3) * 1440 + (minute % 4320)) * 60_000_000 + 11,
            activePowerKw: 2,
            importedKwh: null,
            exportedKwh: null,
          },
        ]),
      'readings are removed': async (at, minute) => {
        const fromMicros = startMicros + minute * 60_000_000;
        const deviceNumber = numbers()[at % made.length] ?? 0;
        const gone = { fromMicros, toMicros: fromMicros + 7_200_000_000 };
        await portal.database.transaction((tx) => removeReadings(tx, { kind: 'readings', deviceNumber, ...gone }));
      },
      'what came in is materialized': () => materializeAll(portal.database, numbers()),
      'a device is rebuilt': async (at) => rebuildEnergy(portal.database, numbers()[at % made.length] ?? 0),
      'a price': (at) =>
        call(
          'PUT',
          `/api/admin/rates/tariffs/${tariffId}`,
          tariff({ defaultRatePerKwh: Number(`0.3${at}`), periods: [] }),
        ),
      'the hours of a tariff': (at) =>
        call('PUT', `/api/admin/rates/tariffs/${tariffId}`, {
          ...tariff({}),
          periods: [{ name: 'Some', daysOfWeek: 63, startTime: `0${at}:20`, endTime: '12:00', ratePerKwh: 0.1 }],
        }),
      'a time zone': (at) =>
        call('PUT', `/api/admin/rates/municipalities/${municipalityId}`, {
          name: 'Somewhere',
          timeZone: ['Europe/Berlin', 'America/Chicago', 'Asia/Kolkata'][at % 3],
        }),
      'the site of a device': async (at, minute) => {
        await freeAll();
        return device(at % made.length, { siteId: minute % 2 === 0 ? otherSite : meters.siteId });
      },
      'what devices measure a part of': async (_, minute) => (minute % 3 === 0 ? freeAll() : hangAll()),
      'the source of energy of a device': (at, minute) =>
        device(at % made.length, { energySource: minute % 2 === 0 ? 'power' : 'auto' }),
      'whether a device is active': (at, minute) => device(at % made.length, { isActive: minute % 2 === 0 }),
    };
    const step = fc.record({
      what: fc.constantFrom(...Object.keys(changes)),
      at: fc.integer({ min: 0, max: 5 }),
      minute: fc.integer({ min: 0, max: days * 1440 }),
    });
    const steps = fc.sample(step, { numRuns: 24, seed: 11 });
    const all = [...Object.keys(changes).map((what) => ({ what, at: 1, minute: 20_000 })), ...steps];
    const { connectionString = '' } = portal.config.database;
    // Another portal on the same database, which keeps its own.
    await using other = await createTestApp({ connectionString, now });
    const headers = await other.signIn();
    const check = async (what: string) => {
      const answers = await askAll();
      const elsewhere = await other.app.inject({ method: 'GET', url: urlOf(questions[6]), headers });
      expect({ what, answers }).toEqual({ what, answers: await askAll() });
      found += find.mock.results.filter(({ value }) => value !== undefined).length;
      find.mockClear();
      expect({ what, answers }).toEqual({ what, answers: await askAnew() });
      expect({ what, elsewhere: elsewhere.body }).toEqual({ what, elsewhere: answers[6] });
    };
    let found = 0;
    for (const { what, at, minute } of all) {
      await changes[what]?.(at, minute);
      await check(what);
    }
    expect(found).toBeGreaterThan(all.length);
    await call('POST', '/api/admin/rates/tariffs', tariff(past));
    await check('a tariff of the past');
    await freeAll();
    await call('DELETE', `/api/admin/devices/${made[2]?.id ?? ''}?withMeasurements=true`);
    await check('a device is deleted');
  }, 240_000);
});

it('rows that come in one after the other, in any order, change answers as if they had come at once', async () => {
  const before = await ask(questions[6]);
  for (const [at, minute] of [600, 603, 601, 609, 602, 640, 608, 641, 607, 620, 612, 611, 1100].entries()) {
    const importedKwh = at % 5 === 4 ? 0 : 1000 + ((days - 1) * 1440 + minute) / 105;
    const timeMicros = startMicros + ((days - 1) * 1440 + minute) * 60_000_000 + 5_000_000;
    const reading = { timeMicros, activePowerKw: at, importedKwh, exportedKwh: null };
    await meters.deliver(made[at % 2]?.externalId ?? '', [reading]);
    if (at === 7) await materializeAll(portal.database, numbers().slice(0, 1));
    const answer = await ask(questions[6]);
    expect({ at, answer }).toEqual({ at, answer: await anew(() => ask(questions[6])) });
  }
  expect(await ask(questions[6])).not.toEqual(before);
});

describe('they stay right', () => {
  const late = (hours: number) =>
    meters.deliver(made[0]?.externalId ?? '', [
      {
        timeMicros: Date.parse('2026-04-03T00:00:07Z') * 1000 + hours * 3_600_000_000,
        activePowerKw: 5,
        importedKwh: null,
        exportedKwh: null,
      },
    ]);
  const check = async () => {
    const answers = await askAll();
    expect(await askAnew()).toEqual(answers);
    return answers;
  };

  const countOld = async () => {
    const text = `SELECT count(*)::integer AS count FROM monitoring.measurements WHERE time < '2026-04-01Z'`;
    return (await portal.database.query<{ count: number }>({ text })).rows[0]?.count ?? Number.NaN;
  };

  it('when the retention removes the readings of their days, and rows arrive afterwards', async () => {
    const before = await check();
    const stored = await countOld();
    const log = { info: () => undefined, warn: () => undefined };
    const { database, engine } = portal;
    await applyRetention({ database, engine, months: 1, now: () => Date.parse('2026-05-20T12:00:00Z'), log });
    // Some rows stay, because later ones depend on them; a chunk of TimescaleDB is dropped when all of it is old.
    expect(await countOld()).toBeLessThan(stored - 500);
    // The third one cuts a quarter-hour whose readings are gone.
    expect((await askAll()).toSpliced(2, 1)).toEqual(before.toSpliced(2, 1));
    await check();
    await late(1);
    await check();
    await materializeAll(database, numbers());
    expect(await check()).not.toEqual(before);
  });

  it('in a portal that is restored from a backup, whatever it had stored', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portal-sums-'));
    await using target = await createTestDatabase('empty');
    try {
      const expected = await askAll();
      const { connectionString = '' } = portal.config.database;
      const file = join(folder, 'backup.tar');
      expect((await backUp(file, settingsOf(connectionString, folder))).ending).toBe(0);
      // The other must not find what the source keeps from now on.
      await late(2);
      await askAll();
      const done = await restoreFrom(file, settingsOf(target.connectionString, join(folder, 'target')));
      expect(done.ending, done.output).toBe(0);
      await using restored = await createTestApp({ connectionString: target.connectionString, now });
      const headers = await restored.signIn();
      const answers = async () => {
        const all: string[] = [];
        for (const question of questions)
          all.push((await restored.app.inject({ method: 'GET', url: urlOf(question), headers })).body);
        return all;
      };
      expect(await answers()).toEqual(expected);
      await forget(restored);
      expect(await answers()).toEqual(expected);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 60_000);
});

it('they are limited in size; the oldest are deleted first', async () => {
  await forget();
  const sumsOf = (key: string) => ({ key, sums: Float64Array.from({ length: 10 }, () => 0.1) });
  for (const key of ['0a', '0b', '0c']) await keepSums(portal.database, [sumsOf(key)], 170);
  const left = await portal.database.snapshot((tx) => findSums(tx, ['0a', '0b', '0c']));
  expect([...left.keys()].toSorted()).toEqual(['0b', '0c']);
  expect(left.get('0c')).toEqual(sumsOf('0c').sums);
});
