import { expect, test } from 'vitest';
import { DomainError } from './errors.ts';
import {
  currentCost,
  formatPasswordHash,
  isOutdated,
  normalisedPassword,
  parsePasswordHash,
  refuseWeakPassword,
} from './passwords.ts';

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

const refusalOf = (password: string, common: readonly string[] = []) => {
  try {
    refuseWeakPassword(password, (folded) => common.includes(folded));
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({ code: 'invalid' });
    return error instanceof Error ? error.message : '';
  }
};

test.each([
  ['Secret-Pass-1', null],
  ['Ünïcödé١x', null],
  ['Secret-Pass', 'a digit'],
  ['weak', 'at least 8 characters, an upper-case letter and a digit'],
  ['', 'at least 8 characters, an upper-case letter, a lower-case letter and a digit'],
])('Passwords: a weak one is answered with every rule that it breaks: %j', (password, needs) => {
  expect(refusalOf(password)).toBe(needs && `The new password is too weak: it needs ${needs}.`);
});

test('Passwords: a common one is refused whatever its case, listed with the other rules', () => {
  const common = ['password1'];
  const less = 'to be less common (many people have this one)';
  expect(refusalOf('PassWord1', common)).toBe(`The new password is too weak: it needs ${less}.`);
  expect(refusalOf('password1', common)).toBe(
    `The new password is too weak: it needs an upper-case letter and ${less}.`,
  );
  expect(refusalOf('PassWord1-', common)).toBeNull();
});
