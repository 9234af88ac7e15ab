import { expect, test } from 'vitest';
import { refuse } from '../base/errors.ts';
import { refuseViolation } from './errors.ts';

const violation = (message: string, more: object) => Object.assign(new Error(message), { code: '23505', ...more });
const refuseTaken = refuseViolation({ customers_code_key: () => refuse('customerDeleted') });

test.each([
  ['names it', violation('Doppelter Schlüsselwert', { constraint: 'customers_code_key' })],
  [
    'of another node names it in the message, with the number of a part of the table',
    violation('duplicate key value violates unique constraint "customers_code_key_102008"', {}),
  ],
])('a violated constraint is refused when the error %s (decisions.md 9)', async (_, error) => {
  await expect(refuseTaken(error)).rejects.toThrow(refuse('customerDeleted'));
});

test.each([
  ['another constraint', violation('', { constraint: 'customers_name_key' })],
  ['no violation', Object.assign(new Error('no "customers_code_key"'), { code: '42P01' })],
])('an error of %s stays as it is', async (_, error) => {
  await expect(refuseTaken(error)).rejects.toBe(error);
});
