import { loadCode } from '../../lib/load-code.ts';

/** The code of what stands below the first numbers of the Dashboard, which are not to wait for it. */
export const loadDashboardPanels = loadCode(async () => ({
  default: (await import('./DashboardPanels.tsx')).DashboardPanels,
}));
