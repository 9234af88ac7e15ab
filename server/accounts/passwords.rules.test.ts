import { expect, test } from 'vitest';
import {
  currentCost,
  formatPasswordHash,
  isOutdated,
  normalisedPassword,
  parsePasswordHash,
} from './passwords.rules.ts';

const hash = {
  memoryKib: 19_456,
  passes: 2,
  parallelism: 1,
  salt: new Uint8Array(16).fill(7),
  tag: new Uint8Array(32),
};

test('Passwords: a hash is a PHC string and reads back as it was', () => {
  const text = formatPasswordHash(hash);
  expect(text).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(parsePasswordHash(text)).toEqual(hash);
});

test.each(['', 'ChangeMe123!', '$2b$12$abcdefghijklmnopqrstuv', '$argon2i$v=19$m=19456,t=2,p=1$AAAA$AAAA'])(
  'Passwords: %j is no hash',
  (text) => {
    expect(parsePasswordHash(text)).toBeNull();
  },
);

test('Passwords: argon2id with the OWASP parameters or stronger', () => {
  expect(currentCost.memoryKib).toBeGreaterThanOrEqual(19_456);
  expect(currentCost.passes).toBeGreaterThanOrEqual(2);
  expect(currentCost.parallelism).toBe(1);
});

test('Passwords: a hash made at another cost is outdated', () => {
  expect(isOutdated(hash)).toBe(false);
  expect(isOutdated({ ...hash, memoryKib: 12_288 })).toBe(true);
  expect(isOutdated({ ...hash, passes: 3 })).toBe(true);
});

test('Passwords: composed and decomposed characters are one password', () => {
  expect(normalisedPassword('Stra\u00DFe\u0301')).toBe(normalisedPassword('Stra\u00DF\u00E9'));
});
