// `npm start`: from a fresh clone to a running portal.
import { answerPortalWords } from '../server/usage.mjs';
import { runInForeground } from './foreground.mjs';
import { ensureInstalled } from './install.mjs';
import { heapOptions, main } from './project.mjs';
import { ensureWebPage } from './web-page.mjs';

const words = process.argv.slice(2);

await main(async () => {
  const answered = answerPortalWords(words, 'npm start --');
  if (answered !== undefined) return answered;
  await ensureInstalled();
  await ensureWebPage();
  return runInForeground([[...heapOptions, 'server/main.mjs', ...words]]);
});
