import { settingsApiKeys } from './settings-api-keys.ts';
import { settingsAudit } from './settings-audit.ts';
import { settingsBranding } from './settings-branding.ts';
import { settingsConfiguration } from './settings-configuration.ts';
import { settingsDashboards } from './settings-dashboards.ts';
import { settingsFleetPush } from './settings-fleet-push.ts';
import { settingsHistory } from './settings-history.ts';
import { settingsIncoming } from './settings-incoming.ts';
import { settingsUsers } from './settings-users.ts';

export const settings = {
  sections: {
    label: 'Settings sections',
    profile: 'Profile',
    password: 'Password',
    rates: 'Rates',
    branding: 'Branding',
    users: 'Users',
    apiKeys: 'API keys',
    incoming: 'Incoming',
    history: 'History by file',
    fleetPush: 'Fleet push',
    dashboards: 'Embedded dashboards',
    configuration: 'Configuration',
    audit: 'Audit trail',
    personal: 'Your account',
    energy: 'Energy',
    administration: 'Administration',
  },
  roles: { Admin: 'Administrator', RestrictedAdmin: 'Restricted administrator', none: 'User' },
  profile: {
    description: 'How you appear to others in this portal.',
    displayName: 'Display name',
    email: 'Email',
    emailHint: 'Only an administrator can change your email address.',
    emailHintAdmin: 'You can change it under Settings → Users.',
    roles: 'Roles',
    saved: 'Your profile is saved.',
    nameMissing: 'Enter a display name.',
    nameTooLong: 'The display name may have at most 200 characters.',
  },
  password: {
    description: 'Your other sessions end when you change it.',
    current: 'Current password',
    new: 'New password',
    repeat: 'Repeat the new password',
    saved: 'Your password is changed.',
    currentMissing: 'Enter your current password.',
    newMissing: 'Enter a new password.',
    differs: 'The two entries differ.',
    rulesNotMet: 'The new password does not meet all the rules yet.',
  },
  sessions: {
    title: 'Sessions',
    description: 'Where you are signed in. End those that you do not know, and change your password then.',
    columns: { browser: 'Browser', source: 'Address', signedIn: 'Signed in', lastUsed: 'Last used' },
    browserOn: '{browser} on {system}',
    unknownBrowser: 'Unknown browser',
    current: 'This one',
    end: 'End',
    endAll: 'End all others',
    ended: 'The session has ended.',
    endedAll: 'All other sessions have ended.',
  },
  branding: settingsBranding,
  users: settingsUsers,
  apiKeys: settingsApiKeys,
  history: settingsHistory,
  incoming: settingsIncoming,
  dashboards: settingsDashboards,
  configuration: settingsConfiguration,
  fleetPush: settingsFleetPush,
  audit: settingsAudit,
} as const;
