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
    history: 'Importer l’historique',
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
    emailHint: 'Seul un administrateur peut la changer.',
    emailHintAdmin: 'À changer sous Paramètres → Utilisateurs.',
    roles: 'Rôles',
    saved: 'Profil enregistré',
    nameMissing: 'Saisissez un nom affiché.',
    nameTooLong: '200 caractères au plus.',
  },
  password: {
    description: 'Le changer déconnecte vos autres sessions.',
    current: 'Mot de passe actuel',
    new: 'Nouveau mot de passe',
    repeat: 'Répéter le nouveau mot de passe',
    saved: 'Mot de passe modifié',
    currentMissing: 'Saisissez votre mot de passe actuel.',
    newMissing: 'Saisissez un nouveau mot de passe.',
    differs: 'Les mots de passe ne correspondent pas.',
    rulesNotMet: 'Le nouveau mot de passe ne respecte pas encore toutes les règles.',
  },
  sessions: {
    title: 'Sessions',
    description: 'Si vous ne reconnaissez pas une session, fermez-la et changez votre mot de passe.',
    columns: { browser: 'Navigateur', source: 'Adresse IP', signedIn: 'Connecté', lastUsed: 'Dernière utilisation' },
    browserOn: '{browser} sur {system}',
    unknownBrowser: 'Navigateur inconnu',
    current: 'Cet appareil',
    end: 'Déconnecter',
    endAll: 'Déconnecter toutes les autres',
    ended: 'Session déconnectée',
    endedAll: 'Toutes les autres sessions déconnectées',
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
