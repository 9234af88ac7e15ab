import {
  IconBuildings,
  IconChartLine,
  IconLayoutDashboard,
  IconLayoutGrid,
  IconMapPin,
  IconSettings,
  type Icon,
} from '@tabler/icons-react';
import type { Role } from '../../../shared/accounts.ts';
import type { RunMode } from '../../../shared/app.ts';

interface NavigationItem {
  to: '/dashboard' | '/dashboards' | '/measurements' | '/sites' | '/fleet' | '/customers' | '/settings';
  label: 'dashboard' | 'dashboards' | 'measurements' | 'sites' | 'customers' | 'settings';
  icon: Icon;
  /** Pressed after G it leads there. */
  key: string;
  /** The page has the shared time range, which travels along. */
  hasTimeRange: boolean;
  /** Only users with one of these roles have the page; without a list, every user. */
  roles?: readonly Role[];
}

const fleetReaders: readonly Role[] = ['Admin', 'RestrictedAdmin'];
const dashboard: NavigationItem = {
  to: '/dashboard',
  label: 'dashboard',
  icon: IconLayoutDashboard,
  key: 'd',
  hasTimeRange: true,
};
const measurements: NavigationItem = {
  to: '/measurements',
  label: 'measurements',
  icon: IconChartLine,
  key: 'm',
  hasTimeRange: true,
};
const sites: NavigationItem = { to: '/sites', label: 'sites', icon: IconMapPin, key: 's', hasTimeRange: false };
const dashboards: NavigationItem = {
  to: '/dashboards',
  label: 'dashboards',
  icon: IconLayoutGrid,
  key: 'b',
  hasTimeRange: false,
};
const fleet: NavigationItem = {
  to: '/fleet',
  label: 'dashboard',
  icon: IconLayoutDashboard,
  key: 'd',
  hasTimeRange: false,
  roles: fleetReaders,
};
const customers: NavigationItem = {
  to: '/customers',
  label: 'customers',
  icon: IconBuildings,
  key: 'c',
  hasTimeRange: false,
  roles: ['Admin'],
};
const settings: NavigationItem = {
  to: '/settings',
  label: 'settings',
  icon: IconSettings,
  key: 'e',
  hasTimeRange: false,
};

/** What each run mode has, in the order in which it is shown. */
const navigation: Record<RunMode, readonly NavigationItem[]> = {
  Client: [dashboard, measurements, sites, dashboards, settings],
  Admin: [fleet, customers, { ...measurements, roles: fleetReaders }, dashboards, settings],
};

/** The pages of a user with these roles. */
export const pagesOf = (runMode: RunMode, own: readonly Role[]): NavigationItem[] =>
  navigation[runMode].filter(({ roles }) => roles === undefined || roles.some((role) => own.includes(role)));
