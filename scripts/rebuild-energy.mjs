// `npm run rebuild-energy`: recomputes the quarter-hour rollup from the measurements, also while the portal runs.
import { runInForeground } from './foreground.mjs';
import { ensureInstalled } from './install.mjs';
import { main } from './project.mjs';

await main(async () => {
  await ensureInstalled();
  return runInForeground([['server/main.mjs', 'rebuild-energy']], process.env);
});
