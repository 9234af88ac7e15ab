import { describe, expect, it } from 'vitest';
import { changeShare } from './compared-ranges.ts';

describe('a change', () => {
  it('is a share of what was before', () => {
    expect(changeShare(12, 10)).toBeCloseTo(0.2);
    expect(changeShare(-5, -10)).toBeCloseTo(0.5);
    expect(changeShare(0, 10)).toBe(-1);
    expect(changeShare(100, 10)).toBe(9);
  });

  it('from zero or nearly zero has no share, never an infinite one or thousands of percent', () => {
    expect(changeShare(12, 0)).toBeNull();
    expect(changeShare(0.02, 0.01)).toBeNull();
    expect(changeShare(103, 1)).toBeNull();
  });

  it('from a credit to a cost, or back, has no share', () => {
    expect(changeShare(5, -10)).toBeNull();
    expect(changeShare(-5, 10)).toBeNull();
  });
});
