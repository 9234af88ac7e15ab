import type { Translated } from '../message-types.ts';
import type { sitesImport as english } from '../en/sites-import.ts';

export const sitesImport: Translated<typeof english> = {
  open: 'Importa una tabella',
  title: 'Importa sedi e dispositivi',
  description:
    'Incollare una tabella da un foglio di calcolo, o scegliere un file CSV o Excel. Nulla viene creato prima che ogni cella sia corretta, poi tutto insieme.',
  columns:
    'La prima riga ha le intestazioni. Ogni riga successiva è un dispositivo: sede, nome e ID esterno; «Misura una parte di» prende l’ID esterno di un altro. Una sede che non c’è viene creata; serve un comune.',
  table: 'Tabella',
  placeholder:
    'Sede;Comune;Nome;ID esterno;Potenza nominale (kW)\nStabilimento;Torino;Contatore principale;contatore-1;50',
  example: 'Scarica una tabella vuota',
  exampleName: 'sedi-e-dispositivi.csv',
  tooLarge: '{name} è di {size}; una tabella può essere al massimo di {max}.',
  oldExcel:
    '{name} è una cartella di un vecchio Excel, o ha una password. Salvarla come .xlsx senza password, o come CSV.',
  noTable: '{name} non si legge come tabella. Salvarlo come .xlsx o CSV, o incollarne le celle.',
  notReadable: 'Il testo non si legge come tabella: forse una virgoletta non è chiusa.',
  noSiteColumn: 'Non c’è una colonna «Sede». La prima riga richiede le intestazioni, come quelle della tabella vuota.',
  tooManyRows: 'La tabella ha {count, number} righe; se ne prendono al massimo {max, number} alla volta.',
  unknown: '{count, plural, one {Questa colonna viene omessa} other {Queste colonne vengono omesse}}: {columns}.',
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
  allRight: 'Ogni cella è corretta.',
  shown: 'Mostrate {shown, number} di {count, number} righe, prima quelle con un errore.',
  submit:
    'Crea {sites, plural, =0 {} one {una sede} other {# sedi}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { e }}}}{devices, plural, =0 {} one {un dispositivo} other {# dispositivi}}',
  notYet: 'Prima ogni cella deve essere corretta.',
  done: 'Creato: {sites, plural, =0 {} one {una sede} other {# sedi}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { e }}}}{devices, plural, =0 {} one {un dispositivo} other {# dispositivi}}.',
};
