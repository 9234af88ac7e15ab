import type { Translated } from '../message-types.ts';
import type { municipality as english } from '../en/municipality.ts';

export const municipality: Translated<typeof english> = {
  new: 'Neue Gemeinde',
  edit: 'Gemeinde bearbeiten',
  delete: 'Gemeinde löschen',
  name: 'Name der Gemeinde',
  nameHint: 'Ein Ort oder ein Versorgungsgebiet.',
  timeZoneMissing: 'Bitte wählen Sie eine Zeitzone.',
  timeZoneHint:
    'Eine Änderung gilt auch für die Vergangenheit der Standorte: Ihre Stunden und Tage werden neu geschnitten und berechnet.',
  created: 'Die Gemeinde {name} ist angelegt.',
  saved: 'Die Gemeinde {name} ist gespeichert.',
  deleted: 'Die Gemeinde {name} ist gelöscht.',
  tariffsGo:
    '{count, plural, =0 {Die Gemeinde verschwindet aus der Liste.} one {Ihr Tarif wird mit gelöscht.} other {Ihre # Tarife werden mit gelöscht.}} Das lässt sich nicht rückgängig machen.',
  hasSites:
    '{count, plural, one {Sie hat noch einen Standort} other {Sie hat noch # Standorte}}. Verschieben oder löschen Sie {count, plural, one {ihn} other {sie}} zuerst.',
};
