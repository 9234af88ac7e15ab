import type { Translated } from '../catalogue.ts';
import type { sitesSeveral as english } from '../en/sites-several.ts';

export const sitesSeveral: Translated<typeof english> = {
  choose: 'Mehrere auswählen',
  end: 'Fertig',
  chooseOne: '{name} auswählen',
  all: 'Alle',
  chosen: '{count, plural, =0 {Keines ausgewählt} one {Eines ausgewählt} other {# ausgewählt}}',
  noneChosen: 'Wählen Sie zuerst Geräte aus.',
  off: 'Abschalten',
  on: 'Einschalten',
  move: 'Verschieben',
  offTitle: '{count, plural, one {Ein Gerät} other {# Geräte}} abschalten',
  onTitle: '{count, plural, one {Ein Gerät} other {# Geräte}} einschalten',
  moveTitle: '{count, plural, one {Ein Gerät} other {# Geräte}} an einen anderen Standort verschieben',
  offText:
    'Sie zählen nicht mehr zur aktuellen Leistung und werden nicht auf Stille überwacht. Was sie senden, wird trotzdem gespeichert.',
  onText: 'Sie zählen wieder zur aktuellen Leistung und werden auf Stille überwacht.',
  moveText:
    'Ihre Messwerte ziehen mit um, auch die der Vergangenheit: Energie und Kosten beider Standorte ändern sich.',
  changed: '{count, plural, one {Ein Gerät ist} other {# Geräte sind}} geändert.',
};
