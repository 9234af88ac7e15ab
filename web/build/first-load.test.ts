import { build, type Plugin } from 'vite';
import { expect, it } from 'vitest';
import { analyse, loadedWith } from './chunks.ts';
import { compileWhileLoading, limitFirstLoads } from './first-load.ts';
import { filesOfStages } from './first-paint.ts';
import { withoutJsonSchema } from './without-json-schema.ts';

const chunk = (fileName: string, ...imports: string[]) => ({ fileName, imports, code: '' });

/** A page of three modules, the last of which it loads later. */
const modules = new Map([
  ['/first.js', "import { shared } from '/shared.js'; console.log(shared); void import('/later.js');"],
  ['/shared.js', 'export const shared = Math.random();'],
  ['/later.js', "import { shared } from '/shared.js'; console.log('later', shared);"],
]);
const source: Plugin = {
  name: 'source',
  resolveId: (id: string) => (modules.has(id) ? id : null),
  load: (id: string) => modules.get(id),
};

async function chunksBuiltWith(plugin: Plugin) {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    root: import.meta.dirname,
    plugins: [source, plugin],
    build: { write: false, rolldownOptions: { input: '/first.js' } },
  });
  const outputs = [built].flat().flatMap((result) => ('output' in result ? result.output : []));
  return outputs.filter((file) => file.type === 'chunk');
}

it('a page loads its own files and everything they need, each once; files that are not imported or not ours do not count', () => {
  const [page, shared, first, other] = [
    chunk('page.js', 'shared.js', 'first.js'),
    chunk('shared.js', 'first.js', 'https://elsewhere.test/lib.js'),
    chunk('first.js', 'page.js'),
    chunk('other.js', 'first.js'),
  ];
  const names = loadedWith([page, shared, first, other], [page]).map(({ fileName }) => fileName);
  expect(names.toSorted()).toEqual(['first.js', 'page.js', 'shared.js']);
});

it('one build finds, for any modules, the modules that they need to run', async () => {
  const files = new Map([...modules, ['/index.html', '<script type="module" src="/first.js"></script>']]);
  const page: Plugin = {
    name: 'page',
    enforce: 'pre',
    config: () => ({ build: { rolldownOptions: { input: '/first.js' } } }),
    resolveId: (id: string) => (files.has(id) ? id : null),
    load: (id: string) => files.get(id),
  };
  let builds = 0;
  const counted: Plugin = { name: 'counted', buildStart: () => void (builds += 1) };
  const modulesBehind = await analyse({ root: import.meta.dirname, plugins: [page, counted] });
  const behind = (...starts: string[]) => [...modulesBehind(starts)].filter((id) => modules.has(id)).toSorted();
  expect(behind('/first.js')).toEqual(['/first.js', '/shared.js']);
  expect(behind('/later.js')).toContain('/later.js');
  expect(behind('/missing.js')).toEqual([]);
  expect(builds).toBe(1);
});

it('the files that a page loads first have the hint for V8 as their first line, the others do not', async () => {
  const built = await chunksBuiltWith(compileWhileLoading(['/first.js']));
  const hinted = built.map(({ code, modules: own }) => [
    Object.keys(own).includes('/later.js'),
    code.startsWith('//# allFunctionsCalledOnLoad\n'),
  ]);
  expect(hinted.toSorted()).toEqual([
    [false, true],
    [true, false],
  ]);
});

it('a page that loads too much first, or needs a module that no file has, fails the build', async () => {
  const limited = (module: string, maxKb: number, maxFiles: number) =>
    chunksBuiltWith(limitFirstLoads([{ name: 'The page', modules: [module], maxKb, maxFiles }]));
  await limited('/first.js', 1, 2);
  await expect(limited('/first.js', 0.1, 2)).rejects.toThrow('The page begins with 0.');
  await expect(limited('/first.js', 1, 0)).rejects.toThrow('at most 1 kB in 0 are allowed');
  await expect(limited('/missing.js', 1, 2)).rejects.toThrow('/missing.js, which is in no file of the page');
});

it('each file is in the first stage that needs it, and an empty stage is dropped: it would end the following ones', () => {
  const files: Record<string, string[]> = {
    '/a': ['/a.js', '/shared.js'],
    '/b': ['/shared.js'],
    '/c': ['/c.js', '/shared.js'],
  };
  const filesOf = (modules: readonly string[]) => modules.flatMap((module) => files[module] ?? []);
  const stages = [{ texts: 'numbers', modules: ['/a'] }, { modules: ['/b'] }, { modules: ['/c'] }] as const;
  expect(filesOfStages(stages, filesOf)).toEqual([['numbers', '/a.js', '/shared.js'], ['/c.js']]);
});

it('zod checks values without its writer of JSON Schema', async () => {
  const code = "import { z } from 'zod'; export const read = z.object({ name: z.string().max(3) }).safeParse;";
  const file = '/zod.js';
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    root: import.meta.dirname,
    plugins: [
      { name: 'entry', resolveId: (id) => (id === file ? id : null), load: (id) => (id === file ? code : null) },
      withoutJsonSchema(),
    ],
    build: { write: false, minify: false, lib: { entry: file, formats: ['es'] } },
  });
  const [output] = [made].flat().flatMap((result) => ('output' in result ? result.output : []));
  if (output?.type !== 'chunk') throw new Error('nothing was built');
  expect(output.code).not.toContain('json-schema.org');
  const { read } = await import(`data:text/javascript,${encodeURIComponent(output.code)}`);
  expect(read({ name: 'abc' })).toMatchObject({ success: true });
  expect(read({ name: 'abcd' })).toMatchObject({ success: false });
});
