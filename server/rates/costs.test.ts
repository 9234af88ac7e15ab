import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cost as vectors, type VectorTariff } from '../../test/support/vectors.ts';
import { startOfDay } from '../base/ranges.ts';
import { emptyEnergy, slotMicros } from '../energy/energy.rules.ts';
import { type ChargedSite, stateCosts } from './cost-statement.rules.ts';
import { addImported, costsOf, emptyPricedEnergy, energyLines, priceSlots, type SlotEnergy } from './costs.rules.ts';
import { minorDigits } from '../../shared/primitives.ts';
import { money, roundMoney, roundParts, roundTable } from '../base/money.ts';
import {
  findOverlap,
  localDays,
  priceTimeline,
  type Tariff,
  tariffDaysOf,
  tariffInForce,
  type TariffPeriod,
} from './tariffs.rules.ts';

const micros = (time: string) => Date.parse(time) * 1000;
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const tariffOf = (given: VectorTariff, at: number): Tariff => ({
  ...given,
  id: `tariff ${at}`,
  defaultRatePerKwh: money(given.defaultRatePerKwh),
  fixedChargePerMonth: money(given.fixedChargePerMonth),
  vatPercent: money(given.vatPercent),
  exportRatePerKwh: given.exportRatePerKwh === null ? null : money(given.exportRatePerKwh),
  periods: given.periods.map((period, index) => ({
    id: `period ${index}`,
    name: period.name,
    daysOfWeek: period.daysOfWeek,
    startMinute: minutesOf(period.startTime),
    endMinute: minutesOf(period.endTime),
    ratePerKwh: money(period.ratePerKwh),
  })),
});

function constantLoad(from: number, to: number, kw: number): SlotEnergy {
  const startMicros = Math.floor(from / slotMicros) * slotMicros;
  const count = Math.ceil((to - startMicros) / slotMicros);
  return {
    ...emptyEnergy(count),
    startMicros,
    range: { fromMicros: startMicros, toMicros: startMicros + count * slotMicros },
    importedKwh: new Float64Array(count).fill(kw / 4),
  };
}

function listedSlots(slots: readonly [string, number, number][], from: number, to: number): SlotEnergy {
  const all = constantLoad(from, to, 0);
  for (const [start, imported, exported] of slots) {
    const at = (micros(start) - all.startMicros) / slotMicros;
    all.importedKwh[at] = imported;
    all.exportedKwh[at] = exported;
  }
  return all;
}

function price(slots: SlotEnergy, range: { fromMicros: number; toMicros: number }, zone: string, tariffs: Tariff[]) {
  const priced = emptyPricedEnergy();
  priceSlots(priced, slots, priceTimeline(range, zone, tariffs));
  return { priced, costs: costsOf(priced, tariffDaysOf(range, zone, tariffs)) };
}

describe('energy-and-cost.md 7: vectors', () => {
  it.each(vectors)('$id $what', ({ timeZone, tariffs: given, from, to, energy, slots, expect: wanted }) => {
    const range = { fromMicros: micros(from), toMicros: micros(to) };
    const kw = Number(/^constant ([\d.]+) kW$/.exec(energy)?.[1] ?? Number.NaN);
    const load =
      slots === null
        ? constantLoad(range.fromMicros, range.toMicros, kw)
        : listedSlots(slots, range.fromMicros, range.toMicros);
    const { priced, costs } = price(load, range, timeZone, given.map(tariffOf));
    const [found] = costs;
    expect(priced.importedKwh).toBeCloseTo(wanted.importedKwh, 6);
    expect(priced.unpricedKwh).toBeCloseTo(wanted.unpricedKwh, 6);
    expect(costs).toHaveLength(1);
    for (const name of ['energyCost', 'fixedCharge', 'vat', 'total'] as const) {
      expect(Number(found?.[name]), name).toBeCloseTo(wanted[name], 6);
    }
    const credit = energyLines(priced).find((line) => line.isExport)?.cost ?? money(0);
    expect(-Number(credit), 'exportCredit').toBeCloseTo(wanted.exportCredit, 6);
    expect(Number(roundMoney(found?.total ?? money(0), minorDigits('EUR')))).toBe(wanted.totalRounded);
    const lines = energyLines(priced)
      .filter((line) => !line.isExport)
      .map((line) => ({
        period: line.name,
        ratePerKwh: Number(line.ratePerKwh),
        energyKwh: line.energyKwh,
        cost: Number(line.cost),
      }));
    const order = (a: { period: string; ratePerKwh: number }, b: { period: string; ratePerKwh: number }) =>
      a.period.localeCompare(b.period) || a.ratePerKwh - b.ratePerKwh;
    expect(lines.toSorted(order)).toEqual(
      wanted.lines
        .map((line) => ({ ...line, energyKwh: expect.closeTo(line.energyKwh, 6), cost: expect.closeTo(line.cost, 6) }))
        .toSorted((a, b) => a.period.localeCompare(b.period) || a.ratePerKwh - b.ratePerKwh),
    );
  });
});

const night: TariffPeriod = {
  id: 'night',
  name: 'Night',
  daysOfWeek: 127,
  startMinute: 22 * 60,
  endMinute: 6 * 60,
  ratePerKwh: money('0.1'),
};
const plain: Tariff = {
  id: 'plain',
  name: 'T',
  currency: 'EUR',
  isActive: true,
  effectiveFrom: '2020-01-01',
  effectiveTo: null,
  defaultRatePerKwh: money('0.3'),
  fixedChargePerMonth: money('12.5'),
  vatPercent: money(19),
  exportRatePerKwh: null,
  periods: [night],
};
const zones = fc.constantFrom(
  'Europe/Berlin',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Asia/Kathmandu',
);
const ranges = fc
  .tuple(fc.integer({ min: 0, max: 600_000 }), fc.integer({ min: 1, max: 60_000 }))
  .map(([start, length]) => {
    const fromMicros = micros('2025-06-01T00:00:00Z') + start * 60_000_000;
    return { fromMicros, toMicros: fromMicros + length * 60_000_000 };
  });

describe('energy-and-cost.md 7: laws', () => {
  it('splitting a tariff without changing its rates changes nothing', () => {
    fc.assert(
      fc.property(zones, ranges, fc.integer({ min: 1, max: 700 }), (zone, range, days) => {
        const date = new Date(Date.UTC(2025, 5, 1) + days * 86_400_000).toISOString().slice(0, 10);
        const load = constantLoad(range.fromMicros, range.toMicros, 3.7);
        const whole = price(load, range, zone, [plain]).costs[0];
        const split = price(load, range, zone, [
          { ...plain, id: 'before', effectiveTo: date },
          { ...plain, id: 'after', effectiveFrom: date },
        ]).costs[0];
        expect(Number(split?.total)).toBeCloseTo(Number(whole?.total), 8);
      }),
    );
  });

  it('a range cut in two costs as much as the whole', () => {
    fc.assert(
      fc.property(zones, ranges, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (zone, range, at) => {
        const middle = range.fromMicros + Math.round((range.toMicros - range.fromMicros) * at);
        const load = constantLoad(range.fromMicros, range.toMicros, 3.7);
        const total = (part: typeof range) => Number(price(load, part, zone, [plain]).costs[0]?.total);
        const parts = total({ ...range, toMicros: middle }) + total({ ...range, fromMicros: middle });
        expect(parts).toBeCloseTo(total(range), 7);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['America/St_Johns', '2010-11'],
    ['America/Goose_Bay', '2010-11'],
    ['America/Moncton', '2006-10'],
    ['Antarctica/Casey', '2010-03'],
    ['Pacific/Apia', '2011-11'],
    ['Europe/Berlin', '2026-10'],
  ])(
    'the days of a whole month are its dates, each a whole day, even if the clocks turn back over midnight: %s',
    (zone, month) => {
      const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 });
      const [fromMicros, toMicros] = [first, first.add({ months: 1 })].map((date) =>
        startOfDay(date.toString(), zone),
      ) as [number, number];
      const days = localDays({ fromMicros, toMicros }, zone, [plain]);
      expect(days.map(({ share }) => share)).toEqual(Array.from({ length: first.daysInMonth }, () => 1));
      expect(days.at(-1)?.date).toBe(first.add({ days: first.daysInMonth - 1 }).toString());
    },
  );

  it('the intervals of a range follow each other without a hole', () => {
    fc.assert(
      fc.property(zones, ranges, (zone, range) => {
        const intervals = priceTimeline(range, zone, [plain]);
        const days = localDays(range, zone, [plain]);
        for (const parts of [intervals, days]) {
          expect([parts[0]?.fromMicros, parts.at(-1)?.toMicros]).toEqual([range.fromMicros, range.toMicros]);
          for (let at = 1; at < parts.length; at += 1) expect(parts[at]?.fromMicros).toBe(parts[at - 1]?.toMicros);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('energy without a tariff is unpriced; two currencies are never added up', () => {
    const range = { fromMicros: micros('2026-01-01T00:00:00Z'), toMicros: micros('2026-01-04T00:00:00Z') };
    const { priced, costs } = price(constantLoad(range.fromMicros, range.toMicros, 1), range, 'UTC', [
      { ...plain, id: 'a', periods: [], effectiveTo: '2026-01-02' },
      { ...plain, id: 'b', periods: [], effectiveFrom: '2026-01-03', currency: 'CHF' },
    ]);
    expect(priced.unpricedKwh).toBe(24);
    expect(costs.map(({ currency, energyCost }) => [currency, Number(energyCost)])).toEqual([
      ['CHF', 7.2],
      ['EUR', 7.2],
    ]);
  });
});

describe('energy-and-cost.md 7: rounding', () => {
  it('is half away from zero, to the minor unit of the currency', () => {
    expect(Number(roundMoney(money('2.345'), 2))).toBe(2.35);
    expect(Number(roundMoney(money('-2.345'), 2))).toBe(-2.35);
    expect(['EUR', 'JPY', 'KWD', 'HUF', 'IDR', 'IQD'].map(minorDigits)).toEqual([2, 0, 3, 2, 2, 3]);
  });

  it('parts add up to the total: the remainder goes to the largest', () => {
    const parts = ['33.333', '33.334', '33.333'].map(money);
    expect(roundParts(parts, money(100), 2).map(Number)).toEqual([33.33, 33.34, 33.33]);
    const many = ['0.004', '0.003', '0.004', '0.003', '0.004'].map(money);
    expect(roundParts(many, money('0.02'), 2).map(Number)).toEqual([0.01, 0, 0.01, 0, 0]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 9 }), (mills) => {
        const exact = mills.map((value) => money(value).div(1000));
        const total = roundMoney(
          exact.reduce((all, part) => all.plus(part), money(0)),
          2,
        );
        const sum = roundParts(exact, total, 2).reduce((all, part) => all.plus(part), money(0));
        expect(sum.eq(total)).toBe(true);
      }),
    );
  });

  it('thousands of sites whose amounts all end in half a cent are distributed without blocking others', () => {
    const sites = Array.from({ length: 5000 }, () => ['10.005', '3.335', '0.004'].map(money));
    const rows = sites.map(() => money('13.34'));
    const columns = ['50025', '16675', '0'].map(money);
    const rounded = roundTable(sites, { rows, columns }, 2);
    for (const [at, total] of columns.entries()) {
      expect(rounded.reduce((sum, row) => sum.plus(row[at] ?? 0), money(0)).eq(total)).toBe(true);
    }
  });

  it('costs of sites add up in both directions: by site, and separately for energy, fixed charge and VAT', () => {
    const mills = fc.integer({ min: -1e6, max: 1e6 });
    const anySite = fc.record({ kwh: fc.constantFrom(0, 1, 7), energy: mills, fixed: fc.nat(1e6), vat: fc.nat(40) });
    fc.assert(
      fc.property(fc.array(anySite, { minLength: 1, maxLength: 6 }), (given) => {
        const sites = given.map(({ kwh, energy, fixed, vat }, at): ChargedSite => {
          const own: Tariff = {
            id: String(at),
            name: 'T',
            currency: 'EUR',
            isActive: true,
            effectiveFrom: '2026-01-01',
            effectiveTo: null,
            defaultRatePerKwh: money(energy).div(1000),
            fixedChargePerMonth: money(fixed).div(1000),
            vatPercent: money(vat),
            exportRatePerKwh: null,
            periods: [],
          };
          const priced = emptyPricedEnergy();
          if (kwh > 0) addImported(priced, { tariff: own, period: null, importedKwh: kwh, interpolatedKwh: 0 });
          return { siteId: String(at), priced, days: new Map([[own, new Map([[30, 30]])]]), devices: [] };
        });
        const statement = stateCosts(sites);
        const cents = (amount = 0) => Math.round(amount * 100) + 0;
        const rows = sites.flatMap(({ siteId }) => statement.sites.get(siteId) ?? []);
        for (const { total, energyCost, fixedCharge, vat } of rows) {
          expect(cents(energyCost) + cents(fixedCharge) + cents(vat)).toBe(cents(total));
        }
        for (const name of ['energyCost', 'fixedCharge', 'vat', 'total'] as const) {
          expect(rows.reduce((sum, row) => sum + cents(row[name]), 0)).toBe(cents(statement.costs[0]?.[name]));
          for (const [at, row] of rows.entries()) {
            const [alone] = stateCosts(sites.slice(at, at + 1)).costs;
            expect(Math.abs(cents(row[name]) - cents(alone?.[name]))).toBeLessThanOrEqual(3);
          }
        }
      }),
    );
  });
});

describe('decisions 6: periods and tariffs', () => {
  const period = (start: string, end: string, daysOfWeek = 127, name = start): TariffPeriod => ({
    ...night,
    id: name,
    name,
    daysOfWeek,
    startMinute: minutesOf(start),
    endMinute: minutesOf(end),
  });

  it.each([
    [period('06:00', '08:00'), period('08:00', '10:00'), null],
    [period('06:00', '08:01'), period('08:00', '10:00'), 0],
    [period('22:00', '06:00', 1), period('05:00', '07:00', 1), null],
    [period('22:00', '06:00', 1), period('05:00', '07:00', 2), 1],
    [period('22:00', '06:00', 64), period('05:00', '07:00', 1), 0],
    [period('00:00', '24:00', 32), period('22:00', '06:00', 16), 5],
  ])('%# periods that overlap on some day are found, also past midnight', (first, second, weekday) => {
    expect(findOverlap([first, second])?.weekday ?? null).toBe(weekday);
  });

  it('of the active tariffs that cover a date the latest applies; the end is exclusive', () => {
    const later = { ...plain, id: 'later', effectiveFrom: '2026-01-01', effectiveTo: '2026-02-01' };
    const off = { ...plain, id: 'off', effectiveFrom: '2026-01-15', isActive: false };
    const at = (date: string) => tariffInForce([plain, later, off], date)?.id ?? null;
    expect(['2019-12-31', '2025-12-31', '2026-01-20', '2026-02-01'].map(at)).toEqual([null, 'plain', 'later', 'plain']);
  });
});
