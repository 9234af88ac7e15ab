import type { MicrosRange } from '../base/instants.ts';
import { dateAt } from '../base/time-zones.ts';
import { type Tariff, tariffInForce } from './tariffs.rules.ts';

interface TariffSpan<T> {
  tariff: T | null;
  fromDate: string;
}

/**
 * The tariffs of the other range moved to the current one, day by day: its first day gets the prices of the first day there, and
 * if it is longer, its remaining days get those of the last day there. Null if the same tariffs are in force anyway.
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

/** Which tariff holds from which day on, from the first day to the last. */
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
