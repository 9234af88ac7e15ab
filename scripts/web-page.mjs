import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { modules, Refusal, root, runPinned, say } from './project.mjs';
import { inTurn } from './turn.mjs';

const dist = join(root, 'web', 'dist');
// In the folder that a build empties, so a page built in any other way has no stamp and is built again.
const stamp = join(dist, '.built-from');
const leftOut = new Set(['dist', 'node_modules']);

/** Builds the web page where it is missing or older than what it is made from. */
export async function ensureWebPage() {
  if (isWebPageCurrent()) return;
  await inTurn(async () => {
    if (isWebPageCurrent()) return;
    say('Building the web page…');
    const sources = hashSources();
    const code = await runPinned(join(modules, 'vite', 'bin', 'vite.js'), ['build', 'web', '--logLevel', 'warn']);
    if (code !== 0) throw new Refusal('The web page could not be built; see the messages above.');
    writeFileSync(stamp, sources);
  });
}

export function isWebPageCurrent() {
  return existsSync(join(dist, 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hashSources();
}

const hashSources = () =>
  hashFiles([...listFiles(join(root, 'web')), ...listFiles(join(root, 'shared')), join(root, 'package-lock.json')]);

/**
 * @param {readonly string[]} files
 * @returns {string}
 */
export function hashFiles(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * All files below a folder, in a fixed order, but those that are installed or built.
 * @param {string} folder
 * @returns {string[]}
 */
export function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !leftOut.has(entry.name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? listFiles(path) : [path];
    });
}
