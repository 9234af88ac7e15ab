import type { FileWriter, Part, WriteBytes } from '../../../server/workbook/sheet.ts';
import { WorkbookWriter } from '../../../server/workbook/workbook-writer.ts';
import { openWorkbook, type Workbook } from './workbook.ts';

export const madeAtMs = Date.UTC(2026, 2, 10, 10, 20, 30, 450);
export const properties = { title: 'Raw readings', creator: 'Ada <ada@example.com>', madeAtMs };

/** Announces the rows that follow each sheet, as a writer of a file does. */
export const counted = (parts: readonly Part[]): Part[] =>
  parts.map((part, at) => {
    if (part.kind !== 'sheet') return part;
    const next = parts.findIndex((other, place) => place > at && other.kind === 'sheet');
    let rowCount = 0;
    for (const own of parts.slice(at + 1, next < 0 ? undefined : next)) {
      if (own.kind === 'columns') rowCount += own.columns[0]?.length ?? 0;
      if (own.kind === 'rows') rowCount += own.rows.length + (own.below?.length ?? 0);
    }
    return { ...part, rowCount };
  });

/** The whole file that a writer makes of these parts; `end` and the number of rows are added. */
export async function writtenFile(
  create: (write: WriteBytes) => FileWriter,
  parts: readonly Part[],
): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  const writer = create(async (bytes) => void pieces.push(Uint8Array.from(bytes)));
  await writer.open();
  for (const part of [...counted(parts), { kind: 'end' } as const]) await writer.write(part);
  return Buffer.concat(pieces);
}

export const writtenWorkbook = (parts: readonly Part[], rowsPerSheet?: number): Promise<Buffer<ArrayBuffer>> =>
  writtenFile((write) => new WorkbookWriter(write, properties, rowsPerSheet), parts);

/** The workbook of these parts as the strict reader sees it. */
export const readBack = async (parts: readonly Part[], rowsPerSheet?: number): Promise<Workbook> =>
  openWorkbook(await writtenWorkbook(parts, rowsPerSheet));

/** The values of the cells: null for empty ones, as far as the widest row. */
export const valuesOf = ({ rows }: Workbook['sheets'][number]) => {
  const width = Math.max(0, ...rows.map((row) => row.length));
  return rows.map((row) => Array.from({ length: width }, (_, at) => row[at]?.value ?? null));
};
