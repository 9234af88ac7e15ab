import { NoTableError } from './delimited.ts';

/** The maximum size of the file. Unpacked, a workbook is about ten times as large. */
export const maxWorkbookBytes = 4 * 1024 * 1024;
/** The maximum size of all unpacked parts that are read, because a small file may unpack to gigabytes. */
const maxUnpackedBytes = 32 * 1024 * 1024;
const maxEntries = 5_000;
const maxColumns = 200;
/** Rows after this many are appended to the previous ones. */
const maxPlacedRows = 20_000;

interface Entry {
  method: number;
  size: number;
  offset: number;
}

/** Whether these are the first bytes of a zip archive, which a workbook is. */
export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;
/** The first bytes of a workbook from before Excel 2007, or of one with a password. */
export const isOldWorkbook = (bytes: Uint8Array): boolean => bytes[0] === 0xd0 && bytes[1] === 0xcf;

/**
 * The cells of the first sheet of an Excel workbook, as text: formulas as their last result, dates as numbers. @throws
 * NoTableError
 */
export async function readWorkbook(bytes: Uint8Array): Promise<string[][]> {
  const entries = listEntries(bytes);
  const room = { bytes: maxUnpackedBytes };
  const part = async (name: string) => {
    const entry = entries.get(name);
    return entry === undefined ? null : parseXml(await unpack(bytes, entry, room));
  };
  const workbook = await part('xl/workbook.xml');
  const relations = await part('xl/_rels/workbook.xml.rels');
  const id = workbook?.getElementsByTagName('sheet')[0]?.getAttribute('r:id');
  const target = [...(relations?.getElementsByTagName('Relationship') ?? [])]
    .find((relation) => relation.getAttribute('Id') === id)
    ?.getAttribute('Target');
  if (target === null || target === undefined) throw new NoTableError('not a workbook');
  const sheet = await part(target.startsWith('/') ? target.slice(1) : `xl/${target}`);
  if (sheet === null) throw new NoTableError('not a workbook');
  const strings = await part('xl/sharedStrings.xml');
  const shared = [...(strings?.getElementsByTagName('si') ?? [])].map(textOf);
  const rows: string[][] = [];
  for (const row of sheet.getElementsByTagName('row')) {
    // Rows without a cell may be missing in the file. They keep their place, so that rows have the same numbers as in the
    // spreadsheet.
    const place = Number(row.getAttribute('r')) - 1;
    if (place < maxPlacedRows) while (rows.length < place) rows.push([]);
    rows.push(cellsOf(row, shared));
  }
  return rows;
}

function cellsOf(row: Element, shared: readonly string[]): string[] {
  const cells: string[] = [];
  for (const cell of row.getElementsByTagName('c')) {
    const column = columnOf(cell.getAttribute('r')) ?? cells.length;
    if (column >= maxColumns) continue;
    const value = cell.getElementsByTagName('v')[0]?.textContent ?? '';
    const type = cell.getAttribute('t');
    while (cells.length < column) cells.push('');
    cells[column] = type === 's' ? (shared[Number(value)] ?? '') : type === 'inlineStr' ? textOf(cell) : value;
  }
  return cells;
}

/** The phonetic guide of Japanese text is left out. */
const textOf = (element: Element) =>
  [...element.getElementsByTagName('t')]
    .filter(({ parentElement }) => parentElement?.tagName !== 'rPh')
    .map(({ textContent }) => textContent)
    .join('');

/** `B7` is the column 1. */
function columnOf(reference: string | null): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Read from the central directory, because only there the sizes are reliable. */
function listEntries(bytes: Uint8Array): Map<string, Entry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = new Map<string, Entry>();
  try {
    let end = bytes.length - 22;
    while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end -= 1;
    const count = Math.min(view.getUint16(end + 10, true), maxEntries);
    let at = view.getUint32(end + 16, true);
    for (let entry = 0; entry < count; entry += 1) {
      if (view.getUint32(at, true) !== 0x02014b50) break;
      const [nameLength, extra, comment] = [28, 30, 32].map((from) => view.getUint16(at + from, true));
      const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + (nameLength ?? 0)));
      const local = view.getUint32(at + 42, true);
      const offset = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      entries.set(name, { method: view.getUint16(at + 10, true), size: view.getUint32(at + 20, true), offset });
      at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
    }
  } catch (cause) {
    throw new NoTableError('the archive is broken', { cause });
  }
  return entries;
}

/** Reads no more bytes than fit. */
async function unpack(bytes: Uint8Array, { method, size, offset }: Entry, room: { bytes: number }): Promise<string> {
  const packed = new Blob([bytes.slice(offset, offset + size)]).stream();
  const unpacked: ReadableStream<Uint8Array> =
    method === 0 ? packed : packed.pipeThrough(new DecompressionStream('deflate-raw'));
  const decoder = new TextDecoder();
  const reader = unpacked.getReader();
  let text = '';
  try {
    for (;;) {
      const { value } = await reader.read();
      if (value === undefined) return text + decoder.decode();
      room.bytes -= value.length;
      if (room.bytes < 0) throw new NoTableError('the workbook is too large');
      text += decoder.decode(value, { stream: true });
    }
  } catch (cause) {
    throw cause instanceof NoTableError ? cause : new NoTableError('the archive is broken', { cause });
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseXml(text: string): Document {
  const document = new DOMParser().parseFromString(text, 'application/xml');
  if (document.getElementsByTagName('parsererror').length > 0) throw new NoTableError('not a workbook');
  return document;
}
