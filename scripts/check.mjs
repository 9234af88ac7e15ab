// `npm run check`: all static checks. Every step runs, even if others fail.
import { join } from 'node:path';
import { answerWords } from '../server/usage.mjs';
import { ensureInstalled } from './install.mjs';
import { main, modules, runPinnedCaptured, say } from './project.mjs';
import { ensureDashboardsPackages } from './web-page.mjs';

const steps = [
  { name: 'format', file: ['prettier', 'bin', 'prettier.cjs'], words: ['--check', '--log-level', 'warn', '.'] },
  { name: 'lint and import boundaries', file: ['oxlint', 'bin', 'oxlint'], words: ['--deny-warnings'] },
  { name: 'types of the server, scripts and tests', file: ['typescript', 'bin', 'tsc'], words: ['-p', '.'] },
  { name: 'types of the page', file: ['typescript', 'bin', 'tsc'], words: ['-p', 'web'] },
  { name: 'compose files', file: ['dclint', 'bin', 'dclint.cjs'], words: ['--max-warnings', '0', 'deploy'] },
  {
    name: 'types of the page of the dashboard tool',
    file: ['typescript', 'bin', 'tsc'],
    words: ['-p', 'dashboards/page'],
  },
  { name: 'API documents', file: ['..', 'scripts', 'lint-api.mjs'], words: [] },
  { name: 'comments of tables and columns', file: ['..', 'scripts', 'schema-comments.mjs'], words: [] },
  { name: 'licences of what is shipped', file: ['..', 'scripts', 'licences.mjs'], words: [] },
  { name: 'prose of documents and texts', file: ['..', 'scripts', 'prose.mjs'], words: [] },
  { name: 'messages of commits', file: ['..', 'scripts', 'commits.mjs'], words: [] },
  { name: 'dead code and unused packages', file: ['knip', 'bin', 'knip.js'], words: [] },
];

await main(async () => {
  const answered = answerWords(process.argv.slice(2), {
    call: 'npm run check',
    does: `Runs all static checks: ${steps.map(({ name }) => name).join(', ')}.`,
  });
  if (answered !== undefined) return answered;
  await Promise.all([ensureInstalled(), ensureDashboardsPackages()]);
  /** @type {string[]} */
  const failed = [];
  // Two at a time, because most steps use one core.
  const waiting = steps.values();
  const runSteps = async () => {
    for (const { name, file, words } of waiting) {
      const { code, output } = await runPinnedCaptured(join(modules, ...file), words);
      say(`— ${name}${output === '' ? '' : `\n${output}`}`);
      if (code !== 0) failed.push(name);
    }
  };
  await Promise.all([runSteps(), runSteps()]);
  say(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join('; ')}.`);
  return failed.length === 0 ? 0 : 1;
});
