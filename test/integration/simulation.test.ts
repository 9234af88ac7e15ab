import { beforeAll, describe, expect, test } from 'vitest';
import type { Simulation, SimulationResult } from '../../shared/rates.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { leastOf, threadMsSince } from '../support/least-of.ts';
import { cost as vectors } from '../support/vectors.ts';

const portal = appOfFile();
let plain: { cookie: string };

beforeAll(async () => {
  const admin = await portal.signIn();
  const account = { email: 'reader@example.com', password: 'Reader-pass-1' };
  const payload = { ...account, displayName: 'Reader' };
  await portal.app.inject({ method: 'POST', url: '/api/users', payload, headers: admin });
  plain = await portal.signIn(account);
});

const ask = (payload: object, headers: object = plain) =>
  portal.app.inject({ method: 'POST', url: '/api/rates/simulate', payload, headers: { ...headers } });
const errorOf = (answer: { json: <T>() => T }) => answer.json<{ error: string }>().error;
const terms = {
  currency: 'EUR',
  defaultRatePerKwh: 0.3,
  fixedChargePerMonth: 31,
  vatPercent: 19,
  exportRatePerKwh: 0.08,
  periods: [
    { name: 'Night', daysOfWeek: 127, startTime: '22:00', endTime: '06:00', ratePerKwh: 0.1841 },
    { name: 'Noon', daysOfWeek: 2, startTime: '11:10', endTime: '13:00', ratePerKwh: 0.1234567891 },
  ],
};
const simulation = (changes: object = {}) => ({
  tariff: terms,
  timeZone: 'Europe/Berlin',
  from: '2026-03-09T23:00:00Z',
  to: '2026-03-10T23:00:00Z',
  load: { kind: 'constant', powerKw: 10 } satisfies Simulation['load'],
  ...changes,
});

describe('POST /api/rates/simulate', () => {
  test('prices a constant load by period, fixed charge and VAT, in amounts that add up; any user may ask', async () => {
    const answer = await ask(simulation());
    expect(answer.statusCode, answer.body).toBe(200);
    const result = answer.json<SimulationResult>();
    // 80 kWh x 0.1841, 55/3 kWh x 0.1234567891 (ten past eleven to one), the rest at 0.3; a day of March; 19 %.
    expect(result).toMatchObject({
      from: '2026-03-09T23:00:00Z',
      to: '2026-03-10T23:00:00Z',
      currency: 'EUR',
      energyExportedKwh: 0,
      energyCost: 59.49,
      fixedCharge: 1,
      vat: 11.49,
      total: 71.98,
    });
    expect(result.energyImportedKwh).toBeCloseTo(240, 9);
    const lines = result.periods.toSorted((a, b) => a.name.localeCompare(b.name));
    expect(lines.map(({ name, ratePerKwh, cost, currency }) => [name, ratePerKwh, cost, currency])).toEqual([
      ['Default', 0.3, 42.5, 'EUR'],
      ['Night', 0.1841, 14.73, 'EUR'],
      ['Noon', 0.1234567891, 2.26, 'EUR'],
    ]);
    expect(lines.map(({ energyKwh }) => energyKwh)).toEqual([
      expect.closeTo(240 - 80 - 55 / 3, 6),
      expect.closeTo(80, 6),
      expect.closeTo(55 / 3, 6),
    ]);
  });

  test.each(
    vectors.filter(
      ({ energy, tariffs, expect: e }) => energy.startsWith('constant') && tariffs.length === 1 && e.unpricedKwh === 0,
    ),
  )('returns what the vector $id says: $what', async ({ timeZone, tariffs, from, to, energy, expect: wanted }) => {
    const load = { kind: 'constant', powerKw: Number(/[\d.]+/.exec(energy)?.[0]) };
    const answer = await ask({ tariff: tariffs[0], timeZone, from, to, load });
    expect(answer.statusCode, answer.body).toBe(200);
    const result = answer.json<SimulationResult>();
    expect(result.total).toBe(wanted.totalRounded);
    expect(result.energyImportedKwh).toBeCloseTo(wanted.importedKwh, 6);
    expect(result.energyCost + result.fixedCharge + result.vat).toBeCloseTo(result.total, 9);
  });

  test('negative power is export: a credit before VAT', async () => {
    const result = (await ask(simulation({ load: { kind: 'constant', powerKw: -10 } }))).json<SimulationResult>();
    expect(result).toMatchObject({
      energyImportedKwh: 0,
      energyExportedKwh: 240,
      energyCost: -19.2,
      fixedCharge: 1,
      vat: -3.46,
      total: -21.66,
      periods: [{ name: 'Export', ratePerKwh: 0.08, energyKwh: 240, cost: -19.2, currency: 'EUR' }],
    });
  });

  test('applies to the whole range whatever the dates of the tariff, and stores nothing', async () => {
    const tariff = { ...terms, isActive: false, effectiveFrom: '2030-01-01', effectiveTo: '2030-01-02' };
    const before = (await ask(simulation())).json();
    expect((await ask(simulation({ tariff }))).json()).toEqual(before);
    expect((await portal.app.inject({ url: '/api/rates', headers: plain })).json()).toEqual([]);
  });

  test.each([
    ['to that is from', { to: '2026-03-09T23:00:00Z' }, /to must be after from/],
    ['no instant', { from: '2026-03-10' }, /^from is "2026-03-10"; expected an ISO 8601 instant/],
    ['more than ten years', { to: '2036-04-10T23:00:00Z' }, /^to: .*3660 days; got \d+/],
    ['an unknown time zone', { timeZone: 'Mars/Olympus' }, /^timeZone: must be an IANA time zone/],
    ['no load', { load: undefined }, /^load:? is missing/],
    ['power that is a text', { load: { kind: 'constant', powerKw: '1' } }, /^load\.powerKw: must be a number/],
    ['too much power', { load: { kind: 'constant', powerKw: 2e9 } }, /^load\.powerKw: /],
    ['an unknown load', { load: { kind: 'wind' } }, /^load\.kind: must be constant or devices; got "wind"/],
    ['an unknown currency', { tariff: { ...terms, currency: 'XYZ' } }, /^tariff\.currency: must be an ISO 4217/],
    ['a negative rate', { tariff: { ...terms, defaultRatePerKwh: -1 } }, /^tariff\.defaultRatePerKwh: must not be neg/],
    [
      'periods that overlap',
      {
        tariff: {
          ...terms,
          periods: [...terms.periods, { ...terms.periods[0], name: 'Late', startTime: '05:00', endTime: '07:00' }],
        },
      },
      /^tariff\.periods: "Night".*"Late".*overlap on Monday/,
    ],
    [
      'equal times',
      { tariff: { ...terms, periods: [{ ...terms.periods[0], endTime: '22:00' }] } },
      /^tariff\.periods\.0\.endTime: must differ/,
    ],
  ])('%s: 400 that says so', async (_what, changes, message) => {
    const answer = await ask(simulation(changes));
    expect(answer.statusCode, answer.body).toBe(400);
    expect(errorOf(answer)).toMatch(message);
  });

  test('20 at once over ten years with 200 periods: each is answered, and other requests get their turn within 50 ms', async () => {
    const time = (minute: number) =>
      `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
    const periods = Array.from({ length: 200 }, (_, at) => ({
      ...terms.periods[0],
      name: `P${at}`,
      startTime: time(at * 7),
      endTime: time(at * 7 + 5),
    }));
    const long = { tariff: { ...terms, periods }, from: '2016-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' };
    const began = process.threadCpuUsage();
    let rounds = 0;
    const longest = await leastOf(50, async () => {
      rounds += 1;
      let last = process.threadCpuUsage();
      let longestMs = 0;
      const timer = setInterval(() => {
        longestMs = Math.max(longestMs, threadMsSince(last));
        last = process.threadCpuUsage();
      }, 1);
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask(simulation(long))));
      clearInterval(timer);
      for (const answer of answers) {
        expect(answer.statusCode, answer.body).toBe(200);
        expect(answer.json<SimulationResult>().periods).toHaveLength(201);
      }
      return longestMs;
    });
    expect(longest).toBeLessThan(50);
    // 800 ms each were 16 s in sequence.
    expect(threadMsSince(began)).toBeLessThan(rounds * 4_000);
  });
});
