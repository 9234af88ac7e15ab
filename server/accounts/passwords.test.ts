import { argon2Sync, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { formatPasswordHash, parsePasswordHash } from './passwords.rules.ts';
import { createPasswords } from './passwords.ts';

const passwords = createPasswords({ violatedRules: () => [], refuseCommon: true });

test('Passwords: hashed with a salt of their own, and known again', async () => {
  const [one, other] = [await passwords.hash('ChangeMe123!'), await passwords.hash('ChangeMe123!')];
  expect(one).not.toBe(other);
  expect(parsePasswordHash(one)).toMatchObject({ memoryKib: 19_456, passes: 2, parallelism: 1 });
  expect(await passwords.verify('ChangeMe123!', one)).toEqual({ isCorrect: true, renewedHash: null });
  expect(await passwords.verify('ChangeMe123', one)).toEqual({ isCorrect: false, renewedHash: null });
});

test('Passwords: an account that does not exist has no password, and neither has a damaged hash', async () => {
  for (const nobody of [null, '', 'ChangeMe123!']) {
    expect(await passwords.verify('ChangeMe123!', nobody)).toEqual({ isCorrect: false, renewedHash: null });
  }
});

test('Passwords: a hash at another cost is checked at that cost, and made anew', async () => {
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

test('Passwords: of 1,000 characters, with lone surrogates, NUL and composed characters', async () => {
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

test('Passwords: a flood of sign-ins is bounded; who comes too late is asked to come back', async () => {
  const flooded = createPasswords({ violatedRules: () => [], refuseCommon: false });
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

test('Passwords: none counts as common where common ones are not refused', () => {
  const tolerant = createPasswords({ violatedRules: () => [], refuseCommon: false });
  for (const common of ['password1', 'abcdefg1', '']) expect(tolerant.isCommon(common), common).toBe(false);
});
