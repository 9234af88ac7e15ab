export const sitesImport = {
  open: 'Import a table',
  title: 'Import sites and devices',
  description:
    'Paste a table from a spreadsheet, or choose a CSV or Excel file. Nothing is created before every cell is right, and then all of it at once.',
  columns:
    'The first line has the headings. Each further line is a device: its site, name and external ID. A site that is not there is created; it needs a municipality.',
  table: 'Table',
  placeholder: 'Site;Municipality;Name;External ID;Rated power (kW)\nWorks;Berlin;Main meter;meter-1;50',
  example: 'Download an empty table',
  exampleName: 'sites-and-devices.csv',
  tooLarge: '{name} has {size}; a table may have at most {max}.',
  oldExcel: '{name} is a workbook of an old Excel, or has a password. Save it as .xlsx without one, or as CSV.',
  noTable: '{name} cannot be read as a table. Save it as .xlsx or CSV, or paste its cells.',
  notReadable: 'The text cannot be read as a table: a quote may not be closed.',
  noSiteColumn: 'There is no column “Site”. The first line needs the headings, such as those of the empty table.',
  tooManyRows: 'The table has {count, number} rows; at most {max, number} are taken at once.',
  unknown: '{count, plural, one {This column is} other {These columns are}} left out: {columns}.',
  row: 'Row {number, number}',
  rowHeading: 'Row',
  quoted: '“{name}”',
  takesYesNo: 'must be “{yes}” or “{no}”',
  takesOneOf: 'must be one of {names}',
  checking: 'Checking …',
  problems:
    '{count, plural, one {One cell has} other {# cells have}} to be changed. Correct {count, plural, one {it} other {them}} above, or in the spreadsheet.',
  allRight: 'Every cell is right.',
  shown: 'Shown are {shown, number} of {count, number} rows, those with a mistake first.',
  submit:
    'Create {sites, plural, =0 {} one {one site} other {# sites}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { and }}}}{devices, plural, =0 {} one {one device} other {# devices}}',
  notYet: 'First every cell has to be right.',
  done: 'Created: {sites, plural, one {one site} other {# sites}} and {devices, plural, one {one device} other {# devices}}.',
} as const;
