import type { Translated } from '../catalogue.ts';
import type { shell as english } from '../en/shell.ts';

export const shell: Translated<typeof english> = {
  skipToContent: 'Naar de inhoud',
  mainNavigation: 'Hoofdnavigatie',
  dashboard: 'Dashboard',
  dashboards: 'Dashboards',
  compare: 'Vergelijken',
  report: 'Energierapport',
  measurements: 'Metingen',
  sites: 'Locaties',
  customers: 'Klanten',
  settings: 'Instellingen',
  fleetAdmin: 'Vlootbeheer',
  userMenu: 'Account en voorkeuren',
  profile: 'Profiel',
  password: 'Wachtwoord wijzigen',
  appearance: 'Weergave',
  light: 'Licht',
  dark: 'Donker',
  auto: 'Systeem',
  language: 'Taal',
  signOut: 'Afmelden',
  signOutFailed: 'Afmelden is niet gelukt.',
  connectionLost: 'De verbinding met het portaal is weg. Opnieuw verbinden …',
  homeOf: 'Startpagina van {name}',
};
