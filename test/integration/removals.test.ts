import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { auditPage } from '../../shared/audit.ts';
import { dashboardSummary } from '../../shared/dashboard.ts';
import { ingestResult } from '../../shared/measurements.ts';
import { removalPreview, type RemovalQuestion } from '../../shared/removals.ts';
import { formatInstant } from '../../server/base/instants.ts';
import { setKeptFrom } from '../../server/energy/measurements.sql.ts';
import { rebuildEnergy } from '../../server/energy/materialize-energy.ts';
import { dayOf, type EnergyReading } from '../../server/energy/energy.rules.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { digestSlots, expectedSlots, materializeAll, readSlots } from '../support/energy-rollup.ts';
import { type Meters, openMeters, usualRules } from '../support/meters.ts';
import { createTariff } from '../support/sites.ts';

const portal = appOfFile();
let meters: Meters;
beforeAll(async () => {
  meters = await openMeters(portal);
  await createTariff(meters.session, meters.siteId);
});

const minute = 60_000_000;
const start = Date.parse('2026-03-10T00:00:00Z') * 1000;
const instant = formatInstant;
const reading = (timeMicros: number, activePowerKw = 1, importedKwh: number | null = null): EnergyReading => ({
  timeMicros,
  activePowerKw,
  importedKwh,
  exportedKwh: null,
});
const between = (fromMicros: number, toMicros: number, kind: RemovalQuestion['kind'] = 'readings') => ({
  kind,
  from: instant(fromMicros),
  to: instant(toMicros),
});

const ask = async (
  id: string,
  path: string,
  payload: object,
  headers: Record<string, string> = meters.session.headers,
) => portal.app.inject({ method: 'POST', url: `/api/admin/devices/${id}/removals${path}`, payload, headers });
async function preview(id: string, question: object) {
  const answer = await ask(id, '/preview', question);
  expect(answer.statusCode, answer.body).toBe(200);
  return removalPreview.parse(answer.json());
}
const remove = async (id: string, question: object, count: number) => {
  const answer = await ask(id, '', { ...question, count });
  expect(answer.statusCode, answer.body).toBe(204);
};
const summaryOf = async (id: string, query: Record<string, string>) => {
  const url = '/api/dashboard/summary';
  const answer = await portal.app.inject({ url, query: { ...query, deviceIds: id }, headers: meters.session.headers });
  return dashboardSummary.parse(answer.json());
};
const countOf = async (text: string) =>
  (await portal.database.query<{ count: number }>({ text: `SELECT count(*) AS count FROM ${text}` })).rows[0]?.count;
const numbersOf = async () =>
  (await portal.database.query<{ number: number }>({ text: 'SELECT number FROM monitoring.devices' })).rows.map(
    ({ number }) => number,
  );

describe('the slots of a device', () => {
  it('are those of what is left, to the bit, whatever is removed and comes again, and after a rebuild', async () => {
    const days = { firstDay: dayOf(start) - 1, count: 24 };
    const span = 20 * 1440;
    const anyTimes = fc
      .uniqueArray(fc.integer({ min: 0, max: span }), { minLength: 4, maxLength: 40 })
      .map((all) => all.toSorted((a, b) => a - b));
    // A register with resets, spikes and times without one, which the power fills.
    const anyReadings = fc.tuple(anyTimes, fc.nat(4), fc.nat(span)).map(([minutes, mode, from]) =>
      minutes.map((at) => {
        const isSpike = mode === 3 && at % 11 === 0;
        const counted = isSpike ? 90_000 : mode === 2 && at > from ? (at - from) / 8 : (1_000 + at) / 10;
        return reading(start + at * minute, (at % 9) - 2, mode > 0 && (mode !== 4 || at < from) ? counted : null);
      }),
    );
    const anyRange = fc.tuple(fc.nat(span), fc.nat(span)).map(([a, b]) => ({
      fromMicros: start + Math.min(a, b) * minute,
      toMicros: start + Math.max(a, b) * minute + 1,
    }));
    // The readings at both ends of a gap are removed, one after the other: no remaining reading leads to its slots.
    const ofGap = [220, 221, 6_195, 6_196].map((at) => reading(start + at * minute, 1, (1_000 + at) / 10));
    const bothEndsOfGap = [221, 6_196].map((last) => ({ fromMicros: start, toMicros: start + last * minute + 1 }));
    await fc.assert(
      fc.asyncProperty(
        anyReadings,
        fc.array(anyRange, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('auto', 'register', 'power'),
        fc.boolean(),
        async (readings, ranges, energySource, isMaterialized) => {
          const rules = { ...usualRules, energySource };
          const { id, externalId } = await meters.create(rules);
          await meters.deliver(externalId, readings);
          let left = readings;
          const check = async () => {
            expect(await readSlots(portal.database, id, days)).toEqual(expectedSlots(left, rules, days));
          };
          if (isMaterialized) await materializeAll(portal.database, await numbersOf());
          for (const { fromMicros, toMicros } of ranges) {
            const gone = left.filter(({ timeMicros }) => timeMicros >= fromMicros && timeMicros < toMicros);
            if (gone.length === 0) continue;
            await remove(id, between(fromMicros, toMicros), gone.length);
            left = left.filter((one) => !gone.includes(one));
            await check();
            // One of them arrives again, with another value.
            const [first] = gone;
            if (first === undefined || gone.length % 2 === 0) continue;
            const again = { ...first, activePowerKw: 0.5 };
            await meters.deliver(externalId, [again]);
            left = [...left, again];
            await check();
          }
          await materializeAll(portal.database, await numbersOf());
          await check();
        },
      ),
      { numRuns: Number(process.env['ROLLUP_RUNS'] ?? 10), examples: [[ofGap, bothEndsOfGap, 'auto', true]] },
    );
    const before = await digestSlots(portal.database);
    for (const number of await numbersOf()) await rebuildEnergy(portal.database, number);
    expect(await digestSlots(portal.database)).toBe(before);
  }, 120_000);

  it('follow in compressed chunks too, and a reset or spike goes with its reading', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const registers = [100, 101, 9_000, 9_001, 9_002, 9_003, 106, 107];
    await meters.deliver(
      externalId,
      registers.map((kwh, at) => reading(start + at * 15 * minute, 4, kwh)),
    );
    if (portal.engine.name.startsWith('TimescaleDB')) {
      await portal.database.query({
        text: `SELECT compress_chunk(c, true) FROM show_chunks('monitoring.measurements') c`,
      });
    }
    const whole = { from: '2026-03-09T00:00:00Z', to: '2026-03-12T00:00:00Z' };
    expect((await summaryOf(id, whole)).energyImportedKwh).toBeGreaterThan(9_000);
    const wrong = between(start + 30 * minute, start + 90 * minute);
    const { count, energyImportedKwh } = await preview(id, wrong);
    expect(count).toBe(4);
    expect(energyImportedKwh.after).toBeCloseTo(7, 9);
    await remove(id, wrong, 4);
    expect((await summaryOf(id, whole)).energyImportedKwh).toBeCloseTo(7, 9);
    expect((await readSlots(portal.database, id, { firstDay: dayOf(start), count: 1 })).flags).toEqual([
      expect.stringMatching(/interpolated imported/),
    ]);
  });
});

describe('a removal', () => {
  it('takes what lies from its start to just before its end, to the microsecond', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const at = start + 12 * 60 * minute;
    const rows = [-1, 0, 1, 2].map((offset) => ({
      externalId,
      time: instant(at + offset),
      activePowerKw: 10 + offset,
    }));
    const url = '/api/ingest/measurements';
    await portal.app.inject({ method: 'POST', url, payload: rows, headers: meters.session.headers });
    const question = between(at, at + 2);
    expect(await preview(id, question)).toMatchObject({ count: 2, firstAt: instant(at), lastAt: instant(at + 1) });
    await remove(id, question, 2);
    const raw = await portal.app.inject({
      url: '/api/measurements/raw',
      query: { from: instant(at - 9), to: instant(at + 9), deviceIds: id },
      headers: meters.session.headers,
    });
    expect(raw.json()).toMatchObject({ totalCount: 2, rows: [{ activePowerKw: 12 }, { activePowerKw: 9 }] });
  });

  it('says before what it changes, by month and with a day of 25 hours, and stores nothing until it is confirmed', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const from = Date.parse('2025-10-25T22:00:00Z') * 1000;
    const hours = Array.from({ length: 30 * 4 }, (_, at) =>
      reading(from + (at - 8) * 15 * minute, at === 40 ? 900 : 8),
    );
    expect(await meters.deliver(externalId, hours)).toMatchObject({ rejected: 0 });
    const day = { fromDate: '2025-10-26', toDate: '2025-10-27' };
    const before = await summaryOf(id, day);
    const pending = await countOf('monitoring.push_removals');
    const wrong = between(from + 32 * 15 * minute, from + 33 * 15 * minute);
    const told = await preview(id, wrong);
    expect(told).toMatchObject({ count: 1, costs: { fromDate: '2025-10-01', toDate: '2025-11-01' } });
    expect(told.costs.months).toMatchObject([{ month: '2025-10', before: { costs: [] }, after: { costs: [] } }]);
    expect(await summaryOf(id, day)).toEqual(before);
    expect(await countOf('monitoring.push_removals')).toBe(pending);
    expect((await ask(id, '', { ...wrong, count: 2 })).json()).toMatchObject({ code: 'removalChanged' });
    expect(await summaryOf(id, day)).toEqual(before);
    await remove(id, wrong, 1);
    const after = await summaryOf(id, day);
    expect(after.energyImportedKwh).toBeLessThan(before.energyImportedKwh);
    const change = told.energyImportedKwh.after - told.energyImportedKwh.before;
    expect(after.energyImportedKwh - before.energyImportedKwh).toBeCloseTo(change, 6);
  });

  it('tells the change of the cost as the summaries of the month do', async () => {
    const { id, externalId } = await meters.create(usualRules);
    await meters.deliver(
      externalId,
      Array.from({ length: 50 }, (_, at) => reading(start + at * 15 * minute, at === 20 ? 500 : 5)),
    );
    const month = { fromDate: '2026-03-01', toDate: '2026-04-01' };
    const before = await summaryOf(id, month);
    const wrong = between(start + 300 * minute, start + 300 * minute + 1);
    const { costs } = await preview(id, wrong);
    await remove(id, wrong, 1);
    const after = await summaryOf(id, month);
    expect(after.costs).not.toEqual(before.costs);
    expect(costs.months).toMatchObject([
      { month: '2026-03', before: { costs: before.costs }, after: { costs: after.costs } },
    ]);
  });

  it('stands in the audit trail, waits for the fleet, and what is sent again counts as new', async () => {
    const { id, externalId } = await meters.create(usualRules);
    await meters.deliver(externalId, [reading(start), reading(start + minute)]);
    const question = between(start, start + minute);
    await remove(id, question, 1);
    const answer = await portal.app.inject({
      url: '/api/admin/audit',
      query: { action: 'device.remove-readings', subjectId: id },
      headers: meters.session.headers,
    });
    expect(auditPage.parse(answer.json()).events).toMatchObject([
      {
        subjectName: externalId,
        before: { kind: 'readings', count: 1 },
        after: null,
        accountEmail: 'admin@example.com',
      },
    ]);
    expect(await countOf('monitoring.push_removals')).toBeGreaterThan(0);
    expect(await meters.deliver(externalId, [reading(start, 7), reading(start + minute)])).toMatchObject({
      accepted: 2,
      duplicates: 1,
    });
    expect((await ask(id, '', { ...question, count: 2 })).statusCode).toBe(409);
    await remove(id, question, 1);
  });

  it('of all readings leaves a device that can be deleted, and that was last measured never', async () => {
    const { id, externalId } = await meters.create(usualRules);
    await meters.deliver(externalId, [reading(start, 1, 5), reading(start + 9_000 * minute, 1, 70)]);
    await materializeAll(portal.database, await numbersOf());
    await remove(id, between(start, start + 9_001 * minute), 2);
    await materializeAll(portal.database, await numbersOf());
    const site = await portal.app.inject({ url: `/api/sites/${meters.siteId}`, headers: meters.session.headers });
    expect(site.json<{ devices: { id: string }[] }>().devices.find((one) => one.id === id)).toMatchObject({
      lastMeasuredAt: null,
    });
    const url = `/api/admin/devices/${id}`;
    expect((await portal.app.inject({ method: 'DELETE', url, headers: meters.session.headers })).statusCode).toBe(204);
  });

  it('of an interval lets the right one come', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const send = async (importedKwh: number, minutes = 60) => {
      const payload = [{ externalId, from: instant(start), to: instant(start + minutes * minute), importedKwh }];
      const url = '/api/ingest/intervals';
      return (await portal.app.inject({ method: 'POST', url, payload, headers: meters.session.headers })).json();
    };
    await send(900);
    expect(await send(9, 15)).toMatchObject({ rejected: 1 });
    const question = between(start, start + 1, 'intervals');
    expect(await preview(id, question)).toMatchObject({ count: 1, energyImportedKwh: { before: 900, after: 0 } });
    await remove(id, question, 1);
    const whole = { from: '2026-03-09T00:00:00Z', to: '2026-03-12T00:00:00Z' };
    expect(await summaryOf(id, whole)).toMatchObject({ energyImportedKwh: 0, devices: [{ lastMeasuredAt: null }] });
    expect(await send(9, 15)).toMatchObject({ accepted: 1 });
    expect((await summaryOf(id, whole)).energyImportedKwh).toBe(9);
    await materializeAll(portal.database, await numbersOf());
    expect((await summaryOf(id, whole)).energyImportedKwh).toBe(9);
  });

  it('is for administrators, of a device that there is, and of a range that can be removed at once', async () => {
    const { id, externalId } = await meters.create(usualRules);
    await meters.deliver(externalId, [reading(start)]);
    const question = between(start, start + 1);
    const account = { email: 'reader@example.com', password: 'Reader-2026' };
    const user = { ...account, displayName: 'Reader', roles: [] };
    await portal.app.inject({ method: 'POST', url: '/api/users', payload: user, headers: meters.session.headers });
    const reader = await portal.signIn(account);
    for (const path of ['', '/preview']) {
      expect((await ask(id, path, { ...question, count: 1 }, {})).statusCode).toBe(401);
      expect((await ask(id, path, { ...question, count: 1 }, reader)).statusCode).toBe(403);
      const unknown = '00000000-0000-7000-8000-000000000000';
      expect((await ask(unknown, path, { ...question, count: 1 })).statusCode).toBe(404);
      for (const wrong of [
        between(start, start),
        between(start, start + 367 * 86_400_000_000),
        { ...question, kind: 'tariffs' },
        { ...question, from: 'yesterday' },
      ]) {
        expect((await ask(id, path, { ...wrong, count: 1 })).statusCode, JSON.stringify(wrong)).toBe(400);
      }
    }
    expect((await ask(id, '', { ...question, count: 0 })).statusCode).toBe(400);
    expect(await preview(id, between(start + 1, start + 2))).toMatchObject({ count: 0, firstAt: null });
    await setKeptFrom(portal.database, start + minute);
    expect((await ask(id, '', { ...question, count: 1 })).json()).toMatchObject({ field: 'from', code: 'rowNotKept' });
    await portal.database.query({ text: 'DELETE FROM monitoring.retention' });
    // More rows than are removed at once.
    await portal.database.query({
      text: `INSERT INTO monitoring.measurements (time, device_number, active_power_milliwatts)
             SELECT '2026-03-10T00:00:01Z'::timestamptz + n * interval '1 second', (SELECT number FROM monitoring.devices WHERE id = '${id}'), 1
             FROM generate_series(0, 100000) n`,
    });
    const many = between(start, start + 3 * 86_400_000_000);
    expect((await ask(id, '/preview', many)).json()).toMatchObject({ field: 'to', code: 'removalTooLarge' });
    expect((await ask(id, '', { ...many, count: 100_000 })).json()).toMatchObject({ code: 'removalTooLarge' });
    await remove(id, between(start + 1, start + 100_001_000_000), 100_000);
    expect(await preview(id, many)).toMatchObject({ count: 2 });
  });
});

it('a dry run judges rows, and stores and counts nothing', async () => {
  const { externalId } = await meters.create(usualRules);
  await meters.deliver(externalId, [reading(start)]);
  const rows = [
    { externalId, time: instant(start), activePowerKw: 3 },
    { externalId, time: instant(start + minute), activePowerKw: 3 },
    { externalId: 'nobody', time: instant(start), activePowerKw: 3 },
    { externalId, time: instant(start + 2 * minute), activePowerKw: 'much' },
  ];
  const send = async (dryRun: string, payload: object = rows) =>
    portal.app.inject({
      method: 'POST',
      url: '/api/ingest/measurements',
      query: { dryRun },
      payload,
      headers: meters.session.headers,
    });
  const stored = await countOf('monitoring.measurements');
  const told = ingestResult.parse((await send('true')).json());
  expect(told).toMatchObject({ accepted: 2, duplicates: 1, rejected: 2, errors: [{ index: 2 }, { index: 3 }] });
  expect(await countOf('monitoring.measurements')).toBe(stored);
  expect(ingestResult.parse((await send('false')).json())).toEqual(told);
  expect(await countOf('monitoring.measurements')).toBe(Number(stored) + 1);
  expect((await send('perhaps')).statusCode).toBe(400);
  expect((await send('true', [])).statusCode).toBe(400);
  expect((await send('true', [5])).statusCode).toBe(400);
});
