import { describe, expect, it } from 'vitest';
import { exactCost } from '../../test/support/exact-cost.ts';
import { exactMeter, exactPeak, type ExactReading, kwhOf, quarter } from '../../test/support/exact-energy.ts';
import {
  type GeneratedMeter,
  generatedMeters,
  generatedRanges,
  generatedTariff,
} from '../../test/support/generated-meters.ts';
import { registerSpans } from '../../test/support/register-spans.ts';
import { stateCosts } from '../rates/cost-statement.rules.ts';
import { emptyPricedEnergy, priceSlots, type SlotEnergy } from '../rates/costs.rules.ts';
import { emptyDemand, markInterpolated, peakDemand } from './power.rules.ts';
import { type EnergyReading, type Grid, slotMicros, energyColumns } from './energy.rules.ts';
import type { MicrosRange } from '../base/instants.ts';
import { measureEnergy } from './measure-energy.rules.ts';
import { money } from '../base/money.ts';
import { minuteOfDay, priceTimeline, type Tariff, tariffDaysOf } from '../rates/tariffs.rules.ts';

const inKwh = (mwh: bigint | null) => (mwh === null ? null : Number(mwh) / 1e6);
const readingOf = ({ time, power, imported, exported }: ExactReading): EnergyReading => ({
  timeMicros: Number(time),
  activePowerKw: Number(power) / 1e6,
  importedKwh: inKwh(imported),
  exportedKwh: inKwh(exported),
});

const tariff: Tariff = {
  id: 'generated',
  name: 'Generated',
  currency: 'EUR',
  isActive: true,
  effectiveFrom: '2020-01-01',
  effectiveTo: null,
  defaultRatePerKwh: money(generatedTariff.defaultRatePerKwh),
  fixedChargePerMonth: money(generatedTariff.fixedChargePerMonth),
  vatPercent: money(generatedTariff.vatPercent),
  exportRatePerKwh: money(generatedTariff.exportRatePerKwh),
  periods: generatedTariff.periods.map(({ startTime, endTime, ratePerKwh, ...period }) => ({
    ...period,
    id: period.name,
    startMinute: minuteOfDay(startTime),
    endMinute: minuteOfDay(endTime),
    ratePerKwh: money(ratePerKwh),
  })),
};

/** The product's result for a meter. */
function measured({ readings, device }: GeneratedMeter) {
  const all = readings.map(readingOf);
  const spans = registerSpans(all);
  const measure = (grid: Grid) => measureEnergy(all, device, spans, grid);
  /** The slots of a range; those that it cuts have the energy of their part, computed from the readings. */
  const slotsOf = (range: MicrosRange): SlotEnergy => {
    const startMicros = Math.floor(range.fromMicros / slotMicros) * slotMicros;
    const count = Math.ceil((range.toMicros - startMicros) / slotMicros);
    const whole = measure({ startMicros, widthMicros: slotMicros, count });
    for (const at of [0, count - 1]) {
      const from = Math.max(range.fromMicros, startMicros + at * slotMicros);
      const to = Math.min(range.toMicros, startMicros + (at + 1) * slotMicros);
      const cut = measure({ startMicros: from, widthMicros: to - from, count: 1 });
      for (const name of energyColumns) whole[name][at] = cut[name][0] ?? 0;
    }
    return { ...whole, startMicros, range };
  };
  return { measure, slotsOf };
}

const near = (value: number | undefined, units: bigint, what: string) =>
  expect(Math.abs((value ?? NaN) - kwhOf(units)), what).toBeLessThan(1e-9);
const sum = (values: Float64Array) => values.reduce((all, value) => all + value, 0);

describe('energy-and-cost.md 1 to 4: generated meters, against whole numbers computed from its text', () => {
  it('the generated meters cover everything that real meters do', () => {
    const kinds = generatedMeters.flatMap(({ readings, device }) =>
      exactMeter(readings, device).flags.map(({ kind }) => kind),
    );
    expect([...new Set(kinds)].toSorted()).toEqual(['gap', 'glitch', 'implausible', 'reset', 'rollover', 'stepBack']);
  });

  it.each(generatedMeters)('$name: every slot, every flag, and everything its registers counted', (meter) => {
    const exact = exactMeter(meter.readings, meter.device);
    const [first, last] = [meter.readings[0]?.time ?? 0n, meter.readings.at(-1)?.time ?? 0n];
    const startMicros = Math.floor(Number(first) / slotMicros) * slotMicros;
    const count = Math.ceil((Number(last) - startMicros) / slotMicros) + 1;
    const found = measured(meter).measure({ startMicros, widthMicros: slotMicros, count });
    for (let slot = 0; slot < count; slot += 1) {
      const from = BigInt(startMicros + slot * slotMicros);
      const wanted = exact.between(from, from + quarter);
      const what = new Date(Number(from) / 1000).toISOString();
      near(found.importedKwh[slot], wanted.imported, `${what} import`);
      near(found.exportedKwh[slot], wanted.exported, `${what} export`);
      const interpolated = (found.interpolatedImportedKwh[slot] ?? 0) + (found.interpolatedExportedKwh[slot] ?? 0);
      near(interpolated, wanted.interpolated, `${what} interpolated`);
    }
    const flags = (all: readonly { kind: string; time: number }[]) =>
      all.map(({ time, kind }) => `${time} ${kind}`).toSorted();
    expect(flags(found.flags.map(({ timeMicros, kind }) => ({ time: timeMicros, kind })))).toEqual(
      flags(exact.flags.map(({ time, kind }) => ({ time: Number(time), kind }))),
    );
    if (meter.counted === null) return;
    expect(sum(found.importedKwh)).toBeCloseTo(Number(meter.counted.imported) / 1e6, 8);
    expect(sum(found.exportedKwh)).toBeCloseTo(Number(meter.counted.exported) / 1e6, 8);
  });

  it.each(generatedMeters)('$name: energy, demand and cost of ranges that begin and end anywhere', (meter) => {
    const exact = exactMeter(meter.readings, meter.device);
    const { slotsOf } = measured(meter);
    for (const { from, to } of generatedRanges(meter, 12)) {
      const range = { fromMicros: Number(from), toMicros: Number(to) };
      const what = `${new Date(range.fromMicros / 1000).toISOString()} to ${new Date(range.toMicros / 1000).toISOString()}`;
      const slots = slotsOf(range);
      const wanted = exact.between(from, to);
      near(sum(slots.importedKwh), wanted.imported, `${what}: import`);
      near(sum(slots.exportedKwh), wanted.exported, `${what}: export`);
      near(
        sum(slots.interpolatedImportedKwh) + sum(slots.interpolatedExportedKwh),
        wanted.interpolated,
        `${what}: estimated`,
      );

      const demand = { ...emptyDemand(slots.startMicros, slots.importedKwh.length), importedKwh: slots.importedKwh };
      markInterpolated(demand.isInterpolated, slots);
      const [peak, wantedPeak] = [peakDemand(demand, range), exactPeak([exact], from, to)];
      expect(peak?.slotStartMicros ?? null, `${what}: peak`).toBe(wantedPeak === null ? null : Number(wantedPeak.time));
      expect(peak?.kw ?? 0, `${what}: peak`).toBeCloseTo(wantedPeak?.kw ?? 0, 8);

      const priced = emptyPricedEnergy();
      priceSlots(priced, slots, priceTimeline(range, meter.zone, [tariff]));
      const days = tariffDaysOf(range, meter.zone, [tariff]);
      const { costs, lines } = stateCosts([{ siteId: '', priced, days, devices: [] }]);
      const cost = exactCost([exact], generatedTariff, meter.zone, from, to);
      expect(costs[0]?.total, what).toBe(cost.total);
      for (const { name, energyKwh } of lines) near(energyKwh, cost.lines.get(name) ?? 0n, `${what}: ${name}`);
      const told = new Set(lines.map(({ name }) => name));
      for (const [name, units] of cost.lines) if (!told.has(name)) near(0, units, `${what}: ${name}`);
    }
  });
});
