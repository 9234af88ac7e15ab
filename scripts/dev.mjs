// `npm run dev`: the server, restarted when one of its files changes, and the page with live reload.
import { join } from 'node:path';
import { answerWords } from '../server/usage.mjs';
import { runInForeground } from './foreground.mjs';
import { ensureInstalled } from './install.mjs';
import { main, modules, say } from './project.mjs';

// Passed to both, so that the page talks to this server.
const address = process.env['Application__ListenAddress'] ?? '127.0.0.1:8080';

await main(async () => {
  const answered = answerWords(process.argv.slice(2), {
    call: 'npm run dev',
    does: 'Starts the server, restarted when one of its files changes, and the page with live reload on http://127.0.0.1:5173.',
  });
  if (answered !== undefined) return answered;
  await ensureInstalled();
  say(`\n  The page with live reload: http://127.0.0.1:5173 (server at http://${address})\n`);
  return runInForeground(
    [
      ['--watch', '--watch-preserve-output', 'server/main.mjs'],
      [join(modules, 'vite', 'bin', 'vite.js'), 'web', '--strictPort', '--clearScreen', 'false', '--logLevel', 'warn'],
    ],
    { ...process.env, Application__ListenAddress: address },
  );
});
