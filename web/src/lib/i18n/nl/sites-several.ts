import type { Translated } from '../catalogue.ts';
import type { sitesSeveral as english } from '../en/sites-several.ts';

export const sitesSeveral: Translated<typeof english> = {
  choose: 'Meerdere kiezen',
  end: 'Gereed',
  chooseOne: '{name} kiezen',
  all: 'Alle',
  chosen: '{count, plural, =0 {Geen gekozen} one {Eén gekozen} other {# gekozen}}',
  noneChosen: 'Kies eerst apparaten.',
  off: 'Uitschakelen',
  on: 'Inschakelen',
  move: 'Verplaatsen',
  offTitle: '{count, plural, one {Eén apparaat} other {# apparaten}} uitschakelen',
  onTitle: '{count, plural, one {Eén apparaat} other {# apparaten}} inschakelen',
  moveTitle: '{count, plural, one {Eén apparaat} other {# apparaten}} naar een andere locatie verplaatsen',
  offText:
    'Ze tellen niet meer mee in het vermogen nu en er wordt niet op stilte gelet. Wat ze sturen, wordt toch opgeslagen.',
  onText: 'Ze tellen weer mee in het vermogen nu en er wordt op stilte gelet.',
  moveText: 'Hun meetwaarden gaan mee, ook die van het verleden: energie en kosten van beide locaties veranderen.',
  changed: '{count, plural, one {Eén apparaat is} other {# apparaten zijn}} gewijzigd.',
};
