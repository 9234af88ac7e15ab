import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { dashboardSummary } from '../../shared/dashboard.ts';
import { type EnergyReading, dayOf, type IntervalEnergy } from '../../server/energy/energy.rules.ts';
import { rebuildEnergy } from '../../server/energy/materialize-energy.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { digestSlots, expectedSlots, materializeAll, readSlots } from '../support/energy-rollup.ts';
import { openWorkbook } from '../support/xlsx/workbook.ts';
import { type Meters, openMeters, usualRules } from '../support/meters.ts';
import { intervalCases, rulesOf } from '../support/vectors.ts';

const portal = appOfFile();
let meters: Meters;

beforeAll(async () => {
  meters = await openMeters(portal);
});

const url = '/api/ingest/intervals';
const start = Date.parse('2026-03-10T00:00:00Z') * 1000;
const minute = 60_000_000;
const instant = (micros: number) => new Date(micros / 1000).toISOString();
const rowsOf = (externalId: string, intervals: readonly IntervalEnergy[]) =>
  intervals.map(({ fromMicros, toMicros, importedKwh, exportedKwh }) => ({
    externalId,
    from: instant(fromMicros),
    to: instant(toMicros),
    importedKwh,
    exportedKwh,
  }));

const send = async (payload: unknown, headers: Record<string, string> = meters.session.headers) =>
  portal.app.inject({
    method: 'POST',
    url,
    payload: JSON.stringify(payload),
    headers: { ...headers, 'content-type': 'application/json' },
  });
const tryOut = (payload: readonly object[], dryRun: string) =>
  portal.app.inject({ method: 'POST', url, query: { dryRun }, payload, headers: meters.session.headers });
async function store(rows: readonly object[]) {
  const answer = await send(rows);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{
    accepted: number;
    rejected: number;
    duplicates: number;
    errors: { index: number; externalId: string | null; reason: string }[];
  }>();
}

const numbersOf = async () =>
  (
    await portal.database.query<{ number: number }>({ text: 'SELECT number FROM monitoring.devices ORDER BY number' })
  ).rows.map((row) => row.number);

async function summaryOf(id: string, from: string, to: string) {
  const answer = await portal.app.inject({
    url: '/api/dashboard/summary',
    query: { from, to, deviceIds: id },
    headers: meters.session.headers,
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return dashboardSummary.parse(answer.json());
}

describe('the slots of intervals', () => {
  it.each(intervalCases)(
    '$id $what: one after another, the last first',
    async ({ device, intervals, readings, expect: wanted }) => {
      const { id, externalId } = await meters.create(rulesOf(device));
      for (const interval of intervals.toReversed()) {
        expect(await store([{ externalId, ...interval }])).toMatchObject({ accepted: 1 });
      }
      for (const row of readings) {
        await meters.deliver(externalId, [
          {
            timeMicros: Date.parse(row.time) * 1000,
            activePowerKw: row.activePowerKw,
            importedKwh: row.energyImportedKwh ?? null,
            exportedKwh: row.energyExportedKwh ?? null,
          },
        ]);
      }
      for (const isMaterialized of [false, true]) {
        if (isMaterialized) await materializeAll(portal.database, await numbersOf());
        const summary = await summaryOf(id, '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z');
        expect(summary.energyImportedKwh).toBeCloseTo(wanted.importedKwh, 6);
        expect(summary.energyExportedKwh).toBeCloseTo(wanted.exportedKwh, 6);
        expect(summary.estimatedEnergyKwh).toBeCloseTo(wanted.interpolatedKwh, 6);
        for (const slot of wanted.slots.slice(0, 8)) {
          const end = instant(Date.parse(slot.start) * 1000 + 15 * minute);
          const own = await summaryOf(id, slot.start, end);
          expect(own.energyImportedKwh).toBeCloseTo(slot.importedKwh, 6);
          expect(own.energyExportedKwh).toBeCloseTo(slot.exportedKwh, 6);
        }
      }
    },
  );

  it('equal the pure functions to the bit, whatever order intervals and readings come in, and after a rebuild', async () => {
    const span = 12 * 1440;
    const anyMinutes = (max: number) =>
      fc.uniqueArray(fc.integer({ min: 0, max: span }), { maxLength: max }).map((all) => all.toSorted((a, b) => a - b));
    const anyIntervals = anyMinutes(24).map((minutes) =>
      minutes.flatMap((from, at): IntervalEnergy[] => {
        const to = minutes[at + 1];
        if (to === undefined || at % 3 === 2) return [];
        const [fromMicros, toMicros] = [start + from * minute, start + to * minute];
        return [{ fromMicros, toMicros, importedKwh: (from % 7) / 4, exportedKwh: (to % 5) / 8 }];
      }),
    );
    const anyReadings = fc
      .tuple(anyMinutes(30), fc.nat(3), fc.integer({ min: 0, max: span }))
      .map(([minutes, mode, from]) =>
        minutes.map((at): EnergyReading => ({
          timeMicros: start + at * minute,
          activePowerKw: (at % 9) - 2,
          importedKwh: mode === 1 && at >= from ? at / 10 : null,
          exportedKwh: null,
        })),
      );
    const anyOrder = fc.array(fc.nat(), { minLength: 60, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        anyIntervals,
        anyReadings,
        anyOrder,
        fc.constantFrom('auto', 'register', 'power'),
        async (intervals, readings, order, energySource) => {
          const rules = { ...usualRules, energySource };
          const { id, externalId } = await meters.create(rules);
          const steps = [
            ...intervals.map((interval) => ({ interval, reading: null })),
            ...readings.map((reading) => ({ interval: null, reading })),
          ].map((step, at) => ({ step, at: order[at] ?? 0 }));
          const days = { firstDay: dayOf(start) - 1, count: span / 1440 + 3 };
          const [sent, measured]: [IntervalEnergy[], EnergyReading[]] = [[], []];
          const check = async () => {
            const own = sent.toSorted((a, b) => a.fromMicros - b.fromMicros);
            const { energy, samples } = await readSlots(portal.database, id, days);
            const expected = expectedSlots(measured, rules, days, own);
            expect({ energy, samples }).toEqual({ energy: expected.energy, samples: expected.samples });
          };
          for (const [count, { step }] of steps.toSorted((a, b) => a.at - b.at).entries()) {
            if (step.interval !== null) {
              expect(await store(rowsOf(externalId, [step.interval]))).toMatchObject({ accepted: 1 });
              sent.push(step.interval);
            } else {
              await meters.deliver(externalId, [step.reading]);
              measured.push(step.reading);
            }
            if (count % 7 === 3) await materializeAll(portal.database, await numbersOf());
            if (count % 5 === 0) await check();
          }
          await check();
          await materializeAll(portal.database, await numbersOf());
          await check();
        },
      ),
      { numRuns: Number(process.env['ROLLUP_RUNS'] ?? 25) },
    );
    const before = await digestSlots(portal.database);
    for (const number of await numbersOf()) await rebuildEnergy(portal.database, number);
    expect(await digestSlots(portal.database)).toBe(before);
  }, 300_000);

  it('of hours are never a peak, those of quarter-hours are', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const hour = { fromMicros: start, toMicros: start + 60 * minute, importedKwh: 400, exportedKwh: 0 };
    await store(rowsOf(externalId, [hour]));
    const whole = () => summaryOf(id, '2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z');
    expect(await whole()).toMatchObject({ energyImportedKwh: 400, estimatedEnergyKwh: 400, peakPowerKw: null });
    const quarter = { fromMicros: start + 60 * minute, toMicros: start + 75 * minute, importedKwh: 5, exportedKwh: 0 };
    await store(rowsOf(externalId, [quarter]));
    expect(await whole()).toMatchObject({ peakPowerKw: 20, peakAt: '2026-03-10T01:00:00Z' });
  });

  it('lie in the range that asks for them, also where it cuts a slot', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const quarter = { fromMicros: start, toMicros: start + 15 * minute, importedKwh: 15, exportedKwh: 0 };
    await store(rowsOf(externalId, [quarter]));
    const cut = await summaryOf(id, '2026-03-10T00:05:00Z', '2026-03-10T00:07:00Z');
    expect(cut.energyImportedKwh).toBeCloseTo(2, 9);
    const [own] = cut.devices;
    expect(own).toMatchObject({ lastMeasuredAt: '2026-03-10T00:15:00Z' });
  });

  it('of a year are spread over all its days, and the year after has none', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const year = { externalId, from: '2024-01-01T00:00:00Z', to: '2025-01-01T00:00:00Z', importedKwh: 35_136 };
    expect(await store([year])).toMatchObject({ accepted: 1 });
    expect((await summaryOf(id, '2024-02-29T00:00:00Z', '2024-03-01T00:00:00Z')).energyImportedKwh).toBeCloseTo(96, 6);
    expect((await summaryOf(id, '2023-01-01T00:00:00Z', '2026-01-01T00:00:00Z')).energyImportedKwh).toBeCloseTo(
      35_136,
      6,
    );
    expect((await summaryOf(id, '2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z')).energyImportedKwh).toBe(0);
  });

  it('leave gaps between them, which data quality and the average power know', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const [first, last] = [0, 45].map((at) => ({
      fromMicros: start + at * minute,
      toMicros: start + (at + 15) * minute,
      importedKwh: 1,
      exportedKwh: 0,
    }));
    if (first === undefined || last === undefined) throw new Error('two intervals are needed');
    await store(rowsOf(externalId, [first, last]));
    const answer = await portal.app.inject({
      url: '/api/data-quality',
      query: { from: '2026-03-10T00:00:00Z', to: '2026-03-10T01:00:00Z', deviceIds: id },
      headers: meters.session.headers,
    });
    expect(answer.json()).toMatchObject({ devices: [{ slots: { measured: 2, missing: 2 }, counts: { gap: 1 } }] });
    const summary = await summaryOf(id, '2026-03-10T00:00:00Z', '2026-03-10T01:00:00Z');
    expect(summary).toMatchObject({ averagePowerKw: 4, devices: [{ measuredHours: 0.5 }] });
  });

  it('are those of the device alone, and change nothing of others', async () => {
    const [one, other] = [await meters.create(usualRules), await meters.create(usualRules)];
    await store([
      { externalId: one.externalId, from: '2026-03-10T00:00:00Z', to: '2026-03-10T00:15:00Z', importedKwh: 3 },
    ]);
    expect((await summaryOf(other.id, '2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z')).energyImportedKwh).toBe(0);
  });
});

describe('intervals as they were sent', () => {
  const get = (path: string, query: Record<string, string>) =>
    portal.app.inject({ url: `/api/measurements/intervals${path}`, query, headers: meters.session.headers });
  const range = { from: '2026-03-10T00:00:00Z', to: '2026-03-11T00:00:00Z' };

  it('are listed newest first, page by page, and are in no list of readings', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const rows = [0, 1, 2].map((hour) => ({
      externalId,
      from: instant(start + hour * 60 * minute),
      to: instant(start + (hour + 1) * 60 * minute),
      importedKwh: hour + 0.5,
    }));
    await store(rows);
    const page = (await get('', { ...range, deviceIds: id, limit: '2', offset: '1' })).json();
    expect(page).toMatchObject({
      totalCount: 3,
      limit: 2,
      offset: 1,
      rows: [
        { from: '2026-03-10T01:00:00Z', to: '2026-03-10T02:00:00Z', importedKwh: 1.5, exportedKwh: null },
        { from: '2026-03-10T00:00:00Z', deviceName: externalId, importedKwh: 0.5 },
      ],
    });
    const later = { from: '2026-03-10T01:00:00Z', to: '2026-03-10T02:00:00Z', deviceIds: id };
    expect((await get('', later)).json()).toMatchObject({ totalCount: 1 });
    expect((await get('', { fromDate: '2026-03-10', toDate: '2026-03-11', deviceIds: id })).json()).toMatchObject({
      totalCount: expect.any(Number),
    });
    expect((await get('', { ...range, deviceIds: 'x' })).statusCode).toBe(400);
    expect((await get('', { from: range.to, to: range.from })).statusCode).toBe(400);
    const raw = await portal.app.inject({
      url: '/api/measurements/raw',
      query: { ...range, deviceIds: id },
      headers: meters.session.headers,
    });
    expect(raw.json()).toMatchObject({ totalCount: 0, rows: [] });
  });

  it('are exported as they are, in each format; nothing is a file without rows', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const row = { externalId, from: '2026-03-10T10:00:00Z', to: '2026-03-10T10:15:00Z', importedKwh: 0.123456 };
    await store([row, { ...row, from: row.to, to: '2026-03-10T10:30:00Z', importedKwh: 1, exportedKwh: 2 }]);
    const csv = await get('/export.csv', { ...range, deviceIds: id });
    expect(csv.headers['content-disposition']).toContain('intervals-1meter-20260310-20260311.csv');
    expect(
      csv.body
        .trim()
        .replaceAll(/Site \d+/g, 'Site')
        .split('\r\n'),
    ).toEqual([
      'from,to,deviceName,siteName,importedKwh,exportedKwh',
      `2026-03-10T10:00:00Z,2026-03-10T10:15:00Z,${externalId},Site,0.123456,`,
      `2026-03-10T10:15:00Z,2026-03-10T10:30:00Z,${externalId},Site,1,2`,
    ]);
    const lines = (await get('/export.ndjson', { ...range, deviceIds: id })).body.trim().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ from: row.from, to: row.to, importedKwh: 0.123456 });
    const book = await get('/export.xlsx', { ...range, deviceIds: id, language: 'de' });
    expect([book.statusCode, book.headers['x-export-row-count']]).toEqual([200, '2']);
    const sheet = openWorkbook(book.rawPayload).sheets.find(({ name }) => name === 'Intervalle');
    expect(sheet?.rows).toHaveLength(3);
    const empty = await get('/export.csv', { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z', deviceIds: id });
    expect(empty.body.trim().split('\r\n')).toHaveLength(1);
  });
});

describe('an ingest of intervals', () => {
  const at = (minutes: number) => instant(start + minutes * minute);
  const quarter = (externalId: string, minutes: number, importedKwh: unknown = 1) => ({
    externalId,
    from: at(minutes),
    to: at(minutes + 15),
    importedKwh,
  });

  it('ignores what is stored already, whatever its energy, within a request too', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const row = quarter(externalId, 0);
    expect(await store([row, row])).toMatchObject({ accepted: 2, duplicates: 1, rejected: 0 });
    expect(await store([row, { ...row, importedKwh: 7 }])).toMatchObject({ accepted: 2, duplicates: 2 });
    expect((await summaryOf(id, at(0), at(60))).energyImportedKwh).toBe(1);
    const { rows } = await portal.database.query(
      {
        text: 'SELECT FROM monitoring.intervals i JOIN monitoring.devices d ON d.number = i.device_number WHERE d.external_id = $1',
      },
      [externalId],
    );
    expect(rows).toHaveLength(1);
  });

  it('rejects what overlaps, stored or in the request, and names the other one', async () => {
    const { externalId } = await meters.create(usualRules);
    const answer = await store([quarter(externalId, 0), quarter(externalId, 10), quarter(externalId, 15)]);
    expect(answer).toMatchObject({ accepted: 2, rejected: 1, errors: [{ index: 1, externalId }] });
    expect(answer.errors[0]?.reason).toContain('from 2026-03-10T00:00:00Z to 2026-03-10T00:15:00Z');
    const around = { externalId, from: at(-60), to: at(120), importedKwh: 9 };
    const within = { externalId, from: at(5), to: at(6), importedKwh: 9 };
    const longer = { externalId, from: at(0), to: at(16), importedKwh: 9 };
    expect(await store([around])).toMatchObject({ accepted: 0, rejected: 1 });
    expect(await store([within, longer])).toMatchObject({ accepted: 0, rejected: 2 });
    expect(await store([quarter(externalId, 30), quarter(externalId, -15)])).toMatchObject({
      accepted: 2,
      rejected: 0,
    });
  });

  it('a dry run judges rows against stored ones and each other, and stores and counts nothing', async () => {
    const { id, externalId } = await meters.create(usualRules);
    await store([quarter(externalId, 0)]);
    const rows = [0, 15, 20, 30].map((minutes) => quarter(externalId, minutes));
    const told = await tryOut(rows, 'true');
    expect(told.json()).toMatchObject({ accepted: 3, duplicates: 1, rejected: 1, errors: [{ index: 2 }] });
    expect((await tryOut([quarter('nobody', 0)], 'true')).json()).toMatchObject({ accepted: 0, rejected: 1 });
    expect((await summaryOf(id, at(0), at(60))).energyImportedKwh).toBe(1);
    expect((await tryOut(rows, 'false')).json()).toEqual(told.json());
    expect((await summaryOf(id, at(0), at(60))).energyImportedKwh).toBe(3);
    expect((await tryOut(rows, 'perhaps')).statusCode).toBe(400);
    expect((await tryOut([], 'true')).statusCode).toBe(400);
  });

  it.each([
    ['backwards', { to: at(-15) }, 'to is'],
    ['without length', { to: at(0) }, 'to is'],
    ['shorter than a second', { to: '2026-03-10T00:00:00.5Z' }, 'a second to 366 days'],
    ['longer than a year', { to: '2027-03-12T00:00:00Z' }, 'a second to 366 days'],
    ['in the future', { from: '2099-01-01T00:00:00Z', to: '2099-01-01T00:15:00Z' }, 'at most 24 h ahead'],
    ['of the last century', { from: '1999-12-31T23:45:00Z', to: at(0) }, 'instants from 2000'],
    ['without a zone', { from: '2026-03-10T00:00:00' }, 'from is'],
    ['on a day that does not exist', { from: '2026-02-30T00:00:00Z' }, 'from is'],
    ['with a number as its start', { from: 5 }, 'from is 5'],
    ['without energy', { importedKwh: undefined }, 'importedKwh and exportedKwh are missing'],
    ['of null', { importedKwh: null, exportedKwh: null }, 'at least one of them'],
    ['with energy below zero', { importedKwh: -0.001 }, 'importedKwh is -0.001'],
    ['with a huge energy', { importedKwh: 1e300 }, 'from 0 to 1000000000'],
    ['with energy as text', { importedKwh: '1' }, 'the text "1"'],
    ['with a bad export', { exportedKwh: {} }, 'exportedKwh is an object'],
    ['of no device', { externalId: 'nobody' }, 'no device has this external ID'],
    ['of a device without a name', { externalId: ' ' }, 'externalId is'],
  ])('rejects a row %s, and stores the good one beside it', async (_, change, reason) => {
    const { externalId } = await meters.create(usualRules);
    const answer = await store([{ ...quarter(externalId, 0), ...change }, quarter(externalId, 30)]);
    expect(answer).toMatchObject({ accepted: 1, rejected: 1, errors: [{ index: 0 }] });
    expect(answer.errors[0]?.reason).toContain(reason);
  });

  it('rejects numbers that JSON cannot write', async () => {
    const { externalId } = await meters.create(usualRules);
    const body = `[{"externalId":"${externalId}","from":"${at(0)}","to":"${at(15)}","importedKwh":1e999}]`;
    const headers = { ...meters.session.headers, 'content-type': 'application/json' };
    const answer = await portal.app.inject({ method: 'POST', url, payload: body, headers });
    expect(answer.json()).toMatchObject({ accepted: 0, rejected: 1 });
  });

  it('refuses an empty list, what is no list, and a list of something else', async () => {
    expect((await send([])).statusCode).toBe(400);
    expect((await send({})).statusCode).toBe(400);
    expect((await send([1])).statusCode).toBe(400);
    expect((await send([]).then((answer) => answer.json<{ error: string }>())).error).toContain('row');
  });

  it('refuses a body that is too large, and one of too many rows', async () => {
    const rows = Array.from({ length: 100_001 }, () => ({}));
    expect((await send(rows)).statusCode).toBe(413);
    expect((await send(['x'.repeat(33 * 1024 * 1024)])).statusCode).toBe(413);
  });

  it('takes an API key, and nobody without one', async () => {
    const { externalId } = await meters.create(usualRules);
    const made = await portal.app.inject({
      method: 'POST',
      url: '/api/api-keys',
      payload: { name: 'profile gateway' },
      headers: meters.session.headers,
    });
    const { key } = made.json<{ key: string }>();
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    expect((await send([quarter(externalId, 0)], bearer(key))).json()).toMatchObject({ accepted: 1 });
    expect((await send([quarter(externalId, 0)], bearer(`${key}x`))).statusCode).toBe(401);
    expect((await send([quarter(externalId, 0)], {})).statusCode).toBe(401);
  });

  it('stores each once when many deliver the same at once', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const rows = Array.from({ length: 200 }, (_, index) => quarter(externalId, index * 15));
    const answers = await Promise.all(Array.from({ length: 6 }, () => store(rows)));
    expect(answers.reduce((sum, { accepted, duplicates }) => sum + accepted - duplicates, 0)).toBe(200);
    expect((await summaryOf(id, at(0), at(200 * 15))).energyImportedKwh).toBeCloseTo(200, 9);
  });

  it('stores three years of quarter-hours in one request', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const first = Date.parse('2021-01-01T00:00:00Z') * 1000;
    const rows = Array.from({ length: 100_000 }, (_, index) => ({
      externalId,
      from: instant(first + index * 15 * minute),
      to: instant(first + (index + 1) * 15 * minute),
      importedKwh: 0.25,
    })).toReversed();
    expect(await store(rows)).toMatchObject({ accepted: 100_000, duplicates: 0, rejected: 0 });
    await materializeAll(portal.database, await numbersOf());
    expect((await summaryOf(id, '2021-01-01T00:00:00Z', '2025-01-01T00:00:00Z')).energyImportedKwh).toBeCloseTo(
      25_000,
      6,
    );
  }, 60_000);

  it('keeps a device with intervals from being deleted', async () => {
    const { id, externalId } = await meters.create(usualRules);
    await store([quarter(externalId, 0)]);
    const answer = await portal.app.inject({
      method: 'DELETE',
      url: `/api/admin/devices/${id}`,
      headers: meters.session.headers,
    });
    expect(answer.statusCode).toBe(409);
  });

  it('follows a changed source of energy at once', async () => {
    const { id, externalId } = await meters.create(usualRules);
    const readings = [0, 15].map((minutes) => ({
      timeMicros: start + minutes * minute,
      activePowerKw: 4,
      importedKwh: 100 + minutes,
      exportedKwh: null,
    }));
    await meters.deliver(externalId, readings);
    await store([quarter(externalId, 0, 2)]);
    await materializeAll(portal.database, await numbersOf());
    expect((await summaryOf(id, at(0), at(15))).energyImportedKwh).toBeCloseTo(15, 9);
    const payload = { siteId: meters.siteId, name: externalId, externalId, energySource: 'power' };
    const put = { method: 'PUT', url: `/api/admin/devices/${id}`, payload, headers: meters.session.headers } as const;
    expect((await portal.app.inject(put)).statusCode).toBe(200);
    expect((await summaryOf(id, at(0), at(15))).energyImportedKwh).toBeCloseTo(2, 9);
  });
});
