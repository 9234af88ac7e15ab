import { readFile, writeFile } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import { exportReadings, readingSheet } from '../../server/reports/export-readings.ts';
import type { Database } from '../../server/database/pool.ts';
import type { AskedRange } from '../../server/base/ranges.ts';
import { sayIn } from '../../server/reports/say.ts';
import { columnName } from '../../server/workbook/workbook-text.ts';
import type { Columns, Sheet } from '../../server/workbook/sheet.ts';

/** The input of the writer for an export of readings, part by part. */
export interface ExportedRows {
  sheet: Sheet;
  parts: Columns[];
}

/** Reads the rows as the export does and keeps them in a file, so that each writer gets the same. */
export async function saveExportedRows(
  database: Database,
  question: { range: AskedRange; rowCap: number },
  file: string,
): Promise<{ rows: number; cells: number; columns: number }> {
  const parts: Columns[] = [];
  let sheet: Sheet | undefined;
  const { rowCount } = await exportReadings(database, { ...question, scope: { devices: 'all' } }, async (head) => {
    const { sheet: described, toColumns } = readingSheet(sayIn('en'), 'xlsx', head, 'Europe/Berlin');
    sheet = described;
    return async (readings) => {
      parts.push(toColumns(readings));
    };
  });
  await writeFile(file, serialize({ sheet, parts }));
  const cells = parts.flat().reduce((sum, values) => sum + values.filter((value) => !Number.isNaN(value)).length, 0);
  return { rows: rowCount, cells, columns: sheet?.columns.length ?? 0 };
}

export async function loadExportedRows(file: string): Promise<ExportedRows> {
  const { sheet, parts }: ExportedRows = deserialize(await readFile(file));
  return { sheet, parts };
}

const blockCharacters = 128 * 1024;

/**
 * The rows as the plainest XML that strict readers accept, in blocks: a reference for each cell, shared strings by number, no
 * styles. No writer of a sheet can do less.
 */
export function* plainestXml({ sheet: { columns }, parts }: ExportedRows): Generator<string> {
  const starts = columns.map((_, at) => `<c r="${columnName(at)}`);
  const middles = columns.map(({ texts }) => (texts === undefined ? '"><v>' : '" t="s"><v>'));
  let row = 1;
  let xml = '';
  for (const part of parts) {
    for (let at = 0; at < (part[0]?.length ?? 0); at += 1) {
      row += 1;
      xml += `<row r="${row}">`;
      for (let column = 0; column < part.length; column += 1) {
        const value = part[column]?.[at] ?? Number.NaN;
        if (!Number.isNaN(value)) xml += `${starts[column]}${row}${middles[column]}${value}</v></c>`;
      }
      xml += '</row>';
      if (xml.length < blockCharacters) continue;
      yield xml;
      xml = '';
    }
  }
  yield xml;
}
