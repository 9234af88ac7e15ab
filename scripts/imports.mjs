// The files of the project that a source file imports, read from its text. Fast enough for every start, and finds every import
// that Vite, TypeScript and Node follow.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

// `import … from`, `export … from`, `import type`, `import()` of code and of types, `@import` and `composes` of styles.
const imported = /(?:\bfrom|\bimport|\bimport\()\s*(['"])(\.{1,2}\/[^'"?]+)\1/g;
// `import()` of texts by the language and the name: of each of them.
const chosen = /\bimport\(\s*`(\.{1,2}\/[^`?]+)`/g;
// Threads and other files by their address, and the settings of TypeScript that others extend.
const named = /(?:\bnew URL\(|"extends":)\s*(['"])(\.{1,2}\/[^'"?]+)\1/g;

/**
 * The files that a file imports by a relative path, types and dynamic imports included.
 * @param {string} file
 * @param {string} text
 */
export const importsOf = (file, text) => [
  ...existing(file, text.matchAll(imported)),
  ...Array.from(text.matchAll(chosen), ([, path = '']) => resolve(dirname(file), path)).flatMap(filesLike),
];

/**
 * The files at a path in which `${…}` stands for a part of a name. Node 20 has no `globSync`.
 * @param {string} path
 * @returns {string[]}
 */
function filesLike(path) {
  if (!path.includes('${')) return existsSync(path) ? [path] : [];
  const parent = dirname(path);
  const literals = basename(path).split(/\$\{[^}]*\}/);
  const pattern = new RegExp(`^${literals.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`);
  return (parent.includes('${') ? filesLike(parent) : [parent])
    .filter((folder) => existsSync(folder) && statSync(folder).isDirectory())
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => pattern.test(name))
        .map((name) => join(folder, name)),
    );
}

/**
 * The files that it names in another way.
 * @param {string} file
 * @param {string} text
 */
export const filesNamedIn = (file, text) => existing(file, text.matchAll(named));

/**
 * @param {string} file
 * @param {Iterable<RegExpMatchArray>} matches
 */
function existing(file, matches) {
  return [...new Set(Array.from(matches, ([, , path = '']) => resolve(dirname(file), path)))].filter(
    (path) => existsSync(path) && statSync(path).isFile(),
  );
}
