// `npm run backup -- --to <file>`: writes the whole portal into one file, also while it runs.
import { runInForeground } from './foreground.mjs';
import { ensureInstalled } from './install.mjs';
import { filesFromHere, main } from './project.mjs';

await main(async () => {
  await ensureInstalled();
  return runInForeground([['server/main.mjs', 'backup', ...filesFromHere(process.argv.slice(2), '--to')]], process.env);
});
