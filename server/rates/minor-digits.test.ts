import { expect, test } from 'vitest';
import { minorDigits } from '../../shared/currencies.ts';
import { minorDigits as ownDigits } from '../base/money.ts';

test('the page shows amounts to the minor unit to which the portal rounds them', () => {
  for (const currency of Intl.supportedValuesOf('currency')) {
    expect(minorDigits(currency), currency).toBe(ownDigits(currency));
  }
});
