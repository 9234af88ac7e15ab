import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { WriteBytes } from './sheet.ts';

/** Level 6, the default, takes three times as long for a file that is a fifth smaller. */
const level = 1;
/** Bytes compressed at once. */
const blockBytes = 128 * 1024;
/** An empty final block. */
const lastBlock = Buffer.from([3, 0]);
const maxZipBytes = 0xff_ff_ff_ff;
const maxEntries = 0xff_ff;
/** Version 2.0, required for deflate. */
const version = 20;
/** Sizes follow the data (bit 3), names are UTF-8 (bit 11). */
const flags = 0x08_08;
const deflated = 8;

interface Entry {
  name: Buffer;
  crc: number;
  packed: number;
  size: number;
  start: number;
}

/**
 * Writes a zip as a stream, entry by entry (APPNOTE.TXT 6.3.10), without the Zip64 extension: larger content is rejected. Each
 * block is compressed on its own and ends at a byte boundary, so consecutive blocks form one stream.
 */
export class ZipWriter {
  readonly #write: WriteBytes;
  readonly #time: { date: number; time: number };
  readonly #maxBytes: number;
  readonly #entries: Entry[] = [];
  #entry: Entry | undefined;
  #text: string[] = [];
  #textLength = 0;
  #position = 0;

  constructor(write: WriteBytes, madeAtMs: number, maxBytes = maxZipBytes) {
    this.#write = write;
    this.#time = dosTime(madeAtMs);
    this.#maxBytes = maxBytes;
  }

  /** Writes a whole entry. */
  async add(name: string, text: string): Promise<void> {
    await this.begin(name);
    await this.write(text);
    await this.end();
  }

  async begin(name: string): Promise<void> {
    this.#entry = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, start: this.#position };
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04_03_4b_50, 0);
    this.#describe(header, 4, undefined);
    header.writeUInt16LE(this.#entry.name.length, 26);
    await this.#emit(Buffer.concat([header, this.#entry.name]));
  }

  /** Adds to the open entry; a text must end with a whole character. */
  async write(text: string): Promise<void> {
    this.#text.push(text);
    this.#textLength += text.length;
    if (this.#textLength >= blockBytes) await this.#pack();
  }

  async end(): Promise<void> {
    await this.#pack();
    const entry = this.#current();
    entry.packed += lastBlock.length;
    await this.#emit(lastBlock);
    const descriptor = Buffer.alloc(16);
    descriptor.writeUInt32LE(0x08_07_4b_50, 0);
    descriptor.writeUInt32LE(entry.crc, 4);
    descriptor.writeUInt32LE(this.#inLimits(entry.packed), 8);
    descriptor.writeUInt32LE(this.#inLimits(entry.size), 12);
    await this.#emit(descriptor);
    this.#entries.push(entry);
    this.#entry = undefined;
  }

  async finish(): Promise<void> {
    const start = this.#position;
    for (const entry of this.#entries) {
      const header = Buffer.alloc(46);
      header.writeUInt32LE(0x02_01_4b_50, 0);
      header.writeUInt16LE(version, 4);
      this.#describe(header, 6, entry);
      header.writeUInt16LE(entry.name.length, 28);
      header.writeUInt32LE(this.#inLimits(entry.start), 42);
      await this.#emit(Buffer.concat([header, entry.name]));
    }
    if (this.#entries.length > maxEntries) throw new Error(`A zip holds at most ${maxEntries} entries.`);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06_05_4b_50, 0);
    end.writeUInt16LE(this.#entries.length, 8);
    end.writeUInt16LE(this.#entries.length, 10);
    end.writeUInt32LE(this.#inLimits(this.#position - start), 12);
    end.writeUInt32LE(this.#inLimits(start), 16);
    await this.#emit(end);
  }

  /** The fields that the local header and the central directory share. */
  #describe(header: Buffer, at: number, entry: Entry | undefined): void {
    header.writeUInt16LE(version, at);
    header.writeUInt16LE(flags, at + 2);
    header.writeUInt16LE(deflated, at + 4);
    header.writeUInt16LE(this.#time.time, at + 6);
    header.writeUInt16LE(this.#time.date, at + 8);
    header.writeUInt32LE(entry?.crc ?? 0, at + 10);
    header.writeUInt32LE(entry?.packed ?? 0, at + 14);
    header.writeUInt32LE(entry?.size ?? 0, at + 18);
  }

  async #pack(): Promise<void> {
    if (this.#textLength === 0) return;
    const bytes = Buffer.from(this.#text.join(''));
    this.#text = [];
    this.#textLength = 0;
    const packed = deflateRawSync(bytes, { level, finishFlush: constants.Z_SYNC_FLUSH, chunkSize: blockBytes });
    const entry = this.#current();
    entry.crc = crc32(bytes, entry.crc);
    entry.size += bytes.length;
    entry.packed += packed.length;
    await this.#emit(packed);
  }

  #inLimits(bytes: number): number {
    if (bytes > this.#maxBytes) throw new Error('The file is too large for a zip without Zip64.');
    return bytes;
  }

  #current(): Entry {
    if (this.#entry === undefined) throw new Error('No entry of the zip is open.');
    return this.#entry;
  }

  async #emit(bytes: Uint8Array): Promise<void> {
    this.#position += bytes.length;
    await this.#write(bytes);
  }
}

/** The UTC time in MS-DOS format, to two seconds. */
function dosTime(madeAtMs: number): { date: number; time: number } {
  const at = new Date(madeAtMs);
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107) - 1980;
  const date = year * 512 + (at.getUTCMonth() + 1) * 32 + at.getUTCDate();
  return { date, time: at.getUTCHours() * 2048 + at.getUTCMinutes() * 32 + Math.floor(at.getUTCSeconds() / 2) };
}
