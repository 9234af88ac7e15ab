import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';

/** @typedef {{ fileName: string, imports: readonly string[] }} Chunk A file of a page, with the files without which it does not run. */

/**
 * The files that are loaded before any of `starts` runs.
 * @template {Chunk} T
 * @param {readonly T[]} chunks
 * @param {readonly T[]} starts
 * @returns {T[]}
 */
export function loadedWith(chunks, starts) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set(starts);
  for (const chunk of found) {
    for (const name of chunk.imports) {
      const imported = byName.get(name);
      if (imported !== undefined) found.add(imported);
    }
  }
  return [...found];
}

/**
 * @template {Chunk & { modules: object }} T
 * @param {readonly T[]} chunks
 * @param {string} module The end of its path.
 */
const fileOf = (chunks, module) => chunks.find((chunk) => Object.keys(chunk.modules).some((id) => id.endsWith(module)));

/**
 * The modules without which those of `starts` do not run, and nothing else: without what the bundler leaves out of packages. A
 * build of which nothing is kept tells.
 * @param {import('vite').InlineConfig} config
 * @param {readonly string[]} starts
 * @returns {Promise<ReadonlySet<string>>}
 */
export async function modulesBehind(config, starts) {
  const built = await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, rolldownOptions: { output: { strictExecutionOrder: true } } },
  });
  const outputs = Array.isArray(built) ? built : 'output' in built ? [built] : [];
  const chunks = outputs.flatMap(({ output }) => output).filter((file) => file.type === 'chunk');
  const files = starts.map((module) => fileOf(chunks, module)).filter((file) => file !== undefined);
  return new Set(loadedWith(chunks, files).flatMap(({ modules }) => Object.keys(modules)));
}

/**
 * @typedef {object} PageStart What pages behind sign-in begin with.
 * @property {readonly string[]} paths Where these pages are; none: everywhere.
 * @property {readonly (readonly string[])[]} stages Modules, or names of texts, whose files are asked for once those of the stage before
 *   are there.
 * @property {readonly string[]} answers Paths of the API.
 */

/**
 * For Vite: tells `public/first-paint.js` what a page begins with, so that it is asked for together with the first file and not
 * one after the other.
 * @param {{ texts: Readonly<Record<string, Readonly<Record<string, string>>>>, titles: Readonly<Record<string, string>>, pages: readonly PageStart[] }} starts
 *   `texts`: of a language, the modules of its texts by name; those of `first` are asked for on every page. `titles`: of a language,
 *   what stands over the sign-in form.
 * @returns {import('vite').Plugin}
 */
export function nameFirstFiles({ texts, titles, pages }) {
  return {
    name: 'name-first-files',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (bundle === undefined) return html;
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        /** @param {readonly string[]} modules */
        const filesOf = (modules) => {
          const starts = modules.map((module) => {
            const start = fileOf(chunks, module);
            if (start === undefined) throw new Error(`A page begins with ${module}, which is in no file of the page.`);
            return start;
          });
          return loadedWith(chunks, starts).map(({ fileName }) => `/${fileName}`);
        };
        const named = JSON.stringify({
          texts: Object.fromEntries(
            Object.entries(texts).map(([language, modules]) => [
              language,
              Object.fromEntries(Object.entries(modules).map(([name, module]) => [name, filesOf([module])])),
            ]),
          ),
          titles,
          pages: pages.map(({ paths, stages, answers }) => {
            const named = new Set();
            const filesOfStage = (/** @type {readonly string[]} */ modules) => {
              const isModule = (/** @type {string} */ one) => one.startsWith('/');
              const files = filesOf(modules.filter(isModule)).filter((file) => !named.has(file));
              for (const file of files) named.add(file);
              return [...modules.filter((one) => !isModule(one)), ...files];
            };
            // A stage without files of its own would end what is asked for in turn.
            return { paths, answers, stages: stages.map(filesOfStage).filter(({ length }) => length > 0) };
          }),
        });
        return html.replace('src="/first-paint.js"', `$& data-files="${named.replaceAll('"', '&quot;')}"`);
      },
    },
  };
}

/**
 * For Vite: fails the build when a page begins with more JavaScript, compressed as it is sent, or in more files, than it may.
 * @param {readonly { name: string, modules: readonly string[], maxKb: number, maxFiles: number }[]} loads `modules` are what each begins with.
 * @returns {import('vite').Plugin}
 */
export function limitFirstLoads(loads) {
  return {
    name: 'limit-first-loads',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      for (const { name, modules, maxKb, maxFiles } of loads) {
        const starts = modules.map((module) => {
          return (
            fileOf(chunks, module) ?? this.error(`${name} begins with ${module}, which is in no file of the page.`)
          );
        });
        const files = loadedWith(chunks, starts);
        const kb = files.reduce((sum, { code }) => sum + brotliCompressSync(code).length, 0) / 1000;
        if (kb > maxKb || files.length > maxFiles) {
          this.error(
            `${name} begins with ${kb.toFixed(0)} kB of JavaScript in ${files.length} files; at most ${maxKb} kB in ${maxFiles} are allowed. What is not shown at once belongs behind import().`,
          );
        }
      }
    },
  };
}

/**
 * For Vite: tells V8 to compile the functions of the files that a page begins with beside its thread while they come, and not one by
 * one when they are called. Other engines see a comment.
 * @param {readonly string[]} modules What the page begins with.
 * @returns {import('vite').Plugin}
 */
export function compileWhileLoading(modules) {
  return {
    name: 'compile-while-loading',
    apply: 'build',
    generateBundle: {
      // It must be the first line of the file.
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const starts = modules.map((module) => fileOf(chunks, module)).filter((chunk) => chunk !== undefined);
        for (const chunk of loadedWith(chunks, starts)) chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
      },
    },
  };
}

/**
 * For Vite: fails the build when a file has a class of Mantine whose rules the styles lack.
 * @param {string} allStyles The file with the rules of all components.
 * @returns {import('vite').Plugin}
 */
export function requireStyles(allStyles) {
  /** @param {string} text */
  const classesOf = (text) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));
  return {
    name: 'require-styles',
    apply: 'build',
    generateBundle: {
      // The styles are written last.
      order: 'post',
      handler(_options, bundle) {
        const files = Object.values(bundle);
        const code = files.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n');
        const styles = files.map((file) =>
          file.fileName.endsWith('.css') && 'source' in file ? String(file.source) : '',
        );
        const known = classesOf(readFileSync(allStyles, 'utf8'));
        const missing = known.intersection(classesOf(code)).difference(classesOf(styles.join('\n')));
        if (missing.size > 0) {
          this.error(
            `The styles lack ${[...missing].join(', ')} of Mantine: mantine.css must import the components they belong to.`,
          );
        }
      },
    },
  };
}
