import { argon2Sync, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  formatPasswordHash,
  parsePasswordHash,
  createPasswords,
  currentCost,
  isOutdated,
  normalisedPassword,
  refuseWeakPassword,
} from './passwords.ts';
import { DomainError } from '../base/errors.ts';

const passwords = createPasswords({ refuseCommon: true });

test('Passwords: each hash has its own salt and verifies its password', async () => {
  const [one, other] = [await passwords.hash('ChangeMe123!'), await passwords.hash('ChangeMe123!')];
  expect(one).not.toBe(other);
  expect(parsePasswordHash(one)).toMatchObject({ memoryKib: 19_456, passes: 2, parallelism: 1 });
  expect(await passwords.verify('ChangeMe123!', one)).toEqual({ isCorrect: true, renewedHash: null });
  expect(await passwords.verify('ChangeMe123', one)).toEqual({ isCorrect: false, renewedHash: null });
});

test('Passwords: neither an unknown account nor a damaged hash matches any password', async () => {
  for (const nobody of [null, '', 'ChangeMe123!']) {
    expect(await passwords.verify('ChangeMe123!', nobody)).toEqual({ isCorrect: false, renewedHash: null });
  }
});

test('Passwords: a hash of another cost is checked at that cost, and renewed', async () => {
  const cost = { memoryKib: 1_024, passes: 1, parallelism: 2 };
  const salt = randomBytes(16);
  const tag = argon2Sync('argon2id', {
    message: 'ChangeMe123!',
    nonce: salt,
    memory: cost.memoryKib,
    passes: cost.passes,
    parallelism: cost.parallelism,
    tagLength: 24,
  });
  const stored = formatPasswordHash({ ...cost, salt, tag });
  const { isCorrect, renewedHash } = await passwords.verify('ChangeMe123!', stored);
  expect(isCorrect).toBe(true);
  expect(parsePasswordHash(renewedHash ?? '')).toMatchObject({ memoryKib: 19_456, passes: 2 });
  expect(await passwords.verify('ChangeMe123!', renewedHash)).toEqual({ isCorrect: true, renewedHash: null });
  expect(await passwords.verify('changeme123!', stored)).toEqual({ isCorrect: false, renewedHash: null });
});

test('Passwords: 1,000 characters, lone surrogates, NUL and composed characters are accepted', async () => {
  const long = `Aa1${'\u{1F511}'.repeat(498)}x`;
  const hash = await passwords.hash(long);
  expect((await passwords.verify(long, hash)).isCorrect).toBe(true);
  expect((await passwords.verify(`${long.slice(0, -1)}y`, hash)).isCorrect).toBe(false);
  const odd = await passwords.hash('A\u0000b1\uD800');
  expect((await passwords.verify('A\u0000b1\uD800', odd)).isCorrect).toBe(true);
  expect((await passwords.verify('A', odd)).isCorrect).toBe(false);
  const composed = await passwords.hash('Pass\u00E9wort1');
  expect((await passwords.verify('Passe\u0301wort1', composed)).isCorrect).toBe(true);
});

test('Passwords: a flood of sign-ins is limited; those beyond the limit must try again', async () => {
  const hashCost = { memoryKib: 8, passes: 1, parallelism: 1 };
  const flooded = createPasswords({ refuseCommon: false, hashCost });
  const answers = await Promise.allSettled(Array.from({ length: 210 }, () => flooded.verify('x', null)));
  const refused = answers.filter((answer) => answer.status === 'rejected');
  expect(refused).toHaveLength(210 - 202);
  for (const { reason } of refused) expect(reason).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 2 });
  expect((await flooded.verify('x', null)).isCorrect).toBe(false);
}, 60_000);

test('Passwords: the 10,000 most common that meet the policy are known, in lower case', () => {
  for (const common of ['passw0rd', 'password1', 'password123', 'trustno1', 'qwerty123', 'letmein1', '1qaz2wsx']) {
    expect(passwords.isCommon(common), common).toBe(true);
  }
  for (const other of ['', 'correct horse battery staple 1', '# from the million most common']) {
    expect(passwords.isCommon(other), other).toBe(false);
  }
});

test('Passwords: none counts as common if common ones are allowed', () => {
  const tolerant = createPasswords({ refuseCommon: false });
  for (const common of ['password1', 'abcdefg1', '']) expect(tolerant.isCommon(common), common).toBe(false);
});

const hash = {
  memoryKib: 19_456,
  passes: 2,
  parallelism: 1,
  salt: new Uint8Array(16).fill(7),
  tag: new Uint8Array(32),
};

test('Passwords: a hash is a PHC string and reads back unchanged', () => {
  const text = formatPasswordHash(hash);
  expect(text).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(parsePasswordHash(text)).toEqual(hash);
});

test.each(['', 'ChangeMe123!', '$2b$12$abcdefghijklmnopqrstuv', '$argon2i$v=19$m=19456,t=2,p=1$AAAA$AAAA'])(
  'Passwords: %j is not a hash',
  (text) => {
    expect(parsePasswordHash(text)).toBeNull();
  },
);

test('Passwords: argon2id has at least the OWASP parameters', () => {
  expect(currentCost.memoryKib).toBeGreaterThanOrEqual(19_456);
  expect(currentCost.passes).toBeGreaterThanOrEqual(2);
  expect(currentCost.parallelism).toBe(1);
});

test('Passwords: a hash of another cost is outdated', () => {
  expect(isOutdated(hash)).toBe(false);
  expect(isOutdated({ ...hash, memoryKib: 12_288 })).toBe(true);
  expect(isOutdated({ ...hash, passes: 3 })).toBe(true);
});

test('Passwords: composed and decomposed characters are the same password', () => {
  expect(normalisedPassword('Stra\u00DFe\u0301')).toBe(normalisedPassword('Stra\u00DF\u00E9'));
});

const refusalOf = (password: string, common: readonly string[] = []) => {
  try {
    refuseWeakPassword(password, { isCommon: (folded) => common.includes(folded) });
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({ kind: 'invalid' });
    return error instanceof Error ? error.message : '';
  }
};

test.each([
  ['Secret-Pass-1', null],
  ['Ünïcödé١x', null],
  ['Secret-Pass', 'a digit'],
  ['Abcdef1', 'at least 8 characters'],
  ['Abcdefg1', null],
  ['secret-pass-1', 'an upper-case letter'],
  ['SECRET-PASS-1', 'a lower-case letter'],
  ['weak', 'at least 8 characters, an upper-case letter and a digit'],
  ['', 'at least 8 characters, an upper-case letter, a lower-case letter and a digit'],
])('Passwords: a weak one is rejected with every rule that it breaks: %j', (password, needs) => {
  expect(refusalOf(password)).toBe(needs && `The new password is too weak: it needs ${needs}.`);
});

test('Passwords: a common one is rejected in any case, together with the other rules', () => {
  const common = ['password1'];
  const less = 'to be less common (many people have this one)';
  expect(refusalOf('PassWord1', common)).toBe(`The new password is too weak: it needs ${less}.`);
  expect(refusalOf('password1', common)).toBe(
    `The new password is too weak: it needs an upper-case letter and ${less}.`,
  );
  expect(refusalOf('PassWord1-', common)).toBeNull();
});
