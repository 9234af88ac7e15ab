import type { Translated } from '../message-types.ts';
import type { sitesImport as english } from '../en/sites-import.ts';

export const sitesImport: Translated<typeof english> = {
  open: 'Tabelle importieren',
  title: 'Standorte und Geräte importieren',
  description:
    'Fügen Sie eine Tabelle ein, oder wählen Sie eine CSV- oder Excel-Datei. Nichts wird angelegt, bevor jede Zelle stimmt, und dann alles auf einmal.',
  columns:
    'Die erste Zeile hat die Überschriften. Jede weitere ist ein Gerät: sein Standort, sein Name und seine externe Kennung; unter „Misst einen Teil von“ steht die externe Kennung eines anderen. Ein Standort, den es noch nicht gibt, wird angelegt; er braucht eine Gemeinde.',
  table: 'Tabelle',
  placeholder: 'Standort;Gemeinde;Name;Externe Kennung;Nennleistung (kW)\nWerk;Berlin;Hauptzähler;zaehler-1;50',
  example: 'Leere Tabelle herunterladen',
  exampleName: 'standorte-und-geraete.csv',
  tooLarge: '{name} hat {size}; eine Tabelle darf höchstens {max} haben.',
  oldExcel:
    '{name} ist eine Mappe eines alten Excel, oder hat ein Kennwort. Speichern Sie sie ohne Kennwort als .xlsx oder als CSV.',
  noTable:
    '{name} lässt sich nicht als Tabelle lesen. Speichern Sie die Datei als .xlsx oder CSV, oder fügen Sie die Zellen ein.',
  notReadable: 'Der Text lässt sich nicht als Tabelle lesen: Vielleicht ist ein Anführungszeichen nicht geschlossen.',
  noSiteColumn:
    'Es fehlt die Spalte „Standort“. Die erste Zeile braucht die Überschriften, etwa die der leeren Tabelle.',
  tooManyRows: 'Die Tabelle hat {count, number} Zeilen; auf einmal gehen höchstens {max, number}.',
  unknown: '{count, plural, one {Diese Spalte bleibt} other {Diese Spalten bleiben}} außer Acht: {columns}.',
  row: 'Zeile {number, number}',
  rowHeading: 'Zeile',
  quoted: '„{name}“',
  takesYesNo: 'muss „{yes}“ oder „{no}“ sein',
  takesOneOf: 'muss eines von diesen sein: {names}',
  checking: 'Wird geprüft …',
  problems:
    '{count, plural, one {Eine Zelle ist} other {# Zellen sind}} zu ändern. Berichtigen Sie {count, plural, one {sie} other {sie}} oben oder in der Tabelle.',
  problemList: 'Was zu ändern ist',
  cell: 'Zeile {row}, {column}:',
  moreProblems:
    '{count, plural, one {und eine weitere Zelle, in der Tabelle markiert} other {und # weitere Zellen, in der Tabelle markiert}}',
  allRight: 'Jede Zelle stimmt.',
  shown: 'Gezeigt werden {shown, number} von {count, number} Zeilen, die mit einem Fehler zuerst.',
  submit:
    '{sites, plural, =0 {} one {Einen Standort} other {# Standorte}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { und }}}}{devices, plural, =0 {} one {ein Gerät} other {# Geräte}} anlegen',
  notYet: 'Erst muss jede Zelle stimmen.',
  done: 'Angelegt: {sites, plural, =0 {} one {ein Standort} other {# Standorte}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { und }}}}{devices, plural, =0 {} one {ein Gerät} other {# Geräte}}.',
};
