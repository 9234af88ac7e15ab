import type { RunMode } from '../../../../shared/app.ts';

/** The sections of the settings in their groups; those of `administration` are for administrators. */
const groups = [
  {
    heading: 'personal',
    sections: [
      { to: '/settings/profile', label: 'profile' },
      { to: '/settings/password', label: 'password' },
    ],
  },
  { heading: 'energy', sections: [{ to: '/settings/rates', label: 'rates', isClientOnly: true }] },
  {
    heading: 'administration',
    sections: [
      { to: '/settings/branding', label: 'branding' },
      { to: '/settings/users', label: 'users' },
      { to: '/settings/api-keys', label: 'apiKeys', isClientOnly: true },
      { to: '/settings/incoming', label: 'incoming', isClientOnly: true },
      { to: '/settings/history', label: 'history', isClientOnly: true },
      { to: '/settings/fleet-push', label: 'fleetPush', isClientOnly: true },
      { to: '/settings/dashboards', label: 'dashboards' },
      { to: '/settings/configuration', label: 'configuration' },
      { to: '/settings/audit', label: 'audit' },
    ],
  },
] as const;

export type SectionPath = (typeof groups)[number]['sections'][number]['to'];

/** What somebody has of them. */
export function settingsSections(mode: RunMode, isAdmin: boolean) {
  return groups
    .filter(({ heading }) => heading !== 'administration' || isAdmin)
    .map(({ heading, sections }) => ({
      heading,
      sections: sections.filter((section) => mode === 'Client' || !('isClientOnly' in section)),
    }))
    .filter(({ sections }) => sections.length > 0);
}
