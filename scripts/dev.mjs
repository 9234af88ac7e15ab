// `npm run dev`: the server, started again when a file of it changes, and the page as it is written.
import { join } from 'node:path';
import { runInForeground } from './foreground.mjs';
import { ensureInstalled } from './install.mjs';
import { main, modules, say } from './project.mjs';

await main(async () => {
  await ensureInstalled();
  say('The page as it is written: http://127.0.0.1:5173 (it asks the server at http://127.0.0.1:8080)');
  return runInForeground([
    ['--watch', '--watch-preserve-output', 'server/main.ts'],
    [join(modules, 'vite', 'bin', 'vite.js'), 'web', '--strictPort', '--clearScreen', 'false'],
  ]);
});
