import { describe, expect, it } from 'vitest';
import { sortedRows, type SortKey } from '../../../shared/sorted-rows.ts';
import { nextSort } from './sorted-rows.ts';

const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const sorted = (keys: readonly SortKey[], isDescending: boolean) =>
  sortedRows([...keys.entries()], ([, key]) => key, isDescending, compare).map(([index]) => index);

describe('a list sorted by a column', () => {
  it('sorts numbers in names by their value, and rows without a value last, in both directions', () => {
    expect(sorted(['Meter 10', null, 'meter 9', 'Äpfel'], false)).toEqual([3, 2, 0, 1]);
    expect(sorted(['Meter 10', null, 'meter 9', 'Äpfel'], true)).toEqual([0, 2, 3, 1]);
    expect(sorted([2, null, -1, 10], true)).toEqual([3, 0, 2, 1]);
  });

  it('keeps rows with equal values in their order, in both directions', () => {
    expect(sorted([1, 1, 0, 1], false)).toEqual([2, 0, 1, 3]);
    expect(sorted([1, 1, 0, 1], true)).toEqual([0, 1, 3, 2]);
  });

  it('goes from the largest number or first name to the opposite, and then back to its own order', () => {
    const clicks = (isNumeric: boolean) => {
      const first = nextSort(null, 'a', isNumeric);
      const second = nextSort(first, 'a', isNumeric);
      return [first?.isDescending, second?.isDescending, nextSort(second, 'a', isNumeric)];
    };
    expect(clicks(true)).toEqual([true, false, null]);
    expect(clicks(false)).toEqual([false, true, null]);
    expect(nextSort({ id: 'a', isDescending: true }, 'b', false)).toEqual({ id: 'b', isDescending: false });
  });
});
