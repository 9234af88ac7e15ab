import fc from 'fast-check';
import { expect, test } from 'vitest';
import { violatedPasswordRules } from '../../shared/accounts.ts';
import { refuseWeakPassword } from '../domain/passwords.ts';

test('what the page ticks off while a password is typed is what the portal asks for', () => {
  const refusalOf = (password: string) => {
    try {
      refuseWeakPassword(password, () => false);
      return '';
    } catch (error) {
      return String(error);
    }
  };
  const character = fc.constantFrom('a', 'B', '1', 'é', 'É', '١', '-', '😀');
  const password = fc.string({ unit: character, maxLength: 12 });
  fc.assert(
    fc.property(password, (typed) => {
      const violated = violatedPasswordRules(typed);
      const refusal = refusalOf(typed);
      expect(refusal === '').toBe(violated.length === 0);
      for (const rule of violated) expect(refusal).toContain(rule);
    }),
  );
});
