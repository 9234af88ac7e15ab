import { describe, expect, it } from 'vitest';
import { fitWindow, panBy, shortestZoomMs, zoomBy } from './use-chart-zoom.ts';

const hour = 3_600_000;
const day = { fromMs: 0, toMs: 24 * hour };
const window = (from: number, to: number) => ({ fromMs: from * hour, toMs: to * hour });

describe('a zoom', () => {
  it('keeps the instant under the pointer in place', () => {
    expect(zoomBy(window(0, 12), 0.5, 3 * hour, day)).toEqual(window(1.5, 7.5));
  });

  it('is over once it shows the whole range', () => {
    expect(zoomBy(window(6, 18), 4, 12 * hour, day)).toBeNull();
    expect(fitWindow(window(0, 24), day)).toBeNull();
  });

  it('does not go below a few minutes', () => {
    const close = zoomBy(window(6, 7), 0.0001, 6.5 * hour, day);
    expect((close?.toMs ?? 0) - (close?.fromMs ?? 0)).toBe(shortestZoomMs);
  });

  it('moves, and stops at the ends of the range', () => {
    expect(panBy(window(6, 12), 2 * hour, day)).toEqual(window(8, 14));
    expect(panBy(window(6, 12), 99 * hour, day)).toEqual(window(18, 24));
    expect(panBy(window(6, 12), -99 * hour, day)).toEqual(window(0, 6));
  });
});
