import { expect, it } from 'vitest';
import { csvOfRange } from './csv-of-range.ts';

const table = {
  name: 'Energy flow',
  header: ['Device', 'Energy (kWh)'],
  rows: [
    ['Main', 7],
    ['Press', null],
  ],
};
const names = { from: 'From', to: 'To' };

it('the file of what a range took tells its days in its name and its instants in each row, by the clock of the site', () => {
  const range = { from: '2026-02-28T23:00:00Z', to: '2026-03-31T22:00:00Z' };
  expect(csvOfRange(table, range, 'Europe/Berlin', names)).toEqual({
    name: 'Energy flow 2026-03-01 2026-03-31',
    header: ['Device', 'Energy (kWh)', 'From', 'To'],
    rows: [
      ['Main', 7, '2026-03-01T00:00:00+01:00', '2026-04-01T00:00:00+02:00'],
      ['Press', null, '2026-03-01T00:00:00+01:00', '2026-04-01T00:00:00+02:00'],
    ],
  });
});

it('of one day its name has one date', () => {
  const day = { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' };
  expect(csvOfRange(table, day, 'UTC', names).name).toBe('Energy flow 2026-03-01');
});
