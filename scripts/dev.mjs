// `npm run dev`: the server, started again when a file of it changes, and the page as it is written.
import { join } from 'node:path';
import { runInForeground } from './foreground.mjs';
import { ensureInstalled } from './install.mjs';
import { main, modules, say } from './project.mjs';

// Both are told, so that the page asks the server that runs beside it.
const address = process.env['Application__ListenAddress'] ?? '127.0.0.1:8080';

await main(async () => {
  await ensureInstalled();
  say(`\n  The page as it is written: http://127.0.0.1:5173 (it asks the server at http://${address})\n`);
  return runInForeground(
    [
      ['--watch', '--watch-preserve-output', 'server/main.ts'],
      [join(modules, 'vite', 'bin', 'vite.js'), 'web', '--strictPort', '--clearScreen', 'false', '--logLevel', 'warn'],
    ],
    { ...process.env, Application__ListenAddress: address },
  );
});
