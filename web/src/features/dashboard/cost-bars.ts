import type { CostGroup, CostLine, CostLineKind } from '../../../../shared/dashboard.ts';
import { calendarSpan, type TimeRange } from '../../lib/time-range.ts';
import { dayMs } from '../../../../shared/time.ts';
import { nameNumber, toneOfCharge } from '../../../../shared/charts/drawing.ts';
import { calendarGroups, type BarData, type BarSeries } from '../../../../shared/charts/bars.ts';

/** With more days than this, about three months, the bars are months. */
const maxDays = 92.5;

export function costGroupOf({ fromMs, toMs }: TimeRange, timeZone: string): CostGroup & ('day' | 'month') {
  const span = calendarSpan({ fromMs, toMs }, timeZone);
  if (span?.unit === 'month' && span.count <= 3) return 'day';
  return (toMs - fromMs) / dayMs > maxDays ? 'month' : 'day';
}

/** The portal's own name for the line of the default rate. */
const defaultName = 'Default';

export interface CostLineNames {
  default: string;
  export: string;
  fixedCharge: string;
  vat: string;
  unpriced: string;
}

/** The name of a line on the page. */
export function costLineName({ kind, name }: Pick<CostLine, 'kind' | 'name'>, names: CostLineNames): string {
  if (kind !== 'energy') return names[kind];
  return name === defaultName ? names.default : name;
}

/** Energy at the bottom, period by period, then the charges on top of it. */
const order: readonly CostLineKind[] = ['energy', 'fixedCharge', 'vat', 'export'];

/** Whether there is energy or a fixed charge in the currency, even if it rounds to zero. */
export const isCharged = (lines: readonly CostLine[], currency: string): boolean =>
  lines.some((line) => line.currency === currency && (line.kind === 'fixedCharge' || (line.energyKwh ?? 0) !== 0));

/**
 * The cost of one currency by day or month, stacked by tariff period, fixed charge, VAT and the credit for export. The bars add
 * up to the total of the range. A day without cost still has its place between the first and the last day with cost.
 */
export function costBars(lines: readonly CostLine[], currency: string, names: CostLineNames): BarData {
  const own = lines.filter((line) => line.currency === currency && line.cost !== null && line.group !== null);
  const known = own.flatMap(({ group }) => group ?? []).toSorted();
  const [first, last] = [known[0], known.at(-1)];
  const groups = first === undefined || last === undefined ? [] : calendarGroups(first, last);
  const positions = new Map(groups.map((group, index) => [group, index]));
  const series = new Map<string, { kind: CostLineKind; values: (number | null)[]; bar: Omit<BarSeries, 'values'> }>();
  for (const line of own) {
    const position = positions.get(line.group ?? '');
    if (position === undefined) continue;
    const id = line.kind === 'energy' ? `energy ${line.name}` : line.kind;
    const tone = toneOfCharge[line.kind];
    const one = series.get(id) ?? {
      kind: line.kind,
      values: groups.map(() => null),
      bar: {
        id,
        name: costLineName(line, names),
        colorNumber: nameNumber(line.kind === 'energy' ? line.name : line.kind),
        ...(tone === undefined ? {} : { tone }),
      },
    };
    one.values[position] = (one.values[position] ?? 0) + (line.cost ?? 0);
    series.set(id, one);
  }
  const shown = [...series.values()].filter(({ values }) => values.some((value) => value !== null && value !== 0));
  return {
    groups,
    // In the order of names and not of size, so that a period keeps its place when new readings arrive.
    series: shown
      .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || (a.bar.id < b.bar.id ? -1 : 1))
      .map(({ bar, values }) => ({ ...bar, values })),
  };
}
