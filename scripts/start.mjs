// `npm start`: from a fresh clone to a running portal.
import { join } from 'node:path';
import { runInForeground } from './foreground.mjs';
import { ensureInstalled } from './install.mjs';
import { main, modules } from './project.mjs';
import { ensureWebPage } from './web-page.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureWebPage();
  // Caches compiled code: a faster start, and 20 MiB less memory for type stripping.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(modules, '.cache', 'node') };
  return runInForeground([['server/main.ts', ...process.argv.slice(2)]], env);
});
