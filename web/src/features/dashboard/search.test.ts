import { expect, it } from 'vitest';
import { readDashboardSearch, referencesOf, withReference } from './search.ts';
import { explainedIn } from './view.ts';

it('what the load curve is compared with stands in the address; without it what is usual', () => {
  expect(referencesOf(readDashboardSearch({}))).toEqual(['usual']);
  expect(readDashboardSearch({ with: 'usual' })).toEqual({});
  expect(readDashboardSearch({ with: 'week,day,month,day' })).toEqual({ with: 'day,week' });
  for (const text of ['none', '', 'nonsense']) expect(readDashboardSearch({ with: text })).toEqual({ with: 'none' });
  expect(readDashboardSearch({ with: 7 })).toEqual({});
});

it('each is switched on and off by itself, and the rest of the address stays', () => {
  const both = withReference({ range: 'yesterday' }, 'week', true);
  expect(both).toEqual({ range: 'yesterday', with: 'usual,week' });
  const none = withReference(withReference(both, 'usual', false), 'week', false);
  expect(none).toEqual({ range: 'yesterday', with: 'none' });
  expect(withReference(none, 'usual', true)).toEqual({ range: 'yesterday' });
});

it('how the load curve is stacked stands in the address', () => {
  expect(readDashboardSearch({ group: 'changed' })).toEqual({ group: 'changed' });
  expect(readDashboardSearch({ group: 'colour' })).toEqual({});
});

it('which explanation of the cost is open stands in the address', () => {
  for (const why of ['lines', 'change', 'EUR']) expect(readDashboardSearch({ why })).toEqual({ why });
  expect(readDashboardSearch({ why: 'eur' })).toEqual({});
  expect(explainedIn({ why: 'lines' })).toEqual({ shows: 'lines' });
  expect(explainedIn({ why: 'EUR' })).toEqual({ shows: 'change', currency: 'EUR' });
  expect(explainedIn({})).toBeNull();
});
