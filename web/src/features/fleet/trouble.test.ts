import { expect, it } from 'vitest';
import type { FleetCustomer } from '../../../../shared/fleet.ts';
import { byTrouble, roundInterval } from './trouble.ts';

const customer = (name: string, values: Partial<FleetCustomer> = {}): FleetCustomer => ({
  id: name,
  code: name,
  name,
  isActive: true,
  firstSeenAt: '2026-01-01T00:00:00Z',
  lastSeenAt: '2026-03-10T10:00:00Z',
  state: 'live',
  troubleSince: null,
  noReadingsSince: null,
  failure: null,
  usualIntervalSeconds: 30,
  silentAfterSeconds: 600,
  lagSeconds: 20,
  lastBatchAt: '2026-03-10T10:00:00Z',
  lastError: null,
  siteCount: 1,
  deviceCount: 1,
  measurementsToday: 0,
  energyTodayKwh: 0,
  isEnergyPending: false,
  newestMeasurementAt: null,
  batchesByHour: Array.from({ length: 24 }, () => 124),
  failedBatches: 0,
  pushIntervalSeconds: null,
  rejectedRecords: 0,
  ...values,
});

it('trouble comes first: silent by their own rhythm, no readings, errors, those that never came, then disabled', () => {
  const sorted = byTrouble([
    customer('live'),
    customer('off', { state: 'off' }),
    customer('waiting', { state: 'waiting', lagSeconds: null }),
    customer('failing', { state: 'failing' }),
    customer('unmeasured', { state: 'unmeasured' }),
    customer('hourly, four hours late', { state: 'silent', lagSeconds: 4 * 3600, silentAfterSeconds: 3 * 3600 }),
    customer('each half minute, one hour late', { state: 'silent', lagSeconds: 3600 }),
  ]);
  expect(sorted.map(({ name }) => name)).toEqual([
    'each half minute, one hour late',
    'hourly, four hours late',
    'unmeasured',
    'failing',
    'waiting',
    'off',
    'live',
  ]);
});

it('a rhythm is said in whole units', () => {
  expect([27, 61, 100, 1700, 7000].map(roundInterval)).toEqual([30, 60, 120, 1680, 7200]);
});
