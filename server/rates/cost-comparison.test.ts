import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { compareCosts, type ComparedTotals } from './cost-comparison.rules.ts';
import { stateCosts } from './cost-statement.rules.ts';
import { addExported, addImported, emptyPricedEnergy, sumPriced } from './costs.rules.ts';
import type { SiteTotals } from './energy-totals.rules.ts';
import { minorDigits } from '../../shared/primitives.ts';
import { money } from '../base/money.ts';
import type { Tariff } from './tariffs.rules.ts';

const usage = z.object({
  import: z.array(z.tuple([z.string(), z.string().nullable(), z.number()])).default([]),
  export: z.array(z.tuple([z.string(), z.number()])).default([]),
  months: z.record(z.string(), z.number()).default({}),
});
const given = z.object({
  defaultRatePerKwh: z.string(),
  fixedChargePerMonth: z.string(),
  vatPercent: z.string(),
  exportRatePerKwh: z.string().optional(),
  periods: z.record(z.string(), z.string()),
  currency: z.string().default('EUR'),
});
const vectors = z.object({
  cases: z.array(
    z.object({
      id: z.string(),
      what: z.string(),
      tariffs: z.record(z.string(), given),
      current: usage,
      other: usage,
      atOtherPrices: usage.optional(),
      lines: z.array(z.tuple([z.string(), z.string(), z.string(), z.number(), z.number(), z.number(), z.number()])),
      total: z.tuple([z.number(), z.number(), z.number(), z.number()]),
    }),
  ),
});
type Usage = z.infer<typeof usage>;
const file = new URL('../../test/vectors/cost-comparison.json', import.meta.url);
const { cases } = vectors.parse(JSON.parse(readFileSync(file, 'utf8')));

const tariffOf = (id: string, { exportRatePerKwh, periods, ...rates }: z.infer<typeof given>): Tariff => ({
  id,
  name: id,
  currency: rates.currency,
  isActive: true,
  effectiveFrom: '2026-01-01',
  effectiveTo: null,
  defaultRatePerKwh: money(rates.defaultRatePerKwh),
  fixedChargePerMonth: money(rates.fixedChargePerMonth),
  vatPercent: money(rates.vatPercent),
  exportRatePerKwh: exportRatePerKwh === undefined ? null : money(exportRatePerKwh),
  periods: Object.entries(periods).map(([name, rate]) => ({
    id: name,
    name,
    daysOfWeek: 127,
    startMinute: 0,
    endMinute: 60,
    ratePerKwh: money(rate),
  })),
});

/** A site with a device for each usage; the days are those of the first usage. */
function siteOf(siteId: string, tariffs: ReadonlyMap<string, Tariff>, usages: readonly Usage[]): SiteTotals {
  const find = (id: string) => tariffs.get(id) ?? tariffOf(id, cases[0]?.tariffs.a ?? given.parse({}));
  const devices = usages.map((own, at) => {
    const priced = emptyPricedEnergy();
    for (const [id, name, importedKwh] of own.import) {
      const period = find(id).periods.find((one) => one.name === name) ?? null;
      addImported(priced, { tariff: find(id), period, importedKwh, interpolatedKwh: 0 });
      priced.importedKwh += importedKwh;
    }
    for (const [id, kwh] of own.export) addExported(priced, find(id), kwh, 0);
    return { number: Number(siteId) * 100 + at, priced, addsUp: true };
  });
  const days = new Map(
    Object.entries(usages[0]?.months ?? {}).map(([id, months]) => [find(id), new Map([[30, months * 30]])]),
  );
  return { siteId, priced: sumPriced(devices.map((device) => device.priced)), days, devices, parts: [] };
}

describe('docs/energy.md, cost comparison', () => {
  it.each(cases)('$id $what', ({ tariffs: listed, current, other, atOtherPrices = current, lines, total }) => {
    const tariffs = new Map(Object.entries(listed).map(([id, one]) => [id, tariffOf(id, one)]));
    const sites = (own: Usage) => [siteOf('1', tariffs, [own])];
    const compared = compareCosts({
      current: sites(current),
      other: sites(other),
      atOtherPrices: sites(atOtherPrices),
    });
    expect(
      compared.lines.map((line) => [
        line.kind,
        line.periods.join(', '),
        line.otherPeriods.join(', '),
        line.cost,
        line.otherCost,
        line.quantityEffect,
        line.priceEffect,
      ]),
    ).toEqual(lines);
    const [cost, otherCost, quantityEffect, priceEffect] = total;
    expect(compared.totals).toEqual([{ currency: 'EUR', cost, otherCost, quantityEffect, priceEffect }]);
  });

  const kwh = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 5e4, noNaN: true }));
  const rate = fc.integer({ min: 0, max: 900_000 }).map((units) => money(units).div(1e6).toFixed());
  const tariffArbitrary = fc.record({
    currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
    defaultRatePerKwh: rate,
    fixedChargePerMonth: rate,
    vatPercent: fc.constantFrom('0', '7', '19', '7.7'),
    exportRatePerKwh: rate,
    periods: fc.dictionary(fc.constantFrom('Day', 'Night', 'Weekend'), rate),
  });
  const ids = ['a', 'b', 'c'];
  const usageArbitrary: fc.Arbitrary<Usage> = fc.record({
    import: fc.array(fc.tuple(fc.constantFrom(...ids), fc.constantFrom(null, 'Day', 'Night', 'Weekend'), kwh), {
      maxLength: 8,
    }),
    export: fc.array(fc.tuple(fc.constantFrom(...ids), kwh), { maxLength: 2 }),
    months: fc.dictionary(fc.constantFrom(...ids), fc.double({ min: 0, max: 13, noNaN: true })),
  });
  const devicesArbitrary = fc.array(usageArbitrary, { minLength: 3, maxLength: 3 });
  const sitesArbitrary = fc.array(devicesArbitrary, { minLength: 2, maxLength: 2 });

  it('for any energy, tariffs and currencies, every row and every column adds up to the difference, to the smallest unit', () => {
    fc.assert(
      fc.property(
        fc.tuple(tariffArbitrary, tariffArbitrary, tariffArbitrary),
        sitesArbitrary,
        sitesArbitrary,
        sitesArbitrary,
        (rates, current, other, atOtherPrices) => {
          const tariffs = new Map(ids.map((id, at) => [id, tariffOf(id, rates[at] ?? rates[0])]));
          const read = (sites: readonly (readonly Usage[])[]) =>
            sites.map((own, at) => siteOf(String(at + 1), tariffs, own));
          const totals: ComparedTotals = {
            current: read(current),
            other: read(other),
            atOtherPrices: read(atOtherPrices),
          };
          const compared = compareCosts(totals);
          const [costs, otherCosts] = [stateCosts(totals.current).costs, stateCosts(totals.other).costs];
          for (const total of compared.totals) {
            const { currency } = total;
            const totalIn = (all: typeof costs) => all.find((cost) => cost.currency === currency)?.total ?? 0;
            expect([total.cost, total.otherCost]).toEqual([totalIn(costs), totalIn(otherCosts)]);
            const unit = 10 ** minorDigits(currency);
            const units = (amount: number) => Math.round(amount * unit) + 0;
            const sumOf = (
              rows: readonly (typeof total)[],
              name: 'cost' | 'otherCost' | 'quantityEffect' | 'priceEffect',
            ) => rows.reduce((sum, row) => sum + units(row[name]), 0);
            const lines = compared.lines.filter((line) => line.currency === currency);
            const devices = compared.devices.filter((device) => device.currency === currency);
            for (const row of [total, ...lines, ...devices]) {
              expect(units(row.quantityEffect) + units(row.priceEffect)).toBe(units(row.cost) - units(row.otherCost));
            }
            const energy = lines.filter(({ kind }) => kind === 'energy' || kind === 'export');
            for (const name of ['cost', 'otherCost', 'quantityEffect', 'priceEffect'] as const) {
              expect(sumOf(lines, name)).toBe(units(total[name]));
              expect(sumOf(devices, name)).toBe(sumOf(energy, name));
            }
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('devices add up to the lines even if the other range has another currency and used nothing in it', () => {
    const [rates = given.parse({})] = Object.values(cases[0]?.tariffs ?? {});
    const tariffs = new Map([
      ['a', tariffOf('a', rates)],
      ['b', tariffOf('b', { ...rates, currency: 'JPY' })],
    ]);
    const sites = (own: Partial<Usage>) => [siteOf('1', tariffs, [{ import: [], export: [], months: {}, ...own }])];
    const { lines, devices } = compareCosts({
      current: sites({ import: [['a', null, 100]], months: { a: 1 } }),
      other: sites({ months: { b: 1 } }),
      atOtherPrices: sites({ import: [['b', null, 100]], months: { b: 1 } }),
    });
    const inYen = (rows: readonly { currency: string; priceEffect: number }[]) =>
      rows.find(({ currency }) => currency === 'JPY')?.priceEffect;
    expect(inYen(devices)).toBeLessThan(0);
    expect(inYen(devices)).toBe(inYen(lines));
  });

  it('the same prices have no price effect in any row, however amounts are rounded', () => {
    fc.assert(
      fc.property(tariffArbitrary, sitesArbitrary, sitesArbitrary, (rates, current, other) => {
        const tariffs = new Map(ids.map((id) => [id, tariffOf(id, rates)]));
        const read = (sites: readonly (readonly Usage[])[]) =>
          sites.map((own, at) => siteOf(String(at + 1), tariffs, own));
        const sites = read(current);
        const { lines, devices } = compareCosts({ current: sites, other: read(other), atOtherPrices: sites });
        expect([...lines, ...devices].filter(({ priceEffect }) => priceEffect !== 0)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
