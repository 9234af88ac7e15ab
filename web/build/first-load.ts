import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { chunksOf, chunkWith, loadedWith } from './chunks.ts';

/** What a page may load first: its modules, the size of its compressed JavaScript, and the number of files. */
export interface FirstLoad {
  name: string;
  modules: readonly string[];
  maxKb: number;
  maxFiles: number;
}

/** Fails the build when a page loads more than it may at the start. */
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
 * Tells V8 to compile the functions of a page's first files on another thread while they arrive, instead of one by one when they
 * are called. Other engines see a comment.
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
