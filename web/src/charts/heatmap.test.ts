import { describe, expect, it } from 'vitest';
import { heatColor, heatLayout, heatScale, heatStep } from './heatmap.ts';

const colors = {
  series: ['#0f766e', '#e8871e', '#2f7ed8'],
  others: '#999999',
  text: '#000000',
  dimmed: '#666666',
  surface: '#ffffff',
};
const cell = (value: number) => ({ row: 0, hour: 0, value, count: 1, fromMs: 0, toMs: 3_600_000 });

describe('a heatmap', () => {
  it('has days as rows up to six weeks, and as columns beyond', () => {
    expect(heatLayout(31)).toMatchObject({ isHoursAcross: true, minWidth: 0 });
    expect(heatLayout(365).isHoursAcross).toBe(false);
    // On paper, a month fits below another panel.
    expect([heatLayout(31).height, heatLayout(31, true).height]).toEqual([464, 371]);
  });

  it('colors import from zero up', () => {
    const scale = heatScale([cell(4), cell(10)], colors);
    expect([scale.min, scale.max]).toEqual([0, 10]);
    expect(scale.colors[2]).toBe('#0f766e');
  });

  it('colors export below zero in another color, as strong as import of the same size', () => {
    const scale = heatScale([cell(-12), cell(10)], colors);
    expect([scale.min, scale.max]).toEqual([-12, 12]);
    expect(scale.colors).toHaveLength(7);
    expect([scale.colors[1], scale.colors[5]]).toEqual(['#2f7ed8', '#0f766e']);
  });

  it('has a scale even if everything is zero', () => {
    expect(heatScale([cell(0)], colors).max).toBe(1);
  });

  it('mixes the colors between those of the scale, in steps that cells share', () => {
    const scale = { min: -10, max: 10, colors: ['#000000', '#808080', '#ffffff'] };
    expect([-10, 0, 10].map((value) => heatColor(value, scale))).toEqual(scale.colors);
    expect([-99, 99].map((value) => heatColor(value, scale))).toEqual(['#000000', '#ffffff']);
    expect(heatColor(-5, scale)).toBe('#404040');
    const shades = new Set(Array.from({ length: 5000 }, (_, index) => heatColor(index / 250 - 10, scale)));
    expect(shades.size).toBeLessThan(100);
    expect(shades.size).toBeGreaterThan(60);
  });

  it('is navigated by arrow keys in its visible direction, but not beyond its edges', () => {
    expect(heatStep(null, 'ArrowRight', 2, true)).toBe(0);
    expect(heatStep(0, 'ArrowRight', 2, true)).toBe(1);
    expect(heatStep(0, 'ArrowDown', 2, true)).toBe(24);
    expect(heatStep(0, 'ArrowRight', 2, false)).toBe(24);
    expect(heatStep(0, 'ArrowUp', 2, true)).toBe(0);
    expect(heatStep(5, 'End', 2, true)).toBe(47);
    expect(heatStep(5, 'Home', 2, true)).toBe(0);
    expect(heatStep(5, 'a', 2, true)).toBeNull();
  });
});
