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
    history: 'Historie uit bestand',
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
    emailHint: 'Alleen een beheerder kan uw e-mailadres wijzigen.',
    emailHintAdmin: 'U kunt het wijzigen onder Instellingen → Gebruikers.',
    roles: 'Rollen',
    saved: 'Uw profiel is opgeslagen.',
    nameMissing: 'Voer een weergavenaam in.',
    nameTooLong: 'De weergavenaam mag hoogstens 200 tekens hebben.',
  },
  password: {
    description: 'Uw andere sessies eindigen als u het wijzigt.',
    current: 'Huidig wachtwoord',
    new: 'Nieuw wachtwoord',
    repeat: 'Nieuw wachtwoord herhalen',
    saved: 'Uw wachtwoord is gewijzigd.',
    currentMissing: 'Voer uw huidige wachtwoord in.',
    newMissing: 'Voer een nieuw wachtwoord in.',
    differs: 'De twee wachtwoorden komen niet overeen.',
    rulesNotMet: 'Het nieuwe wachtwoord voldoet nog niet aan alle regels.',
  },
  sessions: {
    title: 'Sessies',
    description: 'Waar u bent aangemeld. Beëindig sessies die u niet kent, en wijzig daarna uw wachtwoord.',
    columns: { browser: 'Browser', source: 'Adres', signedIn: 'Aangemeld', lastUsed: 'Laatst gebruikt' },
    browserOn: '{browser} op {system}',
    unknownBrowser: 'Onbekende browser',
    current: 'Deze',
    end: 'Beëindigen',
    endAll: 'Alle andere beëindigen',
    ended: 'De sessie is beëindigd.',
    endedAll: 'Alle andere sessies zijn beëindigd.',
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
