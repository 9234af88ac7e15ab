import { describe, expect, it } from 'vitest';
import { legendHeight } from './legend.ts';

const items = (count: number) => Array.from({ length: count }, (_, index) => ({ label: `Device number ${index}` }));

describe('the room for the names below a chart', () => {
  it('is a row where they fit into one, and as many as they need where they do not', () => {
    expect(legendHeight(items(3), 1400, 270)).toBe(30);
    expect(legendHeight(items(10), 700, 270)).toBe(82);
  });

  it('is never the larger part of a panel, however many there are', () => {
    expect(legendHeight(items(50), 350, 270)).toBe(121);
    expect(legendHeight([{ label: 'x'.repeat(2_000) }], 350, 60)).toBe(30);
  });
});
