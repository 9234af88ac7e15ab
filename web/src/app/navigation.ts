import { IconChartLine, IconLayoutDashboard, IconMapPin, IconSettings, type Icon } from '@tabler/icons-react';
import type { RunMode } from '../../../shared/app.ts';

export interface NavigationItem {
  to: '/dashboard' | '/measurements' | '/sites' | '/settings';
  label: 'dashboard' | 'measurements' | 'sites' | 'settings';
  icon: Icon;
  /** The page has the shared time range, which travels along. */
  hasTimeRange: boolean;
}

const dashboard: NavigationItem = {
  to: '/dashboard',
  label: 'dashboard',
  icon: IconLayoutDashboard,
  hasTimeRange: true,
};
const measurements: NavigationItem = {
  to: '/measurements',
  label: 'measurements',
  icon: IconChartLine,
  hasTimeRange: true,
};
const sites: NavigationItem = { to: '/sites', label: 'sites', icon: IconMapPin, hasTimeRange: false };
const settings: NavigationItem = { to: '/settings', label: 'settings', icon: IconSettings, hasTimeRange: false };

/** What each run mode has, in the order in which it is shown. */
export const navigation: Record<RunMode, readonly NavigationItem[]> = {
  Client: [dashboard, measurements, sites, settings],
  Admin: [settings],
};
