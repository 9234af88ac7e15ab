import { brotliCompressSync } from 'node:zlib';

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
          const start = chunks.find((chunk) => Object.keys(chunk.modules).some((id) => id.endsWith(module)));
          return start ?? this.error(`${name} begins with ${module}, which is in no file of the page.`);
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
