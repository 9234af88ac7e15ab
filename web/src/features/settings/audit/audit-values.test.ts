import { expect, it } from 'vitest';
import { type AuditWords, changesOf, inWords } from './audit-values.ts';

const words: AuditWords = {
  nothing: 'none',
  yesOrNo: (value) => (value ? 'yes' : 'no'),
  fieldName: (field) => field.toUpperCase(),
  role: (role) => `<${role}>`,
  days: (mask) => `days ${mask}`,
  instant: (value) => `at ${value}`,
  number: String,
  list: (items) => items.join(' and '),
  labelled: (label, text) => `${label}: ${text}`,
};

it.each<[string, unknown, string]>([
  ['effectiveTo', null, 'none'],
  ['footerText', '', 'none'],
  ['isActive', false, 'no'],
  ['roles', [], '<none>'],
  ['roles', ['Admin', 'RestrictedAdmin'], '<Admin> and <RestrictedAdmin>'],
  ['customers', [], 'none'],
  ['lockedUntil', '2026-03-10T10:00:00.000Z', 'at 2026-03-10T10:00:00.000Z'],
  ['name', '2026-03-10', '2026-03-10'],
  ['ratedPowerKw', 50, '50'],
  ['periods', [{ name: 'Night', daysOfWeek: 127 }, { name: 'Noon' }], 'NAME: Night, DAYSOFWEEK: days 127\nNAME: Noon'],
])('%s of %j reads %s', (field, value, text) => {
  expect(inWords(field, value, words)).toBe(text);
});

it('created subjects have no values before, deleted ones none after', () => {
  expect(changesOf({ before: null, after: { name: 'a' } })).toEqual([{ field: 'name', before: undefined, after: 'a' }]);
  expect(changesOf({ before: { name: 'a' }, after: null })).toEqual([{ field: 'name', before: 'a', after: undefined }]);
});
