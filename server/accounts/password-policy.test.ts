import { expect, test } from 'vitest';
import { violatedPasswordRules } from '../../shared/accounts.ts';
import { DomainError } from '../base/errors.ts';
import { refuseWeakPassword } from './passwords.rules.ts';

const refusalOf = (password: string, common: readonly string[] = []) => {
  try {
    refuseWeakPassword(password, {
      violatedRules: violatedPasswordRules,
      isCommon: (folded) => common.includes(folded),
    });
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
