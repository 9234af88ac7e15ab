import { describe, expect, it } from 'vitest';
import { pointsOfWholeHours, sparkShape } from './sparkline.ts';

const box = { width: 100, height: 20, padding: 0 };
const span = { from: 0, to: 10, bridge: 5 };

describe('the small line', () => {
  it('spans the time and the values from zero to the highest', () => {
    const { line, last } = sparkShape(
      [
        { at: 0, value: 0 },
        { at: 5, value: 4 },
        { at: 10, value: 2 },
      ],
      span,
      box,
    );
    expect(line).toBe('M0 20L50 0L100 10');
    expect(last).toEqual({ x: 100, y: 10 });
  });

  it('is at the bottom if everything is zero', () => {
    const zeros = [0, 5].map((at) => ({ at, value: 0 }));
    expect(sparkShape(zeros, span, box).line).toBe('M0 20L50 20');
  });

  it('is around zero if there is export', () => {
    const { line, area } = sparkShape(
      [
        { at: 0, value: -1 },
        { at: 4, value: 1 },
      ],
      span,
      box,
    );
    expect(line).toBe('M0 20L40 0');
    expect(area).toBe('M0 10L0 20L40 0L40 10Z');
  });

  it('breaks if readings are too far apart', () => {
    expect(
      sparkShape(
        [
          { at: 0, value: 1 },
          { at: 8, value: 1 },
        ],
        span,
        box,
      ).line,
    ).toBe('M0 0M80 0');
  });

  it('leaves out readings outside its time, and is empty without readings', () => {
    expect(sparkShape([{ at: -5, value: 9 }], span, box)).toEqual({ line: '', area: '', last: null });
  });

  it('does not draw the running hour, whose few batches would look like a drop', () => {
    const points = pointsOfWholeHours([4, 4, 4, 1]);
    expect(points.map(({ value }) => value)).toEqual([4, 4, 4]);
    expect(sparkShape(points, { from: 0, to: 2, bridge: 1 }, box).line).toBe('M0 0L50 0L100 0');
  });
});
