import { build } from 'vite';
import { expect, it } from 'vitest';
import { precompiledTexts } from './precompiled-texts.ts';

const folder = '/messages';
const sources: Record<string, string> = {
  '/page.ts': `export { en } from '${folder}/en/page/first.ts';
    export { default as de } from '${folder}/de/page/first.json';
    export { default as errors } from '${folder}/de/errors.json';`,
  [`${folder}/en/page/first.ts`]: `import { errors } from '../errors.ts';
    export const en = { plain: 'Ready', nested: { two: '{count, plural, one {# day} other {# days}}' }, errors };`,
  [`${folder}/en/errors.ts`]: "export const errors = { missing: '{field} is missing' };",
  [`${folder}/de/page/first.json`]:
    '{ "plain": "Bereit", "nested": { "two": "{count, plural, one {# Tag} other {# Tage}}" } }',
  [`${folder}/de/errors.json`]: '{ "missing": "{field} fehlt" }',
};

it('texts of the page are parsed when it is built, in every language; those of the portal are not ICU messages', async () => {
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, lib: { entry: '/page.ts', formats: ['es'] } },
    plugins: [
      {
        name: 'sources',
        enforce: 'pre',
        resolveId: (id, from) => (from === undefined ? id : new URL(id, `file://${from}`).pathname),
        load: (id) => sources[id],
      },
      precompiledTexts(),
    ],
  });
  const [output] = [made].flat().flatMap((result) => ('output' in result ? result.output : []));
  if (output?.type !== 'chunk') throw new Error('nothing was built');
  const texts: unknown = await import(`data:text/javascript,${encodeURIComponent(output.code)}`);
  expect({ ...(texts as object) }).toEqual({
    en: {
      plain: 'Ready',
      nested: { two: [['count', 2, { one: [0, ' day'], other: [0, ' days'] }]] },
      errors: { missing: '{field} is missing' },
    },
    de: { plain: 'Bereit', nested: { two: [['count', 2, { one: [0, ' Tag'], other: [0, ' Tage'] }]] } },
    errors: { missing: '{field} fehlt' },
  });
});
