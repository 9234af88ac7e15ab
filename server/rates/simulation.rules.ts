import type { Big } from 'big.js';
import { type Amounts, type Cost, costsOf, emptyPricedEnergy, priceSlots, type SlotEnergy } from './costs.rules.ts';
import { emptyEnergy, microsPerHour, slotMicros } from '../energy/energy.rules.ts';
import { cutSlots } from '../energy/energy-day.rules.ts';
import type { MicrosRange } from '../base/instants.ts';
import { roundedCost } from './cost-statement.rules.ts';
import { minorDigits, roundEach, zero } from '../base/money.ts';
import { countTariffDays, localDays, noTariffDays, priceTimeline } from './price-timeline.rules.ts';
import type { Tariff } from './tariffs.rules.ts';
import { foldWeeks } from './week-profile.rules.ts';

/** The load for which a tariff is simulated: the energy of all meters together, and the number of sites that pay the fixed charge. */
export interface SimulatedLoad {
  /** The slots of the requested range. */
  slots: SlotEnergy;
  siteCount: number;
}

/** The prices of a tariff without dates: a simulated one holds for the whole range. */
export type SimulatedTariff = Pick<
  Tariff,
  'currency' | 'defaultRatePerKwh' | 'fixedChargePerMonth' | 'vatPercent' | 'exportRatePerKwh' | 'periods'
>;

/** Amounts are rounded to the minor unit of the currency; energyCost, fixedCharge and vat add up to the total, and the periods to energyCost. */
export interface Simulation extends Amounts {
  currency: string;
  energyImportedKwh: number;
  energyExportedKwh: number;
  periods: { name: string; ratePerKwh: Big; energyKwh: number; cost: Big }[];
}

/** The slots of a constant load of one site; negative power is export. */
export function constantLoad(range: MicrosRange, powerKw: number): SimulatedLoad {
  const startMicros = Math.floor(range.fromMicros / slotMicros) * slotMicros;
  const count = Math.ceil((range.toMicros - startMicros) / slotMicros);
  const slots: SlotEnergy = { ...emptyEnergy(count), startMicros, range };
  const energy = powerKw > 0 ? slots.importedKwh : slots.exportedKwh;
  energy.fill(Math.abs(powerKw) / 4);
  for (const cut of cutSlots(range)) {
    energy[(cut.slotStartMicros - startMicros) / slotMicros] =
      (Math.abs(powerKw) * (cut.toMicros - cut.fromMicros)) / microsPerHour;
  }
  return { slots, siteCount: 1 };
}

/**
 * What a load costs on a tariff, by the rules that price real energy (energy-and-cost.md 7). `pause` is awaited between the steps,
 * each of which is short whatever the range and the tariff.
 */
export async function simulate(
  given: SimulatedTariff,
  timeZone: string,
  range: MicrosRange,
  load: SimulatedLoad,
  pause: () => Promise<void>,
): Promise<Simulation> {
  // The empty text sorts before every date, so the tariff is always in force.
  const tariff: Tariff = { ...given, id: '', name: '', isActive: true, effectiveFrom: '', effectiveTo: null };
  const priced = emptyPricedEnergy();
  const { weeks, rest } = foldWeeks(load.slots, timeZone);
  await pause();
  for (const week of weeks) priceSlots(priced, week, priceTimeline(week.range, 'UTC', [tariff]));
  for (const part of rest) priceSlots(priced, load.slots, priceTimeline(part, timeZone, [tariff]));
  await pause();
  const days = [...countTariffDays(localDays(range, timeZone, [tariff]))].map(
    ([own, byLength]) =>
      [own, new Map([...byLength].map(([length, count]) => [length, count * load.siteCount]))] as const,
  );
  const [cost] = costsOf(priced, load.siteCount === 0 ? noTariffDays : new Map(days));
  return {
    currency: tariff.currency,
    energyImportedKwh: priced.importedKwh,
    energyExportedKwh: priced.exportedKwh,
    ...(cost === undefined
      ? { energyCost: zero, fixedCharge: zero, vat: zero, total: zero, periods: [] }
      : rounded(cost)),
  };
}

function rounded(cost: Cost) {
  const whole = roundedCost(cost);
  const lines = roundEach(cost.lines, (line) => line.cost, whole.energyCost, minorDigits(cost.currency));
  const periods = lines.map(([{ name, ratePerKwh, energyKwh }, cost]) => ({ name, ratePerKwh, energyKwh, cost }));
  return { ...whole, periods };
}
