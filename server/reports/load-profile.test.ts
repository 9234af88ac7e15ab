import { describe, expect, it } from 'vitest';
import { slotMicros } from '../energy/energy.rules.ts';
import { countSlots, profileRange, stateOfSum, withGaps } from './export-profile.ts';

const quarters = (count: number) => count * slotMicros;

describe('the quarter-hours of a load profile', () => {
  it('lie wholly in the range and are over', () => {
    const range = { fromMicros: quarters(1.5), toMicros: quarters(9.5) };
    expect(profileRange(range, quarters(100))).toEqual({ fromMicros: quarters(2), toMicros: quarters(9) });
    expect(profileRange(range, quarters(4.9))).toEqual({ fromMicros: quarters(2), toMicros: quarters(4) });
    expect(countSlots(profileRange(range, 0))).toBe(0);
  });

  it('are missing in a gap, even with a reading at the edge, and incomplete if a gap cuts them', () => {
    const states = ['measured', 'measured', 'missing', 'measured', 'measured'] as const;
    expect(withGaps(states, 10, [{ fromMicros: quarters(11), toMicros: quarters(13.5) }])).toEqual([
      'measured',
      'missing',
      'missing',
      'incomplete',
      'measured',
    ]);
    const around = [
      { fromMicros: -Infinity, toMicros: quarters(10.25) },
      { fromMicros: quarters(14), toMicros: Infinity },
    ];
    expect(withGaps(states, 10, around)).toEqual(['incomplete', 'measured', 'missing', 'measured', 'missing']);
  });
});

it.each([
  [{ measured: 2, interpolated: 0, incomplete: 0, missing: 0 }, 'measured'],
  [{ measured: 1, interpolated: 1, incomplete: 0, missing: 0 }, 'estimated'],
  [{ measured: 1, interpolated: 1, incomplete: 0, missing: 1 }, 'incomplete'],
  [{ measured: 0, interpolated: 0, incomplete: 1, missing: 0 }, 'incomplete'],
  [{ measured: 0, interpolated: 0, incomplete: 0, missing: 2 }, 'missing'],
  [{ measured: 0, interpolated: 0, incomplete: 0, missing: 0 }, 'missing'],
] as const)('the sum of devices that are %o is %s', (counts, state) => {
  expect(stateOfSum(counts)).toBe(state);
});
