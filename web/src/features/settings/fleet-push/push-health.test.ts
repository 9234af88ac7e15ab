import { expect, it, test } from 'vitest';
import type { PushOverview } from '../../../../../shared/push.ts';
import { pushHealth, type PushResourceState, reconciliationHealth, sentUpTo } from './push-health.ts';

const at = '2026-11-22T09:00:00Z';
const resource = (values: Partial<PushResourceState> = {}): PushResourceState => ({
  resource: 'sites',
  cursor: null,
  backlogRows: null,
  batchSize: 5000,
  failures: 0,
  nextAttemptAt: null,
  lastSuccessAt: at,
  lastErrorKind: null,
  lastError: null,
  lastErrorAt: null,
  rejectedRows: 0,
  ...values,
});
const reconciliation: PushOverview['reconciliation'] = {
  inStepUpTo: null,
  isRunning: false,
  comparedDays: 0,
  resentDays: 0,
  finishedAt: null,
  finishedComparedDays: null,
  finishedResentDays: null,
  differingDays: 0,
  differences: [],
  failures: 0,
  nextAttemptAt: null,
  lastErrorKind: null,
  lastError: null,
  lastErrorAt: null,
};
const overview = (...resources: PushResourceState[]): PushOverview => ({
  isEnabled: true,
  intervalSeconds: 30,
  resources,
  reconciliation,
});
const measurements = (values: Partial<PushResourceState>) => resource({ resource: 'measurements', ...values });

test.each<[string, PushOverview]>([
  ['off', { ...overview(resource()), isEnabled: false }],
  ['running', overview(resource(), measurements({ backlogRows: 15_000 }))],
  ['catchingUp', overview(resource(), measurements({ backlogRows: 15_001 }))],
  ['starting', overview(resource({ lastSuccessAt: null }), measurements({ lastSuccessAt: null, backlogRows: 9 }))],
  ['waiting', overview(resource(), measurements({ failures: 2, lastErrorKind: 'unreachable' }))],
  [
    'refused',
    overview(
      resource({ failures: 1, lastErrorKind: 'busy' }),
      measurements({ failures: 1, lastErrorKind: 'unauthorized' }),
    ),
  ],
])('%s', (health, given) => {
  expect(pushHealth(given).health).toBe(health);
});

it('a past error does not count', () => {
  expect(pushHealth(overview(resource({ lastErrorKind: 'unauthorized', lastError: 'x' }))).health).toBe('running');
});

it('the cursor shows up to when measurements were sent, except while older ones are being sent', () => {
  expect(sentUpTo('2026-11-22T09:00:00.123456Z/2026-11-21T00:00:00.000000Z/018f')).toBe('2026-11-22T09:00:00.123456Z');
  expect(sentUpTo('stored/018f/2026-11-21T00:00:00Z')).toBeNull();
  expect(sentUpTo(null)).toBeNull();
});

const inStepUpTo = at;
test.each([
  ['never', {}],
  ['running', { isRunning: true, inStepUpTo }],
  ['waiting', { isRunning: true, failures: 1, inStepUpTo }],
  ['differs', { inStepUpTo, differingDays: 2 }],
  ['inStep', { inStepUpTo, failures: 0 }],
])('comparing: %s', (health, given) => {
  expect(reconciliationHealth({ ...reconciliation, ...given })).toBe(health);
});
