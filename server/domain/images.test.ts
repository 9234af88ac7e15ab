import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pictures, png } from '../../test/support/images.ts';
import { inspectImage } from './images.ts';

const { gif, restartJpeg, ...known } = { ...pictures, png: png(6, 4) };
const isJpeg = (name: string) => name.toLowerCase().endsWith('jpeg');
const jpegs = Object.entries(known).filter(([name]) => isJpeg(name));
const others = Object.entries(known).filter(([name]) => !isJpeg(name));
const html = Buffer.from('<!doctype html><script>alert(1)</script>');
const zip = Buffer.from('PK\u0005\u0006'.padEnd(22, '\0'), 'latin1');

describe('Logo: PNG, JPEG and WebP are known by their content', () => {
  test.each(Object.entries(known))('%s', (name, bytes) => {
    const format = name === 'png' ? 'png' : isJpeg(name) ? 'jpeg' : 'webp';
    expect(inspectImage(bytes)).toEqual({ format, width: 6, height: 4, byteLength: bytes.length });
  });

  test('a JPEG with restart markers in its scan', () => {
    expect(inspectImage(restartJpeg)).toEqual({
      format: 'jpeg',
      width: 40,
      height: 24,
      byteLength: restartJpeg.length,
    });
  });

  test('a view into a larger buffer', () => {
    const picture = png(6, 4);
    const surrounded = Buffer.concat([Buffer.alloc(9, 1), picture, Buffer.alloc(9, 1)]);
    expect(inspectImage(surrounded.subarray(9, -9))).toEqual({
      format: 'png',
      width: 6,
      height: 4,
      byteLength: picture.length,
    });
  });
});

describe('Logo: a JPEG is taken as cameras and editors write it (ADR 9)', () => {
  const image = (byteLength: number) => ({ format: 'jpeg', width: 6, height: 4, byteLength });

  test.each(jpegs)('%s with bytes behind its end: the image ends before them', (_name, bytes) => {
    for (const tail of [html, zip, Buffer.alloc(512), bytes]) {
      expect(inspectImage(Buffer.concat([bytes, tail]))).toEqual(image(bytes.length));
    }
  });

  test.each(jpegs)('%s without the mark of its end, whole or half: the image ends with the file', (_name, bytes) => {
    for (const length of [bytes.length - 2, bytes.length - 1]) {
      expect(inspectImage(bytes.subarray(0, length))).toEqual(image(length));
    }
  });

  test.each(jpegs)('%s that ends before the data of its first scan is none', (_name, bytes) => {
    const scan = bytes.indexOf(Buffer.from([0xff, 0xda]));
    const dataAt = scan + 2 + bytes.readUInt16BE(scan + 2);
    for (let length = 0; length <= dataAt; length += 1) expect(inspectImage(bytes.subarray(0, length))).toBeNull();
    expect(inspectImage(bytes.subarray(0, dataAt + 1))).toEqual(image(dataAt + 1));
  });
});

describe('Logo: what is something else is no image, whatever it begins with', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');

  test.each([
    ['an empty file', Buffer.alloc(0)],
    ['HTML', html],
    ['SVG', svg],
    ['GIF', gif],
    ['the signature of a PNG with HTML behind it', Buffer.concat([png(6, 4).subarray(0, 8), html])],
    ['the start of a JPEG with HTML behind it', Buffer.concat([pictures.jpeg.subarray(0, 20), html])],
    ['a RIFF header with HTML behind it', Buffer.concat([pictures.lossyWebp.subarray(0, 12), html])],
    ['GIF89a with a script', Buffer.from('GIF89a/*<svg/onload=alert(1)>*/=1;')],
    ['a PNG without pixels', png(0, 4)],
  ])('%s', (_name, bytes) => {
    expect(inspectImage(bytes)).toBeNull();
  });

  test.each(others)('%s with HTML, a ZIP archive or one byte behind its end', (_name, bytes) => {
    for (const tail of [html, zip, Buffer.from([0])]) expect(inspectImage(Buffer.concat([bytes, tail]))).toBeNull();
  });

  test.each(others)('%s cut anywhere', (_name, bytes) => {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(inspectImage(bytes.subarray(0, length))).toBeNull();
    }
  });

  test('any bytes: an answer, never an error or an endless walk', () => {
    const seeds = Object.values(known);
    fc.assert(
      fc.property(
        fc.constantFrom(...seeds),
        fc.array(fc.tuple(fc.nat(600), fc.nat(255)), { maxLength: 8 }),
        (seed, changes) => {
          const bytes = Buffer.from(seed);
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          inspectImage(bytes);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('Logo: the size is that of the largest picture in the file', () => {
  test('a PNG states it in its header', () => {
    expect(inspectImage(png(40_000, 1))).toMatchObject({ format: 'png', width: 40_000, height: 1 });
  });

  test('a WebP with a large picture in a small canvas', () => {
    const bytes = Buffer.from(pictures.alphaWebp);
    const picture = bytes.indexOf('VP8 ');
    bytes.writeUInt16LE(16_000, picture + 8 + 6);
    expect(inspectImage(bytes)).toMatchObject({ format: 'webp', width: 16_000, height: 4 });
  });

  test('a JPEG that states a small size behind a large one', () => {
    const frame = pictures.jpeg.indexOf(Buffer.from([0xff, 0xc0]));
    const header = Buffer.from(pictures.jpeg.subarray(frame, frame + 2 + pictures.jpeg.readUInt16BE(frame + 2)));
    header.writeUInt16BE(30_000, 5);
    const bytes = Buffer.concat([pictures.jpeg.subarray(0, frame), header, pictures.jpeg.subarray(frame)]);
    expect(inspectImage(bytes)).toMatchObject({ format: 'jpeg', width: 6, height: 30_000 });
  });
});
