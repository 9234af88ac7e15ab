// `npm start`: from a fresh clone to a running portal.
import { runInForeground } from './foreground.mjs';
import { ensureInstalled } from './install.mjs';
import { main } from './project.mjs';
import { ensureWebPage } from './web-page.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureWebPage();
  return runInForeground([['server/main.mjs', ...process.argv.slice(2)]]);
});
