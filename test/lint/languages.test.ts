import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { languages } from '../../shared/messages.ts';

const root = `${import.meta.dirname}/../..`;
const textsOfLanguages = /^(?:messages|web\/src\/lib\/i18n|dashboards\/page\/src\/languages)\/[a-z]{2}(?:\/|\.ts$)/;
/** Whether a file has a table or a list of languages. */
const namesLanguages = (text: string) =>
  languages.every((language) => new RegExp(`(?:^|[\\s'"{,/])${language}['":]`, 'm').test(text));

/** A seventh language is a folder of texts and a line in each of these; a file that stops naming languages leaves the list. */
const listsOfLanguages = [
  'dashboards/page/src/texts.ts',
  'dashboards/page/src/theme.ts',
  'shared/messages.ts',
];

it('only these files name the languages', () => {
  const files = globSync(
    '{server,shared,messages,web/src,web/build,web/first,dashboards/page/src,dashboards/server}/**/*.{ts,tsx}',
    {
      cwd: root,
    },
  );
  const naming = files.filter(
    (file) =>
      !/\.test\.tsx?$/.test(file) &&
      !textsOfLanguages.test(file) &&
      namesLanguages(readFileSync(`${root}/${file}`, 'utf8')),
  );
  expect(naming.toSorted()).toEqual(listsOfLanguages);
});

it.each(languages)('%s has its texts: of the page by load stage, of workbooks and of errors', (language) => {
  const kind = language === 'en' ? 'ts' : 'json';
  const wanted = [
    ...['exports', 'errors', 'starting'].map((name) => `messages/${language}/${name}.${kind}`),
    ...['first', 'numbers', 'pages', 'fleet'].map((name) => `web/src/lib/i18n/${language}/${name}.ts`),
  ];
  expect(wanted.filter((file) => globSync(file, { cwd: root }).length === 0)).toEqual([]);
});
