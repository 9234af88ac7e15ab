import type { Translated } from '../message-types.ts';
import type { sitesSeveral as english } from '../en/sites-several.ts';

export const sitesSeveral: Translated<typeof english> = {
  choose: 'Meerdere kiezen',
  chooseOne: '{name} kiezen',
  all: 'Alle',
  allFound: '{count, plural, one {Het gevonden} other {Alle # gevonden}}',
  chosen: '{count, plural, =0 {Geen gekozen} one {Eén gekozen} other {# gekozen}}',
  noneChosen: 'Kies eerst apparaten.',
  tooMany: 'Er worden hoogstens {max} apparaten tegelijk gewijzigd.',
  off: 'Uitschakelen',
  on: 'Inschakelen',
  move: 'Verplaatsen',
  settings: 'Instellingen',
  offTitle: '{count, plural, one {Eén apparaat} other {# apparaten}} uitschakelen',
  onTitle: '{count, plural, one {Eén apparaat} other {# apparaten}} inschakelen',
  moveTitle: '{count, plural, one {Eén apparaat} other {# apparaten}} naar een andere locatie verplaatsen',
  settingTitle: '{setting}: {count, plural, one {één apparaat} other {# apparaten}}',
  offText:
    'Ze tellen niet meer mee in het vermogen nu en er wordt niet op stilte gelet. Wat ze sturen, wordt toch opgeslagen.',
  onText: 'Ze tellen weer mee in het vermogen nu en er wordt op stilte gelet.',
  moveText: 'Hun meetwaarden gaan mee, ook die van het verleden: energie en kosten van beide locaties veranderen.',
  clear: 'Bij alle wissen',
  settingText:
    'Dit geldt ook voor meetwaarden van het verleden: energie en kosten kunnen veranderen en worden op de achtergrond opnieuw berekend.',
  more: '{count, plural, one {en nog één} other {en nog #}}',
  torn: '{count, plural, one {Eén apparaat hoort} other {# apparaten horen}} als hoofd- of tussenmeter bij de gekozen: {names}. Zulke apparaten verhuizen samen.',
  chooseTorn: '{count, plural, one {Ook kiezen} other {Ze ook kiezen}}',
  changed: '{count, plural, one {Eén apparaat is} other {# apparaten zijn}} gewijzigd.',
};
