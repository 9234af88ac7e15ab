import type { TariffTerms } from '../../shared/rates.ts';
import { type ExactMeter, perKwh, quarter } from './exact-energy.ts';

/** The cost of meters of one site by energy-and-cost.md 7, in whole numbers, written from that text alone. */

/** The rates of a tariff as text, such as 0.2537. */
export type ExactTariff = Pick<
  TariffTerms,
  'defaultRatePerKwh' | 'fixedChargePerMonth' | 'vatPercent' | 'exportRatePerKwh' | 'periods'
>;

export interface ExactCost {
  /** kWh by line. */
  lines: Map<string, bigint>;
  energyCost: number;
  total: number;
}

const minute = 60_000_000n;
/** Rates have at most six digits; money is counted in 1e-24. */
const rateUnit = 1_000_000;
const moneyUnit = 10n ** 24n;
const rateOf = (rate: number) => BigInt(Math.round(rate * rateUnit));
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const localAt = (time: bigint, zone: string) => new Temporal.ZonedDateTime(time * 1000n, zone);

const roundHalfAway = (of: bigint, by: bigint) => {
  const size = (2n * (of < 0n ? -of : of) + by) / (2n * by);
  return of < 0n ? -size : size;
};

/** The name of the line that applies at a weekday (Monday 1) and minute of the day. */
function lineAt({ periods }: ExactTariff, weekday: number, at: number): string {
  const isOn = (mask: number, day: number) => Math.floor(mask / 2 ** (day - 1)) % 2 === 1;
  const yesterday = weekday === 1 ? 7 : weekday - 1;
  const found = periods.find(({ daysOfWeek, startTime, endTime }) => {
    const [start, end] = [minutesOf(startTime), minutesOf(endTime)];
    if (start < end) return isOn(daysOfWeek, weekday) && start <= at && at < end;
    return (isOn(daysOfWeek, weekday) && start <= at) || (isOn(daysOfWeek, yesterday) && at < end);
  });
  return found?.name ?? 'Default';
}

export function exactCost(
  meters: readonly ExactMeter[],
  tariff: ExactTariff,
  zone: string,
  from: bigint,
  to: bigint,
): ExactCost {
  const lines = new Map<string, bigint>();
  const add = (line: string, units: bigint) => lines.set(line, (lines.get(line) ?? 0n) + units);
  for (let slot = (from / quarter) * quarter; slot < to; slot += quarter) {
    const [start, end] = [slot > from ? slot : from, slot + quarter < to ? slot + quarter : to];
    let [imported, exported] = [0n, 0n];
    for (const meter of meters) {
      const own = meter.between(start, end);
      imported += own.imported;
      exported += own.exported;
    }
    add('Export', exported);
    const local = localAt(slot, zone);
    const [weekday, first] = [local.dayOfWeek, local.hour * 60 + local.minute];
    for (let part = 0n; part < 15n; part += 1n) {
      const [a, b] = [slot + part * minute, slot + (part + 1n) * minute];
      const [x, y] = [a > start ? a : start, b < end ? b : end];
      if (x < y) add(lineAt(tariff, weekday, first + Number(part)), (imported * (y - x)) / (end - start));
    }
  }
  let energy = 0n;
  for (const [line, units] of lines) {
    const billionths = roundHalfAway(units * 1_000_000_000n, perKwh);
    const ofPeriod = tariff.periods.find(({ name }) => name === line)?.ratePerKwh ?? tariff.defaultRatePerKwh;
    const rate = line === 'Export' ? -rateOf(tariff.exportRatePerKwh ?? 0) : rateOf(ofPeriod);
    energy += billionths * rate * 10n ** 9n;
  }
  const before = energy + fixedCharge(tariff, zone, from, to);
  const total = before + (before * rateOf(tariff.vatPercent)) / (100n * BigInt(rateUnit));
  const cents = (amount: bigint) => Number(roundHalfAway(amount, moneyUnit / 100n)) / 100;
  return { lines, energyCost: cents(energy), total: cents(total) };
}

/** For each local day the charge of the month divided by its days, times the share of the day's real length in the range. */
function fixedCharge({ fixedChargePerMonth }: ExactTariff, zone: string, from: bigint, to: bigint): bigint {
  let sum = 0n;
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(zone).epochNanoseconds / 1000n;
  for (let date = localAt(from, zone).toPlainDate(); startOf(date) < to; date = date.add({ days: 1 })) {
    const [start, end] = [startOf(date), startOf(date.add({ days: 1 }))];
    const [x, y] = [start > from ? start : from, end < to ? end : to];
    sum += (rateOf(fixedChargePerMonth) * 10n ** 18n * (y - x)) / ((end - start) * BigInt(date.daysInMonth));
  }
  return sum;
}
