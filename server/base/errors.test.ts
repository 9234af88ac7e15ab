import fc from 'fast-check';
import { expect, it } from 'vitest';
import { about, inEnglish, message, readStored, refuse, storedMessage } from './errors.ts';

it('an error has the kind, the status and the wait of its code', () => {
  expect(refuse('emailTaken', { email: 'a@b.de' }, { field: 'email' })).toMatchObject({
    kind: 'conflict',
    message: 'email: an account with a@b.de already exists; choose another email.',
    refusal: { code: 'emailTaken', params: { email: 'a@b.de' }, field: 'email' },
    retryAfterSeconds: undefined,
  });
  expect(refuse('manyQueries').retryAfterSeconds).toBe(5);
  expect(refuse('manyQueries', {}, { retryAfterSeconds: 7 }).retryAfterSeconds).toBe(7);
});

it('a stored message reads back with its English text, whatever it contains', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (typed) => {
      const said = about('voltageV', message('rowTooLarge', { got: typed }));
      expect(readStored(storedMessage(said)).refusal).toEqual({
        ...said,
        params: { got: typed.replaceAll('\u0000', '').toWellFormed() },
      });
    }),
  );
});

it('neither NUL nor half of a character is stored', () => {
  expect(storedMessage(message('rowTooLarge', { got: '\u0000a\uD800' }))).not.toMatch(/\u0000|\uD800/);
});

it('a stored sentence without a message stays as it is', () => {
  expect(readStored('2 rejected, the first at 0')).toEqual({ text: '2 rejected, the first at 0', refusal: null });
  expect(readStored('two\nlines')).toEqual({ text: 'two\nlines', refusal: null });
  expect(readStored(null)).toEqual({ text: null, refusal: null });
});

it('a message that is too long is stored only in English', () => {
  const long = message('rowTooLarge', { got: 'x'.repeat(5_000) });
  expect(readStored(storedMessage(long))).toEqual({ text: inEnglish(long).slice(0, 400), refusal: null });
});
