import type { Translated } from '../message-types.ts';
import type { sitesImport as english } from '../en/sites-import.ts';

export const sitesImport: Translated<typeof english> = {
  open: 'Importar una tabla',
  title: 'Importar sedes y equipos',
  description:
    'Pegue una tabla o elija un archivo CSV o Excel. No se crea nada hasta que todas las filas sean válidas.',
  columns:
    'Un equipo por fila: sede, nombre, identificador externo. Las sedes nuevas necesitan un municipio. «Contador principal» lleva otro identificador externo.',
  table: 'Tabla',
  placeholder:
    'Sede;Municipio;Nombre;Identificador externo;Potencia nominal (kW)\nFábrica;Sevilla;Contador principal;contador-1;50',
  example: 'Descargar una tabla vacía',
  exampleName: 'sedes-y-equipos.csv',
  tooLarge: '{name} ocupa {size}; el límite es {max}.',
  oldExcel: '{name} es un archivo de Excel antiguo o protegido con contraseña. Guárdelo como .xlsx o CSV.',
  noTable: '{name} no es una tabla. Guárdelo como .xlsx o CSV, o pegue sus celdas.',
  notReadable: 'El texto no es una tabla: quizá haya unas comillas sin cerrar.',
  noSiteColumn: 'Falta la columna «Sede». La primera fila necesita los encabezados de la tabla vacía.',
  tooManyRows: 'La tabla tiene {count, number} filas; el límite es {max, number}.',
  unknown: '{count, plural, one {Columna omitida} other {Columnas omitidas}}: {columns}',
  row: 'Fila {number, number}',
  rowHeading: 'Fila',
  quoted: '«{name}»',
  takesYesNo: 'debe ser «{yes}» o «{no}»',
  takesOneOf: 'debe ser uno de estos: {names}',
  checking: 'Comprobando …',
  problems:
    '{count, plural, one {Hay que corregir una celda} other {Hay que corregir # celdas}}, arriba o en la hoja de cálculo.',
  problemList: 'Por corregir',
  cell: 'Fila {row}, {column}:',
  moreProblems:
    '{count, plural, one {y una celda más, marcada en la tabla} other {y # celdas más, marcadas en la tabla}}',
  allRight: 'Listo para importar',
  shown: '{shown, number} de {count, number} filas, primero los errores.',
  submit:
    'Crear {sites, plural, =0 {} one {una sede} other {# sedes}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { y }}}}{devices, plural, =0 {} one {un equipo} other {# equipos}}',
  notYet: 'Corrija primero los errores.',
  done: 'Creado: {sites, plural, =0 {} one {una sede} other {# sedes}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { y }}}}{devices, plural, =0 {} one {un equipo} other {# equipos}}.',
};
