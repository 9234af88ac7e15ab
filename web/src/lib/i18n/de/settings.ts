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
    history: 'Verlauf aus Datei',
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
    description: 'So erscheinen Sie für andere in diesem Portal.',
    displayName: 'Anzeigename',
    email: 'E-Mail-Adresse',
    emailHint: 'Ihre E-Mail-Adresse kann nur ein Administrator ändern.',
    emailHintAdmin: 'Sie können sie unter Einstellungen → Benutzer ändern.',
    roles: 'Rollen',
    saved: 'Ihr Profil ist gespeichert.',
    nameMissing: 'Bitte geben Sie einen Anzeigenamen ein.',
    nameTooLong: 'Der Anzeigename darf höchstens 200 Zeichen haben.',
  },
  password: {
    description: 'Wenn Sie es ändern, enden Ihre anderen Sitzungen.',
    current: 'Aktuelles Passwort',
    new: 'Neues Passwort',
    repeat: 'Neues Passwort wiederholen',
    saved: 'Ihr Passwort ist geändert.',
    currentMissing: 'Bitte geben Sie Ihr aktuelles Passwort ein.',
    newMissing: 'Bitte geben Sie ein neues Passwort ein.',
    differs: 'Die beiden Eingaben unterscheiden sich.',
    rulesNotMet: 'Das neue Passwort erfüllt noch nicht alle Regeln.',
  },
  sessions: {
    title: 'Sitzungen',
    description: 'Wo Sie angemeldet sind. Beenden Sie, was Sie nicht kennen, und ändern Sie dann Ihr Passwort.',
    columns: { browser: 'Browser', source: 'Adresse', signedIn: 'Angemeldet', lastUsed: 'Zuletzt benutzt' },
    browserOn: '{browser} unter {system}',
    unknownBrowser: 'Unbekannter Browser',
    current: 'Diese',
    end: 'Beenden',
    endAll: 'Alle anderen beenden',
    ended: 'Die Sitzung ist beendet.',
    endedAll: 'Alle anderen Sitzungen sind beendet.',
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
