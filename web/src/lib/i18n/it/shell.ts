import type { Translated } from '../catalogue.ts';
import type { shell as english } from '../en/shell.ts';

export const shell: Translated<typeof english> = {
  skipToContent: 'Vai al contenuto',
  mainNavigation: 'Navigazione principale',
  dashboard: 'Dashboard',
  dashboards: 'Pannelli',
  compare: 'Confronta',
  report: 'Rapporto energetico',
  measurements: 'Misurazioni',
  sites: 'Sedi',
  customers: 'Clienti',
  settings: 'Impostazioni',
  fleetAdmin: 'Flotta',
  userMenu: 'Account e preferenze',
  profile: 'Profilo',
  password: 'Cambia password',
  appearance: 'Aspetto',
  light: 'Chiaro',
  dark: 'Scuro',
  auto: 'Sistema',
  language: 'Lingua',
  signOut: 'Esci',
  signOutFailed: 'Uscita non riuscita.',
  connectionLost: 'La connessione al portale è persa. Nuovo tentativo …',
  homeOf: 'Pagina iniziale di {name}',
};
