import { expect, it } from 'vitest';
import type { FleetDashboardQuery } from '../../shared/fleet.ts';
import { plainText } from '../../shared/search-text.ts';
import { customerStates } from '../../shared/states.rules.ts';
import { type Choosable, chooseCustomers } from './choose-customers.rules.ts';

const customer = (name: string, values: Partial<Choosable> = {}) => ({
  name,
  searched: plainText(name),
  state: 'sending' as const,
  silentAfterSeconds: 600,
  lagSeconds: 20,
  seenMs: null,
  energyTodayKwh: 0,
  measurementsToday: 0,
  deviceCount: 0,
  ...values,
});
const choose = (customers: readonly ReturnType<typeof customer>[], question: FleetDashboardQuery) => {
  const { foundCount, chosen } = chooseCustomers(customers, question);
  return [foundCount, ...chosen.map(({ name }) => name)];
};
const seen = (seenMs: number) => ({ seenMs });

it('finds customers by words of any case and accent, and by state, and counts all that it finds', () => {
  const fleet = [customer('Café Nord', { state: 'never' }), customer('Café Süd'), customer('Depot Nord')];
  expect(choose(fleet, { search: 'NORD cafe' })).toEqual([1, 'Café Nord']);
  expect(choose(fleet, { search: ' nord ', state: 'sending' })).toEqual([1, 'Depot Nord']);
  expect(choose(fleet, { search: 'nord', limit: 1 })).toEqual([2, 'Café Nord']);
  expect(choose(fleet, { search: 'west' })).toEqual([0]);
  const all = customerStates.map((state) => customer(state, { state }));
  for (const state of customerStates) expect(choose(all, { state })).toEqual([1, state]);
  expect(choose(all.toReversed(), {})).toEqual([7, ...customerStates]);
  expect(choose([], { search: 'x', sort: '-name', limit: 5 })).toEqual([0]);
});

it('sorts by each column in both directions, those without a value last and equal ones by state', () => {
  const fleet = [
    customer('a', { ...seen(2), deviceCount: 1, energyTodayKwh: 5, measurementsToday: 9 }),
    customer('b', { deviceCount: 1, state: 'late' }),
    customer('c', { ...seen(3), deviceCount: 2, measurementsToday: 1 }),
  ];
  const orders: [FleetDashboardQuery['sort'], string][] = [
    [undefined, 'bac'],
    ['name', 'abc'],
    ['-name', 'cba'],
    ['lastSeenAt', 'acb'],
    ['-lastSeenAt', 'cab'],
    ['energyTodayKwh', 'cab'],
    ['-energyTodayKwh', 'acb'],
    ['deviceCount', 'bac'],
    ['-deviceCount', 'cba'],
  ];
  for (const [sort, order] of orders) {
    expect(choose(fleet, { sort }), sort).toEqual([3, ...order]);
    expect(choose(fleet, { sort, limit: 2 }), sort).toEqual([3, ...order.slice(0, 2)]);
  }
});
