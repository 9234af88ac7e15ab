import { lazily } from '../../lib/lazily.ts';

/** What stands below the first numbers of the Dashboard, which are not to wait for its code. */
export const dashboardPanels = lazily(async () => (await import('./DashboardPanels.tsx')).DashboardPanels);
