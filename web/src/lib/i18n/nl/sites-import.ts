import type { Translated } from '../message-types.ts';
import type { sitesImport as english } from '../en/sites-import.ts';

export const sitesImport: Translated<typeof english> = {
  open: 'Tabel importeren',
  title: 'Locaties en apparaten importeren',
  description:
    'Plak een tabel uit een rekenblad, of kies een CSV- of Excel-bestand. Er wordt niets aangemaakt voordat elke cel klopt, en dan alles tegelijk.',
  columns:
    'De eerste regel heeft de koppen. Elke volgende regel is een apparaat: locatie, naam en externe ID; onder “Meet een deel van” staat de externe ID van een ander. Een locatie die er niet is, wordt aangemaakt; daarvoor is een gemeente nodig.',
  table: 'Tabel',
  placeholder: 'Locatie;Gemeente;Naam;Externe ID;Nominaal vermogen (kW)\nFabriek;Utrecht;Hoofdmeter;meter-1;50',
  example: 'Lege tabel downloaden',
  exampleName: 'locaties-en-apparaten.csv',
  tooLarge: '{name} is {size}; een tabel mag hoogstens {max} zijn.',
  oldExcel:
    '{name} is een werkmap van een oude Excel, of heeft een wachtwoord. Sla haar zonder wachtwoord op als .xlsx, of als CSV.',
  noTable: '{name} is niet als tabel te lezen. Sla het op als .xlsx of CSV, of plak de cellen.',
  notReadable: 'De tekst is niet als tabel te lezen: misschien is een aanhalingsteken niet gesloten.',
  noSiteColumn: 'Er is geen kolom “Locatie”. De eerste regel heeft de koppen nodig, zoals die van de lege tabel.',
  tooManyRows: 'De tabel heeft {count, number} rijen; hoogstens {max, number} worden tegelijk aangenomen.',
  unknown: '{count, plural, one {Deze kolom wordt} other {Deze kolommen worden}} weggelaten: {columns}.',
  row: 'Rij {number, number}',
  rowHeading: 'Rij',
  quoted: '“{name}”',
  takesYesNo: 'moet “{yes}” of “{no}” zijn',
  takesOneOf: 'moet een van deze zijn: {names}',
  checking: 'Controleren …',
  problems:
    '{count, plural, one {Eén cel moet worden gewijzigd. Verbeter die} other {# cellen moeten worden gewijzigd. Verbeter ze}} hierboven of in het rekenblad.',
  problemList: 'Te wijzigen',
  cell: 'Rij {row}, {column}:',
  moreProblems:
    '{count, plural, one {en nog een cel, gemarkeerd in de tabel} other {en nog # cellen, gemarkeerd in de tabel}}',
  allRight: 'Elke cel klopt.',
  shown: 'Getoond: {shown, number} van {count, number} rijen, die met een fout eerst.',
  submit:
    '{sites, plural, =0 {} one {Eén locatie} other {# locaties}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { en }}}}{devices, plural, =0 {} one {één apparaat} other {# apparaten}} aanmaken',
  notYet: 'Eerst moet elke cel kloppen.',
  done: 'Aangemaakt: {sites, plural, =0 {} one {één locatie} other {# locaties}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { en }}}}{devices, plural, =0 {} one {één apparaat} other {# apparaten}}.',
};
