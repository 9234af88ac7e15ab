import { expect, test } from 'vitest';
import { arrivedUntil } from './current-power.ts';

const at = (time: string) => Date.parse(`2026-03-11T${time}Z`) * 1000;
const now = at('10:10:00');
const sentAt = (time: string | null, expectedIntervalSeconds: number | null = null) => ({
  rules: { energySource: 'auto', ratedPowerKw: null, registerMaxKwh: null, expectedIntervalSeconds } as const,
  spans: { any: time === null ? null : { firstMicros: 0, lastMicros: at(time) } },
});

test('A running range can be compared up to where the last of those that still send has come', () => {
  expect(arrivedUntil([sentAt('10:00:00'), sentAt('10:09:00')], now)).toBe(at('10:00:00'));
  expect(arrivedUntil([sentAt('08:10:00')], now)).toBe(at('08:10:00'));
  expect(arrivedUntil([sentAt('04:00:00', 4 * 3600)], now)).toBe(at('04:00:00'));
});

test('Whoever has been silent for long, has never sent or is ahead holds no comparison back', () => {
  const silent = [sentAt('08:09:59'), sentAt('02:00:00', 4 * 3600), sentAt(null)];
  expect(arrivedUntil(silent, now)).toBe(now);
  expect(arrivedUntil([...silent, sentAt('11:00:00')], now)).toBe(now);
  expect(arrivedUntil([], now)).toBe(now);
});
