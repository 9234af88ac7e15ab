import fc from 'fast-check';
import { bucketsOf, rates } from '../base/budgets.ts';
import { expect, test } from 'vitest';
import { afterFailure, lockedForSeconds, noFailures, type SignInFailures } from './lockout.rules.ts';

const maxOfSource = rates.failuresOfSource.size;

const minute = 60_000;
const failAt = (times: readonly number[], from: SignInFailures = noFailures) =>
  times.reduce((failures, at) => afterFailure(failures, at), from);

test('Lockout: four failures do not lock, the fifth within 15 minutes locks for 15 minutes', () => {
  const four = failAt([0, 1, 2, 3].map((n) => n * minute));
  expect(lockedForSeconds(four, 3 * minute)).toBe(0);
  const five = afterFailure(four, 4 * minute);
  expect(lockedForSeconds(five, 4 * minute)).toBe(15 * 60);
  expect(lockedForSeconds(five, 4 * minute + 1)).toBe(15 * 60);
  expect(lockedForSeconds(five, 18 * minute + 59_999)).toBe(1);
  expect(lockedForSeconds(five, 19 * minute)).toBe(0);
});

test('Lockout: failures that are 15 minutes old no longer count', () => {
  expect(lockedForSeconds(failAt([0, 1, 2, 3, 15 * minute]), 15 * minute)).toBe(0);
  expect(lockedForSeconds(failAt([1, 2, 3, 4, 15 * minute]), 15 * minute)).toBe(15 * 60);
});

test('Lockout: once a lock has opened, the failures before it are forgotten', () => {
  const locked = failAt([0, 10, 20, 30, 40]);
  const opened = 15 * minute + 40;
  const again = failAt([opened, opened + 1, opened + 2, opened + 3], locked);
  expect(lockedForSeconds(again, opened + 3)).toBe(0);
  expect(lockedForSeconds(afterFailure(again, opened + 4), opened + 4)).toBe(15 * 60);
});

test('Lockout: whatever the times of the guesses, there are at most five of them in any 15 minutes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5 * minute }), { maxLength: 60 }), (gaps) => {
      let now = 0;
      let failures = noFailures;
      const guesses: number[] = [];
      for (const gap of gaps) {
        now += gap;
        if (lockedForSeconds(failures, now) > 0) continue;
        guesses.push(now);
        failures = afterFailure(failures, now);
      }
      for (const from of guesses) {
        expect(guesses.filter((at) => at >= from && at < from + 15 * minute).length).toBeLessThanOrEqual(5);
      }
    }),
  );
});

test('Lockout: at most five failures are kept for an email', () => {
  const failures = failAt(Array.from({ length: 100 }, (_, index) => index));
  expect(failures.failedAt.length).toBeLessThanOrEqual(5);
});

test('Lockout: a source may fail 100 times, whatever the emails, then once a second; other sources are unaffected', () => {
  const failures = bucketsOf('failuresOfSource');
  for (let n = 1; n < maxOfSource; n += 1) failures.record('203.0.113.7', 0);
  expect(failures.peek('203.0.113.7', 0)).toBe(0);
  for (let n = 0; n < 3; n += 1) failures.record('203.0.113.7', 0);
  expect(failures.peek('203.0.113.7', 0)).toBe(3);
  expect(failures.peek('203.0.113.8', 0)).toBe(0);
  expect(failures.peek('203.0.113.7', 2_999)).toBe(1);
  expect(failures.peek('203.0.113.7', 3_000)).toBe(0);
  failures.record('203.0.113.7', 3_000);
  expect(failures.peek('203.0.113.7', 3_000)).toBe(1);
});

test('Lockout: the 10,000 sources that failed last are remembered', () => {
  const failures = bucketsOf('failuresOfSource');
  for (const source of ['old', 'kept']) for (let n = 0; n < maxOfSource; n += 1) failures.record(source, 0);
  for (let n = 0; n < 9_999; n += 1) failures.record(String(n), 0);
  expect(failures.peek('old', 0)).toBe(0);
  expect(failures.peek('kept', 0)).toBe(1);
});

test('a lock set by a clock that was ahead ends once the clock is corrected, and its failures do not count', () => {
  const ahead = Date.parse('2026-12-05T12:00:00Z');
  const now = Date.parse('2026-11-25T12:00:00Z');
  let failures = noFailures;
  for (let count = 0; count < 5; count += 1) failures = afterFailure(failures, ahead);
  expect(lockedForSeconds(failures, ahead)).toBe(900);
  expect(lockedForSeconds(failures, now)).toBe(0);
  failures = afterFailure(failures, now);
  expect(failures).toEqual({ failedAt: [now], lockedUntil: null });
});

test.each([1, 200, 1_000, 30_000])(
  'with two portals on one database whose clocks differ by %d ms, a lock applies on both, and ends at most that much sooner',
  (skewMs) => {
    let failures = noFailures;
    let guesses = 0;
    for (let now = 0; now < 4 * (15 * minute - skewMs); now += 100) {
      for (const clock of [now, now + skewMs]) {
        if (lockedForSeconds(failures, clock) > 0) continue;
        guesses += 1;
        failures = afterFailure(failures, clock);
      }
    }
    expect(guesses).toBe(20);
  },
);

test('a source that failed while a clock was ahead may try once it is corrected', () => {
  const failures = bucketsOf('failuresOfSource');
  for (let n = 0; n < maxOfSource; n += 1) failures.record('203.0.113.7', 10 * 24 * 60 * minute);
  expect(failures.peek('203.0.113.7', 0)).toBe(0);
  // Setting the clock back a little grants no attempts.
  for (let n = 0; n < maxOfSource; n += 1) failures.record('203.0.113.7', minute);
  expect(failures.peek('203.0.113.7', 0)).toBe(1);
});
