import type { Translated } from '../catalogue.ts';
import type { shell as english } from '../en/shell.ts';

export const shell: Translated<typeof english> = {
  skipToContent: 'Aller au contenu',
  mainNavigation: 'Navigation principale',
  dashboard: 'Synthèse',
  dashboards: 'Tableaux',
  compare: 'Comparer',
  report: 'Rapport énergétique',
  measurements: 'Mesures',
  sites: 'Sites',
  customers: 'Clients',
  settings: 'Paramètres',
  fleetAdmin: 'Parc',
  userMenu: 'Compte et préférences',
  profile: 'Profil',
  password: 'Changer le mot de passe',
  appearance: 'Apparence',
  light: 'Clair',
  dark: 'Sombre',
  auto: 'Système',
  language: 'Langue',
  signOut: 'Se déconnecter',
  signOutFailed: 'La déconnexion a échoué.',
  connectionLost: 'La connexion au portail est perdue. Nouvelle tentative …',
  homeOf: 'Page d’accueil de {name}',
};
