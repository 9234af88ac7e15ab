// `npm run mutants [words]`: plants the mistakes of test/mutants one at a time and expects a test to notice each; the words choose.
import { answerWords } from '../server/usage.mjs';
import { ensureInstalled } from './install.mjs';
import { main, runPinned } from './project.mjs';

await main(async () => {
  const answered = answerWords(process.argv.slice(2), {
    call: 'npm run mutants [-- words]',
    does: 'Plants the mistakes of test/mutants one at a time, and expects a test to notice each.',
    others: 'which mistakes',
  });
  if (answered !== undefined) return answered;
  await ensureInstalled();
  return runPinned('test/mutants/run.ts', process.argv.slice(2));
});
