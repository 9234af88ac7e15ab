import { type FleetDashboardQuery, knownEnergyToday } from '../../shared/fleet.ts';
import { searchedWords } from '../../shared/search-text.ts';
import { sortedRows, type SortKey } from '../../shared/sorted-rows.ts';
import { byTrouble, type Verdict } from './fleet-trouble.rules.ts';

/** What a customer is searched, sorted and counted by. */
export interface Choosable extends Pick<Verdict, 'state' | 'silentAfterSeconds' | 'lagSeconds'> {
  /** The text that is searched, as `plainText`. */
  searched: string;
  seenMs: number | null;
  energyTodayKwh: number;
  measurementsToday: number;
  deviceCount: number;
}

/** The customers that a question asks for, and how many there are without its limit. The given ones are sorted by name. */
export function chooseCustomers<Customer extends Choosable>(
  customers: readonly Customer[],
  { search = '', state, sort, limit }: FleetDashboardQuery,
): { foundCount: number; chosen: Customer[] } {
  const words = searchedWords(search);
  const found = customers.filter(
    (one) => (state === undefined || one.state === state) && words.every((word) => one.searched.includes(word)),
  );
  return { foundCount: found.length, chosen: sortedBy(found, sort).slice(0, limit) };
}

/** Customers with equal keys are by state. */
function sortedBy<Customer extends Choosable>(found: Customer[], sort: FleetDashboardQuery['sort']): Customer[] {
  const by = (keyOf: (one: Customer) => SortKey, isDescending: boolean) =>
    sortedRows(byTrouble(found), keyOf, isDescending, () => 0);
  switch (sort) {
    case undefined:
      return byTrouble(found);
    case 'name':
      return found;
    case '-name':
      return found.toReversed();
    case 'lastSeenAt':
    case '-lastSeenAt':
      return by(({ seenMs }) => seenMs, sort === '-lastSeenAt');
    case 'energyTodayKwh':
    case '-energyTodayKwh':
      return by(knownEnergyToday, sort === '-energyTodayKwh');
    case 'deviceCount':
    case '-deviceCount':
      return by(({ deviceCount }) => deviceCount, sort === '-deviceCount');
  }
}
