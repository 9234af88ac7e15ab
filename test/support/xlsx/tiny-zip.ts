import { crc32, deflateRawSync } from 'node:zlib';

export interface TinyEntry {
  name: string;
  content: string | Buffer;
  isStored?: boolean;
  /** Sizes and checksum after the data, as a writer leaves them that does not know them before. */
  hasDescriptor?: boolean;
}

/** 1 January 1980, midnight: the first time that a zip archive knows. */
const stamp = 0x0021_0000;

/** A zip archive with nothing in it but the entries, to be damaged by tests. */
export function tinyZip(entries: readonly TinyEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, isStored = false, hasDescriptor = false } of entries) {
    const bytes = Buffer.from(content);
    const data = isStored ? bytes : deflateRawSync(bytes);
    const encoded = Buffer.from(name);
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32LE(crc32(bytes), 0);
    sizes.writeUInt32LE(data.length, 4);
    sizes.writeUInt32LE(bytes.length, 8);
    // Version 2.0, UTF-8 and descriptor, method, time: the same in both places.
    const common = Buffer.alloc(10);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(hasDescriptor ? 0x0808 : 0x0800, 2);
    common.writeUInt16LE(isStored ? 0 : 8, 4);
    common.writeUInt32LE(stamp, 6);
    const lengths = Buffer.alloc(4);
    lengths.writeUInt16LE(encoded.length, 0);
    const local = [word(0x04034b50), common, hasDescriptor ? Buffer.alloc(12) : sizes, lengths, encoded, data];
    const file = Buffer.concat(hasDescriptor ? [...local, word(0x08074b50), sizes] : local);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(word(0x02014b50), Buffer.from([20, 0]), common, sizes, lengths, place, encoded);
    files.push(file);
    offset += file.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, listed, end]);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
