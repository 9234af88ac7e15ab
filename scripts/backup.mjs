// `npm run backup -- --to <file>`: everything of this portal in one file, also while the portal runs.
import { runInForeground } from './foreground.mjs';
import { ensureInstalled } from './install.mjs';
import { filesFromHere, main } from './project.mjs';

await main(async () => {
  await ensureInstalled();
  return runInForeground([['server/main.ts', 'backup', ...filesFromHere(process.argv.slice(2), '--to')]], process.env);
});
