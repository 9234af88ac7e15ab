import { expect, test } from 'vitest';
import {
  formatRecoveryCode,
  isStepOpen,
  readTypedCode,
  recoveryCodeBytes,
  stepLifetimeMs,
} from './second-factor.rules.ts';

test('a recovery code has 120 bits in six groups of four, without letters that look like digits', () => {
  const code = formatRecoveryCode(new Uint8Array(recoveryCodeBytes).fill(0xff));
  expect(code).toBe('ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ');
  expect(formatRecoveryCode(new Uint8Array(recoveryCodeBytes))).toBe('0000-0000-0000-0000-0000-0000');
  const every = formatRecoveryCode(Uint8Array.fromHex('00443214c74254b635cf84653a56d7'));
  expect(every).toBe('0123-4567-89AB-CDEF-GHJK-MNPQ');
});

test('a code is accepted in any case and grouping, and look-alike letters count as digits', () => {
  expect(readTypedCode(' 123 456 ')).toEqual({ kind: 'app', digits: '123456' });
  const code = '0123456789ABCDEFGHJKMNPQ';
  expect(readTypedCode('o123-4567-89ab-cdef-ghjk-mnpq')).toEqual({ kind: 'recovery', code });
  expect(readTypedCode('0I23 4567 89AB CDEF GHJK MNPQ')).toEqual({ kind: 'recovery', code });
});

test.each([
  '',
  '12345',
  '1234567',
  '12345a',
  '١٢٣٤٥٦',
  '0123-4567-89AB-CDEF-GHJK-MNP',
  'UUUU-UUUU-UUUU-UUUU-UUUU-UUUU',
])('anything else is not a code: %s', (typed) => {
  expect(readTypedCode(typed)).toBeNull();
});

test('a step is open for ten minutes', () => {
  expect(isStepOpen(0, stepLifetimeMs - 1)).toBe(true);
  expect(isStepOpen(0, stepLifetimeMs)).toBe(false);
});
