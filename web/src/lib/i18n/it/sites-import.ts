import type { Translated } from '../message-types.ts';
import type { sitesImport as english } from '../en/sites-import.ts';

export const sitesImport: Translated<typeof english> = {
  open: 'Importa una tabella',
  title: 'Importa sedi e dispositivi',
  description:
    'Incollare una tabella o scegliere un file CSV o Excel. Nulla viene creato finché tutte le righe non sono valide.',
  columns:
    'Un dispositivo per riga: sede, nome, ID esterno. Le nuove sedi richiedono un comune. «Contatore principale» prende un altro ID esterno.',
  table: 'Tabella',
  placeholder:
    'Sede;Comune;Nome;ID esterno;Potenza nominale (kW)\nStabilimento;Torino;Contatore principale;contatore-1;50',
  example: 'Scarica una tabella vuota',
  exampleName: 'sedi-e-dispositivi.csv',
  tooLarge: '{name} è di {size}; il limite è {max}.',
  oldExcel: '{name} è un file Excel vecchio o protetto da password. Salvarlo come .xlsx o CSV.',
  noTable: '{name} non è una tabella. Salvarlo come .xlsx o CSV, o incollarne le celle.',
  notReadable: 'Il testo non è una tabella: forse una virgoletta non è chiusa.',
  noSiteColumn: 'Manca la colonna «Sede». La prima riga richiede le intestazioni della tabella vuota.',
  tooManyRows: 'La tabella ha {count, number} righe; il limite è {max, number}.',
  unknown: '{count, plural, one {Colonna ignorata} other {Colonne ignorate}}: {columns}',
  row: 'Riga {number, number}',
  rowHeading: 'Riga',
  quoted: '«{name}»',
  takesYesNo: 'deve essere «{yes}» o «{no}»',
  takesOneOf: 'deve essere uno di questi: {names}',
  checking: 'Verifica …',
  problems:
    '{count, plural, one {Una cella è da correggere} other {# celle sono da correggere}}, qui sopra o nel foglio di calcolo.',
  problemList: 'Da correggere',
  cell: 'Riga {row}, {column}:',
  moreProblems:
    '{count, plural, one {e un’altra cella, segnata nella tabella} other {e altre # celle, segnate nella tabella}}',
  allRight: 'Pronto per l’importazione',
  shown: '{shown, number} righe su {count, number}, prima gli errori.',
  submit:
    'Crea {sites, plural, =0 {} one {una sede} other {# sedi}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { e }}}}{devices, plural, =0 {} one {un dispositivo} other {# dispositivi}}',
  notYet: 'Correggere prima gli errori.',
  done: 'Creato: {sites, plural, =0 {} one {una sede} other {# sedi}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { e }}}}{devices, plural, =0 {} one {un dispositivo} other {# dispositivi}}.',
};
