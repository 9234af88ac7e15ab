import type { Translated } from '../message-types.ts';
import type { sitesImport as english } from '../en/sites-import.ts';

export const sitesImport: Translated<typeof english> = {
  open: 'Importar una tabla',
  title: 'Importar sedes y equipos',
  description:
    'Pegue una tabla de una hoja de cálculo, o elija un archivo CSV o Excel. No se crea nada hasta que cada celda sea correcta; entonces, todo a la vez.',
  columns:
    'La primera línea lleva los encabezados. Cada línea siguiente es un equipo: su sede, nombre e identificador externo; «Mide una parte de» lleva el identificador externo de otro. Una sede que no existe se crea; necesita un municipio.',
  table: 'Tabla',
  placeholder:
    'Sede;Municipio;Nombre;Identificador externo;Potencia nominal (kW)\nFábrica;Sevilla;Contador principal;contador-1;50',
  example: 'Descargar una tabla vacía',
  exampleName: 'sedes-y-equipos.csv',
  tooLarge: '{name} ocupa {size}; una tabla puede ocupar {max} como máximo.',
  oldExcel: '{name} es un libro de un Excel antiguo, o tiene contraseña. Guárdelo como .xlsx sin ella, o como CSV.',
  noTable: '{name} no se puede leer como tabla. Guárdelo como .xlsx o CSV, o pegue sus celdas.',
  notReadable: 'El texto no se puede leer como tabla: quizá haya unas comillas sin cerrar.',
  noSiteColumn: 'No hay ninguna columna «Sede». La primera línea necesita los encabezados, como los de la tabla vacía.',
  tooManyRows: 'La tabla tiene {count, number} filas; se admiten {max, number} como máximo a la vez.',
  unknown: '{count, plural, one {Esta columna se omite} other {Estas columnas se omiten}}: {columns}.',
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
  allRight: 'Todas las celdas son correctas.',
  shown: 'Se muestran {shown, number} de {count, number} filas, primero las que tienen un error.',
  submit:
    'Crear {sites, plural, =0 {} one {una sede} other {# sedes}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { y }}}}{devices, plural, =0 {} one {un equipo} other {# equipos}}',
  notYet: 'Antes, todas las celdas deben ser correctas.',
  done: 'Creado: {sites, plural, =0 {} one {una sede} other {# sedes}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { y }}}}{devices, plural, =0 {} one {un equipo} other {# equipos}}.',
};
