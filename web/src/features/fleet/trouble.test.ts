import { describe, expect, it } from 'vitest';
import type { FleetCustomer } from '../../../../shared/fleet.ts';
import { byTrouble, customerState, roundInterval, silentAfterSeconds, usualIntervalSeconds } from './trouble.ts';

const hours = (count: number, running = count) => [...Array.from({ length: 23 }, () => count), running];
const pushing = (batchesByHour: number[], firstSeenAt = '2026-01-01T00:00:00Z') =>
  customer('A', { batchesByHour, firstSeenAt });
const customer = (name: string, values: Partial<FleetCustomer> = {}): FleetCustomer => ({
  id: name,
  code: name,
  name,
  isActive: true,
  firstSeenAt: '2026-01-01T00:00:00Z',
  lastSeenAt: '2026-03-10T10:00:00Z',
  lagSeconds: 20,
  lastBatchAt: '2026-03-10T10:00:00Z',
  lastError: null,
  siteCount: 1,
  deviceCount: 1,
  measurementsToday: 0,
  energyTodayKwh: 0,
  isEnergyPending: false,
  newestMeasurementAt: null,
  batchesByHour: hours(124),
  pushIntervalSeconds: null,
  ...values,
});

describe('the usual rhythm of a customer', () => {
  it('is what comes in an hour beside the hourly sets', () => {
    expect(usualIntervalSeconds(pushing(hours(124)))).toBe(30);
    expect(usualIntervalSeconds(pushing(hours(5)))).toBe(3600);
  });

  it('does not know the running hour, nor the silence at the end', () => {
    expect(usualIntervalSeconds(pushing(hours(64, 1)))).toBe(60);
    expect(
      usualIntervalSeconds(pushing([...Array.from({ length: 4 }, () => 64), ...Array.from({ length: 20 }, () => 0)])),
    ).toBe(60);
    expect(usualIntervalSeconds(pushing(hours(0, 5)))).toBeNull();
  });

  it('of a new one is that of its batches since it was first seen, once there are some', () => {
    const since = (batches: number) => usualIntervalSeconds(pushing(hours(0, batches), '2026-03-10T09:50:00Z'));
    expect([13, 14, 64].map(since)).toEqual([null, 60, 10]);
    expect(silentAfterSeconds(pushing(hours(0, 64), '2026-03-10T09:50:00Z'))).toBe(600);
  });

  it('counts quiet hours in between, and an hour of a backlog like any other', () => {
    expect(usualIntervalSeconds(pushing([5, 0, 0, 5, 0, 0, 5, 0]))).toBe((7 * 3600) / 3);
    expect(usualIntervalSeconds(pushing([64, 64, 5000, 64, 64, 0]))).toBe(60);
  });

  it('is said in whole units', () => {
    expect([27, 61, 100, 1700, 7000].map(roundInterval)).toEqual([30, 60, 120, 1680, 7200]);
  });
});

describe('the state of a customer', () => {
  it('silent: three intervals of its own without a stored batch, at least ten minutes', () => {
    expect(silentAfterSeconds(pushing(hours(124)))).toBe(600);
    expect(silentAfterSeconds(pushing(hours(5)))).toBe(3 * 3600);
    expect(silentAfterSeconds(pushing(hours(0)))).toBe(3600);
    expect(customerState(customer('A', { lagSeconds: 600 }))).toBe('live');
    expect(customerState(customer('A', { lagSeconds: 601 }))).toBe('silent');
    expect(customerState(customer('A', { lagSeconds: 601, batchesByHour: hours(5) }))).toBe('live');
  });

  it('one whose stack says that it pushes once a day may be quiet for three', () => {
    const daily = { batchesByHour: [7, ...hours(0).slice(1)], pushIntervalSeconds: 86_400 };
    expect(customerState(customer('A', { lagSeconds: 3 * 86_400, ...daily }))).toBe('live');
    expect(customerState(customer('A', { lagSeconds: 3 * 86_400 + 1, ...daily }))).toBe('silent');
    expect(customerState(customer('A', { lagSeconds: 86_400, ...daily, pushIntervalSeconds: 30 }))).toBe('silent');
  });

  it('failing: its last batch was refused; waiting: nothing ever came; off: nobody waits for it', () => {
    expect(customerState(customer('A', { lastError: 'No.' }))).toBe('failing');
    expect(customerState(customer('A', { lagSeconds: null }))).toBe('waiting');
    expect(customerState(customer('A', { lagSeconds: null, lastError: 'No.' }))).toBe('failing');
    expect(customerState(customer('A', { isActive: false, lagSeconds: 1e6, lastError: 'No.' }))).toBe('off');
  });

  it('trouble comes first: silent by their own rhythm, then errors, then those that never came, then disabled', () => {
    const sorted = byTrouble([
      customer('live'),
      customer('off', { isActive: false }),
      customer('waiting', { lagSeconds: null }),
      customer('failing', { lastError: 'No.' }),
      customer('hourly, four hours late', { lagSeconds: 4 * 3600, batchesByHour: hours(5) }),
      customer('each half minute, one hour late', { lagSeconds: 3600 }),
    ]);
    expect(sorted.map(({ name }) => name)).toEqual([
      'each half minute, one hour late',
      'hourly, four hours late',
      'failing',
      'waiting',
      'off',
      'live',
    ]);
  });
});
