// `npm run mutants [words]`: plants the mistakes of test/mutants one at a time and expects a test to notice each; the words choose.
import { ensureInstalled } from './install.mjs';
import { main, runPinned } from './project.mjs';

await main(async () => {
  await ensureInstalled();
  return runPinned('test/mutants/run.ts', process.argv.slice(2));
});
