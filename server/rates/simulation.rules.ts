import type { Big } from 'big.js';
import { type Amounts, type Cost, costsOf, emptyPricedEnergy, priceSlots, type SlotEnergy } from './costs.rules.ts';
import {
  emptyEnergy,
  microsPerHour,
  slotMicros,
  cutSlots,
  energyColumns,
  slotsPerDay,
} from '../energy/energy.rules.ts';
import { dayMicros, type MicrosRange, steadyIntervals } from '../base/instants.ts';
import { roundedCost } from './cost-statement.rules.ts';
import { minorDigits } from '../../shared/primitives.ts';
import { roundEach, zero } from '../base/money.ts';
import { countTariffDays, localDays, noTariffDays, priceTimeline, type Tariff } from './tariffs.rules.ts';

/** The load for which a tariff is simulated: the energy of all meters together, and the number of sites that pay the fixed charge. */
export interface SimulatedLoad {
  /** The slots of the requested range. */
  slots: SlotEnergy;
  siteCount: number;
}

/** The prices of a tariff without dates: a simulated tariff is in force for the whole range. */
export type SimulatedTariff = Pick<
  Tariff,
  'currency' | 'defaultRatePerKwh' | 'fixedChargePerMonth' | 'vatPercent' | 'exportRatePerKwh' | 'periods'
>;

/** Amounts are rounded to the minor unit of the currency; energyCost, fixedCharge and vat add up to the total, and the periods to energyCost. */
interface Simulation extends Amounts {
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
 * The cost of a load on a tariff, by the same rules as for real energy (energy-and-cost.md 7). `pause` is awaited between
 * steps. Each step is short, however long the range or the tariff is.
 */
export async function simulate(
  given: SimulatedTariff,
  timeZone: string,
  range: MicrosRange,
  load: SimulatedLoad,
  pause: () => Promise<void>,
): Promise<Simulation> {
  // The empty text sorts before every date, so this tariff is always in force.
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

const slotsPerWeek = 7 * slotsPerDay;

/**
 * Adds up the weeks of a load in the local time of a zone; their instants are local times. Yields one week, or several if
 * offsets from UTC differ by less than whole slots. A price that depends only on weekday and time of day, and divides a slot by
 * time, gives the same cost for the sum (energy-and-cost.md 7). The rest is time that is not part of a whole slot with one
 * offset.
 */
function foldWeeks(slots: SlotEnergy, timeZone: string) {
  const { fromMicros, toMicros } = slots.range;
  const weeks = new Map<number, SlotEnergy>();
  const rest: MicrosRange[] = [];
  for (const steady of steadyIntervals(fromMicros, toMicros, timeZone)) {
    const start = Math.ceil(steady.fromMicros / slotMicros) * slotMicros;
    const end = Math.max(start, Math.floor(steady.toMicros / slotMicros) * slotMicros);
    for (const part of [
      { fromMicros: steady.fromMicros, toMicros: Math.min(start, steady.toMicros) },
      { fromMicros: end, toMicros: steady.toMicros },
    ]) {
      if (part.fromMicros < part.toMicros) rest.push(part);
    }
    if (start === end) continue;
    const local = start + steady.offsetMicros;
    const phase = local - Math.floor(local / slotMicros) * slotMicros;
    const week = weeks.getOrInsertComputed(phase, () => emptyWeek(local, phase));
    addSlots(
      week,
      slots,
      { first: (start - slots.startMicros) / slotMicros, count: (end - start) / slotMicros },
      local,
    );
  }
  return { weeks: [...weeks.values()], rest };
}

/** From the start of the local day, or from the first slot after that start. */
function emptyWeek(localMicros: number, phase: number): SlotEnergy {
  const startMicros = Math.floor(localMicros / dayMicros) * dayMicros + phase;
  const range = { fromMicros: startMicros, toMicros: startMicros + slotsPerWeek * slotMicros };
  return { ...emptyEnergy(slotsPerWeek), startMicros, range };
}

function addSlots(
  week: SlotEnergy,
  slots: SlotEnergy,
  { first, count }: { first: number; count: number },
  localMicros: number,
): void {
  const offset = (localMicros - week.startMicros) / slotMicros;
  const start = offset - Math.floor(offset / slotsPerWeek) * slotsPerWeek;
  for (const name of energyColumns) {
    const [target, source] = [week[name], slots[name]];
    for (let at = 0, slot = start; at < count; at += 1) {
      target[slot] = (target[slot] ?? 0) + (source[first + at] ?? 0);
      slot = slot + 1 === slotsPerWeek ? 0 : slot + 1;
    }
  }
}
