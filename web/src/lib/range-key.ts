import { presetOf, type TimeRangeSearch } from './time-range.ts';

/**
 * What a range of the URL is called in the key of a query. A preset goes by its name and is resolved when it is asked for,
 * so that the answer of a minute ago stays in view while the next one is on its way, also where that one fails.
 */
export function rangeKey(search: TimeRangeSearch, timeZone: string): readonly string[] {
  return [presetOf(search) ?? `${search.from} ${search.to}`, timeZone];
}
