import {
  IconArrowsLeftRight,
  IconBell,
  IconBuildings,
  IconChartLine,
  IconFileText,
  IconLayoutDashboard,
  IconLayoutGrid,
  IconMapPin,
  IconSettings,
  type Icon,
} from '@tabler/icons-react';
import type { Role } from '../../../shared/accounts.ts';
import type { RunMode } from '../../../shared/app.ts';
import type { DeviceChoice } from '../lib/device-choice.ts';
import type { TimeRangeSearch } from '../lib/time-range.ts';

interface NavigationItem {
  to:
    | '/dashboard'
    | '/dashboards'
    | '/measurements'
    | '/compare'
    | '/report'
    | '/reports'
    | '/sites'
    | '/alarms'
    | '/fleet'
    | '/customers'
    | '/settings';
  label:
    'overview' | 'dashboards' | 'measurements' | 'compare' | 'reports' | 'sites' | 'alarms' | 'customers' | 'settings';
  /** Another name by which the search finds it. */
  searchedAs?: 'dashboard' | 'report';
  icon: Icon;
  /** The key that opens it after G. */
  key: string;
  /** The parameters that the previous page passes on: the shared time range, the chosen devices. */
  carries?: readonly ('range' | 'choice')[];
  /** Left out of the bar of a phone, where there is no space. The Overview and the search lead to this page. */
  isWideOnly?: true;
  /** Only users with one of these roles have the page. Without a list, every user has it. */
  roles?: readonly Role[];
}

const fleetReaders: readonly Role[] = ['Admin', 'RestrictedAdmin'];
const overview: NavigationItem = {
  to: '/dashboard',
  label: 'overview',
  searchedAs: 'dashboard',
  icon: IconLayoutDashboard,
  key: 'd',
  carries: ['range', 'choice'],
};
const measurements: NavigationItem = {
  to: '/measurements',
  label: 'measurements',
  icon: IconChartLine,
  key: 'm',
  carries: ['range'],
};
const compare: NavigationItem = {
  to: '/compare',
  label: 'compare',
  icon: IconArrowsLeftRight,
  key: 'c',
  carries: ['range', 'choice'],
  isWideOnly: true,
};
const reports: NavigationItem = {
  to: '/report',
  label: 'reports',
  searchedAs: 'report',
  icon: IconFileText,
  key: 'r',
  carries: ['choice'],
  isWideOnly: true,
};
const fleetReports: NavigationItem = {
  to: '/reports',
  label: 'reports',
  searchedAs: 'report',
  icon: IconFileText,
  key: 'r',
  isWideOnly: true,
  roles: fleetReaders,
};
const sites: NavigationItem = { to: '/sites', label: 'sites', icon: IconMapPin, key: 's' };
const alarms: NavigationItem = { to: '/alarms', label: 'alarms', icon: IconBell, key: 'a' };
const dashboards: NavigationItem = { to: '/dashboards', label: 'dashboards', icon: IconLayoutGrid, key: 'b' };
const fleet: NavigationItem = {
  to: '/fleet',
  label: 'overview',
  searchedAs: 'dashboard',
  icon: IconLayoutDashboard,
  key: 'd',
  roles: fleetReaders,
};
const customers: NavigationItem = {
  to: '/customers',
  label: 'customers',
  icon: IconBuildings,
  key: 'c',
  roles: ['Admin'],
};
const settings: NavigationItem = { to: '/settings', label: 'settings', icon: IconSettings, key: 'e' };

/** The pages of each run mode, in the order in which they are shown. */
const navigation: Record<RunMode, readonly NavigationItem[]> = {
  Client: [overview, measurements, compare, reports, sites, alarms, dashboards, settings],
  Admin: [
    fleet,
    customers,
    { ...measurements, roles: fleetReaders },
    { ...alarms, roles: fleetReaders },
    fleetReports,
    dashboards,
    settings,
  ],
};

/** The pages of a user with these roles. */
export const pagesOf = (runMode: RunMode, own: readonly Role[]): NavigationItem[] =>
  navigation[runMode].filter(({ roles }) => roles === undefined || roles.some((role) => own.includes(role)));

/** The search parameters with which the navigation opens a page. */
export const searchOf = (
  { carries = [] }: Pick<NavigationItem, 'carries'>,
  range: TimeRangeSearch,
  choice: DeviceChoice,
) => ({
  ...(carries.includes('range') ? range : {}),
  ...(carries.includes('choice') ? choice : {}),
});
