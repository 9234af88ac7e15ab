import { expect, test } from 'vitest';
import { changedAmounts, unpricedChange } from './cost-changes.ts';

const cost = (currency: string, total: number) => ({ currency, energyCost: total, fixedCharge: 0, vat: 0, total });
const month = (name: string, before: [string, number][], after: [string, number][], unpriced = 0) => ({
  month: name,
  before: { costs: before.map(([currency, total]) => cost(currency, total)), unpricedEnergyKwh: 0 },
  after: { costs: after.map(([currency, total]) => cost(currency, total)), unpricedEnergyKwh: unpriced },
});
const preview = (...months: ReturnType<typeof month>[]) => ({ fromDate: '2026-01-01', toDate: '2026-07-01', months });

test('each month and currency that differs has a line, the latest first; the others are left out', () => {
  const asked = preview(
    month('2026-01', [['EUR', 10]], [['EUR', 12.5]]),
    month(
      '2026-02',
      [
        ['EUR', 20],
        ['INR', 5],
      ],
      [
        ['EUR', 21],
        ['INR', 5],
      ],
    ),
  );
  expect(changedAmounts(asked)).toEqual({
    rows: [
      { month: '2026-02', currency: 'EUR', before: 20, after: 21 },
      { month: '2026-01', currency: 'EUR', before: 10, after: 12.5 },
    ],
    totals: [{ currency: 'EUR', before: 30, after: 33.5 }],
  });
});

test('another currency has a line for the old and one for the new amount; energy without a price is reported', () => {
  const asked = preview(month('2026-01', [['EUR', 10]], [['CHF', 11]], 7));
  expect(changedAmounts(asked).rows).toEqual([
    { month: '2026-01', currency: 'CHF', before: 0, after: 11 },
    { month: '2026-01', currency: 'EUR', before: 10, after: 0 },
  ]);
  expect(unpricedChange(asked)).toBe(7);
});

test('a price that changes from gross to net has its lines, even if the totals stay', () => {
  const asked = preview(
    month('2026-01', [['EUR', 12.5]], [['EUR', 12.5]]),
    month('2026-02', [['EUR', 3]], [['EUR', 3]]),
  );
  Object.assign(asked.months[0]?.after.costs[0] ?? {}, { energyCost: 10, vat: 2.5 });
  expect(changedAmounts(asked).rows).toEqual([{ month: '2026-01', currency: 'EUR', before: 12.5, after: 12.5 }]);
});
