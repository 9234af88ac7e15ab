import { expect, it } from 'vitest';
import { decodeIssue, encodeIssue, wordMessage } from './messages.ts';

const templates = {
  got: '; got {got}',
  taken: 'there is already an account with {email}',
  missing: '{field} is missing; expected {accepted}',
  number: 'a number of {unit}',
  atMost: 'must be at most {max}',
};

it('words a message from its code, its parameters and the messages among them', () => {
  const accepted = { code: 'number', params: { unit: 'kW' } };
  expect(wordMessage({ code: 'missing', params: { accepted }, field: 'power' }, templates)).toBe(
    'power is missing; expected a number of kW',
  );
});

it('puts the field before the text, unless the text is shown at its field', () => {
  const taken = { code: 'taken', params: { email: 'a@b.de' }, field: 'email' };
  expect(wordMessage(taken, templates)).toBe('email: there is already an account with a@b.de');
  expect(wordMessage(taken, templates, { isAtField: true })).toBe('there is already an account with a@b.de');
});

it('adds the received value', () => {
  expect(wordMessage({ code: 'atMost', params: { max: 5, got: '7' }, field: 'n' }, templates)).toBe(
    'n: must be at most 5; got 7',
  );
});

it('never looks for placeholders in text that a person typed', () => {
  expect(wordMessage({ code: 'taken', params: { email: '{got} {field}' } }, templates)).toBe(
    'there is already an account with {got} {field}',
  );
});

it('is null if the language lacks the text of the message, or of one in it', () => {
  expect(wordMessage({ code: 'other', params: {} }, templates)).toBeNull();
  expect(wordMessage({ code: 'taken', params: { email: { code: 'other', params: {} } } }, templates)).toBeNull();
});

it('carries a message through the text of a zod issue', () => {
  expect(decodeIssue(encodeIssue('atMost', { max: 5 }))).toEqual({ code: 'atMost', params: { max: 5 } });
  expect(decodeIssue(encodeIssue('taken'))).toEqual({ code: 'taken', params: {} });
  expect(decodeIssue('Invalid input: expected string')).toEqual({ code: 'isNotValid', params: {} });
});
