import { crc32, inflateRawSync } from 'node:zlib';
import { z } from 'zod';

interface Entry {
  name: string;
  flags: number;
  method: number;
  /** Time and date as DOS keeps them, compared as they are. */
  stamp: number;
  crc: number;
  packedSize: number;
  size: number;
  offset: number;
}

const localSignature = 0x04034b50;
const descriptorSignature = 0x08074b50;
const centralSignature = 0x02014b50;
const zip64LocatorSignature = 0x07064b50;
const endSignature = 0x06054b50;
const endSize = 22;
const stored = 0;
const deflated = 8;
const hasDescriptor = 0x0008;
const nameIsUtf8 = 0x0800;
/** The bits that the compressor sets, the descriptor and UTF-8; encryption and patches are others. */
const knownFlags = 0x0006 | hasDescriptor | nameIsUtf8;
const zip64Extra = 0x0001;

const inflated = z.object({ buffer: z.instanceof(Buffer), engine: z.object({ bytesWritten: z.number() }) });

/**
 * The content of a zip archive, by name and in the order of its directory. Stricter than any reader: every byte belongs
 * to an entry, directory and entries agree, and every checksum is right. Throws the first error.
 */
export function checkZip(bytes: Uint8Array): Map<string, Buffer> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const directory = findDirectory(file);
  const entries = readDirectory(file, directory);
  checkNames(entries);
  const contents = readContents(file, entries, directory.offset);
  return new Map(entries.map(({ name }) => [name, contents.get(name) ?? Buffer.alloc(0)]));
}

interface Directory {
  count: number;
  offset: number;
}

function findDirectory(file: Buffer): Directory {
  const at = file.length - endSize;
  if (at < 0) throw new Error(`A zip archive has at least ${endSize} bytes, this file has ${file.length}.`);
  if (file.readUInt32LE(at) !== endSignature)
    throw new Error(`The file does not end with the ${endSize} bytes that end a zip archive: it is cut, or longer.`);
  const [disk, directoryDisk, countHere, count] = [4, 6, 8, 10].map((field) => file.readUInt16LE(at + field));
  const size = file.readUInt32LE(at + 12);
  const offset = file.readUInt32LE(at + 16);
  if (file.readUInt16LE(at + 20) !== 0)
    throw new Error('The end of the archive announces a comment that is not there.');
  if (disk !== 0 || directoryDisk !== 0 || countHere !== count) throw new Error('The archive claims to span disks.');
  const locator = at - 20;
  if (locator >= 0 && file.readUInt32LE(locator) === zip64LocatorSignature)
    throw new Error('The archive has zip64 records, which no file of this size needs.');
  if (offset + size !== at)
    throw new Error(`The directory is to be at ${offset} and ${size} long, but the archive's end is at ${at}.`);
  return { count: count ?? 0, offset };
}

function readDirectory(file: Buffer, { count, offset }: Directory): Entry[] {
  const end = file.length - endSize;
  const entries: Entry[] = [];
  let at = offset;
  while (entries.length < count) {
    if (at + 46 > end || file.readUInt32LE(at) !== centralSignature)
      throw new Error(`The directory has ${entries.length} entries, its end says ${count}.`);
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((field) => file.readUInt16LE(at + field));
    const flags = file.readUInt16LE(at + 8);
    const name = readName(file.subarray(at + 46, at + 46 + (nameSize ?? 0)), flags);
    const entry = {
      name,
      flags,
      method: file.readUInt16LE(at + 10),
      stamp: file.readUInt32LE(at + 12),
      crc: file.readUInt32LE(at + 16),
      packedSize: file.readUInt32LE(at + 20),
      size: file.readUInt32LE(at + 24),
      offset: file.readUInt32LE(at + 42),
    };
    if (file.readUInt16LE(at + 34) !== 0) throw new Error(`${name} claims to be on another disk.`);
    if (commentSize !== 0) throw new Error(`${name} has a comment in the directory.`);
    checkEntry(entry);
    at += 46 + (nameSize ?? 0);
    checkExtra(name, file.subarray(at, at + (extraSize ?? 0)));
    at += extraSize ?? 0;
    entries.push(entry);
  }
  if (at !== end) throw new Error(`${end - at} bytes after the last entry of the directory belong to nobody.`);
  return entries;
}

function readName(bytes: Buffer, flags: number): string {
  if ((flags & nameIsUtf8) === 0 && bytes.some((byte) => byte > 0x7e))
    throw new Error(`The name ${bytes.toString('latin1')} is not ASCII and not marked as UTF-8.`);
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

function checkEntry({ name, flags, method, stamp, packedSize, size, offset }: Entry): void {
  if ((flags & ~knownFlags) !== 0) throw new Error(`${name} has flags 0x${flags.toString(16)}: encrypted, or unknown.`);
  if (method !== stored && method !== deflated)
    throw new Error(`${name} is compressed by the unknown method ${method}.`);
  if (method === stored && (flags & hasDescriptor) !== 0)
    throw new Error(`${name} is stored and its size comes after it: a reader of a stream cannot find its end.`);
  if (method === stored && packedSize !== size)
    throw new Error(`${name} is stored in ${packedSize} bytes, not ${size}.`);
  if ([packedSize, size, offset].includes(0xffff_ffff)) throw new Error(`${name} has sizes of zip64.`);
  const [day, month, second, minute, hour] = [
    (stamp >>> 16) & 31,
    (stamp >>> 21) & 15,
    (stamp & 31) * 2,
    (stamp >>> 5) & 63,
    (stamp >>> 11) & 31,
  ];
  if (day < 1 || month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59)
    throw new Error(
      `${name} was changed in month ${month} on day ${day} at ${hour}:${minute}:${second}: no such time.`,
    );
}

function checkExtra(name: string, extra: Buffer): void {
  let at = 0;
  while (at < extra.length) {
    if (at + 4 > extra.length) throw new Error(`${name} has an extra field that is cut.`);
    if (extra.readUInt16LE(at) === zip64Extra) throw new Error(`${name} has an extra field of zip64.`);
    at += 4 + extra.readUInt16LE(at + 2);
  }
  if (at !== extra.length) throw new Error(`${name} has an extra field that is longer than its room.`);
}

function checkNames(entries: readonly Entry[]): void {
  const seen = new Set<string>();
  for (const { name } of entries) {
    if (name === '' || name.startsWith('/') || name.includes('\\') || /^[a-z]:/iu.test(name))
      throw new Error(`The name ${JSON.stringify(name)} is empty, absolute or of another system.`);
    if (name.split('/').some((segment) => segment === '' || segment.endsWith('.')))
      throw new Error(`The name ${JSON.stringify(name)} has a part that is empty or ends with a dot.`);
    const folded = name.toLowerCase();
    if (seen.has(folded)) throw new Error(`The name ${name} is there twice (upper and lower case are the same).`);
    seen.add(folded);
  }
}

/** Goes through the file from its first byte to the directory, entry by entry. */
function readContents(file: Buffer, entries: readonly Entry[], end: number): Map<string, Buffer> {
  const inOrder = entries.toSorted((a, b) => a.offset - b.offset);
  const contents = new Map<string, Buffer>();
  let at = 0;
  for (const [index, entry] of inOrder.entries()) {
    // Never before `at`: earlier bytes must not reach further than here.
    if (entry.offset !== at) throw new Error(`${entry.offset - at} bytes before ${entry.name} belong to nobody.`);
    const next = inOrder[index + 1]?.offset ?? end;
    const start = at + checkLocalHeader(file, entry);
    const dataEnd = start + entry.packedSize;
    if (dataEnd > next) throw new Error(`${entry.name} reaches into what comes after it.`);
    contents.set(entry.name, unpack(file.subarray(start, dataEnd), entry));
    at = dataEnd + checkDescriptor(file.subarray(dataEnd, next), entry);
  }
  if (at !== end) throw new Error(`${end - at} bytes before the directory belong to nobody.`);
  return contents;
}

/** The length of the header, when it says what the directory says. */
function checkLocalHeader(file: Buffer, entry: Entry): number {
  const { name, offset: at } = entry;
  if (at + 30 > file.length || file.readUInt32LE(at) !== localSignature)
    throw new Error(`There is no header of ${name} at ${at}.`);
  const nameSize = file.readUInt16LE(at + 26);
  const extraSize = file.readUInt16LE(at + 28);
  const flags = file.readUInt16LE(at + 6);
  const localName = readName(file.subarray(at + 30, at + 30 + nameSize), flags);
  if (localName !== name) throw new Error(`${name} of the directory is called ${localName} in its own header.`);
  if (flags !== entry.flags) throw new Error(`${name} has other flags in its header than in the directory.`);
  if (file.readUInt16LE(at + 8) !== entry.method) throw new Error(`${name} has another method in its header.`);
  if (file.readUInt32LE(at + 10) !== entry.stamp) throw new Error(`${name} has another time in its header.`);
  const found = [14, 18, 22].map((field) => file.readUInt32LE(at + field));
  const told = [entry.crc, entry.packedSize, entry.size];
  const comesLater = (flags & hasDescriptor) !== 0 && found.every((value) => value === 0);
  if (!comesLater && found.some((value, index) => value !== told[index]))
    throw new Error(
      `${name} has checksum and sizes ${found.join(', ')} in its header, ${told.join(', ')} in the directory.`,
    );
  checkExtra(name, file.subarray(at + 30 + nameSize, at + 30 + nameSize + extraSize));
  return 30 + nameSize + extraSize;
}

/** The length of the data descriptor in the room after an entry's data: none, or 12 bytes with or without a signature. */
function checkDescriptor(room: Buffer, { name, flags, crc, packedSize, size }: Entry): number {
  if ((flags & hasDescriptor) === 0) return 0;
  const signed = room.length >= 16 && room.readUInt32LE(0) === descriptorSignature;
  const at = signed ? 4 : 0;
  if (room.length < at + 12) throw new Error(`The descriptor that is to follow ${name} is missing.`);
  const found = [0, 4, 8].map((field) => room.readUInt32LE(at + field));
  const told = [crc, packedSize, size];
  if (found.some((value, index) => value !== told[index]))
    throw new Error(
      `${name} has checksum and sizes ${found.join(', ')} after it, ${told.join(', ')} in the directory.`,
    );
  return at + 12;
}

function unpack(packed: Buffer, { name, method, size, crc }: Entry): Buffer {
  const content = method === stored ? packed : inflate(packed, name, size);
  if (content.length !== size) throw new Error(`${name} has ${content.length} bytes, the directory says ${size}.`);
  const found = crc32(content);
  if (found !== crc) throw new Error(`${name} has the checksum ${found}, the directory says ${crc}.`);
  return content;
}

function inflate(packed: Buffer, name: string, size: number): Buffer {
  try {
    // `info` tells how much was read: zlib itself ignores what follows the last block.
    const options = { info: true, maxOutputLength: Math.max(size, 1) };
    const { buffer, engine } = inflated.parse(inflateRawSync(packed, options));
    if (engine.bytesWritten === packed.length) return buffer;
    throw new Error(`the data end after ${engine.bytesWritten} of ${packed.length} bytes`);
  } catch (error) {
    throw new Error(`${name} cannot be inflated to ${size} bytes: ${error instanceof Error ? error.message : ''}.`, {
      cause: error,
    });
  }
}
