import type { Translated } from '../message-types.ts';
import type { settings as english } from '../en/settings.ts';
import { settingsApiKeys } from './settings-api-keys.ts';
import { settingsAudit } from './settings-audit.ts';
import { settingsBranding } from './settings-branding.ts';
import { settingsConfiguration } from './settings-configuration.ts';
import { settingsDashboards } from './settings-dashboards.ts';
import { settingsFleetPush } from './settings-fleet-push.ts';
import { settingsHistory } from './settings-history.ts';
import { settingsIncoming } from './settings-incoming.ts';
import { settingsUsers } from './settings-users.ts';

export const settings: Translated<typeof english> = {
  sections: {
    label: 'Bereiche der Einstellungen',
    profile: 'Profil',
    password: 'Passwort',
    rates: 'Tarife',
    branding: 'Erscheinungsbild',
    users: 'Benutzer',
    apiKeys: 'API-Schlüssel',
    incoming: 'Eingang',
    history: 'Messwerte importieren',
    fleetPush: 'Senden an die Flotte',
    dashboards: 'Eingebettete Dashboards',
    configuration: 'Konfiguration',
    audit: 'Protokoll',
    personal: 'Ihr Konto',
    energy: 'Energie',
    administration: 'Verwaltung',
  },
  roles: { Admin: 'Administrator', RestrictedAdmin: 'Eingeschränkter Administrator', none: 'Benutzer' },
  profile: {
    description: 'So sehen andere Sie in diesem Portal.',
    displayName: 'Anzeigename',
    email: 'E-Mail-Adresse',
    emailHint: 'Nur ein Administrator kann sie ändern.',
    emailHintAdmin: 'Ändern unter Einstellungen → Benutzer.',
    roles: 'Rollen',
    saved: 'Profil gespeichert',
    nameMissing: 'Bitte geben Sie einen Anzeigenamen ein.',
    nameTooLong: 'Höchstens 200 Zeichen.',
  },
  password: {
    description: 'Eine Änderung meldet Ihre anderen Sitzungen ab.',
    current: 'Aktuelles Passwort',
    new: 'Neues Passwort',
    repeat: 'Neues Passwort wiederholen',
    saved: 'Passwort geändert',
    currentMissing: 'Bitte geben Sie Ihr aktuelles Passwort ein.',
    newMissing: 'Bitte geben Sie ein neues Passwort ein.',
    differs: 'Die Passwörter stimmen nicht überein.',
    rulesNotMet: 'Das neue Passwort erfüllt noch nicht alle Regeln.',
  },
  sessions: {
    title: 'Sitzungen',
    description: 'Kennen Sie eine Sitzung nicht, beenden Sie sie und ändern Sie Ihr Passwort.',
    columns: { browser: 'Browser', source: 'IP-Adresse', signedIn: 'Angemeldet', lastUsed: 'Zuletzt benutzt' },
    browserOn: '{browser} unter {system}',
    unknownBrowser: 'Unbekannter Browser',
    current: 'Dieses Gerät',
    end: 'Abmelden',
    endAll: 'Alle anderen abmelden',
    ended: 'Sitzung abgemeldet',
    endedAll: 'Alle anderen Sitzungen abgemeldet',
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
};
