import { expect, it } from 'vitest';
import { failureOf, nextAttempt } from './fleet-answer.ts';

const nowMs = Date.parse('2026-03-01T00:00:00Z');
const parts = { backoff: { minSeconds: 60, maxSeconds: 1800 }, random: () => 0, now: () => nowMs };

it.each([
  [413, null, 'refused', true, 1800],
  [429, '7', 'busy', false, 7],
  [503, 'Sun, 01 Mar 2026 00:02:00 GMT', 'busy', false, 120],
  [503, null, 'busy', false, 240],
  [429, '99999999', 'busy', false, 86_400],
  [401, null, 'unauthorized', false, 1800],
  [302, null, 'refused', false, 1800],
  [400, null, 'refused', false, 1800],
  [500, null, 'broken', false, 240],
])('%i with Retry-After %s is %s (halve: %s); after two failures before it the push waits %i s', (...row) => {
  const [status, retryAfter, kind, isTooLarge, seconds] = row;
  const failure = failureOf({ status, retryAfter }, 'A sentence.', nowMs);
  expect(failure).toMatchObject({ error: { kind, text: 'A sentence.' }, isTooLarge });
  const { nowMicros, nextMicros } = nextAttempt(failure, 2, parts);
  expect((nextMicros - nowMicros) / 1e6).toBe(seconds);
});
