import { describe, expect, it } from 'vitest';
import { rowsOf } from './table-rows.ts';

const clock = (atMs: number) => `${atMs} ms`;
const kW = { measure: 'power', unit: 'kW' };
const cell = (value: number | null) => ({ ...kW, value });

describe('the table behind a chart', () => {
  it('has a row for each time in order and a column for each series, with gaps for missing values', () => {
    const parts = [
      { ...kW, key: 'A', name: 'A', points: [[2, 20] as const, [1, 10] as const] },
      { ...kW, key: 'b', name: 'b', points: [[2, null] as const, [3, 30] as const] },
    ];
    expect(rowsOf(parts, clock)).toEqual({
      head: [
        { key: 'A', name: 'A' },
        { key: 'b', name: 'b' },
      ],
      rows: [
        { key: '1', name: '1 ms', cells: [cell(10), null] },
        { key: '2', name: '2 ms', cells: [cell(20), cell(null)] },
        { key: '3', name: '3 ms', cells: [null, cell(30)] },
      ],
    });
  });

  it('has a row for each series of one value, the largest first and unknown ones last', () => {
    const parts = [
      { ...kW, key: 'unknown', name: 'unknown', points: [[1, null] as const] },
      { ...kW, key: 'none', name: 'none', points: [] },
      { ...kW, key: 'small', name: 'small', points: [[1, -1] as const] },
      { ...kW, key: 'large', name: 'large', points: [[1, 5] as const] },
    ];
    expect(rowsOf(parts, clock)).toEqual({
      head: null,
      rows: [
        { key: 'large', name: 'large', cells: [cell(5)] },
        { key: 'small', name: 'small', cells: [cell(-1)] },
        { key: 'unknown', name: 'unknown', cells: [cell(null)] },
        { key: 'none', name: 'none', cells: [cell(null)] },
      ],
    });
  });
});
