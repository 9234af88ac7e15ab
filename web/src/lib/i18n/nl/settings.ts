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
    label: 'Onderdelen van de instellingen',
    profile: 'Profiel',
    password: 'Wachtwoord',
    rates: 'Tarieven',
    branding: 'Huisstijl',
    users: 'Gebruikers',
    apiKeys: 'API-sleutels',
    incoming: 'Binnenkomend',
    history: 'Historie importeren',
    fleetPush: 'Verzending naar de vloot',
    dashboards: 'Ingebedde dashboards',
    configuration: 'Configuratie',
    audit: 'Auditlogboek',
    personal: 'Uw account',
    energy: 'Energie',
    administration: 'Beheer',
  },
  roles: { Admin: 'Beheerder', RestrictedAdmin: 'Beperkte beheerder', none: 'Gebruiker' },
  profile: {
    description: 'Hoe anderen u in dit portaal zien.',
    displayName: 'Weergavenaam',
    email: 'E-mail',
    emailHint: 'Alleen een beheerder kan het wijzigen.',
    emailHintAdmin: 'Wijzig het onder Instellingen → Gebruikers.',
    roles: 'Rollen',
    saved: 'Profiel opgeslagen',
    nameMissing: 'Voer een weergavenaam in.',
    nameTooLong: 'Hoogstens 200 tekens.',
  },
  password: {
    description: 'Wijzigen meldt uw andere sessies af.',
    current: 'Huidig wachtwoord',
    new: 'Nieuw wachtwoord',
    repeat: 'Nieuw wachtwoord herhalen',
    saved: 'Wachtwoord gewijzigd',
    currentMissing: 'Voer uw huidige wachtwoord in.',
    newMissing: 'Voer een nieuw wachtwoord in.',
    differs: 'De wachtwoorden komen niet overeen.',
    rulesNotMet: 'Het nieuwe wachtwoord voldoet nog niet aan alle regels.',
  },
  sessions: {
    title: 'Sessies',
    description: 'Herkent u een sessie niet, beëindig haar dan en wijzig uw wachtwoord.',
    columns: { browser: 'Browser', source: 'IP-adres', signedIn: 'Aangemeld', lastUsed: 'Laatst gebruikt' },
    browserOn: '{browser} op {system}',
    unknownBrowser: 'Onbekende browser',
    current: 'Dit apparaat',
    end: 'Afmelden',
    endAll: 'Alle andere afmelden',
    ended: 'Sessie afgemeld',
    endedAll: 'Alle andere sessies afgemeld',
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
