import { build } from 'vite';
import { expect, it } from 'vitest';
import { precompiledTexts } from './precompiled-texts.ts';

const folder = '/src/lib/i18n';
const sources: Record<string, string> = {
  [`${folder}/en.ts`]: `import { sentences } from './en/sentences.ts';
    export const en = { plain: 'Ready', nested: { two: '{count, plural, one {# day} other {# days}}' }, sentences };`,
  [`${folder}/en/sentences.ts`]: "export const sentences = { missing: '{field} is missing' };",
};

it('a catalogue is read when the page is built; what the portal says beside it is not one', async () => {
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, lib: { entry: `${folder}/en.ts`, formats: ['es'] } },
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
  const { en }: { en: unknown } = await import(`data:text/javascript,${encodeURIComponent(output.code)}`);
  expect(en).toEqual({
    plain: 'Ready',
    nested: { two: [['count', 2, { one: [0, ' day'], other: [0, ' days'] }]] },
    sentences: { missing: '{field} is missing' },
  });
});
