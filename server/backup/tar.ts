import type { FileHandle } from 'node:fs/promises';

// The ustar format of POSIX (https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html#tag_20_92_13_06): a header
// block per file, its bytes padded to whole blocks, two empty blocks at the end.
const blockBytes = 512;
const largestFileBytes = 1024 * 1024 * 1024;
const checksumStart = 148;
const checksumEnd = 156;

export interface TarFile {
  /** At most 100 bytes, with slashes between folders. */
  name: string;
  bytes: Buffer;
}

/** The blocks of one file; `modifiedSeconds` counts from 1970. */
export function tarBlocks({ name, bytes }: TarFile, modifiedSeconds: number): Buffer[] {
  if (Buffer.byteLength(name) > 100) throw new Error(`The name ${name} is too long for an archive.`);
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, digits: number) =>
    header.write(value.toString(8).padStart(digits, '0'), at);
  header.write(name, 0);
  octal(0o600, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(bytes.length, 124, 11);
  octal(Math.floor(modifiedSeconds), 136, 11);
  header.write('0', 156);
  header.write('ustar\u000000', 257, 'latin1');
  octal(checksumOf(header), checksumStart, 6);
  header.write('\u0000 ', checksumStart + 6);
  return [header, bytes, Buffer.alloc(-bytes.length & (blockBytes - 1))];
}

export const tarEnd: Buffer = Buffer.alloc(2 * blockBytes);

/** The files of an archive in order, each whole in memory. Throws `damaged` if it is cut off or not such an archive. */
export async function* readTar(handle: FileHandle): AsyncGenerator<TarFile> {
  const read = async (length: number, at: number) => {
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length;) {
      const { bytesRead } = await handle.read(bytes, done, length - done, at + done);
      if (bytesRead === 0) throw damaged('it ends in the middle');
      done += bytesRead;
    }
    return bytes;
  };
  for (let at = 0; ;) {
    const header = await read(blockBytes, at);
    at += blockBytes;
    if (header.every((byte) => byte === 0)) {
      await read(blockBytes, at);
      return;
    }
    const field = (from: number, to: number) => header.toString('latin1', from, to).split('\u0000')[0] ?? '';
    if (parseInt(field(checksumStart, checksumEnd), 8) !== checksumOf(header)) {
      throw damaged(at === blockBytes ? 'it is not a tar archive' : 'a header in it is damaged');
    }
    const size = parseInt(field(124, 136), 8);
    if (!(size >= 0 && size <= largestFileBytes)) throw damaged('a file in it has a size that none of a backup has');
    // Repacking may add entries for folders and times; they are ignored.
    const isFile = header[156] === 0 || header[156] === 0x30;
    if (isFile) yield { name: field(0, 100), bytes: await read(size, at) };
    at += Math.ceil(size / blockBytes) * blockBytes;
  }
}

export function damaged(what: string): Error {
  return new Error(`The file is not a complete backup: ${what}. Use another one.`);
}

/** The checksum of a header: the sum of its bytes, with the checksum field read as spaces. */
function checksumOf(header: Buffer): number {
  let sum = (checksumEnd - checksumStart) * 0x20;
  for (const [at, byte] of header.entries()) if (at < checksumStart || at >= checksumEnd) sum += byte;
  return sum;
}
