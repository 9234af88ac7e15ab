import { describe, expect, it } from 'vitest';
import { compareCosts } from './cost-comparison.ts';

const cost = (currency: string, total: number) => ({ currency, energyCost: total, fixedCharge: 0, vat: 0, total });

describe('what a load would cost beside what it costs', () => {
  it('differs by an amount and a share of what it costs today', () => {
    expect(compareCosts({ currency: 'EUR', total: 90 }, { costs: [cost('EUR', 120)] })).toEqual({
      kind: 'compared',
      actual: 120,
      difference: -30,
      share: -0.25,
    });
  });

  it('differs by cents, not by what binary floats leave', () => {
    expect(compareCosts({ currency: 'EUR', total: 0.3 }, { costs: [cost('EUR', 0.1)] })).toMatchObject({
      difference: 0.2,
    });
    const same = compareCosts({ currency: 'EUR', total: 0.1 + 0.2 }, { costs: [cost('EUR', 0.3)] });
    expect(same).toMatchObject({ difference: 0, share: 0 });
  });

  it('has no share of nothing, and that of a credit tells whether it gets dearer', () => {
    expect(compareCosts({ currency: 'EUR', total: 5 }, { costs: [cost('EUR', 0)] })).toMatchObject({ share: null });
    expect(compareCosts({ currency: 'EUR', total: -10 }, { costs: [cost('EUR', -20)] })).toMatchObject({
      difference: 10,
      share: 0.5,
    });
  });

  it('is never compared across two currencies, also where one of them is that of the tariff', () => {
    expect(compareCosts({ currency: 'EUR', total: 90 }, { costs: [cost('USD', 120)] })).toEqual({
      kind: 'otherCurrency',
    });
    const both = { costs: [cost('EUR', 50), cost('USD', 70)] };
    expect(compareCosts({ currency: 'EUR', total: 90 }, both)).toEqual({ kind: 'otherCurrency' });
  });

  it('is not compared where nothing is priced today', () => {
    expect(compareCosts({ currency: 'EUR', total: 90 }, { costs: [] })).toEqual({ kind: 'nothingPriced' });
  });
});
