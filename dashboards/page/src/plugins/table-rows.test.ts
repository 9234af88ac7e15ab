import { describe, expect, it } from 'vitest';
import { rowsOf } from './table-rows.ts';

const clock = (atMs: number) => `${atMs} ms`;

describe('the table behind a chart', () => {
  it('has a row for each time in its order and a column for each series, with gaps where a series has no value', () => {
    const series = [
      { name: 'a', formattedName: 'A', values: [[2, 20] as const, [1, 10] as const] },
      { name: 'b', values: [[2, null] as const, [3, 30] as const] },
    ];
    expect(rowsOf(series, clock)).toEqual({
      head: [
        { column: 0, name: 'A' },
        { column: 1, name: 'b' },
      ],
      rows: [
        { key: 1, name: '1 ms', values: [10, null] },
        { key: 2, name: '2 ms', values: [20, null] },
        { key: 3, name: '3 ms', values: [null, 30] },
      ],
    });
  });

  it('has a row for each series of one value, the largest first and what is unknown last', () => {
    const series = [
      { name: 'unknown', values: [[1, null] as const] },
      { name: 'none', values: [] },
      { name: 'small', values: [[1, -1] as const] },
      { name: 'large', values: [[1, 5] as const] },
    ];
    expect(rowsOf(series, clock)).toEqual({
      head: null,
      rows: [
        { key: 0, name: 'large', values: [5] },
        { key: 1, name: 'small', values: [-1] },
        { key: 2, name: 'unknown', values: [null] },
        { key: 3, name: 'none', values: [null] },
      ],
    });
  });
});
