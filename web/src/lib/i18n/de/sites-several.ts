import type { Translated } from '../message-types.ts';
import type { sitesSeveral as english } from '../en/sites-several.ts';

export const sitesSeveral: Translated<typeof english> = {
  choose: 'Auswählen',
  chooseOne: '{name} auswählen',
  all: 'Alle',
  allFound: '{count, plural, one {Auswählen} other {Alle # auswählen}}',
  chosen: '{count, plural, =0 {Keines ausgewählt} one {Eines ausgewählt} other {# ausgewählt}}',
  noneChosen: 'Wählen Sie zuerst Geräte aus.',
  tooMany: 'Höchstens {max} Geräte auf einmal ändern.',
  off: 'Deaktivieren',
  on: 'Aktivieren',
  move: 'Verschieben',
  settings: 'Einstellungen',
  offTitle: '{count, plural, one {Ein Gerät} other {# Geräte}} deaktivieren',
  onTitle: '{count, plural, one {Ein Gerät} other {# Geräte}} aktivieren',
  moveTitle: '{count, plural, one {Ein Gerät} other {# Geräte}} an einen anderen Standort verschieben',
  settingTitle: '{setting}: {count, plural, one {ein Gerät} other {# Geräte}}',
  offText: 'Zählt nicht zu aktueller Leistung und Warnungen. Daten werden weiter gespeichert.',
  onText: 'Zählt wieder zu aktueller Leistung und Warnungen.',
  moveText: 'Die Messwerte ziehen mit um; frühere Energie und Kosten beider Standorte ändern sich.',
  clear: 'Bei allen leeren',
  settingText: 'Frühere Energie und Kosten werden neu berechnet.',
  more: '{count, plural, one {und ein weiteres} other {und # weitere}}',
  torn: '{count, plural, one {{names} muss mit umziehen.} other {{names} müssen mit umziehen.}}',
  chooseTorn: '{count, plural, one {Hinzufügen} other {Alle hinzufügen}}',
  changed: '{count, plural, one {Ein Gerät geändert} other {# Geräte geändert}}',
};
