// `npm start`: from a fresh clone to a running portal.
import { runInForeground } from './foreground.mjs';
import { ensureInstalled } from './install.mjs';
import { heapOptions, main } from './project.mjs';
import { ensureWebPage } from './web-page.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureWebPage();
  return runInForeground([[...heapOptions, 'server/main.mjs', ...process.argv.slice(2)]]);
});
