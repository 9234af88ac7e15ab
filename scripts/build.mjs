// `npm run build`: the web page, and on Linux the executable dist/portal, which needs nothing beside it.
import { answerWords } from '../server/usage.mjs';
import { ensureExecutable, executable } from './executable.mjs';
import { ensureInstalled } from './install.mjs';
import { main, say } from './project.mjs';
import { ensureWebPage } from './web-page.mjs';

await main(async () => {
  const answered = answerWords(process.argv.slice(2), {
    call: 'npm run build',
    does: 'Builds the web page, and on Linux the executable dist/portal, which needs nothing beside it.',
  });
  if (answered !== undefined) return answered;
  await ensureInstalled();
  if (process.platform === 'linux') {
    await ensureExecutable();
    say(`The portal is ${executable}.`);
  } else {
    await ensureWebPage();
    say('The web page is built. The executable can only be built on Linux.');
  }
  return 0;
});
