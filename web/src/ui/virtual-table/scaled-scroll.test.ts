import { describe, expect, it } from 'vitest';
import { fitted, placeAt, scrolledTo, scrollHeight, tallestPx, visibleRows, type Geometry } from './scaled-scroll.ts';

const few: Geometry = { rowCount: 1000, rowHeight: 30, viewHeight: 600 };
const many: Geometry = { rowCount: 20_000_000, rowHeight: 30, viewHeight: 600 };
const head = { top: 0, offset: 0 };
const lastOffset = (geometry: Geometry) => geometry.rowCount * geometry.rowHeight - geometry.viewHeight;
const lastTop = tallestPx - many.viewHeight;

describe('a list that fits into an element', () => {
  it('scrolls normally', () => {
    expect(scrollHeight(few)).toBe(30_000);
    expect(scrolledTo(12_345, head, few)).toEqual({ top: 12_345, offset: 12_345 });
  });
});

describe('a list higher than any element', () => {
  it('is as high as elements may be', () => {
    expect(scrollHeight(many)).toBe(tallestPx);
  });

  it('moves as far as the reader scrolled in small steps', () => {
    expect(scrolledTo(100, head, many)).toEqual({ top: 100, offset: 100 });
  });

  it('moves in proportion when the reader jumps', () => {
    const half = scrolledTo(lastTop / 2, head, many);
    expect(half.offset).toBeCloseTo(lastOffset(many) / 2, 0);
  });

  it('ends with the last row when a jump takes the element to its end', () => {
    expect(scrolledTo(lastTop, head, many).offset).toBe(lastOffset(many));
    expect(visibleRows(scrolledTo(lastTop, head, many), many, 0).end).toBe(many.rowCount);
  });

  it('continues when small steps take the element to its end but not the list', () => {
    const place = scrolledTo(0, { top: 300, offset: 50_000 }, many);
    expect(place.offset).toBe(49_700);
    expect(place.top).toBeGreaterThan(0);
  });

  it('reaches every row exactly', () => {
    for (const row of [0, 1, 12_345_678, many.rowCount - 21]) {
      expect(visibleRows(placeAt(row * many.rowHeight, many), many, 0).start).toBe(row);
    }
  });

  it('reaches its first row by small steps from any place near it', () => {
    let place = placeAt(3000, many);
    for (let step = 0; step < 100 && place.offset > 0; step += 1) place = scrolledTo(place.top - 100, place, many);
    expect(place).toEqual(head);
  });
});

it('shows the visible rows and some more on each side, but none that does not exist', () => {
  expect(visibleRows({ top: 0, offset: 3005 }, few, 0)).toEqual({ start: 100, end: 121 });
  expect(visibleRows(head, few, 8)).toEqual({ start: 0, end: 28 });
  expect(visibleRows({ top: 0, offset: 29_400 }, few, 8)).toEqual({ start: 972, end: 1000 });
});

it('a place stays while it exists, and becomes the nearest one once the list is shorter', () => {
  const place = { top: 500, offset: 500 };
  expect(fitted(place, few)).toBe(place);
  expect(fitted({ top: 20_000, offset: 20_000 }, { ...few, rowCount: 100 })).toEqual({ top: 2400, offset: 2400 });
  expect(fitted({ top: 500, offset: 500 }, { ...few, rowCount: 0 })).toEqual(head);
});
