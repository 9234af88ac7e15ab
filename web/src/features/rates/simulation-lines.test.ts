import { expect, it } from 'vitest';
import { mergedLines } from './simulation-lines.ts';

it('periods of one name and rate are one line; another rate or name is another', () => {
  const line = (name: string, ratePerKwh: number, energyKwh: number, cost: number) => ({
    name,
    ratePerKwh,
    energyKwh,
    cost,
    currency: 'EUR',
  });
  const lines = [
    line('Default', 0.3, 64, 19.2),
    line('Peak', 0.4, 10, 4),
    line('Peak', 0.4, 5, 2),
    line('Peak', 0.5, 2, 1),
  ];
  expect(mergedLines(lines)).toEqual([
    line('Default', 0.3, 64, 19.2),
    line('Peak', 0.4, 15, 6),
    line('Peak', 0.5, 2, 1),
  ]);
});
