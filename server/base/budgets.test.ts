import { expect, test } from 'vitest';
import { assertConnectionsFit } from './budgets.ts';

test('the connections that the budgets may hold at once fit into the shares of the pool', () => {
  expect(() => assertConnectionsFit()).not.toThrow();
});

test('otherwise the start fails and names the share, its users with their numbers, and the solution', () => {
  const shares = {
    person: { connections: 10, of: { reads: 5, exports: 6 } },
    ingest: { connections: 1, of: { a: 1 } },
  };
  expect(() => assertConnectionsFit(shares)).toThrow(
    'The connections "person" of budgets.ts are 10, but reads 5, exports 6 may hold 11: raise "person" or lower one of these.',
  );
});
