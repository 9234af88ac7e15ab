import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, it } from 'vitest';
import { compileWhileLoading, loadedWith, nameFirstFiles } from '../../scripts/first-load.mjs';

const chunk = (fileName: string, ...imports: string[]) => ({ fileName, imports, code: '' });

it('a page begins with its own files and all that these need, each once; what is not imported or not ours does not count', () => {
  const [page, shared, first, other] = [
    chunk('page.js', 'shared.js', 'first.js'),
    chunk('shared.js', 'first.js', 'https://elsewhere.test/lib.js'),
    chunk('first.js', 'page.js'),
    chunk('other.js', 'first.js'),
  ];
  const names = loadedWith([page, shared, first, other], [page]).map(({ fileName }) => fileName);
  expect(names.toSorted()).toEqual(['first.js', 'page.js', 'shared.js']);
});

it('the files that a page begins with have the hint for V8 as their first line, the others do not', async () => {
  const modules = new Map([
    ['/first.js', "import { shared } from '/shared.js'; console.log(shared); void import('/later.js');"],
    ['/shared.js', 'export const shared = 1;'],
    ['/later.js', "import { shared } from '/shared.js'; console.log('later', shared);"],
  ]);
  const source = {
    name: 'source',
    resolveId: (id: string) => (modules.has(id) ? id : null),
    load: (id: string) => modules.get(id),
  };
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: fileURLToPath(new URL('.', import.meta.url)),
    plugins: [source, compileWhileLoading(['/first.js'])],
    build: { write: false, rolldownOptions: { input: '/first.js' } },
  });
  const outputs = Array.isArray(built) ? built : 'output' in built ? [built] : [];
  const hinted = outputs
    .flatMap(({ output }) => output)
    .filter((file) => file.type === 'chunk')
    .map(({ code, modules: own }) => [
      Object.keys(own).includes('/later.js'),
      code.startsWith('//# allFunctionsCalledOnLoad\n'),
    ]);
  expect(hinted.toSorted()).toEqual([
    [false, true],
    [true, false],
  ]);
});

it('each file is named in the first stage that needs it, and a stage of which nothing is left is none: it would end those behind it', () => {
  const of = (fileName: string, ...imports: string[]) => ({
    ...chunk(fileName, ...imports),
    type: 'chunk',
    modules: { [`/${fileName}x`]: {} },
  });
  const chunks = [of('first.ts', 'shared.ts'), of('shared.ts'), of('last.ts', 'shared.ts')];
  const stages = [['/first.tsx'], ['/shared.tsx'], ['/last.tsx']];
  const plugin = nameFirstFiles({ texts: {}, titles: {}, pages: [{ paths: [], stages, answers: [] }] });
  const transform: unknown = Reflect.get(Object(plugin.transformIndexHtml), 'handler');
  const html = typeof transform === 'function' ? transform('<script src="/first-paint.js">', { bundle: chunks }) : '';
  expect(String(html).replaceAll('&quot;', '"')).toContain('"stages":[["/first.ts","/shared.ts"],["/last.ts"]]');
});
