import { searchFor } from '../../lib/search-text.ts';

interface Municipality {
  name: string;
  timeZone: string;
  tariffs: readonly { name: string }[];
}

/** The municipalities that a search finds by their name and zone, or by a tariff of theirs. */
export function findRates<Found extends Municipality>(rates: readonly Found[], search: string): readonly Found[] {
  const matches = searchFor(search);
  return rates.filter(({ name, timeZone, tariffs }) =>
    [timeZone.replaceAll('_', ' '), ...tariffs.map((tariff) => tariff.name)].some((text) => matches(`${name} ${text}`)),
  );
}
