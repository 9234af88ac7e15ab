import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastOf, threadMsSince } from '../../test/support/least-of.ts';
import { cost as vectors } from '../../test/support/vectors.ts';
import { parseInstant } from '../base/instants.ts';
import { money, zero } from '../base/money.ts';
import { emptyPricedEnergy, energyLines, priceSlots } from './costs.rules.ts';
import { minuteOfDay, priceTimeline, type Tariff } from './tariffs.rules.ts';
import { constantLoad, simulate, type SimulatedTariff } from './simulation.rules.ts';

const rangeOf = (from: string, to: string) => ({
  fromMicros: parseInstant(from) ?? 0,
  toMicros: parseInstant(to) ?? 0,
});
const noPause = async () => undefined;
const tariff: SimulatedTariff = {
  currency: 'EUR',
  defaultRatePerKwh: money('0.3'),
  fixedChargePerMonth: zero,
  vatPercent: zero,
  exportRatePerKwh: null,
  periods: [],
};
const try1Day = (given: Partial<SimulatedTariff>, powerKw: number, siteCount = 1) => {
  const range = rangeOf('2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z');
  return simulate({ ...tariff, ...given }, 'UTC', range, { ...constantLoad(range, powerKw), siteCount }, noPause);
};

describe('a load on a tariff', () => {
  // Vectors with a constant load and a single tariff, which is in force throughout.
  const constant = vectors.filter(
    ({ energy, tariffs, expect }) => energy.startsWith('constant') && tariffs.length === 1 && expect.unpricedKwh === 0,
  );
  it('has enough vectors', () => expect(constant.length).toBeGreaterThanOrEqual(5));

  it.each(constant)(
    'costs what the vector $id says: $what',
    async ({ timeZone, tariffs, from, to, energy, expect: e }) => {
      const [given] = tariffs;
      if (given === undefined) throw new Error('no tariff');
      const range = rangeOf(from, to);
      const load = constantLoad(range, Number(/[\d.]+/.exec(energy)?.[0]));
      const result = await simulate(
        {
          currency: given.currency,
          defaultRatePerKwh: money(given.defaultRatePerKwh),
          fixedChargePerMonth: money(given.fixedChargePerMonth),
          vatPercent: money(given.vatPercent),
          exportRatePerKwh: given.exportRatePerKwh === null ? null : money(given.exportRatePerKwh),
          periods: given.periods.map((period, at) => ({
            id: String(at),
            name: period.name,
            daysOfWeek: period.daysOfWeek,
            startMinute: minuteOfDay(period.startTime),
            endMinute: minuteOfDay(period.endTime),
            ratePerKwh: money(period.ratePerKwh),
          })),
        },
        timeZone,
        range,
        load,
        noPause,
      );
      expect(result.energyImportedKwh).toBeCloseTo(e.importedKwh, 6);
      expect(Number(result.total)).toBe(e.totalRounded);
      expect(result.periods.map(({ name }) => name).toSorted()).toEqual(e.lines.map((line) => line.period).toSorted());
      for (const line of e.lines) {
        const own = result.periods.find(({ name }) => name === line.period);
        expect(own?.energyKwh).toBeCloseTo(line.energyKwh, 6);
      }
    },
  );

  it('negative power is export: credited before VAT, as a negative line of its own', async () => {
    const result = await try1Day({ exportRatePerKwh: money('0.08'), vatPercent: money(10) }, -2.5);
    expect(result).toMatchObject({ energyImportedKwh: 0, energyExportedKwh: 60 });
    expect([result.energyCost, result.vat, result.total].map(Number)).toEqual([-4.8, -0.48, -5.28]);
    expect(
      result.periods.map((line) => [line.name, Number(line.ratePerKwh), line.energyKwh, Number(line.cost)]),
    ).toEqual([['Export', 0.08, 60, -4.8]]);
  });

  it('export that is not credited, and no power at all, cost only the fixed charge', async () => {
    for (const powerKw of [-2.5, 0]) {
      const result = await try1Day({ fixedChargePerMonth: money(31), vatPercent: money(10) }, powerKw);
      expect([result.energyCost, result.fixedCharge, result.vat, result.total].map(Number)).toEqual([0, 1, 0.1, 1.1]);
      expect(result.periods).toEqual([]);
    }
  });

  it('the fixed charge is paid for each site, and for none without sites', async () => {
    const chargeOf = async (sites: number) =>
      Number((await try1Day({ fixedChargePerMonth: money(31) }, 1, sites)).fixedCharge);
    expect(await Promise.all([chargeOf(0), chargeOf(1), chargeOf(3)])).toEqual([0, 1, 3]);
  });

  it('amounts are rounded to the minor unit of the currency: JPY has none, KWD three digits', async () => {
    const totalIn = async (currency: string) =>
      Number((await try1Day({ currency, defaultRatePerKwh: money('1.2345678') }, 1)).total);
    expect(await Promise.all(['JPY', 'EUR', 'KWD'].map(totalIn))).toEqual([30, 29.63, 29.63]);
    expect(Number((await try1Day({ currency: 'KWD', defaultRatePerKwh: money('1.23459') }, 1)).total)).toBe(29.63);
    expect(Number((await try1Day({ currency: 'KWD', defaultRatePerKwh: money('1.2346') }, 0.1)).total)).toBe(2.963);
  });

  it('the parts add up to the total, and the periods to the energy cost, to the last cent', async () => {
    const rate = fc.integer({ min: 0, max: 1e7 }).map((value) => money(value).div(1e6));
    await fc.assert(
      fc.asyncProperty(
        rate,
        rate,
        rate,
        rate,
        fc.double({ min: -50, max: 50, noNaN: true }),
        async (a, b, c, d, kw) => {
          const periods = [
            { id: '1', name: 'One', daysOfWeek: 127, startMinute: 1320, endMinute: 370, ratePerKwh: a },
            { id: '2', name: 'Two', daysOfWeek: 31, startMinute: 400, endMinute: 1000, ratePerKwh: b },
          ];
          const terms = { periods, defaultRatePerKwh: c, exportRatePerKwh: d, fixedChargePerMonth: a, vatPercent: b };
          const result = await try1Day(terms, kw);
          expect(String(result.energyCost.plus(result.fixedCharge).plus(result.vat))).toBe(String(result.total));
          expect(String(result.periods.reduce((sum, line) => sum.plus(line.cost), zero))).toBe(
            String(result.energyCost),
          );
        },
      ),
    );
  });

  it('an end at 00:00 prices what an end at 24:00 does', async () => {
    const until = (endMinute: number) => ({
      periods: [
        { id: 'n', name: 'Late', daysOfWeek: 2, startMinute: 1320, endMinute, ratePerKwh: money(1) },
        { id: 'm', name: 'Early', daysOfWeek: 2, startMinute: 0, endMinute: 60, ratePerKwh: money(2) },
      ],
    });
    const [midnight, end] = [await try1Day(until(0), 1), await try1Day(until(1440), 1)];
    expect(midnight).toEqual(end);
    expect(midnight.periods.map((line) => [line.name, line.energyKwh])).toEqual([
      ['Early', 1],
      ['Default', 21],
      ['Late', 2],
    ]);
  });

  it('many years cost what the sum of their days does, in local time', async () => {
    const range = rangeOf('2020-01-01T00:07:00Z', '2026-01-01T00:00:00Z');
    const periods = [
      { id: 'n', name: 'Night', daysOfWeek: 127, startMinute: 1320, endMinute: 365, ratePerKwh: money(0) },
    ];
    const result = await simulate({ ...tariff, periods }, 'Europe/Berlin', range, constantLoad(range, 4), noPause);
    const hours = (range.toMicros - range.fromMicros) / 3_600_000_000;
    expect(result.energyImportedKwh).toBeCloseTo(4 * hours, 6);
    expect(result.periods.reduce((sum, line) => sum + line.energyKwh, 0)).toBeCloseTo(4 * hours, 6);
  });

  it('in any zone, range and period, it costs the same as real energy', async () => {
    const from = parseInstant('1880-01-01T00:00:00Z') ?? 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          'Europe/Berlin',
          'Africa/Monrovia',
          'Asia/Kathmandu',
          'Australia/Lord_Howe',
          'America/New_York',
        ),
        fc.nat(200 * 365 * 24 * 60),
        fc.integer({ min: 1, max: 60 * 24 * 200 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 1439 }), { minLength: 2, maxLength: 6 }),
        fc.integer({ min: 1, max: 127 }),
        async (timeZone, minutes, length, edges, daysOfWeek) => {
          const fromMicros = from + minutes * 60_000_000;
          const range = { fromMicros, toMicros: fromMicros + length * 60_000_000 };
          const ascending = edges.toSorted((a, b) => a - b);
          const periods = ascending.map((startMinute, at) => ({
            id: String(at),
            name: String(at),
            daysOfWeek,
            startMinute,
            endMinute: ascending[at + 1] ?? ascending[0] ?? 0,
            ratePerKwh: money(at + 1),
          }));
          const { slots } = constantLoad(range, 1);
          for (const [at, kwh] of slots.importedKwh.entries()) slots.importedKwh[at] = kwh * ((at * 7919) % 101);
          const real: Tariff = {
            ...tariff,
            periods,
            id: '',
            name: '',
            isActive: true,
            effectiveFrom: '',
            effectiveTo: null,
          };
          const priced = emptyPricedEnergy();
          priceSlots(priced, slots, priceTimeline(range, timeZone, [real]));
          const found = await simulate({ ...tariff, periods }, timeZone, range, { slots, siteCount: 1 }, noPause);
          expect(found.energyImportedKwh).toBeCloseTo(priced.importedKwh, 6);
          const wanted = energyLines(priced).map(
            ({ name, energyKwh }) => [name, expect.closeTo(energyKwh, 6)] as const,
          );
          expect(Object.fromEntries(found.periods.map(({ name, energyKwh }) => [name, energyKwh]))).toEqual(
            Object.fromEntries(wanted),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('200 periods over ten years take little time, and no step blocks others for long', async () => {
    const range = rangeOf('2016-01-01T00:00:00Z', '2026-01-08T00:00:00Z');
    const periods = Array.from({ length: 200 }, (_, at) => ({
      id: String(at),
      name: String(at),
      daysOfWeek: 127,
      startMinute: at * 7,
      endMinute: at * 7 + 5,
      ratePerKwh: money(at),
    }));
    const run = async () => {
      const stepsMs: number[] = [];
      let before = process.threadCpuUsage();
      const pause = async () => {
        stepsMs.push(threadMsSince(before));
        before = process.threadCpuUsage();
      };
      const { total } = await simulate({ ...tariff, periods }, 'Europe/Berlin', range, constantLoad(range, 1), pause);
      await pause();
      expect(Number(total)).toBeGreaterThan(0);
      return stepsMs;
    };
    expect(await leastOf(50, async () => Math.max(...(await run())))).toBeLessThan(50);
    // About 20; a step per day and period would take 800.
    const sumMs = await leastOf(200, async () => (await run()).reduce((sum, step) => sum + step, 0));
    expect(sumMs).toBeLessThan(200);
  });

  it('the first and last supported days have a price in every time zone', async () => {
    for (const zone of ['America/Los_Angeles', 'UTC', 'Pacific/Auckland']) {
      for (const range of [
        rangeOf('0001-01-01T00:00:00Z', '0001-01-02T00:00:00Z'),
        rangeOf('9999-12-30T23:00:00Z', '9999-12-31T23:00:00Z'),
      ]) {
        const result = await simulate(
          { ...tariff, fixedChargePerMonth: money(31) },
          zone,
          range,
          constantLoad(range, 1),
          noPause,
        );
        expect([Number(result.energyCost), Number(result.fixedCharge)]).toEqual([7.2, 1]);
      }
    }
  });
});
