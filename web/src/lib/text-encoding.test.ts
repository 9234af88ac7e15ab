import { expect, it } from 'vitest';
import { decodeText, guessEncoding } from './text-encoding.ts';

const text = 'Zähler;Straße\r\n1,5;2';
const utf16 = (bigEndian: boolean, mark: boolean) => {
  const bytes = Buffer.from((mark ? '\uFEFF' : '') + text, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
};

it.each([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
  ['UTF-16 with a mark', utf16(false, true)],
  ['UTF-16 of the other order', utf16(true, true)],
  ['UTF-16 without a mark', utf16(false, false)],
  ['UTF-16 of the other order, without a mark', utf16(true, false)],
  ['Latin 1', Buffer.from(text, 'latin1')],
])('%s is decoded correctly', (_, bytes) => {
  expect(decodeText(bytes)).toBe(text);
});

it('a character that is cut at the end of the first bytes does not change the detected encoding', () => {
  expect(guessEncoding(Buffer.from('Zä').subarray(0, 2))).toBe('utf-8');
});
