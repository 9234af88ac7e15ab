// `npm run restore -- --from <file>`: restores a backup into an empty database.
import { runInForeground } from './foreground.mjs';
import { ensureInstalled } from './install.mjs';
import { filesFromHere, main } from './project.mjs';

await main(async () => {
  await ensureInstalled();
  return runInForeground(
    [['server/main.mjs', 'restore', ...filesFromHere(process.argv.slice(2), '--from')]],
    process.env,
  );
});
