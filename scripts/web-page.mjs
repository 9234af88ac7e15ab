import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { matchesLockFile } from './install.mjs';
import { modules, Refusal, root, runNpm, runPinned, say } from './project.mjs';
import { filesNamedIn, importsOf } from './imports.mjs';
import { inTurn } from './turn.mjs';

const leftOut = new Set(['dist', 'node_modules']);

/** @typedef {{ name: string, folder: string }} Page */

/** @type {Page} */
const webPage = { name: 'web page', folder: 'web' };

/** @type {Page} */
const dashboardsPage = { name: 'page of the dashboard tool', folder: 'dashboards/page' };

/** Builds the web page if it is missing or older than its sources. */
export const ensureWebPage = () => ensureBuilt(webPage);
export const isWebPageCurrent = () => isCurrent(webPage);

/** Installs the packages of the dashboard tool's page, which are not the portal's, and builds it, where that is to be done. */
export async function ensureDashboardsPage() {
  if (isCurrent(dashboardsPage)) return;
  await ensureDashboardsPackages();
  await ensureBuilt(dashboardsPage);
}

export async function ensureDashboardsPackages() {
  const folder = join(root, dashboardsPage.folder);
  if (matchesLockFile(folder)) return;
  await inTurn(async () => {
    if (matchesLockFile(folder)) return;
    say(`Installing the packages of the ${dashboardsPage.name} (npm ci)…`);
    const code = await runNpm(['ci', '--prefix', folder, '--ignore-scripts', '--loglevel=error']);
    if (code !== 0) throw new Refusal(`npm ci of ${dashboardsPage.folder} ended with code ${code}; see above.`);
  });
}

/** @param {Page} page */
async function ensureBuilt(page) {
  if (isCurrent(page)) return;
  await inTurn(async () => {
    if (isCurrent(page)) return;
    say(`Building the ${page.name}…`);
    const sources = hashSources(page);
    const words = ['build', page.folder, '--logLevel', 'warn'];
    // A test, or the user who starts the portal, may have set another value, with which React would be built for
    // development.
    const code = await runPinned(join(modules, 'vite', 'bin', 'vite.js'), words, {
      ...process.env,
      NODE_ENV: 'production',
    });
    if (code !== 0) throw new Refusal(`The ${page.name} could not be built; see the messages above.`);
    writeFileSync(stampOf(page), sources);
  });
}

// In the folder that a build empties, so a page built in any other way has no stamp and is built again.
const stampOf = (/** @type {Page} */ { folder }) => join(root, folder, 'dist', '.built-from');

/** @param {Page} page */
function isCurrent(page) {
  const stamp = stampOf(page);
  return (
    existsSync(join(root, page.folder, 'dist', 'index.html')) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === hashSources(page)
  );
}

const hashSources = (/** @type {Page} */ page) => hashFiles(sourcesOf(page));

/**
 * What a page is made from: the packages, all files in its folder but tests, and every file that these import, whether the page or
 * its build does.
 * @param {Page} page
 */
function sourcesOf({ folder }) {
  const sources = new Set([join(root, 'package-lock.json')]);
  const waiting = listFiles(join(root, folder)).filter((file) => !/\.test\.tsx?$/.test(file));
  for (const file of waiting) {
    if (sources.has(file)) continue;
    sources.add(file);
    if (!/\.(?:[mc]?[jt]sx?|css|html|json)$/.test(file)) continue;
    const text = readFileSync(file, 'utf8');
    waiting.push(...importsOf(file, text), ...filesNamedIn(file, text));
  }
  return [...sources].toSorted();
}

/** For tests: by folder, what each page is made from, relative to the project. */
export const pageSources = () =>
  Object.fromEntries(
    [webPage, dashboardsPage].map((page) => [page.folder, sourcesOf(page).map((file) => relative(root, file))]),
  );

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
 * All files below a folder, in a fixed order, but those that are installed or built; a file is itself.
 * @param {string} path
 * @returns {string[]}
 */
export function listFiles(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .filter((name) => !leftOut.has(name))
    .toSorted()
    .flatMap((name) => listFiles(join(path, name)));
}
