import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDays, type CountedDay, daysOfPage, devicesOfPage } from './day-checksums.rules.ts';

const day = (deviceId: string, date: string, checksum: string, count = 1): CountedDay => ({
  deviceId,
  day: date,
  count,
  checksum,
});

describe('compareDays', () => {
  it('finds differing, missing and additional rows; each day counts once', () => {
    const own = [day('a', '2026-03-10', 'x'), day('a', '2026-03-11', 'x'), day('b', '2026-03-10', 'x')];
    const fleet = [day('a', '2026-03-10', 'x'), day('a', '2026-03-11', 'y'), day('c', '2026-03-10', 'x')];
    const { comparedDays, differing } = compareDays(own, fleet);
    expect(comparedDays).toBe(4);
    expect(differing).toEqual([
      { deviceId: 'a', day: '2026-03-11', own: own[1], fleet: fleet[1] },
      { deviceId: 'b', day: '2026-03-10', own: own[2], fleet: null },
      { deviceId: 'c', day: '2026-03-10', own: null, fleet: fleet[2] },
    ]);
  });

  it('the same checksum with another count differs', () => {
    const { differing } = compareDays([day('a', '2026-03-10', 'x', 2)], [day('a', '2026-03-10', 'x', 3)]);
    expect(differing).toHaveLength(1);
  });
});

describe('the size of a page', () => {
  it('devices times days fit into one answer of the fleet, and a page is never longer than a month', () => {
    expect([0, 1, 3, 100, 1_000, 50_000].map(daysOfPage)).toEqual([31, 31, 31, 10, 1, 1]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.array(fc.nat(3_000_000), { minLength: 1 }), (count, rows) => {
        const days = daysOfPage(count);
        const devices = rows.map((one) => ({ rows: one }));
        const chosen = devicesOfPage(devices, days);
        expect(chosen).toEqual(devices.slice(0, chosen.length));
        expect(chosen.length).toBeGreaterThanOrEqual(1);
        expect(chosen.length * days).toBeLessThanOrEqual(1_000);
      }),
    );
  });

  it('devices with very many measurements are compared one by one', () => {
    const dense = { rows: 31 * 86_400 };
    expect(devicesOfPage([dense, dense, dense], 31)).toHaveLength(1);
    expect(devicesOfPage([{ rows: 1_000 }, { rows: 1_000 }], 31)).toHaveLength(2);
    expect(devicesOfPage([], 31)).toEqual([]);
  });
});
