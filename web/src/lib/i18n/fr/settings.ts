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
    label: 'Sections des paramètres',
    profile: 'Profil',
    password: 'Mot de passe',
    rates: 'Tarifs',
    branding: 'Identité visuelle',
    users: 'Utilisateurs',
    apiKeys: 'Clés API',
    incoming: 'Arrivées',
    history: 'Historique par fichier',
    fleetPush: 'Envoi au parc',
    dashboards: 'Tableaux de bord intégrés',
    configuration: 'Configuration',
    audit: 'Journal d’audit',
    personal: 'Votre compte',
    energy: 'Énergie',
    administration: 'Administration',
  },
  roles: { Admin: 'Administrateur', RestrictedAdmin: 'Administrateur restreint', none: 'Utilisateur' },
  profile: {
    description: 'Comment les autres vous voient dans ce portail.',
    displayName: 'Nom affiché',
    email: 'E-mail',
    emailHint: 'Seul un administrateur peut changer votre adresse e-mail.',
    emailHintAdmin: 'Vous pouvez changer cette adresse sous Paramètres → Utilisateurs.',
    roles: 'Rôles',
    saved: 'Votre profil est enregistré.',
    nameMissing: 'Saisissez un nom affiché.',
    nameTooLong: 'Le nom affiché peut avoir au plus 200 caractères.',
  },
  password: {
    description: 'Vos autres sessions prennent fin quand vous le changez.',
    current: 'Mot de passe actuel',
    new: 'Nouveau mot de passe',
    repeat: 'Répéter le nouveau mot de passe',
    saved: 'Votre mot de passe a été changé.',
    currentMissing: 'Saisissez votre mot de passe actuel.',
    newMissing: 'Saisissez un nouveau mot de passe.',
    differs: 'Les deux saisies diffèrent.',
    rulesNotMet: 'Le nouveau mot de passe ne remplit pas encore toutes les règles.',
  },
  sessions: {
    title: 'Sessions',
    description: 'Où vous êtes connecté. Fermez celles que vous ne connaissez pas, puis changez votre mot de passe.',
    columns: { browser: 'Navigateur', source: 'Adresse', signedIn: 'Connecté', lastUsed: 'Dernière utilisation' },
    browserOn: '{browser} sur {system}',
    unknownBrowser: 'Navigateur inconnu',
    current: 'Celle-ci',
    end: 'Fermer',
    endAll: 'Fermer toutes les autres',
    ended: 'La session est fermée.',
    endedAll: 'Toutes les autres sessions sont fermées.',
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
