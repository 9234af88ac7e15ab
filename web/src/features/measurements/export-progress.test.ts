import { describe, expect, it } from 'vitest';
import { expectedBytes, milestoneOf, rememberSize, shareOf } from './export-progress.ts';

function emptyStore() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  };
}

describe('the expected size of a file', () => {
  it('grows with its rows, and is known before any export', () => {
    const store = emptyStore();
    const small = expectedBytes('xlsx', 1000, store);
    expect(small).toBeGreaterThan(0);
    expect(expectedBytes('xlsx', 250_000, store)).toBe(250 * small);
  });

  it('is that of the last finished export of the same format, row by row', () => {
    const store = emptyStore();
    const before = expectedBytes('csv', 500, store);
    rememberSize('xlsx', 10_000, 700_000, store);
    rememberSize('xlsx', 20_000, 1_200_000, store);
    expect(expectedBytes('xlsx', 500, store)).toBe(30_000);
    expect(expectedBytes('csv', 500, store)).toBe(before);
  });

  it('ignores a file that is mostly header and footer', () => {
    const store = emptyStore();
    const before = expectedBytes('xlsx', 500, store);
    rememberSize('xlsx', 3, 9000, store);
    expect(expectedBytes('xlsx', 500, store)).toBe(before);
  });

  it.each(['', 'many', '-5', '0', 'Infinity'])('ignores a stored size of %j', (text) => {
    const store = { ...emptyStore(), getItem: () => text };
    expect(expectedBytes('ndjson', 10, store)).toBe(expectedBytes('ndjson', 10, emptyStore()));
  });
});

describe('the received share', () => {
  it('follows the bytes while much is missing', () => {
    expect(shareOf(0, 1000)).toBe(0);
    expect(shareOf(450, 1000)).toBe(0.45);
    expect(shareOf(900, 1000)).toBe(0.9);
  });

  it('grows with every part and never reaches the whole, however much larger the file is than expected', () => {
    let before = 0;
    for (let received = 0; received <= 1300; received += 10) {
      const share = shareOf(received, 1000);
      expect(share).toBeGreaterThanOrEqual(before);
      expect(share).toBeLessThan(1);
      before = share;
    }
    expect(shareOf(1e12, 1000)).toBe(0.99);
  });

  it('does not jump where it begins to slow down', () => {
    expect(shareOf(901, 1000) - shareOf(899, 1000)).toBeCloseTo(0.002, 4);
  });

  it('is unknown if nothing is expected', () => {
    expect(shareOf(100, 0)).toBe(0);
  });

  it.each([
    [0, 0],
    [0.24, 0],
    [0.25, 25],
    [0.6, 50],
    [0.99, 75],
  ])('%d is announced as %d percent', (share, percent) => {
    expect(milestoneOf(share)).toBe(percent);
  });
});
