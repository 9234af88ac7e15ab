import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** A file of the page with the files without which it does not run. */
export interface Chunk {
  fileName: string;
  imports: readonly string[];
  code: string;
}

/** The files that are loaded before any of these runs. */
export function loadedWith(chunks: readonly Chunk[], ...starts: readonly Chunk[]): Chunk[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set<Chunk>(starts);
  for (const chunk of found) {
    for (const name of chunk.imports) {
      const imported = byName.get(name);
      if (imported !== undefined) found.add(imported);
    }
  }
  return [...found];
}

/** What a page begins with: the modules that are its beginning, and how much JavaScript of how many files may come with them. */
export interface FirstLoad {
  name: string;
  modules: readonly string[];
  maxKb: number;
  maxFiles: number;
}

/** Fails the build when a page begins with more JavaScript, compressed as it is sent, or in more files, than it may. */
export function limitFirstLoads(loads: readonly FirstLoad[]): Plugin {
  return {
    name: 'limit-first-loads',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      for (const { name, modules, maxKb, maxFiles } of loads) {
        const starts = modules.map((module) => {
          const start = chunks.find((chunk) => Object.keys(chunk.modules).some((id) => id.endsWith(module)));
          return start ?? this.error(`${name} begins with ${module}, which is in no file of the page.`);
        });
        const files = loadedWith(chunks, ...starts);
        const kb = files.reduce((sum, { code }) => sum + brotliCompressSync(code).length, 0) / 1000;
        if (kb > maxKb || files.length > maxFiles) {
          this.error(
            `${name} begins with ${kb.toFixed(0)} kB of JavaScript in ${files.length} files; at most ${maxKb} kB in ${maxFiles} are allowed. What it does not show at once belongs behind import().`,
          );
        }
      }
    },
  };
}
