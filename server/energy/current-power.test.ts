import { expect, test } from 'vitest';
import { arrivedUntil } from './power.rules.ts';

const at = (time: string) => Date.parse(`2026-03-11T${time}Z`) * 1000;
const now = at('10:10:00');
interface Sent {
  time: string | null;
  expectedIntervalSeconds?: number | null;
  isActive?: boolean;
}
const until = (...sent: Sent[]) =>
  arrivedUntil(
    sent.map(({ time, expectedIntervalSeconds = null, isActive = true }) => ({
      isActive,
      rules: { energySource: 'auto', ratedPowerKw: null, registerMaxKwh: null, expectedIntervalSeconds },
      spans: { any: time === null ? null : { firstMicros: 0, lastMicros: at(time) } },
    })),
    now,
  );

test('A running range can be compared up to the last reading of the slowest sending device', () => {
  expect(until({ time: '10:00:00' }, { time: '10:09:00' })).toBe(at('10:00:00'));
  expect(until({ time: '09:40:00' })).toBe(at('09:40:00'));
  expect(until({ time: '08:10:00', expectedIntervalSeconds: 3_600 })).toBe(at('08:10:00'));
});

test('Devices that are inactive, offline, read once a day or ahead of time delay no comparison', () => {
  const others: Sent[] = [
    { time: '10:00:00', isActive: false },
    { time: '09:39:59' },
    { time: '02:00:00', expectedIntervalSeconds: 86_400 },
    { time: null },
  ];
  expect(until(...others)).toBe(now);
  expect(until(...others, { time: '11:00:00' })).toBe(now);
  expect(until()).toBe(now);
});

test('Two late devices of a hundred delay none either', () => {
  const hundred = (late: number): Sent[] =>
    Array.from({ length: 100 }, (_, at) => ({ time: at < late ? '09:45:00' : '10:00:00' }));
  expect(until(...hundred(2))).toBe(at('10:00:00'));
  expect(until(...hundred(3))).toBe(at('09:45:00'));
});
