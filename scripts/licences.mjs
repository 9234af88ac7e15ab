// Whether every package that is shipped may be: those of the server, and those that the two pages are made of.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { main, root, say } from './project.mjs';
import { licenceIn, problemOfLicence } from './third-party.mjs';
import { listFiles } from './web-page.mjs';

/**
 * A lock file of npm, as far as it is needed.
 * @typedef {{ name?: string, license?: string, dev?: boolean, link?: boolean, dependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string> }} Locked
 * @typedef {Record<string, Locked>} Lock
 */

/**
 * The packages that some others need, themselves among them, as their places in the lock file.
 * @param {Lock} lock
 * @param {readonly string[]} names
 * @returns {string[]}
 */
export function packagesBehind(lock, names) {
  /** @type {Set<string>} */
  const found = new Set();
  const waiting = names.map((name) => `node_modules/${name}`).filter((place) => place in lock);
  for (const place of waiting) {
    if (found.has(place)) continue;
    found.add(place);
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = lock[place] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const needed = placeOf(lock, place, name);
      if (needed !== undefined) waiting.push(needed);
    }
  }
  return [...found].toSorted();
}

/**
 * Where Node finds a package that another one needs.
 * @param {Lock} lock
 * @param {string} from
 * @param {string} name
 */
function placeOf(lock, from, name) {
  for (
    let folder = from;
    folder !== '';
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))
  ) {
    const place = `${folder}/node_modules/${name}`;
    if (place in lock) return place;
  }
  return `node_modules/${name}` in lock ? `node_modules/${name}` : undefined;
}

/**
 * The packages that the files of a page name.
 * @param {readonly string[]} texts
 * @returns {string[]}
 */
export function namedPackages(texts) {
  /** @type {Set<string>} */
  const names = new Set();
  for (const text of texts) {
    for (const [, name = ''] of text.matchAll(/\b(?:from|import)\s*\(?\s*'((?:@[\w.-]+\/)?[\w-][\w.-]*)[\w./-]*'/g))
      names.add(name);
  }
  return [...names];
}

/**
 * What is wrong with the licences of some packages.
 * @param {string} folder
 * @param {Lock} lock
 * @param {readonly string[]} places
 * @returns {string[]}
 */
export function licenceProblems(folder, lock, places) {
  return places.flatMap((place) => {
    const { license = '', link = false } = lock[place] ?? {};
    const installed = join(folder, place);
    // Packages of this project itself.
    if (link) return [];
    // Those for other machines are not installed here; what a lock file says comes from their manifests, too.
    const licence = existsSync(join(installed, 'package.json')) ? licenceIn(installed) : license;
    const problem = problemOfLicence(place.replace(/.*node_modules\//, ''), licence);
    return problem === undefined ? [] : [problem];
  });
}

/**
 * @param {string} folder
 * @returns {Lock}
 */
const readLock = (folder) => JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;

if (import.meta.main) {
  await main(async () => {
    const lock = readLock(root);
    const page = join(root, 'dashboards', 'page');
    const folders = ['first', 'src'].flatMap((folder) => listFiles(join(root, 'web', folder)));
    const sources = folders.filter((file) => /(?<!\.test)\.(?:tsx?|css)$/.test(file));
    const ofWebPage = packagesBehind(lock, namedPackages(sources.map((file) => readFileSync(file, 'utf8'))));
    const ofServer = Object.keys(lock).filter((place) => place !== '' && lock[place]?.dev !== true);
    const places = [...new Set([...ofServer, ...ofWebPage])];
    const lockOfTool = readLock(page);
    const ofTool = Object.keys(lockOfTool).filter((place) => place.includes('node_modules/'));
    const problems = [...licenceProblems(root, lock, places), ...licenceProblems(page, lockOfTool, ofTool)];
    for (const problem of new Set(problems)) say(problem);
    if (problems.length === 0) say(`${places.length + ofTool.length} packages, all with licences that are listed.`);
    return problems.length === 0 ? 0 : 1;
  });
}
