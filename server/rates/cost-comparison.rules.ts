import type { CostComparison as Wire } from '../../shared/comparison.ts';
import type { Big } from 'big.js';
import { breakDown, stateCosts, type StatedCost } from './cost-statement.rules.ts';
import { costsOf, energyCosts } from './costs.rules.ts';
import { partsOf, type SiteTotals } from './energy-totals.rules.ts';
import { minorDigits } from '../../shared/primitives.ts';
import { money, roundEach, roundMoney, zero } from '../base/money.ts';
import { dateAt, type MicrosRange } from '../base/instants.ts';
import { type Tariff, tariffInForce } from './tariffs.rules.ts';

/** The totals to compare. Both have the same sites and devices in the same order. */
export interface ComparedTotals {
  current: readonly SiteTotals[];
  other: readonly SiteTotals[];
  /** The energy and the days of the current range at the prices of the other range. */
  atOtherPrices: readonly SiteTotals[];
}

/** The reasons for which an amount differs; the two add up to the difference. */
type Effects = Omit<Wire['totals'][number], 'currency'>;
type ComparedLine = Omit<Wire['lines'][number], 'siteName'>;
/** The energy cost of a device. If the device is a sub-meter, this cost is included in that of its main meter. */
type ComparedDevice = Pick<Wire['devices'][number], 'currency' | 'energyKwh' | 'otherEnergyKwh' | keyof Effects> & {
  number: number;
};

interface CostComparison {
  /** One comparison for each currency, because currencies are never added up. */
  totals: Wire['totals'];
  /** The lines of a currency add up to its total, in each column. */
  lines: ComparedLine[];
  /** The devices that add up have the sum of the lines for energy and export. */
  devices: ComparedDevice[];
}

/**
 * Why the cost of a range differs from that of another range (docs/energy.md). The price effect is the cost of the range minus
 * its cost at the prices of the other range. The quantity effect is the rest. Amounts are those of the breakdowns of both
 * ranges. Price effects are rounded so that they add up; quantity effects are the rest. So every row and every column adds up.
 */
export function compareCosts(totals: ComparedTotals): CostComparison {
  const [current, other] = [stateCosts(totals.current), stateCosts(totals.other)];
  const currencies = [...new Set([...current.costs, ...other.costs].map(({ currency }) => currency))].toSorted();
  const cells = readCells(totals, current.costs, other.costs);
  const comparison: CostComparison = { totals: [], lines: [], devices: [] };
  for (const currency of currencies) {
    const digits = minorDigits(currency);
    const own = mergeReplaced(cells.filter((cell) => cell.currency === currency)).filter(isShown);
    const exact = own.reduce((sum, cell) => sum.plus(priceEffectOf(cell)), zero);
    let ofEnergy = zero;
    for (const [cell, price] of roundEach(own, priceEffectOf, roundMoney(exact, digits), digits)) {
      if (isEnergy(cell)) ofEnergy = ofEnergy.plus(price);
      comparison.lines.push({ ...lineOf(cell), ...effectsOf(cell.current.rounded, cell.other.rounded, price) });
    }
    const totalOf = ({ costs }: { costs: readonly StatedCost[] }) =>
      money(costs.find((cost) => cost.currency === currency)?.total ?? 0);
    const price = roundMoney(exact, digits);
    comparison.totals.push({ currency, ...effectsOf(totalOf(current), totalOf(other), price) });
    comparison.devices.push(
      ...compareDevices(totals, { currency, digits, ofEnergy, current: current.devices, other: other.devices }),
    );
  }
  return comparison;
}

const effectsOf = (cost: Big, otherCost: Big, price: Big): Effects => ({
  cost: cost.toNumber(),
  otherCost: otherCost.toNumber(),
  quantityEffect: cost.minus(otherCost).minus(price).toNumber(),
  priceEffect: price.toNumber(),
});

interface Amount {
  /** The quantity in kWh or months. */
  quantity: number;
  exact: Big;
  /** The amount that the cost breakdown of the range shows. */
  rounded: Big;
}

interface Cell {
  siteId: string;
  currency: string;
  kind: ComparedLine['kind'];
  periods: string[];
  otherPeriods: string[];
  current: Amount;
  other: Amount;
  atOtherPrices: Amount;
}

const kinds: readonly ComparedLine['kind'][] = ['energy', 'export', 'fixedCharge', 'vat'];
const sides = ['current', 'other', 'atOtherPrices'] as const;
const noAmount = (): Amount => ({ quantity: 0, exact: zero, rounded: zero });
const isEnergy = ({ kind }: Pick<Cell, 'kind'>) => kind === 'energy' || kind === 'export';
const priceEffectOf = ({ current, atOtherPrices }: Cell) => current.exact.minus(atOtherPrices.exact);
const isShown = (cell: Cell) =>
  sides.some((side) => {
    const { exact, rounded, quantity } = cell[side];
    return !exact.eq(zero) || !rounded.eq(zero) || (cell.kind === 'energy' && quantity !== 0);
  });

/** The amounts of each line of both ranges, by site, currency, kind and period. */
function readCells(totals: ComparedTotals, costs: readonly StatedCost[], otherCosts: readonly StatedCost[]): Cell[] {
  const cells = new Map<string, Cell>();
  const cellOf = (siteId: string, currency: string, kind: Cell['kind'], name = '') =>
    cells.getOrInsertComputed(JSON.stringify([siteId, currency, kind, name]), (): Cell => {
      const amounts = { current: noAmount(), other: noAmount(), atOtherPrices: noAmount() };
      return { siteId, currency, kind, periods: [name], otherPeriods: [name], ...amounts };
    });
  for (const side of sides) {
    for (const { siteId, priced, days } of totals[side]) {
      const add = (cell: Cell, quantity: number, exact: Big) => {
        cell[side].quantity += quantity;
        cell[side].exact = cell[side].exact.plus(exact);
      };
      for (const { currency, lines, fixedCharge, vat } of costsOf(priced, days)) {
        for (const { name, isExport, energyKwh, cost } of lines) {
          add(
            isExport ? cellOf(siteId, currency, 'export') : cellOf(siteId, currency, 'energy', name),
            energyKwh,
            cost,
          );
        }
        add(cellOf(siteId, currency, 'fixedCharge'), 0, fixedCharge);
        add(cellOf(siteId, currency, 'vat'), 0, vat);
      }
      for (const [{ currency }, byLength] of days) {
        for (const [length, count] of byLength) add(cellOf(siteId, currency, 'fixedCharge'), count / length, zero);
      }
      for (const [{ currency, exportRatePerKwh }, { kwh }] of priced.exported) {
        if (exportRatePerKwh === null) add(cellOf(siteId, currency, 'export'), kwh, zero);
      }
    }
  }
  for (const [side, stated] of [['current', costs] as const, ['other', otherCosts] as const]) {
    for (const { kind, siteId, tariff, name, cost } of breakDown(partsOf(totals[side], 'period'), stated)) {
      if (tariff === null || kind === 'unpriced') continue;
      const amount = cellOf(siteId, tariff.currency, kind, kind === 'energy' ? name : '')[side];
      amount.rounded = amount.rounded.plus(cost ?? 0);
    }
  }
  const sites = totals.current.map((site) => site.siteId);
  return [...cells.values()].toSorted(
    (a, b) =>
      sites.indexOf(a.siteId) - sites.indexOf(b.siteId) ||
      kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
      (String(a.periods) < String(b.periods) ? -1 : 1),
  );
}

/**
 * Some periods were replaced: their energy differs at the prices of the other range. Each site gets one line for all of these
 * periods.
 */
function mergeReplaced(cells: readonly Cell[]): Cell[] {
  const merged: Cell[] = [];
  for (const own of Map.groupBy(cells, (cell) => cell.siteId).values()) {
    const replaced = own.filter((cell) => cell.kind === 'energy' && isReplaced(cell));
    const [first] = replaced;
    const isOne = replaced.length < 2;
    for (const cell of own) {
      if (isOne || !replaced.includes(cell)) merged.push({ ...cell, ...periodsOf([cell]) });
      if (isOne || cell !== first) continue;
      const sumOf = (side: (typeof sides)[number]) => replaced.map((one) => one[side]).reduce(addAmounts, noAmount());
      const [current, other, atOtherPrices] = [sumOf('current'), sumOf('other'), sumOf('atOtherPrices')];
      merged.push({ ...cell, ...periodsOf(replaced), current, other, atOtherPrices });
    }
  }
  return merged;
}

/** Float sums in another order differ in their last digits. */
const leastShare = 1e-9;
const isReplaced = ({ current: { quantity }, atOtherPrices }: Cell) =>
  Math.abs(quantity - atOtherPrices.quantity) > leastShare * Math.max(quantity, atOtherPrices.quantity);

const addAmounts = (a: Amount, b: Amount): Amount => ({
  quantity: a.quantity + b.quantity,
  exact: a.exact.plus(b.exact),
  rounded: a.rounded.plus(b.rounded),
});

function periodsOf(cells: readonly Cell[]) {
  const used = (isUsed: (cell: Cell) => boolean) =>
    cells.filter((cell) => cell.kind === 'energy' && isUsed(cell)).flatMap((cell) => cell.periods);
  return {
    periods: used(({ current }) => current.quantity !== 0),
    otherPeriods: used(({ other, atOtherPrices }) => other.quantity !== 0 || atOtherPrices.quantity !== 0),
  };
}

function lineOf({
  kind,
  siteId,
  currency,
  periods,
  otherPeriods,
  current,
  other,
}: Cell): Omit<ComparedLine, keyof Effects> {
  const [energyKwh, otherEnergyKwh] = isEnergy({ kind }) ? [current.quantity, other.quantity] : [null, null];
  const [months, otherMonths] = kind === 'fixedCharge' ? [current.quantity, other.quantity] : [null, null];
  return { kind, siteId, currency, periods, otherPeriods, energyKwh, otherEnergyKwh, months, otherMonths };
}

type DeviceCosts = ReadonlyMap<number, readonly { currency: string; energyCost: number }[]>;

interface OfCurrency {
  currency: string;
  digits: number;
  /** The price effect of all lines for energy and export, rounded. */
  ofEnergy: Big;
  current: DeviceCosts;
  other: DeviceCosts;
}

function compareDevices(
  totals: ComparedTotals,
  { currency, digits, ofEnergy, ...stated }: OfCurrency,
): ComparedDevice[] {
  const [others, priced] = [devicesOf(totals.other), devicesOf(totals.atOtherPrices)];
  const found = [...devicesOf(totals.current).values()].flatMap((device) => {
    const { number } = device;
    const amountIn = (costs: DeviceCosts) => costs.get(number)?.find((cost) => cost.currency === currency)?.energyCost;
    const [cost, otherCost] = [amountIn(stated.current), amountIn(stated.other)];
    const exactOf = (one = device) => energyCosts(one.priced).get(currency) ?? zero;
    const price = exactOf().minus(exactOf(priced.get(number)));
    if (cost === undefined && otherCost === undefined && price.eq(zero)) return [];
    const otherEnergyKwh = others.get(number)?.priced.importedKwh ?? 0;
    return [{ device, cost: money(cost ?? 0), otherCost: money(otherCost ?? 0), price, otherEnergyKwh }];
  });
  const counted = found.filter(({ device }) => device.addsUp);
  const rounded = new Map(roundEach(counted, ({ price }) => price, ofEnergy, digits));
  return found.map((one) => ({
    number: one.device.number,
    currency,
    energyKwh: one.device.priced.importedKwh,
    otherEnergyKwh: one.otherEnergyKwh,
    ...effectsOf(one.cost, one.otherCost, rounded.get(one) ?? roundMoney(one.price, digits)),
  }));
}

const devicesOf = (sites: readonly SiteTotals[]) =>
  new Map(sites.flatMap(({ devices }) => devices.map((device) => [device.number, device] as const)));

interface TariffSpan<T> {
  tariff: T | null;
  fromDate: string;
}

/**
 * The tariffs of the other range moved to the current range, day by day. The first day gets the prices of the first day there.
 * If the current range is longer, its remaining days get the prices of the last day there. Null if the same tariffs are in
 * force anyway.
 */
export function shiftTariffs<T extends Tariff>(
  tariffs: readonly T[],
  timeZone: string,
  { current, other }: { current: MicrosRange; other: MicrosRange },
): T[] | null {
  const [own, others] = [daysOf(current, timeZone), daysOf(other, timeZone)];
  const days = others.first.until(own.first).days;
  const shifted = spansIn(tariffs, others).map(({ tariff, fromDate }) => ({
    tariff,
    fromDate: Temporal.PlainDate.from(fromDate).add({ days }).toString(),
  }));
  const used = shifted.filter(({ fromDate }) => fromDate <= own.last.toString());
  const idsOf = (spans: readonly TariffSpan<T>[]) =>
    JSON.stringify(spans.map(({ tariff, fromDate }) => [tariff?.id ?? null, fromDate]));
  if (idsOf(used) === idsOf(spansIn(tariffs, own))) return null;
  return used.flatMap(({ tariff, fromDate: effectiveFrom }, at) =>
    tariff === null ? [] : [{ ...tariff, effectiveFrom, effectiveTo: used[at + 1]?.fromDate ?? null }],
  );
}

/** The first and the last local day of a range. */
function daysOf({ fromMicros, toMicros }: MicrosRange, timeZone: string) {
  return { first: dateAt(fromMicros, timeZone), last: dateAt(Math.max(fromMicros, toMicros - 1), timeZone) };
}

/** From which day on each tariff is in force, between the first day and the last. */
function spansIn<T extends Tariff>(
  tariffs: readonly T[],
  { first, last }: { first: Temporal.PlainDate; last: Temporal.PlainDate },
): TariffSpan<T>[] {
  const [fromDate, lastDate] = [first.toString(), last.toString()];
  const edges = tariffs.flatMap(({ effectiveFrom, effectiveTo }) => [effectiveFrom, effectiveTo ?? fromDate]);
  const inside = [...new Set(edges)].filter((date) => date > fromDate && date <= lastDate);
  const spans: TariffSpan<T>[] = [];
  for (const date of [fromDate, ...inside.toSorted()]) {
    const tariff = tariffs.find((one) => one === tariffInForce(tariffs, date)) ?? null;
    if (spans.length === 0 || spans.at(-1)?.tariff !== tariff) spans.push({ tariff, fromDate: date });
  }
  return spans;
}
