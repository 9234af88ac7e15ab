import type { Big } from 'big.js';
import { type Amounts, type CostLine, costsOf, energyCosts, type PricedEnergy, sumAmounts } from './costs.rules.ts';
import { minorDigits, roundEach, roundMoney, roundParts, roundTable, zero } from '../base/money.ts';
import type { TariffDays } from './price-timeline.rules.ts';

/** Amounts in units of the currency, rounded to its minor unit; the three parts add up to the total. */
export interface StatedCost {
  currency: string;
  energyCost: number;
  fixedCharge: number;
  vat: number;
  total: number;
}

/** One line of the energy cost: import at one rate, or the credit for export. */
export interface StatedLine {
  name: string;
  ratePerKwh: number;
  energyKwh: number;
  cost: number;
  currency: string;
}

export interface ChargedSite {
  siteId: string;
  priced: PricedEnergy;
  /** The local days for which it pays the fixed charge. */
  days: TariffDays;
  /** Devices that do not add up are rounded by themselves. */
  devices: readonly { number: number; priced: PricedEnergy; addsUp: boolean }[];
}

export interface CostStatement {
  /** One per currency; currencies are never added up. */
  costs: StatedCost[];
  sites: Map<string, StatedCost[]>;
  devices: Map<number, { currency: string; energyCost: number }[]>;
  lines: StatedLine[];
}

/**
 * What sites pay, by currency (energy-and-cost.md 7). Everything is exact until each total is rounded once; sites, devices and
 * lines are rounded so that they add up to it.
 */
export function stateCosts(sites: readonly ChargedSite[]): CostStatement {
  const bySite = sites.map((site) => ({ site, costs: costsOf(site.priced, site.days) }));
  const currencies = [...new Set(bySite.flatMap(({ costs }) => costs.map((cost) => cost.currency)))].toSorted();
  const statement: CostStatement = { costs: [], sites: new Map(), devices: new Map(), lines: [] };
  for (const { siteId, devices } of sites) {
    statement.sites.set(siteId, []);
    for (const { number } of devices) statement.devices.set(number, []);
  }
  for (const currency of currencies) {
    const digits = minorDigits(currency);
    const own = bySite.flatMap(({ site, costs }) => {
      const cost = costs.find((one) => one.currency === currency);
      return cost === undefined ? [] : [{ site, cost }];
    });
    const whole = roundedCost({ currency, ...sumAmounts(own.map(({ cost }) => cost)) });
    statement.costs.push(stated(currency, whole));

    const rows = roundParts(
      own.map(({ cost }) => cost.total),
      whole.total,
      digits,
    );
    const totals = { rows, columns: partsOf(whole) };
    const table = roundTable(
      own.map(({ cost }) => partsOf(cost)),
      totals,
      digits,
    );
    for (const [at, { site }] of own.entries()) {
      statement.sites.get(site.siteId)?.push(stated(currency, amountsOf(table[at], rows[at])));
    }
    const devices = own.flatMap(({ site }) => devicesOf(site, currency));
    const counted = devices.filter((device) => device.addsUp);
    const rounded = new Map(roundEach(counted, (device) => device.cost, whole.energyCost, digits));
    for (const device of devices) {
      const cost = rounded.get(device) ?? roundMoney(device.cost, digits);
      statement.devices.get(device.number)?.push({ currency, energyCost: cost.toNumber() });
    }
    const lines = mergedLines(own.flatMap(({ cost }) => cost.lines));
    for (const [{ line, energyKwh }, cost] of roundEach(lines, (one) => one.cost, whole.energyCost, digits)) {
      const { name, ratePerKwh } = line;
      statement.lines.push({ name, ratePerKwh: ratePerKwh.toNumber(), energyKwh, cost: cost.toNumber(), currency });
    }
  }
  return statement;
}

/** The total, rounded once, and its parts, rounded so that they add up to it. */
export function roundedCost(cost: Amounts & { currency: string }): Amounts {
  const digits = minorDigits(cost.currency);
  const total = roundMoney(cost.total, digits);
  return amountsOf(roundParts(partsOf(cost), total, digits), total);
}

const partsOf = ({ energyCost, fixedCharge, vat }: Amounts) => [energyCost, fixedCharge, vat];

const amountsOf = ([energyCost = zero, fixedCharge = zero, vat = zero]: Big[] = [], total = zero): Amounts => ({
  energyCost,
  fixedCharge,
  vat,
  total,
});

/** Amounts as numbers. */
export const stated = (currency: string, { energyCost, fixedCharge, vat, total }: Amounts): StatedCost => ({
  currency,
  energyCost: energyCost.toNumber(),
  fixedCharge: fixedCharge.toNumber(),
  vat: vat.toNumber(),
  total: total.toNumber(),
});

const devicesOf = ({ devices }: ChargedSite, currency: string) =>
  devices.flatMap(({ number, priced, addsUp }) => {
    const cost = energyCosts(priced).get(currency);
    return cost === undefined ? [] : [{ number, cost, addsUp }];
  });

/** Merges lines of the same name and rate across sites and tariffs; the export credit comes last. */
function mergedLines(lines: readonly CostLine[]) {
  const keyOf = ({ name, ratePerKwh, isExport }: CostLine) => JSON.stringify([isExport, name, ratePerKwh.toFixed()]);
  const merged = [...Map.groupBy(lines, keyOf).values()].flatMap((own) => {
    const energyKwh = own.reduce((sum, line) => sum + line.energyKwh, 0);
    const cost = own.reduce((sum, line) => sum.plus(line.cost), zero);
    return own.slice(0, 1).map((line) => ({ line, energyKwh, cost }));
  });
  return merged.toSorted(
    ({ line: a }, { line: b }) =>
      Number(a.isExport) - Number(b.isExport) || (a.name < b.name ? -1 : Number(a.name > b.name)),
  );
}
