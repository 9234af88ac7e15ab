import { expect, test } from 'vitest';
import { isDueForRenewal, isSessionOver, sessionEndsAt, sessionExpiresAt } from './sessions.ts';

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

test('Sessions: one of a clock that was ahead ends once it is put right; clocks of portals may differ by minutes', () => {
  const ahead = { ...session, signedInAt: 10 * day, lastSeenAt: 10 * day };
  expect(isSessionOver(ahead, 10 * day)).toBe(false);
  expect(isSessionOver(ahead, 10 * day - 5 * 60_000)).toBe(false);
  expect(isSessionOver(ahead, 0)).toBe(true);
  expect(isSessionOver({ ...session, lastSeenAt: 10 * day }, 0)).toBe(true);
});

test('Sessions: a cookie is sealed anew at most every 5 minutes', () => {
  expect(isDueForRenewal(session, 5 * 60_000 - 1)).toBe(false);
  expect(isDueForRenewal(session, 5 * 60_000)).toBe(true);
});
