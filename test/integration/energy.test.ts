import { beforeAll, describe, expect, it } from 'vitest';
import { costBreakdown, dashboardSummary, loadCurve } from '../../shared/dashboard.ts';
import { dataQuality } from '../../shared/data-quality.ts';
import { bucketedRow } from '../../shared/measurements.ts';
import { simulationResult } from '../../shared/rates.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice } from '../support/sites.ts';

const now = Date.parse('2026-04-10T12:00:00Z');
const portal = appOfFile({ now: () => now });
let admin = { cookie: '' };
const devices = { main: '', pv: '', off: '', mumbai: '', silent: '', nowhere: '' };
let empty = '';

const request = async (method: 'GET' | 'POST' | 'PUT', path: string, options: object, status: number) => {
  const answer = await portal.app.inject({ method, url: path, headers: admin, ...options });
  expect(answer.statusCode, answer.body).toBe(status);
  return answer.json();
};
const get = (path: string, query: Record<string, string>) => request('GET', path, { query }, 200);
const create = async (path: string, payload: object): Promise<string> =>
  (await request('POST', path, { payload }, 201)).id;
const ingest = async (rows: object[]) =>
  expect(await request('POST', '/api/ingest/measurements', { payload: rows }, 200)).toMatchObject({ rejected: 0 });

const summary = async (query: Record<string, string>) =>
  dashboardSummary.parse(await get('/api/dashboard/summary', query));
const breakdown = async (query: Record<string, string>) =>
  costBreakdown.parse(await get('/api/dashboard/cost-breakdown', query));
const buckets = async (query: Record<string, string>) =>
  bucketedRow.array().parse(await get('/api/measurements', query));

const minutes = (from: string, count: number, step: number) =>
  Array.from({ length: count }, (_, at) => new Date(Date.parse(from) + at * step * 60_000).toISOString());
const cents = (values: readonly (number | null)[]) =>
  values.reduce<number>((sum, value) => sum + Math.round((value ?? 0) * 100), 0);

const terms = { currency: 'EUR', isActive: true, effectiveFrom: '2026-01-01', vatPercent: 19 };

beforeAll(async () => {
  admin = await portal.signIn();
  const session = { app: portal.app, headers: admin };
  const berlin = await create('/api/admin/rates/municipalities', { name: 'Berlin', timeZone: 'Europe/Berlin' });
  const mumbai = await create('/api/admin/rates/municipalities', { name: 'Mumbai', timeZone: 'Asia/Kolkata' });
  const nowhere = await create('/api/admin/rates/municipalities', { name: 'Nowhere', timeZone: 'Etc/UTC' });
  await create('/api/admin/rates/tariffs', {
    ...terms,
    municipalityId: berlin,
    name: 'Two rates',
    defaultRatePerKwh: 0.3,
    fixedChargePerMonth: 31,
    exportRatePerKwh: 0.08,
    periods: [{ name: 'Night', daysOfWeek: 127, startTime: '22:00', endTime: '06:00', ratePerKwh: 0.2 }],
  });
  await create('/api/admin/rates/tariffs', {
    ...terms,
    municipalityId: mumbai,
    name: 'Flat',
    currency: 'INR',
    vatPercent: 0,
    defaultRatePerKwh: 8,
    fixedChargePerMonth: 0,
  });
  const site = await create('/api/admin/sites', { name: 'A Berlin', municipalityId: berlin });
  const other = await create('/api/admin/sites', { name: 'B Mumbai', municipalityId: mumbai });
  const dark = await create('/api/admin/sites', { name: 'C Nowhere', municipalityId: nowhere });
  empty = await create('/api/admin/sites', { name: 'D Idle', municipalityId: berlin });
  devices.main = await createDevice(session, site, { externalId: 'main' });
  devices.pv = await createDevice(session, site, { externalId: 'pv', energySource: 'power' });
  devices.off = await createDevice(session, empty, { externalId: 'off', isActive: false });
  devices.mumbai = await createDevice(session, other, { externalId: 'mumbai' });
  devices.nowhere = await createDevice(session, dark, { externalId: 'nowhere' });
  devices.silent = await createDevice(session, dark, { externalId: 'silent', energySource: 'power' });

  // The day on which clocks in Berlin go forward: 23 hours, by a register that counts 1 kWh in each quarter-hour.
  const day = minutes('2026-03-28T23:00:00Z', 23 * 4 + 1, 15);
  await ingest(day.map((time, at) => ({ externalId: 'main', time, activePowerKw: 4, energyImportedKwh: 100 + at })));
  await ingest(
    day.map((time) => ({ externalId: 'pv', time, activePowerKw: -2, reactivePowerKvar: 0, energyImportedKwh: 7 })),
  );
  await ingest(day.map((time) => ({ externalId: 'mumbai', time, activePowerKw: 8, powerFactor: 0.8 })));
  await ingest(day.map((time) => ({ externalId: 'nowhere', time, activePowerKw: 1 })));
});

const springDay = { from: '2026-03-28T23:00:00Z', to: '2026-03-29T22:00:00Z' };

describe('GET /api/dashboard/summary (decisions 4, energy-and-cost.md)', () => {
  it('energy and cost of a spring day of 23 hours: the hour that does not exist is not priced', async () => {
    const found = await summary({ ...springDay, deviceIds: devices.main });
    expect(found).toMatchObject({ energyImportedKwh: 92, energyExportedKwh: 0, estimatedEnergyKwh: 0 });
    // The night rate is from 00:00 to 02:00, 03:00 to 06:00 and 22:00 to 24:00 local time: 7 hours of 4 kWh.
    expect(found.periods).toEqual([
      { name: 'Default', ratePerKwh: 0.3, energyKwh: 64, cost: 19.2, currency: 'EUR' },
      { name: 'Night', ratePerKwh: 0.2, energyKwh: 28, cost: 5.6, currency: 'EUR' },
    ]);
    // One of March's 31 days, whole: 31 / 31. VAT of 19 % on 25.80.
    expect(found.costs).toEqual([{ currency: 'EUR', energyCost: 24.8, fixedCharge: 1, vat: 4.9, total: 30.7 }]);
    expect(found).toMatchObject({ peakPowerKw: 4, peakAt: '2026-03-28T23:00:00Z' });
  });

  it('average power leaves out the hours without measurements', async () => {
    const year = { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' };
    expect((await summary({ ...year, deviceIds: devices.main })).averagePowerKw).toBeCloseTo(4, 9);
    const both = await summary({ ...year, deviceIds: `${devices.main},${devices.mumbai}` });
    expect(both.averagePowerKw).toBeCloseTo(12, 9);
    expect((await summary({ ...year, deviceIds: devices.silent })).averagePowerKw).toBeNull();
  });

  it('export is shown, and credited before VAT as a negative line of its own', async () => {
    const found = await summary({ ...springDay, deviceIds: devices.pv });
    expect(found).toMatchObject({ energyImportedKwh: 0, peakPowerKw: null, peakAt: null });
    expect(found.energyExportedKwh).toBeCloseTo(46, 9);
    expect(found.periods).toEqual([
      { name: 'Export', ratePerKwh: 0.08, energyKwh: expect.closeTo(46, 9), cost: -3.68, currency: 'EUR' },
    ]);
    expect(found.costs).toEqual([{ currency: 'EUR', energyCost: -3.68, fixedCharge: 1, vat: -0.51, total: -3.19 }]);
  });

  it('energySource power ignores the registers', async () => {
    const found = await summary({ ...springDay, deviceIds: devices.pv });
    expect(found.devices[0]).toMatchObject({ energyImportedKwh: 0, estimatedEnergyKwh: 0 });
  });

  it('one cost entry per currency, never added up; energy without a tariff is unpriced', async () => {
    const found = await summary(springDay);
    expect(found.costs.map(({ currency }) => currency)).toEqual(['EUR', 'INR']);
    expect(found.costs[1]).toMatchObject({ energyCost: 23 * 8 * 8, fixedCharge: 0, vat: 0 });
    expect(found.unpricedEnergyKwh).toBeCloseTo(23, 9);
    expect(found.sites.map(({ siteName, costs }) => [siteName, costs.map(({ currency }) => currency)])).toEqual([
      ['A Berlin', ['EUR']],
      ['B Mumbai', ['INR']],
      ['C Nowhere', []],
      ['D Idle', []],
    ]);
  });

  it('the amounts of sites, devices and periods add up to the total of their currency', async () => {
    const found = await summary({ from: '2026-03-29T03:17:00Z', to: '2026-03-29T19:41:00Z' });
    for (const { currency, energyCost, fixedCharge, vat, total } of found.costs) {
      const of = <T extends { currency: string }>(costs: readonly T[]) =>
        costs.filter((cost) => cost.currency === currency);
      expect(cents([energyCost, fixedCharge, vat])).toBe(cents([total]));
      expect(cents(of(found.sites.flatMap((site) => site.costs)).map((cost) => cost.total))).toBe(cents([total]));
      expect(cents(of(found.devices.flatMap((device) => device.costs)).map((cost) => cost.energyCost))).toBe(
        cents([energyCost]),
      );
      expect(cents(of(found.periods).map((period) => period.cost))).toBe(cents([energyCost]));
    }
  });

  it('the fixed charge is paid once for a site with a chosen active device, with or without data', async () => {
    const later = { from: '2026-04-30T22:00:00Z', to: '2026-05-01T22:00:00Z' };
    const both = await summary({ ...later, deviceIds: `${devices.main},${devices.pv}` });
    expect(both.costs).toEqual([{ currency: 'EUR', energyCost: 0, fixedCharge: 1, vat: 0.19, total: 1.19 }]);
    const off = await summary({ ...later, deviceIds: devices.off });
    expect(off).toMatchObject({ activeDeviceCount: 0, costs: [] });
  });

  it('a partial day pays its share of that day’s real length', async () => {
    const half = { from: springDay.from, to: '2026-03-29T10:30:00Z', deviceIds: devices.main };
    expect((await summary(half)).costs[0]?.fixedCharge).toBe(0.5);
  });

  it('a range that cuts a slot takes its share, and that slot is no peak', async () => {
    const cut = { from: '2026-03-29T10:05:00Z', to: '2026-03-29T10:35:00Z', deviceIds: devices.main };
    const found = await summary(cut);
    expect(found.energyImportedKwh).toBeCloseTo(2, 9);
    expect(found.peakAt).toBe('2026-03-29T10:15:00Z');
    expect(found.devices[0]?.averagePowerKw).toBe(4);
    const inside = await summary({ ...cut, from: '2026-03-29T10:02:00Z', to: '2026-03-29T10:07:00Z' });
    expect(inside.energyImportedKwh).toBeCloseTo(1 / 3, 9);
    expect(inside).toMatchObject({ peakPowerKw: null, peakAt: null });
    expect(inside.devices[0]?.averagePowerKw).toBeNull();
  });

  it('peak demand is that of the sum of the chosen devices, with its slot', async () => {
    await ingest([
      { externalId: 'silent', time: '2026-03-29T09:00:00Z', activePowerKw: 0 },
      { externalId: 'silent', time: '2026-03-29T09:15:00Z', activePowerKw: 20 },
      { externalId: 'silent', time: '2026-03-29T09:30:00Z', activePowerKw: 0 },
    ]);
    const found = await summary({ ...springDay, deviceIds: `${devices.mumbai},${devices.silent}` });
    expect(found).toMatchObject({ peakPowerKw: expect.closeTo(18, 9), peakAt: '2026-03-29T09:00:00Z' });
    expect(found.devices.map(({ peakPowerKw }) => peakPowerKw)).toEqual([expect.closeTo(8, 9), expect.closeTo(10, 9)]);
  });

  it('average power factor over time comes from the sums of P and Q, never from a mean', async () => {
    const found = await summary({ ...springDay, deviceIds: `${devices.mumbai},${devices.pv}` });
    // 93 readings each: P 8 and Q 6 of the first, P -2 and Q 0 of the second.
    expect(found.averagePowerFactor).toBeCloseTo(6 / Math.hypot(6, 6), 6);
  });

  it('a late row of any age changes the next read, also a tariff that is edited', async () => {
    const range = { from: '2026-02-01T00:00:00Z', to: '2026-02-02T00:00:00Z', deviceIds: devices.main };
    expect((await summary(range)).energyImportedKwh).toBe(0);
    await ingest([{ externalId: 'main', time: '2026-01-31T23:00:00Z', activePowerKw: 1, energyImportedKwh: 90 }]);
    const spread = await summary(range);
    expect(spread.energyImportedKwh).toBeGreaterThan(0);
    expect(spread.estimatedEnergyKwh).toBe(spread.energyImportedKwh);
    await ingest([{ externalId: 'main', time: '2026-02-01T23:00:00Z', activePowerKw: 1, energyImportedKwh: 96 }]);
    const split = await summary(range);
    expect(split.energyImportedKwh).toBeCloseTo((6 * 23) / 24 + 4 / (24 * 55), 9);
  });
});

describe('GET /api/dashboard/cost-breakdown (energy-and-cost.md 8)', () => {
  it.each(['day', 'month', 'period'])(
    'by %s: the lines of a currency add up to its total, the kWh to the energy',
    async (group) => {
      const range = { from: '2026-02-10T07:20:00Z', to: '2026-04-02T16:50:00Z' };
      const found = await breakdown({ ...range, group });
      const whole = await summary(range);
      expect(found.costs).toEqual(whole.costs);
      expect(found.tariffDays).toEqual(whole.tariffDays);
      for (const { currency, energyCost, fixedCharge, vat, total } of found.costs) {
        const own = (...kinds: string[]) =>
          cents(
            found.lines
              .filter((line) => line.currency === currency && kinds.includes(line.kind))
              .map((line) => line.cost),
          );
        expect(own('energy', 'export')).toBe(cents([energyCost]));
        expect(own('fixedCharge')).toBe(cents([fixedCharge]));
        expect(own('vat')).toBe(cents([vat]));
        expect(own('energy', 'export', 'fixedCharge', 'vat')).toBe(cents([total]));
      }
      const kwh = (...kinds: string[]) =>
        found.lines.filter((line) => kinds.includes(line.kind)).reduce((sum, line) => sum + (line.energyKwh ?? 0), 0);
      expect(kwh('energy', 'unpriced')).toBeCloseTo(whole.energyImportedKwh, 6);
      expect(kwh('unpriced')).toBeCloseTo(whole.unpricedEnergyKwh, 6);
      expect(found.lines.filter(({ kind }) => kind === 'unpriced').every(({ cost }) => cost === null)).toBe(true);
    },
  );

  it('a group is a local date or month of the site', async () => {
    const range = { from: '2026-03-28T12:00:00Z', to: '2026-03-29T23:00:00Z', deviceIds: devices.main };
    const days = await breakdown({ ...range, group: 'day' });
    expect([...new Set(days.lines.map((line) => line.group))]).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
    const charge = days.lines.filter(({ kind }) => kind === 'fixedCharge');
    expect(charge.map((line) => line.days)).toEqual([expect.closeTo(11 / 24, 9), 1, expect.closeTo(1 / 24, 9)]);
    const months = await breakdown({ ...range, group: 'month' });
    expect([...new Set(months.lines.map((line) => line.group))]).toEqual(['2026-03']);
    const whole = await breakdown({ ...range, group: 'period' });
    expect([...new Set(whole.lines.map((line) => line.group))]).toEqual([null]);
  });

  it('each line can be recomputed from its own fields', async () => {
    const found = await breakdown({ ...springDay, group: 'period', deviceIds: devices.main });
    expect(
      found.lines.map(({ siteName, kind, name, ratePerKwh, energyKwh, days, vatPercent, cost }) => ({
        siteName,
        kind,
        name,
        ratePerKwh,
        energyKwh,
        days,
        vatPercent,
        cost,
      })),
    ).toEqual([
      {
        siteName: 'A Berlin',
        kind: 'energy',
        name: 'Night',
        ratePerKwh: 0.2,
        energyKwh: 28,
        days: null,
        vatPercent: null,
        cost: 5.6,
      },
      {
        siteName: 'A Berlin',
        kind: 'energy',
        name: 'Default',
        ratePerKwh: 0.3,
        energyKwh: 64,
        days: null,
        vatPercent: null,
        cost: 19.2,
      },
      {
        siteName: 'A Berlin',
        kind: 'fixedCharge',
        name: 'Fixed charge',
        ratePerKwh: null,
        energyKwh: null,
        days: 1,
        vatPercent: null,
        cost: 1,
      },
      {
        siteName: 'A Berlin',
        kind: 'vat',
        name: 'VAT',
        ratePerKwh: null,
        energyKwh: null,
        days: null,
        vatPercent: 19,
        cost: 4.9,
      },
    ]);
  });

  it('rejects an unknown group', async () => {
    const query = { ...springDay, group: 'week' };
    expect(await request('GET', '/api/dashboard/cost-breakdown', { query }, 400)).toMatchObject({
      error: 'group must be one of day, month, period; got "week".',
    });
    expect(await request('GET', '/api/dashboard/cost-breakdown', { query: springDay }, 400)).toMatchObject({
      error: 'group must be one of day, month, period; got missing.',
    });
  });
});

describe('energy in buckets (decisions 4)', () => {
  it.each([
    ['minute', 1 / 15],
    ['5min', 1 / 3],
    ['15min', 1],
    ['hour', 4],
    ['day', 92],
  ])('%s: by the rules of energy, adding up to the energy of the range', async (bucket, kwh) => {
    const rows = await buckets({ ...springDay, deviceId: devices.main, bucket });
    expect(rows[0]?.energyImportedKwh).toBeCloseTo(kwh, 9);
    expect(rows.reduce((sum, row) => sum + row.energyImportedKwh, 0)).toBeCloseTo(92, 6);
    expect(rows.every((row) => row.energyExportedKwh === 0)).toBe(true);
  });

  it('a bucket without samples has null averages and its energy; one without both is left out', async () => {
    const range = { from: '2026-03-29T10:01:00Z', to: '2026-03-29T10:14:00Z', deviceId: devices.main };
    const rows = await buckets({ ...range, bucket: 'minute' });
    expect(rows).toHaveLength(13);
    expect(rows[3]).toMatchObject({ samples: 0, activePowerKw: null, activePowerKwMax: null, voltageV: null });
    expect(rows[3]?.energyImportedKwh).toBeCloseTo(1 / 15, 9);
    const after = { from: '2026-03-29T22:00:01Z', to: '2026-03-31T00:00:00Z', deviceId: devices.main };
    expect(await buckets({ ...after, bucket: 'hour' })).toEqual([]);
  });

  it('a bucket that the range cuts counts only the part inside, its time stays its start', async () => {
    const cut = { from: '2026-03-29T10:20:00Z', to: '2026-03-29T10:40:00Z', deviceId: devices.main };
    expect(await buckets({ ...cut, bucket: 'hour' })).toMatchObject([
      { time: '2026-03-29T10:00:00Z', samples: 1, activePowerKw: 4, energyImportedKwh: expect.closeTo(4 / 3, 9) },
    ]);
  });

  it('the load curve has the energy of its devices', async () => {
    const query = { ...springDay, bucket: 'hour', groupBy: 'total', deviceIds: `${devices.main},${devices.mumbai}` };
    const [total] = loadCurve.parse(await get('/api/dashboard/load-curve', query)).series;
    expect(total?.energyImportedKwh[3]).toBeCloseTo(12, 9);
    expect(total?.averagePowerKw[3]).toBe(12);
  });
});

describe('GET /api/data-quality', () => {
  const quality = async (query: Record<string, string>) => dataQuality.parse(await get('/api/data-quality', query));

  it('counts measured, interpolated and missing quarter-hours, without future ones', async () => {
    const found = await quality({ ...springDay, deviceIds: devices.main });
    expect(found.devices[0]?.slots).toEqual({ measured: 92, interpolated: 0, missing: 0 });
    expect(found.days).toEqual([{ date: '2026-03-29', measured: 92, interpolated: 0, missing: 0 }]);
    const today = await quality({ from: '2026-04-09T22:00:00Z', to: '2026-04-10T22:00:00Z', deviceIds: devices.main });
    expect(today.days).toEqual([{ date: '2026-04-10', measured: 0, interpolated: 0, missing: 56 }]);
  });

  it('expects nothing from a device before its first reading, and from an inactive one after its last', async () => {
    const session = { app: portal.app, headers: admin };
    const retired = await createDevice(session, empty, { externalId: 'retired', isActive: false });
    const never = await createDevice(session, empty, { externalId: 'never', isActive: false });
    await ingest(
      minutes('2026-03-10T06:00:00Z', 5, 15).map((time) => ({ externalId: 'retired', time, activePowerKw: 1 })),
    );
    const day = { from: '2026-03-09T23:00:00Z', to: '2026-03-10T23:00:00Z' };
    const found = await quality({ ...day, deviceIds: `${retired},${never}` });
    expect(found.days).toEqual([{ date: '2026-03-10', measured: 5, interpolated: 0, missing: 0 }]);
    expect(found.devices.map(({ slots }) => slots.measured + slots.missing)).toEqual([0, 5]);
  });

  it('flagLimit limits the listed flags, not the counts; anything else is rejected', async () => {
    const query = { from: '2026-03-29T12:00:00Z', to: '2026-03-29T18:00:00Z', deviceIds: devices.silent };
    await ingest([{ externalId: 'silent', time: '2026-03-30T09:30:00Z', activePowerKw: 1 }]);
    const [found] = (await quality({ ...query, flagLimit: '0' })).devices;
    expect([found?.flags, found?.counts.gap]).toEqual([[], 1]);
    const refused = { query: { ...query, flagLimit: '1001' } };
    expect(await request('GET', '/api/data-quality', refused, 400)).toMatchObject({
      error: 'flagLimit must be a whole number from 0 to 1000; got "1001".',
    });
  });

  it('lists anomalies, newest first, each kind where the rules require it', async () => {
    const session = { app: portal.app, headers: admin };
    const odd = await createDevice(session, empty, { externalId: 'odd', ratedPowerKw: 1_000, registerMaxKwh: 10_000 });
    const registers = [
      [0, 9_900],
      [15, 9_910],
      [30, 0],
      [45, 9_920], // a glitch
      [60, 9_990],
      [75, 5], // past its end
      [90, 4.6],
      [105, 5],
      [120, 500], // a step back, larger than 1,000 kW allows
      [135, 3], // from zero
      [300, 13], // 165 minutes of silence
    ] as const;
    await ingest(
      registers.map(([minute, energyImportedKwh]) => ({
        externalId: 'odd',
        time: new Date(Date.parse('2026-03-01T00:00:00Z') + minute * 60_000).toISOString(),
        activePowerKw: 1,
        energyImportedKwh,
      })),
    );
    const [found] = (await quality({ from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z', deviceIds: odd }))
      .devices;
    expect(
      found?.flags.map(({ time, kind, until, energyKwh }) => [
        time.slice(11, 16),
        kind,
        until?.slice(11, 16),
        energyKwh,
      ]),
    ).toEqual([
      ['02:15', 'interpolated', '05:00', 10],
      ['02:15', 'reset', undefined, null],
      ['02:00', 'implausible', undefined, null],
      ['01:30', 'stepBack', undefined, null],
      ['01:15', 'rollover', undefined, null],
      ['00:30', 'glitch', undefined, null],
    ]);
    expect(found?.counts).toEqual({
      gap: 0,
      interpolated: 1,
      glitch: 1,
      stepBack: 1,
      rollover: 1,
      reset: 1,
      implausible: 1,
    });
    expect(found?.slots).toEqual({ measured: 10, interpolated: 11, missing: 75 });
    expect(found?.flags.every(({ direction }) => direction === 'import')).toBe(true);
  });

  it('a gap of measured power is missing, and reaches into ranges that begin within it', async () => {
    await ingest([{ externalId: 'silent', time: '2026-03-30T09:30:00Z', activePowerKw: 1 }]);
    const inside = { from: '2026-03-29T12:00:00Z', to: '2026-03-29T18:00:00Z', deviceIds: devices.silent };
    const [found] = (await quality(inside)).devices;
    expect(found?.slots).toEqual({ measured: 0, interpolated: 0, missing: 24 });
    expect(found?.flags).toEqual([
      { time: '2026-03-29T09:30:00Z', until: '2026-03-30T09:30:00Z', kind: 'gap', direction: null, energyKwh: null },
    ]);
  });
});

describe('POST /api/rates/simulate on measured energy', () => {
  const tariff = { currency: 'EUR', defaultRatePerKwh: 0.25, fixedChargePerMonth: 31, vatPercent: 0 };
  const simulate = async (load: object) =>
    simulationResult.parse(
      await request(
        'POST',
        '/api/rates/simulate',
        { payload: { tariff, timeZone: 'Europe/Berlin', ...springDay, load } },
        200,
      ),
    );

  it('prices the real load of the chosen devices, with one fixed charge per site', async () => {
    const found = await simulate({ kind: 'devices', deviceIds: [devices.main, devices.pv] });
    expect(found).toMatchObject({ energyImportedKwh: 92, energyCost: 23, fixedCharge: 1, vat: 0, total: 24 });
    expect(found.energyExportedKwh).toBeCloseTo(46, 9);
  });

  it('without ids it is all devices, in their active sites', async () => {
    const found = await simulate({ kind: 'devices' });
    expect(found.energyImportedKwh).toBeCloseTo(92 + 184 + 23 + 5, 6);
    // Berlin, Mumbai, Nowhere, and the idle site, which now has an active device.
    expect(found.fixedCharge).toBe(4);
  });
});

describe('queries about many devices', () => {
  it('a URL may name thousands of them', async () => {
    const unknown = Array.from({ length: 3_000 }, (_, at) => `00000000-0000-0000-0000-${String(at).padStart(12, '0')}`);
    await portal.app.listen({ host: '127.0.0.1', port: 0 });
    const address = portal.app.server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const query = new URLSearchParams({ ...springDay, deviceIds: [devices.main, ...unknown].join(',') });
    const answer = await fetch(`http://127.0.0.1:${port}/api/dashboard/summary?${query.toString()}`, {
      headers: admin,
    });
    expect(answer.status).toBe(200);
    expect(dashboardSummary.parse(await answer.json()).devices).toHaveLength(1);
  });
});

describe('hostile ranges', () => {
  it.each([
    ['/api/dashboard/summary', {}, 36_600],
    ['/api/dashboard/cost-breakdown', { group: 'period' }, 36_600],
    ['/api/data-quality', {}, 36_600],
  ])('%s: all of time is rejected with what is accepted', async (path, more, most) => {
    const query = { from: '0001-01-01T00:00:00Z', to: '9999-12-31T00:00:00Z', ...more };
    expect(await request('GET', path, { query }, 400)).toMatchObject({
      error: `to: the range may have at most ${most} days; got 3652058.`,
    });
  });

  it('a century of 36,600 days is answered, even without readings; a second more is rejected', async () => {
    const century = { from: '2000-01-01T00:00:00Z', to: '2100-03-17T00:00:00Z', deviceIds: devices.off };
    expect(
      await request('GET', '/api/dashboard/summary', { query: { ...century, to: '2100-03-17T00:00:01Z' } }, 400),
    ).toMatchObject({
      error: 'to: the range may have at most 36600 days; got 36601.',
    });
    expect((await summary(century)).energyImportedKwh).toBe(0);
    expect((await summary({ ...century, deviceIds: '00000000-0000-0000-0000-000000000000' })).devices).toEqual([]);
  });

  it('more days of sites than can be listed: 400 that names the coarser group', async () => {
    const query = { from: '2000-01-01T00:00:00Z', to: '2010-01-01T00:00:00Z', group: 'day' };
    expect(await request('GET', '/api/dashboard/cost-breakdown', { query }, 400)).toMatchObject({
      error: expect.stringMatching(/^The range has about 14612 days of 4 sites, more than 10000; choose group month/),
    });
  });
});

it('a summary has the hours with known energy of a device, without the gaps between power readings', async () => {
  const times = [...minutes('2026-04-01T00:00:00Z', 25, 15), ...minutes('2026-04-01T18:00:00Z', 25, 15)];
  await ingest(times.map((time) => ({ externalId: 'silent', time, activePowerKw: 2 })));
  await ingest(times.map((time, at) => ({ externalId: 'main', time, activePowerKw: 4, energyImportedKwh: 200 + at })));
  const day = { from: '2026-04-01T00:00:00Z', to: '2026-04-02T00:00:00Z' };
  const found = await summary({ ...day, deviceIds: `${devices.silent},${devices.main}` });
  const known = new Map(found.devices.map((one) => [one.deviceId, [one.energyImportedKwh, one.measuredHours]]));
  expect(known.get(devices.silent)).toEqual([expect.closeTo(24, 9), 12]);
  expect(known.get(devices.main)).toEqual([expect.closeTo(49, 9), 24]);
});
