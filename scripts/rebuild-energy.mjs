// `npm run rebuild-energy`: computes the slot store anew from the measurements, also while the portal runs.
import { runInForeground } from './foreground.mjs';
import { ensureInstalled } from './install.mjs';
import { main } from './project.mjs';

await main(async () => {
  await ensureInstalled();
  return runInForeground([['server/main.ts', 'rebuild-energy']], process.env);
});
