import type { Translated } from '../message-types.ts';
import type { sitesSeveral as english } from '../en/sites-several.ts';

export const sitesSeveral: Translated<typeof english> = {
  choose: 'Selecteren',
  chooseOne: '{name} selecteren',
  all: 'Alle',
  allFound: '{count, plural, one {Selecteren} other {Alle # selecteren}}',
  chosen: '{count, plural, =0 {Geen geselecteerd} one {Eén geselecteerd} other {# geselecteerd}}',
  noneChosen: 'Selecteer eerst apparaten.',
  tooMany: 'Wijzig hoogstens {max} apparaten tegelijk.',
  off: 'Deactiveren',
  on: 'Activeren',
  move: 'Verplaatsen',
  settings: 'Instellingen',
  offTitle: '{count, plural, one {Eén apparaat} other {# apparaten}} deactiveren',
  onTitle: '{count, plural, one {Eén apparaat} other {# apparaten}} activeren',
  moveTitle: '{count, plural, one {Eén apparaat} other {# apparaten}} naar een andere locatie verplaatsen',
  settingTitle: '{setting}: {count, plural, one {één apparaat} other {# apparaten}}',
  offText: 'Telt niet mee in huidig vermogen en meldingen. Gegevens worden wel opgeslagen.',
  onText: 'Telt weer mee in huidig vermogen en meldingen.',
  moveText: 'Hun meetwaarden gaan mee: eerdere energie en kosten van beide locaties veranderen.',
  clear: 'Bij alle wissen',
  settingText: 'Eerdere energie en kosten worden herberekend.',
  more: '{count, plural, one {en nog één} other {en nog #}}',
  torn: '{count, plural, one {{names} moet meeverhuizen.} other {{names} moeten meeverhuizen.}}',
  chooseTorn: '{count, plural, one {Toevoegen} other {Alle toevoegen}}',
  changed: '{count, plural, one {Eén apparaat gewijzigd} other {# apparaten gewijzigd}}',
};
