import { describe, expect, it } from 'vitest';
import { createFormat } from '../format.ts';
import { barExtremes, barSum, calendarGroups, groupInstant, groupLabel } from './bars.ts';
import { colorsById } from './drawing.ts';

const colors = {
  series: ['#111111', '#222222'],
  others: '#999999',
  text: '#000000',
  dimmed: '#666666',
  surface: '#ffffff',
};
const data = {
  groups: ['2026-03-01', '2026-03-02', '2026-03-03'],
  series: [
    { id: 'day', name: 'Day', values: [1, null, 4] },
    { id: 'vat', name: 'VAT', values: [0.5, null, -5], tone: 'others' as const },
    { id: 'night', name: 'Night', values: [null, null, null] },
  ],
};

describe('stacked bars', () => {
  it('add up known values; a bar without parts has no sum', () => {
    expect([0, 1, 2].map((index) => barSum(data, index))).toEqual([1.5, null, -1]);
    expect(barExtremes(data)).toEqual({ highest: 0, lowest: 2 });
    expect(barExtremes({ groups: ['2026-03-01'], series: [] })).toBeNull();
  });

  it('take colors of the palette in turn, except those with a tone of their own', () => {
    expect([...colorsById(data.series, colors)]).toEqual([
      ['day', '#111111'],
      ['vat', '#999999'],
      ['night', '#222222'],
    ]);
  });
});

describe('the calendar of the bars', () => {
  it('has every day across ends of months and clock changes', () => {
    expect(calendarGroups('2026-02-27', '2026-03-02')).toEqual([
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
      '2026-03-02',
    ]);
    expect(calendarGroups('2026-03-28', '2026-03-30')).toHaveLength(3);
  });

  it('has every month across the end of the year', () => {
    expect(calendarGroups('2025-11', '2026-02')).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
  });

  it('distinguishes the months of different years', () => {
    const format = createFormat('en-GB');
    const label = (group: string, last: string) => groupLabel(group, calendarGroups(group, last), format);
    expect(label('2026-03-02', '2026-03-09')).toBe('2 Mar');
    expect(label('2026-03', '2026-11')).toBe('Mar');
    expect(label('2025-03', '2026-03')).toBe('Mar 2025');
  });

  it('identifies a day and a month by their first instant in UTC', () => {
    expect(groupInstant('2026-03-02')).toBe(Date.UTC(2026, 2, 2));
    expect(groupInstant('2026-03')).toBe(Date.UTC(2026, 2, 1));
  });
});
