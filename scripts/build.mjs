// `npm run build`: the web page, and on Linux the executable dist/portal, which needs nothing beside it.
import { ensureExecutable, executable } from './executable.mjs';
import { ensureInstalled } from './install.mjs';
import { main, say } from './project.mjs';
import { ensureWebPage } from './web-page.mjs';

await main(async () => {
  await ensureInstalled();
  if (process.platform === 'linux') {
    await ensureExecutable();
    say(`The portal is ${executable}.`);
  } else {
    await ensureWebPage();
    say('The web page is built. The executable is made on Linux.');
  }
  return 0;
});
