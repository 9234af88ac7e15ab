import type { Big } from 'big.js';
import { type EnergyBuckets, slotMicros, energyColumns } from '../energy/energy.rules.ts';
import type { MicrosRange } from '../base/instants.ts';
import { money, priceEnergy, zero } from '../base/money.ts';
import { sumBetween } from '../energy/statistics.rules.ts';
import {
  defaultPeriodName,
  type PricedInterval,
  type Tariff,
  type TariffDays,
  type TariffPeriod,
} from './tariffs.rules.ts';

/** Slots of one or more devices with the same price timeline, from `startMicros` on. */
export interface SlotEnergy extends EnergyBuckets {
  startMicros: number;
  /** A slot cut by the range has only the energy of the part inside. */
  range: MicrosRange;
}

/** Energy at one rate. */
export interface EnergyLine {
  tariff: Tariff;
  /** The rate of the period; null for the default rate. */
  period: TariffPeriod | null;
  importedKwh: number;
  /** The part of the energy that was spread over gaps. */
  interpolatedKwh: number;
}

/** The energy of each line of a tariff before it is priced. Slots can be added repeatedly. */
export interface PricedEnergy {
  /** By period; for the default rate, by tariff. */
  lines: Map<TariffPeriod | Tariff, EnergyLine>;
  /** By tariff, including tariffs that do not credit export. */
  exported: Map<Tariff, { kwh: number; interpolatedKwh: number }>;
  importedKwh: number;
  exportedKwh: number;
  /** The interpolated energy of import and export together. */
  interpolatedKwh: number;
  /** Imported energy for which no tariff is in force. */
  unpricedKwh: number;
  unpricedInterpolatedKwh: number;
}

export const emptyPricedEnergy = (): PricedEnergy => ({
  lines: new Map(),
  exported: new Map(),
  importedKwh: 0,
  exportedKwh: 0,
  interpolatedKwh: 0,
  unpricedKwh: 0,
  unpricedInterpolatedKwh: 0,
});

/** Adds the part of the slots in each interval. If a price changes within a slot, its energy is divided by time. */
export function priceSlots(priced: PricedEnergy, slots: SlotEnergy, intervals: readonly PricedInterval[]): void {
  for (const interval of intervals) priceNext({ priced, open: openSum() }, slots, [interval]);
}

/** The priced energy, and the sum of the last interval, which may go on. */
export interface OpenEnergy {
  priced: PricedEnergy;
  open: OpenSum;
}

/**
 * The sums of an interval so far: for each column first its whole slots, then the slots that it cuts. So an interval that goes
 * on is added up in the same order as a whole interval, and has the same sum to the bit.
 */
type OpenSum = Float64Array;
const columns = energyColumns.length;
export const openSumLength = 2 * columns;
export const openSum = (): OpenSum => new Float64Array(openSumLength);

/** Prices slots that follow the slots priced before. With `leavesOpen`, the last interval may go on after these slots. */
export function priceNext(
  { priced, open }: OpenEnergy,
  slots: SlotEnergy,
  timeline: readonly PricedInterval[],
  leavesOpen = false,
): void {
  const { startMicros } = slots;
  const first = timeline.findLastIndex(({ fromMicros }) => fromMicros < startMicros);
  for (let at = Math.max(0, first); at < timeline.length; at += 1) {
    const interval = timeline[at];
    if (interval === undefined) break;
    if (at !== first) open.fill(0);
    addBetween(open, slots, interval);
    if (!leavesOpen || at < timeline.length - 1) addToLine(priced, interval, open);
  }
}

/** Adds the slots between two instants of their range. The energy of a slot that is cut is divided by time. */
function addBetween(sum: OpenSum, slots: SlotEnergy, { toMicros, ...interval }: MicrosRange): void {
  const { startMicros, range } = slots;
  const fromMicros = Math.max(interval.fromMicros, startMicros);
  let first = Math.floor((fromMicros - startMicros) / slotMicros);
  let end = Math.min(slots.importedKwh.length, Math.ceil((toMicros - startMicros) / slotMicros));
  if (fromMicros >= toMicros || first >= end) return;
  const shareOf = (slot: number) => {
    const start = startMicros + slot * slotMicros;
    const length = Math.min(start + slotMicros, range.toMicros) - Math.max(start, range.fromMicros);
    return (Math.min(start + slotMicros, toMicros) - Math.max(start, fromMicros)) / length;
  };
  const addCut = (slot: number, share: number) => {
    for (const [at, name] of energyColumns.entries()) {
      sum[columns + at] = (sum[columns + at] ?? 0) + (slots[name][slot] ?? 0) * share;
    }
  };
  const [ofFirst, ofLast] = [shareOf(first), shareOf(end - 1)];
  if (ofFirst < 1) addCut(first++, ofFirst);
  if (first < end && ofLast < 1) addCut(--end, ofLast);
  for (const [at, name] of energyColumns.entries()) sum[at] = sumBetween(slots[name], first, end, sum[at]);
}

function addToLine(priced: PricedEnergy, { tariff, period }: PricedInterval, sum: OpenSum): void {
  const of = (column: number) => (sum[columns + column] ?? 0) + (sum[column] ?? 0);
  const [importedKwh, exportedKwh, interpolatedKwh, interpolatedExportedKwh] = [of(0), of(1), of(2), of(3)];
  priced.importedKwh += importedKwh;
  priced.exportedKwh += exportedKwh;
  priced.interpolatedKwh += interpolatedKwh + interpolatedExportedKwh;
  if (tariff === null) {
    priced.unpricedKwh += importedKwh;
    priced.unpricedInterpolatedKwh += interpolatedKwh;
    return;
  }
  if (exportedKwh !== 0) addExported(priced, tariff, exportedKwh, interpolatedExportedKwh);
  if (importedKwh !== 0) addImported(priced, { tariff, period, importedKwh, interpolatedKwh });
}

export function addImported(priced: PricedEnergy, line: EnergyLine): void {
  const empty = () => ({ ...line, importedKwh: 0, interpolatedKwh: 0 });
  const own = priced.lines.getOrInsertComputed(line.period ?? line.tariff, empty);
  own.importedKwh += line.importedKwh;
  own.interpolatedKwh += line.interpolatedKwh;
}

export function addExported(priced: PricedEnergy, tariff: Tariff, kwh: number, interpolatedKwh: number): void {
  const own = priced.exported.getOrInsertComputed(tariff, () => ({ kwh: 0, interpolatedKwh: 0 }));
  own.kwh += kwh;
  own.interpolatedKwh += interpolatedKwh;
}

export const pricedSums = [
  'importedKwh',
  'exportedKwh',
  'interpolatedKwh',
  'unpricedKwh',
  'unpricedInterpolatedKwh',
] as const;

/** The sum of everything that was priced. */
export function sumPriced(all: readonly PricedEnergy[]): PricedEnergy {
  const sum = emptyPricedEnergy();
  for (const one of all) addPriced(sum, one);
  return sum;
}

/** Imported energy at sites without a tariff in force. */
export const unpricedKwhOf = (sites: readonly { priced: PricedEnergy }[]): number =>
  sites.reduce((sum, { priced }) => sum + priced.unpricedKwh, 0);

/** Adds the priced energy of some devices to that of others. */
function addPriced(priced: PricedEnergy, other: PricedEnergy): void {
  for (const name of pricedSums) priced[name] += other[name];
  for (const line of other.lines.values()) addImported(priced, line);
  for (const [tariff, { kwh, interpolatedKwh }] of other.exported) addExported(priced, tariff, kwh, interpolatedKwh);
}

/** The parts of the cost of a range. */
export interface Amounts {
  /** The cost of import at its rates, minus the credit for export. */
  energyCost: Big;
  fixedCharge: Big;
  vat: Big;
  total: Big;
}

/** The sum of each amount. */
export const sumAmounts = (all: readonly Amounts[]): Amounts => ({
  energyCost: sum(all.map((one) => one.energyCost)),
  fixedCharge: sum(all.map((one) => one.fixedCharge)),
  vat: sum(all.map((one) => one.vat)),
  total: sum(all.map((one) => one.total)),
});

/** Money before rounding, of one currency. */
export interface Cost extends Amounts {
  currency: string;
  lines: PricedLine[];
}

/** One line of the energy cost. The credit for export is a line of its own, and negative. */
export interface PricedLine {
  tariff: Tariff;
  name: string;
  isExport: boolean;
  ratePerKwh: Big;
  energyKwh: number;
  /** The part that was spread over gaps. */
  interpolatedKwh: number;
  cost: Big;
}

/** The name of the line that credits export. */
export const exportLineName = 'Export';

/** The cost per currency (energy-and-cost.md 7): of priced energy, and of the days for which a site pays its fixed charge. */
export function costsOf(priced: PricedEnergy, days: TariffDays): Cost[] {
  const lines = energyLines(priced);
  const fixed = fixedCharges(days);
  const tariffs = new Set([...lines.map((line) => line.tariff), ...fixed.keys()]);
  const costs = [...tariffs].map((tariff) => {
    const own = lines.filter((line) => line.tariff === tariff);
    const energyCost = sum(own.map((line) => line.cost));
    const fixedCharge = fixed.get(tariff) ?? zero;
    const vat = energyCost.plus(fixedCharge).times(tariff.vatPercent).div(100);
    const total = energyCost.plus(fixedCharge).plus(vat);
    return { currency: tariff.currency, energyCost, fixedCharge, vat, total, lines: own };
  });
  return [...Map.groupBy(costs, (cost) => cost.currency)]
    .map(([currency, own]) => ({ currency, ...sumAmounts(own), lines: own.flatMap((cost) => cost.lines) }))
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}

const sum = (amounts: readonly Big[]) => amounts.reduce((all, amount) => all.plus(amount), zero);

/** The lines of the energy cost. Each is the result of one multiplication. */
export function energyLines(priced: PricedEnergy): PricedLine[] {
  const lines: PricedLine[] = [];
  for (const { tariff, period, importedKwh, interpolatedKwh } of priced.lines.values()) {
    const ratePerKwh = period?.ratePerKwh ?? tariff.defaultRatePerKwh;
    lines.push({
      tariff,
      name: period?.name ?? defaultPeriodName,
      isExport: false,
      ratePerKwh,
      energyKwh: importedKwh,
      interpolatedKwh,
      cost: priceEnergy(importedKwh, ratePerKwh),
    });
  }
  for (const [tariff, { kwh, interpolatedKwh }] of priced.exported) {
    const ratePerKwh = tariff.exportRatePerKwh;
    if (ratePerKwh === null) continue;
    const cost = priceEnergy(kwh, ratePerKwh).neg();
    lines.push({ tariff, name: exportLineName, isExport: true, ratePerKwh, energyKwh: kwh, interpolatedKwh, cost });
  }
  return lines;
}

/** The cost of the energy alone, by currency. */
export function energyCosts(priced: PricedEnergy): Map<string, Big> {
  const costs = new Map<string, Big>();
  for (const { tariff, cost } of energyLines(priced)) {
    costs.set(tariff.currency, (costs.get(tariff.currency) ?? zero).plus(cost));
  }
  return costs;
}

/** Whether a site pays its fixed charge. It does if one of its chosen devices is active, even without data. */
export const paysFixedCharge = (chosen: readonly { isActive: boolean }[]): boolean =>
  chosen.some((device) => device.isActive);

/**
 * The fixed charge per tariff: for each local day the monthly charge divided by the days of that month, times the share of the day
 * in the range.
 */
export function fixedCharges(days: TariffDays): Map<Tariff, Big> {
  const charges = new Map<Tariff, Big>();
  for (const [tariff, byLength] of days) {
    let charge = zero;
    for (const [length, count] of byLength) {
      charge = charge.plus(money(count).times(tariff.fixedChargePerMonth).div(length));
    }
    charges.set(tariff, charge);
  }
  return charges;
}
