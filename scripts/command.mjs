// The server's commands: `npm run backup -- --to <file>`, `npm run restore -- --from <file>` and `npm run rebuild-energy`, the first
// and the last also while the portal runs, and `npm run demo:fleet [-- --silent-after <minutes>]`, three customers that push.
import { resolve } from 'node:path';
import { answerPortalWords } from '../server/usage.mjs';
import { runInForeground } from './foreground.mjs';
import { ensureInstalled } from './install.mjs';
import { main } from './project.mjs';
import { ensureWebPage } from './web-page.mjs';

const [command = '', ...words] = process.argv.slice(2);

await main(async () => {
  const answered = answerPortalWords(
    [command, ...words],
    'npm start --',
    `npm run ${command.replace('demo-', 'demo:')} --`,
  );
  if (answered !== undefined) return answered;
  await ensureInstalled();
  if (command === 'demo-fleet') await ensureWebPage();
  return runInForeground([['server/main.mjs', command, ...words.map(fileFromHere)]]);
});

/**
 * A word of the command; a path after an option is resolved against the person's working folder, because npm runs every script in
 * the project's folder.
 * @param {string} word
 * @param {number} at
 */
function fileFromHere(word, at) {
  const here = process.env['INIT_CWD'] ?? process.cwd();
  if (/^--(to|from)$/.test(words[at - 1] ?? '')) return resolve(here, word);
  return word.replace(/(?<=^--(to|from)=).*/s, (path) => resolve(here, path));
}
