import { expect, it } from 'vitest';
import { fitFigures } from './figure-fit.ts';

const room = { count: 1, length: 8, width: 260, height: 100, besideHeight: 0, largestFont: 28 };

it.each([
  ['a short figure has its full size', {}, { shown: 1, columns: 1, fontSize: 28 }],
  ['a long one is smaller', { length: 22, width: 240 }, { shown: 1, columns: 1, fontSize: 16 }],
  ['a narrow panel shows it whole', { length: 12, width: 100 }, { shown: 1, columns: 1, fontSize: 11 }],
  ['two currencies stand side by side', { count: 2, width: 500, besideHeight: 20 }, { shown: 2, columns: 2 }],
  ['or below each other', { count: 2, width: 130, height: 160, besideHeight: 20 }, { shown: 2, columns: 1 }],
  ['without parts there is nothing to fit', { count: 0 }, { shown: 0 }],
])('%s', (_, own, expected) => {
  expect(fitFigures({ ...room, ...own })).toMatchObject(expected);
});

it('of three hundred figures as many are shown as fit, and none is too small to read', () => {
  const { shown, columns, fontSize } = fitFigures({ ...room, count: 300, width: 400, height: 160, besideHeight: 20 });
  expect(shown).toBeGreaterThan(3);
  expect(shown).toBeLessThan(30);
  expect(fontSize).toBeGreaterThanOrEqual(13);
  expect(columns * (8 * 0.62 * fontSize + 12)).toBeLessThanOrEqual(400);
  expect(Math.ceil(shown / columns) * (1.3 * fontSize + 20 + 12)).toBeLessThanOrEqual(160);
});
