// `npm run demo:fleet [-- --silent-after <minutes>]`: a fleet with three customers that push, on this machine.
import { runInForeground } from './foreground.mjs';
import { ensureInstalled } from './install.mjs';
import { main } from './project.mjs';
import { ensureWebPage } from './web-page.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureWebPage();
  return runInForeground([['server/main.mjs', 'demo-fleet', ...process.argv.slice(2)]]);
});
