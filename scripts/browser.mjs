import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canInstallDebianPackages, installDebianPackages } from './debian.mjs';
import { modules, pinnedNode, Refusal, root, runQuietly, say } from './project.mjs';

// The first is Chromium without what draws windows; it takes a quarter less of the processor.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
];

// The page asks for Arial; these fonts have its widths. The shell brings none, and the fonts of a bare machine are
// wider.
const fonts = ['fonts-liberation'];

/** @type {Partial<Record<NodeJS.Platform, string[]>>} */
const usualPlaces = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [process.env['PROGRAMFILES'], process.env['PROGRAMFILES(X86)'], process.env['LOCALAPPDATA']]
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe')),
  linux: ['/opt/google/chrome/chrome', '/snap/bin/chromium'],
};

/**
 * The Chromium or Chrome of this machine: the one that CHROMIUM_PATH names, one on the PATH or in a usual place, or
 * the one that Playwright has downloaded. Undefined if there is none that starts.
 * @returns {string | undefined}
 */
export function findBrowser() {
  const named = process.env['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') {
    if (starts(named)) return named;
    throw new Refusal(`CHROMIUM_PATH is ${named}, which does not start; name a Chromium or Chrome, or unset it.`);
  }
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return [...onPath, ...(usualPlaces[process.platform] ?? []), ...downloaded()].find(starts);
}

/**
 * The browser for the tests; if there is none, it is downloaded (Playwright's) or installed (Debian's package, as root).
 * @returns {Promise<string>}
 */
export async function ensureBrowser() {
  const found = findBrowser();
  if (found !== undefined) return found;
  say("There is no Chromium or Chrome on this machine; downloading Playwright's…");
  const env = { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000' };
  await runQuietly(pinnedNode, [join(modules, 'playwright-core', 'cli.js'), 'install', 'chromium', '--no-shell'], env);
  const fetched = findBrowser();
  if (fetched !== undefined) return fetched;
  if (canInstallDebianPackages()) {
    say(
      "Playwright's Chromium cannot be downloaded or does not start; installing Debian's package chromium-headless-shell…",
    );
    await installDebianPackages('chromium-headless-shell', ...fonts);
    const installed = findBrowser();
    if (installed !== undefined) return installed;
  }
  throw new Refusal(
    'The browser tests need a Chromium or Chrome, and none could be found, downloaded or installed. ' +
      'Install one, or name one in CHROMIUM_PATH.',
  );
}

/** @param {string} path */
function starts(path) {
  if (!existsSync(path)) return false;
  // Chrome on Windows opens a window for `--version`.
  if (process.platform === 'win32') return true;
  const { status } = spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 });
  return status === 0;
}

/** @returns {string[]} */
function downloaded() {
  const question = "import('playwright-core').then((it) => process.stdout.write(it.chromium.executablePath()))";
  const { stdout, status } = spawnSync(pinnedNode, ['-e', question], { cwd: root, encoding: 'utf8' });
  return status === 0 && stdout !== '' ? [stdout] : [];
}
