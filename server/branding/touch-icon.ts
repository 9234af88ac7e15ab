import { crc32, deflateSync } from 'node:zlib';
import { drawBolt, iconColors, maxCovered, rgbOf } from '../http/brand-icon.rules.ts';

/** The size of an icon on an iPhone's home screen, in pixels; iPhones accept only PNG. */
const size = 180;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The same for each color: one byte per pixel, and before each row a filter byte (none). */
let rows: Buffer | undefined;

/** The icon of the brand as a PNG whose colors are the steps from the ground to the bolt. */
export function touchIcon(primaryColor: string): Buffer {
  rows ??= deflateSync(packRows(drawBolt(size)));
  const { ground, ink } = iconColors(primaryColor);
  const [from, to] = [rgbOf(ground), rgbOf(ink)];
  const palette = Array.from({ length: maxCovered + 1 }, (_, step) =>
    from.map((part, at) => Math.round(part + (((to[at] ?? part) - part) * step) / maxCovered)),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Eight bits a pixel, which name a color of the palette.
  header.set([8, 3], 8);
  const chunks = [chunk('IHDR', header), chunk('PLTE', Buffer.from(palette.flat())), chunk('IDAT', rows)];
  return Buffer.concat([signature, ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

function packRows(pixels: Uint8Array): Buffer {
  const packed = Buffer.alloc(size * (size + 1));
  for (let row = 0; row < size; row += 1) {
    packed.set(pixels.subarray(row * size, (row + 1) * size), row * (size + 1) + 1);
  }
  return packed;
}

function chunk(kind: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'ascii'), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(named, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}
