// Installs the packages of the dashboard tool's page, and builds it if it is missing or older than its sources.
import { ensureInstalled } from './install.mjs';
import { main } from './project.mjs';
import { ensureDashboardsPage } from './web-page.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureDashboardsPage();
  return 0;
});
