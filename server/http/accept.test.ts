import { expect, it } from 'vitest';
import { namesHtml, preferredLanguage, takesHtml } from './accept.ts';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

it.each([
  ['no Accept at all', undefined, true, false],
  ['everything, as curl asks', '*/*', true, false],
  ['a browser', browser, true, true],
  ['any text', 'text/*', true, false],
  ['HTML in capitals, with a parameter', 'TEXT/HTML;level=1', true, true],
  ['JSON alone', 'application/json', false, false],
  ['JSON and everything, as axios asks', 'application/json, text/plain, */*', true, false],
  ['JSON rather than everything', 'application/json, */*;q=0.5', false, false],
  ['everything but HTML', 'text/html;q=0, */*', false, false],
  ['an image', 'image/avif,image/webp', false, false],
  ['an empty header', '', false, false],
  ['a quality that is none', 'text/html;q=much', false, false],
])('a page is the answer if HTML is accepted: %s', (_, accept, isTaken, isNamed) => {
  expect([takesHtml(accept), namesHtml(accept)]).toEqual([isTaken, isNamed]);
});

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de-CH,de;q=0.9,en;q=0.8', 'de'],
  ['en;q=0.4, fr;q=0.9', 'fr'],
  ['pl,cs;q=0.9', 'en'],
  ['pl, it;q=0.2', 'it'],
  ['nl;q=0, es;q=0.1', 'es'],
  ['nl, es', 'nl'],
  ['DE', 'de'],
  ['den', 'en'],
  ['*', 'en'],
])('%s prefers the language %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});
