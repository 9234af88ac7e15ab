import { expect, it } from 'vitest';
import { usualRules } from '../../test/support/meters.ts';
import { noSpans, slotMicros, slotsPerDay } from './energy.rules.ts';
import { type AffectedPart, piecesOf } from './recompute-energy.ts';

const partOf = (deviceNumber: number, slots: number): AffectedPart => ({
  device: { deviceNumber, rules: usualRules, spans: noSpans },
  grid: { startMicros: 0, widthMicros: slotMicros, count: slots },
  days: null,
});
const countPieces = (devices: number, slots: number) =>
  [...piecesOf(Array.from({ length: devices }, (_, at) => partOf(at, slots)))].length;

it('the running quarter-hours of a hundred devices are computed at once, their whole days in pieces', () => {
  expect(countPieces(100, 2)).toBe(1);
  expect(countPieces(100, slotsPerDay)).toBe(4);
});
