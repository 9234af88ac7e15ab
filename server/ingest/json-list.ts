import { isUtf8 } from 'node:buffer';
import { yieldToOthers } from '../database/turns.ts';
import { refuse } from '../base/errors.ts';

/** Bytes of a body parsed at once, about a millisecond; others may run before. */
export const pieceBytes = 64 * 1024;
/** A body up to this size is parsed without yielding first. */
const smallPieceBytes = 16 * 1024;
/** The maximum size of one entry, so that each parse stays small. A usual row has a few hundred bytes. */
const maxEntryBytes = 256 * 1024;

export interface ListPart {
  entries: unknown[];
  isLast: boolean;
}

/**
 * The entries of a JSON list, parsed while the body arrives, so that neither the body nor all its entries are ever in
 * memory at once. Throws `invalid` if it is not a valid JSON list, and `tooLarge`, at its end, if it has more than
 * `maxEntries`.
 */
export async function* readJsonList(
  chunks: AsyncIterable<Buffer>,
  maxEntries: number,
  bytesAtOnce = pieceBytes,
): AsyncGenerator<ListPart> {
  const scanner = new ListScanner();
  for await (const piece of piecesOf(chunks, bytesAtOnce)) {
    const isLast = piece.length < bytesAtOnce;
    if (piece.length > smallPieceBytes) await yieldToOthers('bodies');
    const guessed = isLast || scanner.commas >= maxEntries ? undefined : scanner.guess(piece);
    const text = guessed === undefined ? scanner.take(piece) : undefined;
    if (isLast) scanner.finish();
    if (scanner.commas < maxEntries) yield { entries: guessed ?? parseEntries(text, scanner.commas > 0), isLast };
    else if (isLast) throw tooManyEntries(scanner.commas + 1, maxEntries);
  }
}

/** The entries of a body that has arrived completely; undefined if it is invalid or too long, which {@link readJsonList} then explains. */
export async function parseWholeList(body: Buffer, maxEntries: number): Promise<unknown[] | undefined> {
  if (body.length > smallPieceBytes) await yieldToOthers('bodies');
  const list = parsedList(body);
  return list !== undefined && list.length <= maxEntries ? list : undefined;
}

function parsedList(text: Buffer): unknown[] | undefined {
  if (!isUtf8(text)) return undefined;
  try {
    const list: unknown = JSON.parse(text.toString('utf8'));
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

/** Pieces of one size, and a shorter last one. */
async function* piecesOf(chunks: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < size) continue;
    const whole = Buffer.concat(waiting);
    let at = 0;
    for (; at + size <= whole.length; at += size) yield whole.subarray(at, at + size);
    const rest = whole.subarray(at);
    waiting = [rest];
    bytes = rest.length;
  }
  yield Buffer.concat(waiting);
}

const [quote, backslash, comma, openList, openObject, closeObject] = Buffer.from('"\\,[{}');
/** 1 for the bytes that matter outside of strings; `endsText` has those that matter within them. */
const isStructure = new Uint8Array(256);
for (const byte of Buffer.from('"[]{},')) isStructure[byte] = 1;
const endsText = new Uint8Array(256);
for (const byte of Buffer.from('"\\\\')) endsText[byte] = 1;
const [listStart, listEnd] = [Buffer.from('['), Buffer.from(']')];
const spaces: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'));
const mayStandInFront: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n\ufeff'));

/** Finds where the entries of a list end, and counts them. Whether they are valid JSON is left to the parser. */
class ListScanner {
  /** The number of commas between entries so far. */
  commas = 0;
  /** 0 outside the list, 1 between its entries, more within an entry. */
  #depth = 0;
  #isOver = false;
  /** Whether `#begun` has not been scanned, because {@link guess} was right about it. */
  #isGuessed = false;
  #isInString = false;
  #isEscaped = false;
  /** The start of an entry whose end has not arrived yet. */
  #begun: Buffer[] = [];
  #begunBytes = 0;

  /**
   * The entries that end in this piece, found without looking at each byte: guesses that its last `},` separates two entries.
   * Undefined if the guess is wrong, which shows because what precedes it does not parse as a list.
   */
  guess(piece: Buffer): unknown[] | undefined {
    const end = this.#depth === 0 ? -1 : piece.lastIndexOf('},') + 1;
    if (end <= 0) return undefined;
    const entries = parsedList(Buffer.concat([listStart, ...this.#begun, piece.subarray(0, end), listEnd]));
    if (entries === undefined) return undefined;
    this.commas += entries.length;
    this.#depth = 1;
    this.#isGuessed = true;
    [this.#begun, this.#begunBytes] = [[], 0];
    this.#begin(piece.subarray(end + 1));
    return entries;
  }

  /** Returns the text of the entries that end in this piece, with the commas between them; undefined if no entry ends in it. */
  take(next: Buffer): Buffer | undefined {
    let piece = next;
    if (this.#isGuessed) {
      piece = Buffer.concat([...this.#begun, next]);
      [this.#begun, this.#begunBytes] = [[], 0];
      [this.#isGuessed, this.#isInString, this.#isEscaped] = [false, false, false];
    }
    let depth = this.#depth;
    let isInString = this.#isInString;
    let isEscaped = this.#isEscaped;
    let from = 0;
    let end = -1;
    for (let at = 0; at < piece.length; at += 1) {
      if (isInString) {
        if (!isEscaped) while (at < piece.length && !endsText[piece[at] ?? 0]) at += 1;
        if (at === piece.length) break;
        if (isEscaped) isEscaped = false;
        else if (piece[at] === backslash) isEscaped = true;
        else isInString = false;
        continue;
      }
      const byte = piece[at] ?? 0;
      if (depth > 0 && !isStructure[byte]) continue;
      if (depth === 0) {
        if (this.#isOver) {
          if (!spaces.has(byte)) throw notJson('something follows the list');
        } else if (byte === openList) {
          depth = 1;
          from = at + 1;
        } else if (!mayStandInFront.has(byte)) throw noList();
      } else if (byte === quote) isInString = true;
      else if (byte === openObject || byte === openList) depth += 1;
      else if (byte === comma) {
        if (depth > 1) continue;
        this.commas += 1;
        end = at;
      } else {
        depth -= 1;
        if (depth > 0) continue;
        if (byte === closeObject) throw notJson('the list ends with }');
        this.#isOver = true;
        end = at;
      }
    }
    [this.#depth, this.#isInString, this.#isEscaped] = [depth, isInString, isEscaped];
    const text = end === -1 ? undefined : Buffer.concat([...this.#begun, piece.subarray(from, end)]);
    if (text !== undefined) [this.#begun, this.#begunBytes] = [[], 0];
    if (depth > 0) this.#begin(piece.subarray(end === -1 ? from : end + 1));
    return text;
  }

  #begin(bytes: Buffer): void {
    this.#begun.push(bytes);
    this.#begunBytes += bytes.length;
    if (this.#begunBytes > maxEntryBytes) throw tooLargeEntry(this.commas);
  }

  /** Call this when the body has ended. */
  finish(): void {
    if (this.#depth > 0) throw notJson('it ends in the middle');
    if (!this.#isOver) throw noList();
  }
}

function parseEntries(text: Buffer | undefined, isOneAtLeast: boolean): unknown[] {
  if (text === undefined) return [];
  if (!isUtf8(text)) throw notJson('it is not UTF-8');
  let entries: unknown;
  try {
    entries = JSON.parse(`[${text.toString('utf8')}]`);
  } catch (error) {
    throw notJson(error instanceof Error ? error.message.slice(0, 200) : 'it could not be read');
  }
  if (!Array.isArray(entries) || (isOneAtLeast && entries.length === 0)) throw notJson('an entry is empty');
  return entries;
}

const notJson = (reason: string) => refuse('rowsNotJson', { reason });
const noList = () => refuse('noListOfRows');
const tooManyEntries = (count: number, max: number) => refuse('manyRowsAtOnce', { count, max });
const tooLargeEntry = (index: number) => refuse('entryTooLarge', { index, max: maxEntryBytes });
