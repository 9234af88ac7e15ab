import type { Big } from 'big.js';
import { slotMicros } from './energy.ts';
import { money, zero } from './money.ts';
import { defaultPeriodName, type Tariff, type TariffPeriod } from './tariffs.ts';
import type { LocalDay, PricedStretch } from './price-timeline.ts';

/** Slots of one or more devices that share a price timeline, from `startMicros` on. */
export interface SlotEnergy {
  startMicros: number;
  importedKwh: Float64Array;
  exportedKwh: Float64Array;
}

/** Energy at one rate. */
export interface EnergyLine {
  tariff: Tariff;
  /** Null is the default rate. */
  period: TariffPeriod | null;
  importedKwh: number;
}

/** Energy by line of a tariff, before money; add to it as often as slots come. */
export interface PricedEnergy {
  lines: Map<string, EnergyLine>;
  /** By tariff, whether it credits export or not. */
  exported: Map<Tariff, number>;
  importedKwh: number;
  exportedKwh: number;
  unpricedKwh: number;
}

export const emptyPricedEnergy = (): PricedEnergy => ({
  lines: new Map(),
  exported: new Map(),
  importedKwh: 0,
  exportedKwh: 0,
  unpricedKwh: 0,
});

/** Adds the part of the slots that lies in each stretch; a slot that an edge cuts counts pro rata. */
export function priceSlots(priced: PricedEnergy, slots: SlotEnergy, stretches: readonly PricedStretch[]): void {
  const count = slots.importedKwh.length;
  for (const stretch of stretches) {
    const first = Math.max(0, Math.floor((stretch.fromMicros - slots.startMicros) / slotMicros));
    const last = Math.min(count, Math.ceil((stretch.toMicros - slots.startMicros) / slotMicros));
    let imported = 0;
    let exported = 0;
    for (let slot = first; slot < last; slot += 1) {
      const start = slots.startMicros + slot * slotMicros;
      const overlap = Math.min(stretch.toMicros, start + slotMicros) - Math.max(stretch.fromMicros, start);
      const share = overlap === slotMicros ? 1 : overlap / slotMicros;
      imported += (slots.importedKwh[slot] ?? 0) * share;
      exported += (slots.exportedKwh[slot] ?? 0) * share;
    }
    addToLine(priced, stretch, imported, exported);
  }
}

function addToLine(priced: PricedEnergy, { tariff, period }: PricedStretch, imported: number, exported: number): void {
  priced.importedKwh += imported;
  priced.exportedKwh += exported;
  if (tariff === null) {
    priced.unpricedKwh += imported;
    return;
  }
  priced.exported.set(tariff, (priced.exported.get(tariff) ?? 0) + exported);
  if (imported === 0) return;
  const key = `${tariff.id} ${period?.id ?? ''}`;
  const line = priced.lines.get(key);
  if (line === undefined) priced.lines.set(key, { tariff, period, importedKwh: imported });
  else line.importedKwh += imported;
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
  cost: Big;
}

/** The name of the line that credits export. */
export const exportLineName = 'Export';

/** One cost a currency (energy-and-cost.md 7), for energy that was priced and the local days of one site. */
export function costsOf(priced: PricedEnergy, days: readonly LocalDay[]): Cost[] {
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
  for (const { tariff, period, importedKwh } of priced.lines.values()) {
    const ratePerKwh = period?.ratePerKwh ?? tariff.defaultRatePerKwh;
    lines.push({
      tariff,
      name: period?.name ?? defaultPeriodName,
      isExport: false,
      ratePerKwh,
      energyKwh: importedKwh,
      cost: money(importedKwh).times(ratePerKwh),
    });
  }
  for (const [tariff, exportedKwh] of priced.exported) {
    const ratePerKwh = tariff.exportRatePerKwh;
    if (ratePerKwh === null || exportedKwh === 0) continue;
    const cost = money(exportedKwh).times(ratePerKwh).neg();
    lines.push({ tariff, name: exportLineName, isExport: true, ratePerKwh, energyKwh: exportedKwh, cost });
  }
  return lines;
}

/** By tariff: for each local day its monthly charge by the days of that month, for the part of the day in the range. */
export function fixedCharges(days: readonly LocalDay[]): Map<Tariff, Big> {
  const shares = new Map<Tariff, Map<number, number>>();
  for (const { tariff, date, share } of days) {
    if (tariff === null) continue;
    const own = shares.get(tariff) ?? new Map<number, number>();
    const length = daysInMonth(date);
    own.set(length, (own.get(length) ?? 0) + share);
    shares.set(tariff, own);
  }
  const charges = new Map<Tariff, Big>();
  for (const [tariff, own] of shares) {
    let charge = zero;
    for (const [length, count] of own) charge = charge.plus(money(count).times(tariff.fixedChargePerMonth).div(length));
    charges.set(tariff, charge);
  }
  return charges;
}

function daysInMonth(date: string): number {
  return Temporal.PlainDate.from(date).daysInMonth;
}
