import type { Translated } from '../message-types.ts';
import type { sitesSeveral as english } from '../en/sites-several.ts';

export const sitesSeveral: Translated<typeof english> = {
  choose: 'Mehrere auswählen',
  chooseOne: '{name} auswählen',
  all: 'Alle',
  allFound: '{count, plural, one {Das gefundene} other {Alle # gefundenen}}',
  chosen: '{count, plural, =0 {Keines ausgewählt} one {Eines ausgewählt} other {# ausgewählt}}',
  noneChosen: 'Wählen Sie zuerst Geräte aus.',
  tooMany: 'Höchstens {max} Geräte werden auf einmal geändert.',
  off: 'Abschalten',
  on: 'Einschalten',
  move: 'Verschieben',
  settings: 'Einstellungen',
  offTitle: '{count, plural, one {Ein Gerät} other {# Geräte}} abschalten',
  onTitle: '{count, plural, one {Ein Gerät} other {# Geräte}} einschalten',
  moveTitle: '{count, plural, one {Ein Gerät} other {# Geräte}} an einen anderen Standort verschieben',
  settingTitle: '{setting}: {count, plural, one {ein Gerät} other {# Geräte}}',
  offText:
    'Sie zählen nicht mehr zur aktuellen Leistung und werden nicht auf Stille überwacht. Was sie senden, wird trotzdem gespeichert.',
  onText: 'Sie zählen wieder zur aktuellen Leistung und werden auf Stille überwacht.',
  moveText:
    'Ihre Messwerte ziehen mit um, auch die der Vergangenheit: Energie und Kosten beider Standorte ändern sich.',
  clear: 'Bei allen leeren',
  settingText:
    'Das gilt auch für Messwerte der Vergangenheit: Energie und Kosten können sich ändern und werden im Hintergrund neu berechnet.',
  more: '{count, plural, one {und ein weiteres} other {und # weitere}}',
  torn: '{count, plural, one {Ein Gerät gehört} other {# Geräte gehören}} als Haupt- oder Unterzähler zu den ausgewählten: {names}. Solche Geräte ziehen gemeinsam um.',
  chooseTorn: '{count, plural, one {Auch auswählen} other {Alle auch auswählen}}',
  changed: '{count, plural, one {Ein Gerät ist} other {# Geräte sind}} geändert.',
};
