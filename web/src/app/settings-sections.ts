import type { Role } from '../../../shared/accounts.ts';
import type { RunMode } from '../../../shared/app.ts';
import { page } from './page.ts';

/**
 * The pages of the settings in their groups, in the order in which they are shown. Routes, menu, palette and document titles
 * follow from this table. A new page needs a row here, its component, and its name in `sections`, which is the key of its
 * texts. `for`: only users with one of these roles have the page. `searchedAs`: other names that users may search for.
 * `hasTimes`: a phone names the time zone above the section.
 */
export const settingsSections = [
  {
    name: 'profile',
    path: '/profile',
    group: 'personal',
    component: page(() => import('../features/settings/account/ProfileSection.tsx'), 'ProfileSection'),
  },
  {
    name: 'password',
    path: '/password',
    group: 'personal',
    searchedAs: ['secondFactor.title', 'secondFactor.passkeys', 'sections.sessions'],
    hasTimes: true,
    component: page(() => import('../features/settings/account/PasswordSection.tsx'), 'PasswordSection'),
  },
  {
    name: 'notifications',
    path: '/notifications',
    group: 'personal',
    component: page(() => import('../features/settings/account/NotificationsSection.tsx'), 'NotificationsSection'),
  },
  {
    name: 'rates',
    path: '/rates',
    group: 'energy',
    isClientOnly: true,
    component: page(() => import('../features/rates/RatesSection.tsx'), 'RatesSection'),
  },
  {
    name: 'alarmRules',
    path: '/alarm-rules',
    group: 'administration',
    hasTimes: true,
    component: page(() => import('../features/settings/alarms/AlarmRulesSection.tsx'), 'AlarmRulesSection'),
  },
  {
    name: 'branding',
    path: '/branding',
    group: 'administration',
    component: page(() => import('../features/settings/branding/BrandingSection.tsx'), 'BrandingSection'),
  },
  {
    name: 'users',
    path: '/users',
    group: 'administration',
    hasTimes: true,
    component: page(() => import('../features/settings/users/UsersSection.tsx'), 'UsersSection'),
  },
  {
    name: 'apiKeys',
    path: '/api-keys',
    group: 'administration',
    isClientOnly: true,
    hasTimes: true,
    component: page(() => import('../features/settings/incoming/ApiKeysSection.tsx'), 'ApiKeysSection'),
  },
  {
    name: 'incoming',
    path: '/incoming',
    group: 'administration',
    isClientOnly: true,
    component: page(() => import('../features/settings/incoming/IncomingSection.tsx'), 'IncomingSection'),
  },
  {
    name: 'history',
    path: '/history',
    group: 'administration',
    isClientOnly: true,
    component: page(() => import('../features/settings/history/HistorySection.tsx'), 'HistorySection'),
  },
  {
    name: 'fleetPush',
    path: '/fleet-push',
    group: 'administration',
    isClientOnly: true,
    component: page(() => import('../features/settings/fleet-push/FleetPushSection.tsx'), 'FleetPushSection'),
  },
  {
    name: 'dashboards',
    path: '/dashboards',
    group: 'administration',
    component: page(() => import('../features/settings/DashboardsSection.tsx'), 'DashboardsSection'),
  },
  {
    name: 'mail',
    path: '/mail',
    group: 'administration',
    component: page(() => import('../features/settings/MailSection.tsx'), 'MailSection'),
  },
  {
    name: 'webhooks',
    path: '/webhooks',
    group: 'administration',
    component: page(() => import('../features/settings/WebhooksSection.tsx'), 'WebhooksSection'),
  },
  {
    name: 'configuration',
    path: '/configuration',
    group: 'administration',
    component: page(() => import('../features/settings/ConfigurationSection.tsx'), 'ConfigurationSection'),
  },
  {
    name: 'audit',
    path: '/audit',
    group: 'administration',
    hasTimes: true,
    component: page(() => import('../features/settings/audit/AuditSection.tsx'), 'AuditSection'),
  },
] as const;

type Section = (typeof settingsSections)[number];
export type SectionName = Section['name'];

/** The user, and the run mode of the portal. */
interface Reader {
  runMode: RunMode;
  roles: readonly Role[];
}

/**
 * Why a user does not have the section: the user lacks the role, or the section does not exist in this run mode. Null if the
 * user has it.
 */
export function sectionRefusal(section: Section, { runMode, roles }: Reader): 'forbidden' | 'missing' | null {
  if (section.group === 'administration' && !roles.includes('Admin')) return 'forbidden';
  return 'isClientOnly' in section && runMode !== 'Client' ? 'missing' : null;
}

/** The sections that a user has, with their URLs. */
export const sectionsOf = (reader: Reader) =>
  settingsSections
    .filter((section) => sectionRefusal(section, reader) === null)
    .map((section) => ({ ...section, to: `/settings${section.path}` as const }));
