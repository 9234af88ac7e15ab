import type { Big } from 'big.js';
import { type EnergyBuckets, slotMicros } from './energy.ts';
import type { MicrosRange } from './instants.ts';
import { money, zero } from './money.ts';
import { sumBetween } from './statistics.ts';
import { defaultPeriodName, type Tariff, type TariffPeriod } from './tariffs.ts';
import type { PricedInterval, TariffDays } from './price-timeline.ts';

/** Slots of one or more devices that share a price timeline, from `startMicros` on. */
export interface SlotEnergy extends EnergyBuckets {
  startMicros: number;
  /** A slot that it cuts has only the energy of the part inside. */
  range: MicrosRange;
}

/** Energy at one rate. */
export interface EnergyLine {
  tariff: Tariff;
  /** Null is the default rate. */
  period: TariffPeriod | null;
  importedKwh: number;
  /** The part that was spread over gaps. */
  interpolatedKwh: number;
}

/** Energy by line of a tariff, before it is priced; slots can be added repeatedly. */
export interface PricedEnergy {
  /** By period, or by tariff for its default rate. */
  lines: Map<TariffPeriod | Tariff, EnergyLine>;
  /** By tariff, whether it credits export or not. */
  exported: Map<Tariff, { kwh: number; interpolatedKwh: number }>;
  importedKwh: number;
  exportedKwh: number;
  /** Of import and export together. */
  interpolatedKwh: number;
  /** Import without a tariff in force. */
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

/** Adds the part of the slots that lies in each interval; a slot that a price edge cuts counts pro rata. */
export function priceSlots(priced: PricedEnergy, slots: SlotEnergy, intervals: readonly PricedInterval[]): void {
  for (const interval of intervals) {
    const part = energyBetween(slots, interval.fromMicros, interval.toMicros);
    addToLine(priced, interval, part);
  }
}

/** Energy of an interval of time, kWh. */
export interface EnergySum {
  imported: number;
  exported: number;
  interpolatedImported: number;
  interpolatedExported: number;
}

/** The energy of the slots between two instants of their range; what lies between the edges of a slot counts pro rata. */
export function energyBetween(slots: SlotEnergy, fromMicros: number, toMicros: number): EnergySum {
  const sum: EnergySum = { imported: 0, exported: 0, interpolatedImported: 0, interpolatedExported: 0 };
  const { startMicros, range } = slots;
  let first = Math.max(0, Math.floor((fromMicros - startMicros) / slotMicros));
  let end = Math.min(slots.importedKwh.length, Math.ceil((toMicros - startMicros) / slotMicros));
  if (fromMicros >= toMicros || first >= end) return sum;
  const shareOf = (slot: number) => {
    const start = startMicros + slot * slotMicros;
    const length = Math.min(start + slotMicros, range.toMicros) - Math.max(start, range.fromMicros);
    return (Math.min(start + slotMicros, toMicros) - Math.max(start, fromMicros)) / length;
  };
  const add = (slot: number, share: number) => {
    sum.imported += (slots.importedKwh[slot] ?? 0) * share;
    sum.exported += (slots.exportedKwh[slot] ?? 0) * share;
    sum.interpolatedImported += (slots.interpolatedImportedKwh[slot] ?? 0) * share;
    sum.interpolatedExported += (slots.interpolatedExportedKwh[slot] ?? 0) * share;
  };
  const [ofFirst, ofLast] = [shareOf(first), shareOf(end - 1)];
  if (ofFirst < 1) add(first++, ofFirst);
  if (first < end && ofLast < 1) add(--end, ofLast);
  sum.imported += sumBetween(slots.importedKwh, first, end);
  sum.exported += sumBetween(slots.exportedKwh, first, end);
  sum.interpolatedImported += sumBetween(slots.interpolatedImportedKwh, first, end);
  sum.interpolatedExported += sumBetween(slots.interpolatedExportedKwh, first, end);
  return sum;
}

function addToLine(priced: PricedEnergy, { tariff, period }: PricedInterval, part: EnergySum): void {
  priced.importedKwh += part.imported;
  priced.exportedKwh += part.exported;
  priced.interpolatedKwh += part.interpolatedImported + part.interpolatedExported;
  if (tariff === null) {
    priced.unpricedKwh += part.imported;
    priced.unpricedInterpolatedKwh += part.interpolatedImported;
    return;
  }
  if (part.exported !== 0) addExported(priced, tariff, part.exported, part.interpolatedExported);
  if (part.imported !== 0) addImported(priced, tariff, period, part.imported, part.interpolatedImported);
}

function addImported(
  priced: PricedEnergy,
  tariff: Tariff,
  period: TariffPeriod | null,
  importedKwh: number,
  interpolatedKwh: number,
): void {
  const line = priced.lines.get(period ?? tariff);
  if (line === undefined) {
    priced.lines.set(period ?? tariff, { tariff, period, importedKwh, interpolatedKwh });
  } else {
    line.importedKwh += importedKwh;
    line.interpolatedKwh += interpolatedKwh;
  }
}

function addExported(priced: PricedEnergy, tariff: Tariff, kwh: number, interpolatedKwh: number): void {
  const own = priced.exported.get(tariff);
  if (own === undefined) {
    priced.exported.set(tariff, { kwh, interpolatedKwh });
  } else {
    own.kwh += kwh;
    own.interpolatedKwh += interpolatedKwh;
  }
}

/** What was priced of all together. */
export function sumPriced(all: readonly PricedEnergy[]): PricedEnergy {
  const sum = emptyPricedEnergy();
  for (const one of all) addPriced(sum, one);
  return sum;
}

/** Adds what was priced of some devices to what was priced of others. */
function addPriced(priced: PricedEnergy, other: PricedEnergy): void {
  priced.importedKwh += other.importedKwh;
  priced.exportedKwh += other.exportedKwh;
  priced.interpolatedKwh += other.interpolatedKwh;
  priced.unpricedKwh += other.unpricedKwh;
  priced.unpricedInterpolatedKwh += other.unpricedInterpolatedKwh;
  for (const { tariff, period, importedKwh, interpolatedKwh } of other.lines.values()) {
    addImported(priced, tariff, period, importedKwh, interpolatedKwh);
  }
  for (const [tariff, { kwh, interpolatedKwh }] of other.exported) addExported(priced, tariff, kwh, interpolatedKwh);
}

/** Money before rounding, of one currency. */
export interface Cost {
  currency: string;
  /** Import at its rates, less the credit for export. */
  energyCost: Big;
  exportCredit: Big;
  fixedCharge: Big;
  vat: Big;
  total: Big;
  lines: CostLine[];
}

/** One line of the energy cost; the credit for export is one of its own, and negative. */
export interface CostLine {
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

/** One cost a currency (energy-and-cost.md 7), for energy that was priced and the days for which one site pays its fixed charge. */
export function costsOf(priced: PricedEnergy, days: TariffDays): Cost[] {
  const lines = energyLines(priced);
  const fixed = fixedCharges(days);
  const tariffs = new Set([...lines.map((line) => line.tariff), ...fixed.keys()]);
  const costs = new Map<string, Cost>();
  for (const tariff of tariffs) {
    const own = lines.filter((line) => line.tariff === tariff);
    const energyCost = sum(own.map((line) => line.cost));
    const exportCredit = sum(own.filter((line) => line.isExport).map((line) => line.cost.neg()));
    const fixedCharge = fixed.get(tariff) ?? zero;
    const vat = energyCost.plus(fixedCharge).times(tariff.vatPercent).div(100);
    const before = costs.get(tariff.currency) ?? emptyCost(tariff.currency);
    costs.set(tariff.currency, {
      currency: tariff.currency,
      energyCost: before.energyCost.plus(energyCost),
      exportCredit: before.exportCredit.plus(exportCredit),
      fixedCharge: before.fixedCharge.plus(fixedCharge),
      vat: before.vat.plus(vat),
      total: before.total.plus(energyCost).plus(fixedCharge).plus(vat),
      lines: [...before.lines, ...own],
    });
  }
  return [...costs.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}

const emptyCost = (currency: string): Cost => ({
  currency,
  energyCost: zero,
  exportCredit: zero,
  fixedCharge: zero,
  vat: zero,
  total: zero,
  lines: [],
});

const sum = (amounts: readonly Big[]) => amounts.reduce((all, amount) => all.plus(amount), zero);

/** The lines of the energy cost, one multiplication each. */
export function energyLines(priced: PricedEnergy): CostLine[] {
  const lines: CostLine[] = [];
  for (const { tariff, period, importedKwh, interpolatedKwh } of priced.lines.values()) {
    const ratePerKwh = period?.ratePerKwh ?? tariff.defaultRatePerKwh;
    lines.push({
      tariff,
      name: period?.name ?? defaultPeriodName,
      isExport: false,
      ratePerKwh,
      energyKwh: importedKwh,
      interpolatedKwh,
      cost: money(importedKwh).times(ratePerKwh),
    });
  }
  for (const [tariff, { kwh, interpolatedKwh }] of priced.exported) {
    const ratePerKwh = tariff.exportRatePerKwh;
    if (ratePerKwh === null) continue;
    const cost = money(kwh).times(ratePerKwh).neg();
    lines.push({ tariff, name: exportLineName, isExport: true, ratePerKwh, energyKwh: kwh, interpolatedKwh, cost });
  }
  return lines;
}

/** Whether a site pays its fixed charge: with or without data, where one of its chosen devices is active. */
export const paysFixedCharge = (chosen: readonly { isActive: boolean }[]): boolean =>
  chosen.some((device) => device.isActive);

/** By tariff: for each local day its monthly charge by the days of that month, for the part of the day in the range. */
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
