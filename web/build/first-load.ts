import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { chunksOf, chunkWith, loadedWith } from './chunks.ts';

/** What pages behind sign-in begin with. */
export interface PageStart {
  /** Where these pages are; none: everywhere. */
  paths: readonly string[];
  /** Modules, or names of texts, whose files are asked for once those of the stage before are there. */
  stages: readonly (readonly string[])[];
  /** Paths of the API. */
  answers: readonly string[];
}

export interface FirstFiles {
  /** Of a language, the modules of its texts by name; those of `first` are asked for on every page. */
  texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Of a language, what stands over the sign-in form. */
  titles: Readonly<Record<string, string>>;
  pages: readonly PageStart[];
}

/** Tells `public/first-paint.js` what a page begins with, so that it is asked for together with the first file and not one after the other. */
export function nameFirstFiles({ texts, titles, pages }: FirstFiles): Plugin {
  return {
    name: 'name-first-files',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (bundle === undefined) return html;
        const chunks = chunksOf(bundle);
        const filesOf = (modules: readonly string[]) => {
          const starts = modules.map((module) => {
            const start = chunkWith(chunks, module);
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
            const known = new Set<string>();
            const filesOfStage = (modules: readonly string[]) => {
              const isModule = (one: string) => one.startsWith('/');
              const files = filesOf(modules.filter(isModule)).filter((file) => !known.has(file));
              for (const file of files) known.add(file);
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

/** What a page may begin with: its modules, and how much JavaScript, compressed as it is sent, in how many files. */
export interface FirstLoad {
  name: string;
  modules: readonly string[];
  maxKb: number;
  maxFiles: number;
}

/** Fails the build when a page begins with more than it may. */
export function limitFirstLoads(loads: readonly FirstLoad[]): Plugin {
  return {
    name: 'limit-first-loads',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = chunksOf(bundle);
      for (const { name, modules, maxKb, maxFiles } of loads) {
        const starts = modules.map(
          (module) =>
            chunkWith(chunks, module) ?? this.error(`${name} begins with ${module}, which is in no file of the page.`),
        );
        const files = loadedWith(chunks, starts);
        const kb = files.reduce((sum, { code }) => sum + brotliCompressSync(code).length, 0) / 1000;
        if (kb > maxKb || files.length > maxFiles) {
          this.error(
            `${name} begins with ${kb.toFixed(1)} kB of JavaScript in ${files.length} files; at most ${maxKb} kB in ${maxFiles} are allowed. What is not shown at once belongs behind import().`,
          );
        }
      }
    },
  };
}

/**
 * Tells V8 to compile the functions of the files that a page begins with beside its thread while they come, and not one by one when
 * they are called. Other engines see a comment.
 */
export function compileWhileLoading(modules: readonly string[]): Plugin {
  return {
    name: 'compile-while-loading',
    apply: 'build',
    generateBundle: {
      // It must be the first line of the file.
      order: 'post',
      handler(_options, bundle) {
        const chunks = chunksOf(bundle);
        const starts = modules.map((module) => chunkWith(chunks, module)).filter((chunk) => chunk !== undefined);
        for (const chunk of loadedWith(chunks, starts)) chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
      },
    },
  };
}
