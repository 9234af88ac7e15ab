// Ways to write the same rows as a sheet, each in its own process, so that nothing else counts.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createDeflateRaw, deflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { formatCode } from '../../server/workbook/workbook-parts.ts';
import { WorkbookWriter } from '../../server/workbook/workbook-writer.ts';
import { ZipWriter } from '../../server/workbook/zip-writer.ts';
import { type ExportedRows, loadExportedRows, plainestXml } from './export-rows.ts';
import { peakMiB, residentMiB } from './processes.ts';

const level = 1;
const madeAtMs = Date.UTC(2026, 0, 1);

/** Each writes all rows and returns the number of written bytes. */
const ways = {
  async rowsOnly(rows) {
    let bytes = 0;
    for (const xml of plainestXml(rows)) bytes += Buffer.byteLength(xml);
    return bytes;
  },
  /** The floor, compressed block by block without waiting. */
  async floorInBlocks(rows) {
    let bytes = 0;
    for (const xml of plainestXml(rows)) bytes += deflateRawSync(Buffer.from(xml), { level }).length;
    return bytes;
  },
  /** The floor, compressed as one stream, in threads of Node, which count too. */
  async floorInStream(rows) {
    let bytes = 0;
    const deflate = createDeflateRaw({ level }).on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    for (const xml of plainestXml(rows)) if (!deflate.write(xml)) await once(deflate, 'drain');
    await once(deflate.end(), 'end');
    return bytes;
  },
  async own(rows) {
    const { write, bytes } = counting();
    const writer = new WorkbookWriter(write, { title: 'Measurements', creator: 'Bench', madeAtMs });
    await writer.open();
    const rowCount = rows.parts.reduce((sum, [first]) => sum + (first?.length ?? 0), 0);
    await writer.write({ kind: 'sheet', sheet: rows.sheet, rowCount });
    for (const columns of rows.parts) await writer.write({ kind: 'columns', columns });
    await writer.write({ kind: 'end' });
    return bytes();
  },
  async floorInOwnZip(rows) {
    const { write, bytes } = counting();
    const zip = new ZipWriter(write, madeAtMs);
    await zip.begin('sheet1.xml');
    for (const xml of plainestXml(rows)) await zip.write(xml);
    await zip.end();
    await zip.finish();
    return bytes();
  },
  async floorInYazl(rows, packages) {
    const { ZipFile }: Yazl = createRequire(packages)('yazl');
    const zip = new ZipFile();
    zip.addReadStream(Readable.from(encoded(rows), { objectMode: false }), 'sheet1.xml', { compressionLevel: level });
    zip.end();
    let bytes = 0;
    for await (const chunk of Readable.from(zip.outputStream)) bytes += chunk.length;
    return bytes;
  },
  exceljs: (rows, packages) => writeByExceljs(rows, packages, true),
  exceljsWithoutFormats: (rows, packages) => writeByExceljs(rows, packages, false),
} as const satisfies Record<string, (rows: ExportedRows, packages: string) => Promise<number>>;

export type Way = keyof typeof ways;

/** The npm packages of a way. */
export const packageOf: Partial<Record<Way, string>> = {
  floorInYazl: 'yazl@3.3.1',
  exceljs: 'exceljs@4.4.0',
  exceljsWithoutFormats: 'exceljs@4.4.0',
};

const measured = z.object({ cpuSeconds: z.number(), bytes: z.number(), moreMiB: z.number() });
export type Measured = z.infer<typeof measured>;

/** Runs one way in its own process on the rows of a file; `packages` is the folder with the other packages. */
export async function measureWay(way: Way, rowsFile: string, packages: string): Promise<Measured> {
  const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, way, rowsFile, packages]);
  return measured.parse(JSON.parse(stdout));
}

/** The part of yazl 3 that is used. */
interface Yazl {
  ZipFile: new () => {
    addReadStream: (stream: Readable, name: string, options: { compressionLevel: number }) => void;
    end: () => void;
    outputStream: NodeJS.ReadableStream;
  };
}

/** The part of exceljs 4 that is used. */
interface Exceljs {
  stream: {
    xlsx: {
      WorkbookWriter: new (options: object) => {
        addWorksheet: (
          name: string,
          options: object,
        ) => { columns: object[]; autoFilter: string; addRow: (values: unknown[]) => { commit: () => void } };
        commit: () => Promise<void>;
      };
    };
  };
}

async function writeByExceljs({ sheet, parts }: ExportedRows, packages: string, useStyles: boolean): Promise<number> {
  const exceljs: Exceljs = createRequire(packages)('exceljs');
  let bytes = 0;
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done();
    },
  });
  const options = { stream, useStyles, useSharedStrings: true, zip: { zlib: { level } } };
  const workbook = new exceljs.stream.xlsx.WorkbookWriter(options);
  const written = workbook.addWorksheet(sheet.name, { views: [{ state: 'frozen', ySplit: 1 }] });
  written.columns = sheet.columns.map(({ header, format }) => ({
    header,
    width: 20,
    ...(useStyles && { style: { numFmt: formatCode(format) } }),
  }));
  const rowsBetweenYields = 500;
  for (const columns of parts) {
    for (let at = 0; at < (columns[0]?.length ?? 0); at += 1) {
      const cells = columns.map((values, column) => {
        const value = values[at] ?? Number.NaN;
        return Number.isNaN(value) ? null : (sheet.columns[column]?.texts?.[value] ?? value);
      });
      written.addRow(cells).commit();
      // It has no backpressure: without a pause nothing is compressed before the last row.
      if (at % rowsBetweenYields === 0) await yieldToOthers();
    }
  }
  await workbook.commit();
  return bytes;
}

function* encoded(rows: ExportedRows): Generator<Buffer> {
  for (const xml of plainestXml(rows)) yield Buffer.from(xml);
}

function counting() {
  let bytes = 0;
  const write = async (piece: Uint8Array) => {
    bytes += piece.length;
  };
  return { write, bytes: () => bytes };
}

const isWay = (word: string): word is Way => Object.hasOwn(ways, word);

if (import.meta.main) {
  const [way = '', rowsFile = '', folder = ''] = process.argv.slice(2);
  if (!isWay(way)) throw new Error(`There is no way ${way} to write rows.`);
  const rows = await loadExportedRows(rowsFile);
  const packages = join(folder, 'package.json');
  // Loading the packages does not count.
  const name = packageOf[way]?.split('@')[0];
  if (name !== undefined) createRequire(packages)(name);
  const residentBefore = residentMiB(process.pid);
  const before = process.cpuUsage();
  const bytes = await ways[way](rows, packages);
  const { user, system } = process.cpuUsage(before);
  const moreMiB = peakMiB(process.pid) - residentBefore;
  console.log(JSON.stringify({ cpuSeconds: (user + system) / 1e6, bytes, moreMiB } satisfies Measured));
}
