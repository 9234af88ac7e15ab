import type { Translated } from '../message-types.ts';
import type { municipality as english } from '../en/municipality.ts';

export const municipality: Translated<typeof english> = {
  new: 'Neue Gemeinde',
  edit: 'Gemeinde bearbeiten',
  delete: 'Gemeinde löschen',
  name: 'Name der Gemeinde',
  nameHint: 'Ort oder Versorgungsgebiet',
  timeZoneMissing: 'Bitte wählen Sie eine Zeitzone.',
  timeZoneHint: 'Eine Änderung berechnet frühere Energie und Kosten neu.',
  created: 'Gemeinde {name} angelegt',
  saved: 'Gemeinde {name} gespeichert',
  deleted: 'Gemeinde {name} gelöscht',
  tariffsGo:
    '{count, plural, =0 {Die Gemeinde wird überall entfernt.} one {Löscht auch ihren Tarif.} other {Löscht auch ihre # Tarife.}} Das lässt sich nicht rückgängig machen.',
  hasSites:
    '{count, plural, one {Sie hat noch einen Standort} other {Sie hat noch # Standorte}}. Verschieben oder löschen Sie {count, plural, one {ihn} other {sie}} zuerst.',
};
