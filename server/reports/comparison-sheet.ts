import type { Comparison } from '../../shared/comparison.ts';
import type { Say } from './say.ts';
import type { Cell, Part } from '../workbook/sheet.ts';
import type { ChosenDevice } from '../energy/measurements.sql.ts';
import { clockOf, count, instantCell, kw, kwh, moneyOf, table, type TableColumn, text } from './export-formats.ts';

const differenceOf = (value: number | null | undefined, other: number | null | undefined) =>
  typeof value === 'number' && typeof other === 'number' ? value - other : null;

interface Sides {
  /** The devices of each side. */
  own: readonly ChosenDevice[];
  other: readonly ChosenDevice[];
  /** The cost is that of the same part of both. */
  isCostOfPart: boolean;
}

/** The rows of both ranges with their differences, and the totals of both below. */
export function comparisonSheet(say: Say, answer: Comparison, sides: Sides): Iterable<Part> {
  const { days, times, otherTimes, timeZone, otherTimeZone, running, totals, common } = answer;
  const { energyImportedKwh: energy, otherEnergyImportedKwh: otherEnergy } = answer;
  const { averagePowerKw: power, otherAveragePowerKw: otherPower } = answer;
  const changeAt = (at: number, values: readonly (number | null)[], others: readonly (number | null)[]) =>
    running[at] === true ? null : differenceOf(values[at], others[at]);
  // A day is each site's own, whatever clock its start is told by.
  const clockOfSide = (devices: readonly ChosenDevice[], zone: string) =>
    answer.bucket === 'day' ? clockOf(say, devices, zone) : zone;
  const columns: readonly TableColumn<number>[] = [
    [say('Day'), count, (at) => (days[at] ?? 0) + 1],
    [say('Time', clockOfSide(sides.own, timeZone)), text, (at) => instantCell(times[at] ?? null, timeZone)],
    [
      say('Other time', clockOfSide(sides.other, otherTimeZone)),
      text,
      (at) => instantCell(otherTimes[at] ?? null, otherTimeZone),
    ],
    [say('Energy', 'kWh'), kwh, (at) => energy[at] ?? null],
    [say('Other energy', 'kWh'), kwh, (at) => otherEnergy[at] ?? null],
    [say('Difference', 'kWh'), kwh, (at) => changeAt(at, energy, otherEnergy)],
    [say('Average power', 'kW'), kw, (at) => power[at] ?? null],
    [say('Other average power', 'kW'), kw, (at) => otherPower[at] ?? null],
    [say('Difference', 'kW'), kw, (at) => changeAt(at, power, otherPower)],
  ];
  // Of a range that runs nothing but the rows of both is the same part of both.
  const isRunning = running.includes(true);
  const isCostCompared = sides.isCostOfPart || !isRunning;
  const sum = (name: string, own: number, other: number, isCompared: boolean) => [
    { value: name, isBold: true },
    null,
    null,
    { value: own, format: kwh, isBold: true },
    { value: other, format: kwh, isBold: true },
    { value: isCompared ? own - other : null, format: kwh, isBold: true },
  ];
  const costOf = (costs: Comparison['costs'], currency: string) =>
    costs.find((cost) => cost.currency === currency)?.total ?? null;
  const cost = (currency: string): Cell[] => {
    const [own, other] = [costOf(answer.costs, currency), costOf(answer.otherCosts, currency)];
    const values = [own, other, isCostCompared ? differenceOf(own, other) : null];
    const format = moneyOf(currency);
    return [
      { value: say(sides.isCostOfPart ? 'Cost up to the same time' : 'Cost', currency), isBold: true },
      null,
      null,
      ...values.map((value) => ({ value, format, isBold: true })),
    ];
  };
  const currencies = new Set([...answer.costs, ...answer.otherCosts].map(({ currency }) => currency));
  const { unpricedEnergyKwh, otherUnpricedEnergyKwh } = answer;
  const hasUnpriced = unpricedEnergyKwh + otherUnpricedEnergyKwh > 0;
  return table(
    say('Comparison'),
    columns,
    [...days.keys()],
    [
      [],
      sum(say('All rows'), totals.energyImportedKwh, totals.otherEnergyImportedKwh, !isRunning),
      sum(
        say(isRunning ? 'Rows of both, as far as both have come' : 'Rows of both'),
        common.energyImportedKwh,
        common.otherEnergyImportedKwh,
        common.rowCount > 0,
      ),
      ...[...currencies].toSorted().map(cost),
      ...(hasUnpriced ? [sum(say('Without a price'), unpricedEnergyKwh, otherUnpricedEnergyKwh, isCostCompared)] : []),
    ],
  );
}
