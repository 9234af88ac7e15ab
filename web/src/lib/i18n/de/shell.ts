import type { Translated } from '../catalogue.ts';
import type { shell as english } from '../en/shell.ts';

export const shell: Translated<typeof english> = {
  skipToContent: 'Zum Inhalt springen',
  mainNavigation: 'Hauptnavigation',
  dashboard: 'Übersicht',
  dashboards: 'Dashboards',
  compare: 'Vergleichen',
  report: 'Energiebericht',
  measurements: 'Messwerte',
  sites: 'Standorte',
  customers: 'Kunden',
  settings: 'Einstellungen',
  fleetAdmin: 'Flottenverwaltung',
  userMenu: 'Konto und Voreinstellungen',
  profile: 'Profil',
  password: 'Passwort ändern',
  appearance: 'Darstellung',
  light: 'Hell',
  dark: 'Dunkel',
  auto: 'System',
  language: 'Sprache',
  signOut: 'Abmelden',
  signOutFailed: 'Das Abmelden hat nicht funktioniert.',
  connectionLost: 'Die Verbindung zum Portal ist unterbrochen. Sie wird wiederhergestellt …',
  homeOf: 'Startseite von {name}',
};
