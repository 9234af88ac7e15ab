import { alarmRules } from './alarm-rules.ts';
import { rates } from './rates.ts';
import { reportMails } from './report-mails.ts';
import { settingsApiKeys } from './settings-api-keys.ts';
import { settingsAudit } from './settings-audit.ts';
import { settingsBranding } from './settings-branding.ts';
import { settingsConfiguration } from './settings-configuration.ts';
import { settingsDashboards } from './settings-dashboards.ts';
import { settingsFleetPush } from './settings-fleet-push.ts';
import { settingsHistory } from './settings-history.ts';
import { settingsIncoming } from './settings-incoming.ts';
import { settingsMail, settingsNotifications, settingsWebhooks } from './settings-notifications.ts';
import { settingsSecondFactor } from './settings-second-factor.ts';
import { settingsUsers } from './settings-users.ts';

const ownSettings = {
  roles: { Admin: 'Administrator', RestrictedAdmin: 'Restricted administrator', none: 'User' },
  profile: {
    description: 'How others see you in this portal.',
    displayName: 'Display name',
    email: 'Email',
    emailHint: 'Only an administrator can change it.',
    emailHintAdmin: 'Change it under Settings → Users.',
    roles: 'Roles',
    timeZoneHint: 'For all times, in exports too. Days and cost of a site stay in its local time.',
    portalZone: 'That of the portal',
    saved: 'Profile saved',
  },
  password: {
    description: 'Changing it signs out your other sessions.',
    current: 'Current password',
    new: 'New password',
    repeat: 'Repeat new password',
    saved: 'Password changed',
    currentMissing: 'Enter your current password.',
    newMissing: 'Enter a new password.',
    differs: 'Passwords don’t match.',
    rulesNotMet: 'The new password doesn’t meet all the rules yet.',
  },
  secondFactor: settingsSecondFactor,
  sessions: {
    description: 'If you don’t recognize a session, end it and change your password.',
    columns: { browser: 'Browser', source: 'IP address', signedIn: 'Signed in', lastUsed: 'Last used' },
    browserOn: '{browser} on {system}',
    unknownBrowser: 'Unknown browser',
    current: 'This device',
    end: 'Sign out',
    endAll: 'Sign out all others',
    ended: 'Session signed out',
    endedAll: 'All other sessions signed out',
  },
  branding: settingsBranding,
  users: settingsUsers,
  apiKeys: settingsApiKeys,
  history: settingsHistory,
  incoming: settingsIncoming,
  dashboards: settingsDashboards,
  notifications: settingsNotifications,
  mail: settingsMail,
  webhooks: settingsWebhooks,
  configuration: settingsConfiguration,
  fleetPush: settingsFleetPush,
  audit: settingsAudit,
} as const;

/** Further texts of the settings. */
export const settings = { alarmRules, rates, reportMails, settings: ownSettings };
