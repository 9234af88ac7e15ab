import { readTimeRangeSearch, type TimeRangeSearch } from './time-range.ts';

const key = 'time-range';

/** Remembers the range of a page for the pages that this tab opens next, also past pages that have none. */
export function keepRange(search: TimeRangeSearch): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(search));
  } catch {
    // A browser that lets nobody store anything: the next page starts with the default.
  }
}

/** The range that this tab showed last; the default where it showed none. */
export function keptRange(): TimeRangeSearch {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    return readTimeRangeSearch({ ...(typeof kept === 'object' ? kept : null) });
  } catch {
    return {};
  }
}
