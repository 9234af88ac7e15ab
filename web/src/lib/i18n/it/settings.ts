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
    label: 'Sezioni delle impostazioni',
    profile: 'Profilo',
    password: 'Password',
    rates: 'Tariffe',
    branding: 'Immagine aziendale',
    users: 'Utenti',
    apiKeys: 'Chiavi API',
    incoming: 'Arrivi',
    history: 'Importa storico',
    fleetPush: 'Invio alla flotta',
    dashboards: 'Dashboard incorporate',
    configuration: 'Configurazione',
    audit: 'Registro di audit',
    personal: 'Il proprio account',
    energy: 'Energia',
    administration: 'Amministrazione',
  },
  roles: { Admin: 'Amministratore', RestrictedAdmin: 'Amministratore limitato', none: 'Utente' },
  profile: {
    description: 'Come gli altri vedono il proprio profilo.',
    displayName: 'Nome visualizzato',
    email: 'E-mail',
    emailHint: 'Solo un amministratore può cambiarlo.',
    emailHintAdmin: 'Si cambia in Impostazioni → Utenti.',
    roles: 'Ruoli',
    saved: 'Profilo salvato',
    nameMissing: 'Inserire un nome visualizzato.',
    nameTooLong: 'Massimo 200 caratteri.',
  },
  password: {
    description: 'Cambiandola, le altre sessioni vengono disconnesse.',
    current: 'Password attuale',
    new: 'Nuova password',
    repeat: 'Ripetere la nuova password',
    saved: 'Password cambiata',
    currentMissing: 'Inserire la password attuale.',
    newMissing: 'Inserire una nuova password.',
    differs: 'Le password non coincidono.',
    rulesNotMet: 'La nuova password non soddisfa ancora tutte le regole.',
  },
  sessions: {
    title: 'Sessioni',
    description: 'Se una sessione è sconosciuta, terminarla e cambiare la password.',
    columns: { browser: 'Browser', source: 'Indirizzo IP', signedIn: 'Accesso', lastUsed: 'Ultimo uso' },
    browserOn: '{browser} su {system}',
    unknownBrowser: 'Browser sconosciuto',
    current: 'Questo dispositivo',
    end: 'Disconnetti',
    endAll: 'Disconnetti tutte le altre',
    ended: 'Sessione disconnessa',
    endedAll: 'Tutte le altre sessioni disconnesse',
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
