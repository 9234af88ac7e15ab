// `npm test [filters]`: installs what is missing, finds a browser, builds the page, runs the tests.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerWords } from '../server/usage.mjs';
import { ensureBrowser } from './browser.mjs';
import { ensureCaddy } from './caddy.mjs';
import { ensureInstalled } from './install.mjs';
import { main, modules, root, runPinned, say } from './project.mjs';
import { ensureDashboardsPackages, ensureDashboardsPage, ensureWebPage } from './web-page.mjs';

const words = process.argv.slice(2);
const filters = words.filter((word) => !word.startsWith('-'));

await main(async () => {
  const answered = answerWords(words, {
    call: 'npm test [-- words]',
    does: 'Runs all tests; the last line counts them.',
    others: 'a part of the path of test files, or an option of Vitest, such as -t <name>',
  });
  if (answered !== undefined) return answered;
  const needsPages = runsTestsIn('e2e');
  await Promise.all([ensureInstalled(), needsPages && ensureDashboardsPackages()]);
  const env = { ...process.env };
  if (needsPages) {
    env['CHROMIUM_PATH'] = await ensureBrowser();
    await Promise.all([ensureWebPage(), ensureDashboardsPage()]);
  }
  if (runsTestsIn('integration', 'caddy')) await ensureCaddy();
  const scratch = mkdtempSync(join(tmpdir(), 'portal-tests-'));
  try {
    const counts = join(scratch, 'counts.json');
    env['TEST_COUNTS_FILE'] = counts;
    const code = await runPinned(join(modules, 'vitest', 'vitest.mjs'), ['run', ...words], env);
    report(counts, code);
    return code;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

/**
 * Whether the filters leave a file in this folder whose name begins so.
 * @param {string} folder
 * @param {string} [start]
 */
function runsTestsIn(folder, start = '') {
  const place = join(root, 'test', folder);
  const files = existsSync(place) ? readdirSync(place).filter((name) => name.endsWith('.test.ts')) : [];
  const isWanted = (/** @type {string} */ name) =>
    filters.length === 0 || filters.some((filter) => `test/${folder}/${name}`.includes(filter));
  return files.some((name) => name.startsWith(start) && isWanted(name));
}

/**
 * @typedef {{
 *   passed: number, failed: number, skipped: number, ran: { native: number, timescale: number },
 *   broken: string[], repeated: string[], skips: string[], timescaleDb: string | null,
 * }} Counts
 */

/**
 * Says what ran, and what could not; the last line is made for machines.
 * @param {string} file
 * @param {number} code
 */
function report(file, code) {
  /** @type {Counts} */
  const counts = {
    passed: 0,
    failed: 0,
    skipped: 0,
    ran: { native: 0, timescale: 0 },
    broken: [],
    repeated: [],
    skips: [],
    timescaleDb: null,
  };
  if (existsSync(file)) Object.assign(counts, JSON.parse(readFileSync(file, 'utf8')));
  const { ran, broken, repeated, skips, timescaleDb } = counts;
  if (code !== 0 && counts.failed + broken.length === 0) {
    broken.push(`the test runner ended with code ${code}; its message stands above`);
  }
  for (const text of skips) say(`SKIPPED: ${text}`);
  for (const text of repeated) say(`PASSED ONLY ON RETRY, fix it: ${text}`);
  for (const text of broken) say(`FAILED outside a test: ${text}`);
  if (ran.native + ran.timescale > 0) {
    say(
      `Database tests: ${ran.native} on native partitions, ${ran.timescale} on ${timescaleDb ?? 'TimescaleDB, which this machine lacks'}.`,
    );
  }
  process.stdout.write(`${counts.passed} passed, ${counts.failed + broken.length} failed, ${counts.skipped} skipped\n`);
}
