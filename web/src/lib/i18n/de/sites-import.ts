import type { Translated } from '../message-types.ts';
import type { sitesImport as english } from '../en/sites-import.ts';

export const sitesImport: Translated<typeof english> = {
  open: 'Tabelle importieren',
  title: 'Standorte und Geräte importieren',
  description:
    'Tabelle aus einer Tabellenkalkulation einfügen oder CSV- oder Excel-Datei wählen. Angelegt wird erst, wenn alle Zeilen gültig sind.',
  columns:
    'Ein Gerät je Zeile: Standort, Name, externe Kennung. Neue Standorte brauchen eine Gemeinde. „Hauptzähler“ nennt eine andere externe Kennung.',
  table: 'Tabelle',
  placeholder: 'Standort;Gemeinde;Name;Externe Kennung;Nennleistung (kW)\nWerk;Berlin;Hauptzähler;zaehler-1;50',
  example: 'Leere Tabelle herunterladen',
  exampleName: 'standorte-und-geraete.csv',
  tooLarge: '{name} hat {size}; erlaubt sind {max}.',
  oldExcel: '{name} ist eine alte oder kennwortgeschützte Excel-Datei. Speichern Sie sie als .xlsx oder CSV.',
  noTable: '{name} ist keine Tabelle. Als .xlsx oder CSV speichern oder die Zellen einfügen.',
  notReadable: 'Der Text ist keine Tabelle: Vielleicht fehlt ein schließendes Anführungszeichen.',
  noSiteColumn: 'Die Spalte „Standort“ fehlt. Die erste Zeile braucht die Überschriften der leeren Tabelle.',
  tooManyRows: 'Die Tabelle hat {count, number} Zeilen; erlaubt sind {max, number}.',
  unknown: '{count, plural, one {Ignorierte Spalte} other {Ignorierte Spalten}}: {columns}',
  row: 'Zeile {number, number}',
  rowHeading: 'Zeile',
  quoted: '„{name}“',
  takesYesNo: 'muss „{yes}“ oder „{no}“ sein',
  takesOneOf: 'muss eines von diesen sein: {names}',
  checking: 'Wird geprüft …',
  problems:
    '{count, plural, one {Eine Zelle ist} other {# Zellen sind}} zu korrigieren, {count, plural, one {oben} other {oben}} oder in der Tabellenkalkulation.',
  problemList: 'Was zu ändern ist',
  cell: 'Zeile {row}, {column}:',
  moreProblems:
    '{count, plural, one {und eine weitere Zelle, in der Tabelle markiert} other {und # weitere Zellen, in der Tabelle markiert}}',
  allRight: 'Bereit zum Import',
  shown: '{shown, number} von {count, number} Zeilen, Fehler zuerst.',
  submit:
    '{sites, plural, =0 {} one {Einen Standort} other {# Standorte}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { und }}}}{devices, plural, =0 {} one {ein Gerät} other {# Geräte}} anlegen',
  notYet: 'Beheben Sie zuerst die Fehler.',
  done: 'Angelegt: {sites, plural, =0 {} one {ein Standort} other {# Standorte}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { und }}}}{devices, plural, =0 {} one {ein Gerät} other {# Geräte}}.',
};
