import type { Translated } from '../message-types.ts';
import type { sitesImport as english } from '../en/sites-import.ts';

export const sitesImport: Translated<typeof english> = {
  open: 'Tabel importeren',
  title: 'Locaties en apparaten importeren',
  description:
    'Plak een tabel of kies een CSV- of Excel-bestand. Er wordt niets aangemaakt tot alle rijen geldig zijn.',
  columns:
    'Eén apparaat per rij: locatie, naam, externe ID. Nieuwe locaties hebben een gemeente nodig. “Hoofdmeter” bevat een andere externe ID.',
  table: 'Tabel',
  placeholder: 'Locatie;Gemeente;Naam;Externe ID;Nominaal vermogen (kW)\nFabriek;Utrecht;Hoofdmeter;meter-1;50',
  example: 'Lege tabel downloaden',
  exampleName: 'locaties-en-apparaten.csv',
  tooLarge: '{name} is {size}; de limiet is {max}.',
  oldExcel: '{name} is een oud of met een wachtwoord beveiligd Excel-bestand. Sla het op als .xlsx of CSV.',
  noTable: '{name} is geen tabel. Sla het op als .xlsx of CSV, of plak de cellen.',
  notReadable: 'De tekst is geen tabel: misschien is een aanhalingsteken niet gesloten.',
  noSiteColumn: 'Kolom “Locatie” ontbreekt. De eerste rij heeft de koppen van de lege tabel nodig.',
  tooManyRows: 'De tabel heeft {count, number} rijen; de limiet is {max, number}.',
  unknown: '{count, plural, one {Genegeerde kolom} other {Genegeerde kolommen}}: {columns}',
  row: 'Rij {number, number}',
  rowHeading: 'Rij',
  quoted: '“{name}”',
  takesYesNo: 'moet “{yes}” of “{no}” zijn',
  takesOneOf: 'moet een van deze zijn: {names}',
  checking: 'Controleren …',
  problems:
    '{count, plural, one {Eén cel moet worden verbeterd} other {# cellen moeten worden verbeterd}}, hierboven of in het rekenblad.',
  problemList: 'Te wijzigen',
  cell: 'Rij {row}, {column}:',
  moreProblems:
    '{count, plural, one {en nog een cel, gemarkeerd in de tabel} other {en nog # cellen, gemarkeerd in de tabel}}',
  allRight: 'Klaar om te importeren',
  shown: '{shown, number} van {count, number} rijen, fouten eerst.',
  submit:
    '{sites, plural, =0 {} one {Eén locatie} other {# locaties}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { en }}}}{devices, plural, =0 {} one {één apparaat} other {# apparaten}} aanmaken',
  notYet: 'Los eerst de fouten op.',
  done: 'Aangemaakt: {sites, plural, =0 {} one {één locatie} other {# locaties}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { en }}}}{devices, plural, =0 {} one {één apparaat} other {# apparaten}}.',
};
