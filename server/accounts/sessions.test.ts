import { expect, test } from 'vitest';
import {
  isDueForRenewal,
  isSessionOver,
  renewSession,
  sessionEndsAt,
  sessionExpiresAt,
  describeUserAgent,
} from './sessions.rules.ts';

const hour = 3_600_000;
const day = 24 * hour;
const session = {
  accountId: '019a0000-0000-7000-8000-000000000001',
  sessionId: '019a0000-0000-7000-8000-000000000002',
  securityStamp: '019a0000-0000-7000-8000-000000000003',
  signedInAt: 0,
  lastSeenAt: 0,
};

test('Sessions: the idle lifetime is 8 hours and slides with use', () => {
  expect(isSessionOver(session, 8 * hour - 1)).toBe(false);
  expect(isSessionOver(session, 8 * hour)).toBe(true);
  expect(isSessionOver({ ...session, lastSeenAt: 7 * hour }, 15 * hour - 1)).toBe(false);
  expect(isSessionOver({ ...session, lastSeenAt: 7 * hour }, 15 * hour)).toBe(true);
});

test('Sessions: the absolute lifetime is 14 days, however much a session is used', () => {
  const used = { ...session, lastSeenAt: 14 * day - hour };
  expect(sessionEndsAt(used)).toBe(14 * day);
  expect(sessionExpiresAt(used)).toBe(14 * day);
  expect(isSessionOver(used, 14 * day - 1)).toBe(false);
  expect(isSessionOver(used, 14 * day)).toBe(true);
});

test('Sessions: one from a clock that was ahead continues, and its lifetimes count from its first use once the clock is right', () => {
  const ahead = { ...session, signedInAt: 10 * day, lastSeenAt: 10 * day };
  expect(isDueForRenewal(ahead, 10 * day - 5 * 60_000 + 1)).toBe(false);
  expect(isDueForRenewal(ahead, day)).toBe(true);
  const renewed = renewSession(ahead, day);
  expect(renewed).toEqual({ ...session, signedInAt: day, lastSeenAt: day });
  expect(isSessionOver(renewed, day + 8 * hour)).toBe(true);
  expect(renewSession(session, day)).toEqual({ ...session, lastSeenAt: day });
});

test('Sessions: a cookie is renewed at most every 5 minutes', () => {
  expect(isDueForRenewal(session, 5 * 60_000 - 1)).toBe(false);
  expect(isDueForRenewal(session, 5 * 60_000)).toBe(true);
});

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox 130', 'Windows'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36 Edg/129.0.0.0',
    'Edge 129',
    'Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Mobile Safari/537.36',
    'Chrome 129',
    'Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari 17',
    'iPhone',
  ],
  ['curl/8.9.1', 'curl 8', null],
  ['', null, null],
  ['<script>alert(1)</script>', null, null],
])('the browser and system that a person recognizes in the User-Agent %j', (userAgent, browser, system) => {
  expect(describeUserAgent(userAgent)).toEqual({ browser, system });
});
