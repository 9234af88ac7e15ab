import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { findBrowser } from '../../scripts/browser.mjs';
import { isWebPageCurrent } from '../../scripts/web-page.mjs';

const quiet = ['--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
// A page of a test does not live long enough to earn back what V8's optimizing compilers take.
const unoptimized = '--js-flags=--no-turbofan,--no-maglev';
// Less than half of what the package's `source` has.
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];

let launched: Browser | undefined;

/** The browser of this process, for one test file after the other; `closePages` in `afterAll`. It ends with the process. */
export async function launchBrowser(): Promise<Browser> {
  if (launched?.isConnected() !== true) launched = await launch();
  return launched;
}

/** Closes what a test file has opened. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  resting.clear();
  for (const context of browser?.contexts() ?? []) await context.close();
}

/** The Chromium or Chrome that `npm test` has chosen, or that is found on this machine. */
async function launch(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('There is no browser on this machine; `npm test` installs one.');
  if (!isWebPageCurrent()) throw new Error('The web page is not built from its present sources; `npm test` builds it.');
  // Chromium's sandbox does not work for root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({
    executablePath,
    args: [...quiet, unoptimized, '--no-first-run', ...sandbox],
  });
}

export interface WatchedPage extends AsyncDisposable {
  page: Page;
  /** Errors that the page threw or that the browser wrote to its console (CSP violations too); a test ends with none. */
  problems: string[];
}

/** Pages that rest between two tests, by address and options: most of what a page costs is the start of its process. */
const resting = new Map<string, Page[]>();

const wide = { width: 1440, height: 900 };

/** A page in a session of its own: no cookies of other pages, English, UTC and 1440 x 900 unless told otherwise. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const alike = resting.getOrInsertComputed(JSON.stringify([url, options]), () => []);
  const page = alike.pop() ?? (await openNewPage(browser, url, options));
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // An answer of 400 and more is written to the console as well; whether it is a fault is the test's to say.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text());
  });
  const rest = async () => {
    try {
      await page.setViewportSize(options.viewport ?? wide);
      await page.emulateMedia({ media: null, colorScheme: options.colorScheme ?? 'light' });
      await clear(page, url);
      alike.push(page);
    } catch {
      await page.context().close();
    }
  };
  return { page, problems, [Symbol.asyncDispose]: rest };
}

/** Each frame in front of a blurred page would be computed without a graphics card. */
const sharpBackdrop = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { backdrop-filter: none !important }');
  document.adoptedStyleSheets.push(sheet);
}`;

async function openNewPage(browser: Browser, url: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-GB',
    // Each frame of what moves costs as much as the one that is looked at.
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    // It would keep the whole page for each test.
    serviceWorkers: 'block',
    viewport: wide,
    ...options,
  });
  // Of a machine that does much else; how fast something is says whoever asserts it.
  context.setDefaultTimeout(60_000);
  await context.addInitScript(sharpBackdrop);
  return context.newPage();
}

/** As the portal's own pages have them: a page of another opener policy would be given another process. */
const sameProcess = {
  'content-type': 'text/html',
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
};

/** Leaves nothing of a test in its page but what the browser has cached, whether the portal still answers or not. */
async function clear(page: Page, url: string): Promise<void> {
  for (const event of ['console', 'dialog', 'download', 'pageerror', 'request', 'response']) {
    page.removeAllListeners(event);
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const routed = await page.route('**', (route) => route.fulfill({ headers: sameProcess, body: '' }));
  await page.goto(url);
  await page.evaluate('localStorage.clear(), sessionStorage.clear()');
  await page.context().clearCookies();
  await routed.dispose();
}

/**
 * What fades in has no contrast yet: waits until all that is moving has come to rest, but for what moves without end, until menus
 * that have faded out are gone, and until figures that are dimmed because newer ones are on their way have been replaced.
 */
const settled = `(async () => {
  const until = performance.now() + 30_000;
  const dimmed = () => document.querySelector('[data-stale="true"]') !== null && performance.now() < until;
  const leaving = () =>
    [...document.querySelectorAll('[role="menu"]')].some((menu) => getComputedStyle(menu).opacity === '0') &&
    performance.now() < until;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const moving = () =>
    document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity && one.playState === 'running');
  do {
    await Promise.allSettled(moving().map((one) => one.finished));
    await frame();
    await frame();
  } while (moving().length > 0 || dimmed() || leaving());
})()`;

/** Fails with every violation of WCAG 2.2 A and AA and of the best practices, and the elements that break them. */
export async function checkAccessibility(page: Page, without: readonly string[] = []): Promise<void> {
  // Scripts of the debugger are not subject to the page's content security policy.
  if (await page.evaluate<boolean>('window.axe === undefined')) await page.evaluate(axe);
  await page.evaluate(settled);
  const off = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  const options = JSON.stringify({ runOnly: { type: 'tag', values: rules }, rules: off, resultTypes: ['violations'] });
  const results = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
  const found = results.violations.map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ html }) => html) }));
  expect(found, `accessibility of ${page.url()}`).toEqual([]);
}
