type ImageFormat = 'png' | 'jpeg' | 'webp';

export interface Image {
  format: ImageFormat;
  /** Pixels; the largest of the file, where it has several pictures. */
  width: number;
  height: number;
  /** How many of the bytes are the image; what stands behind a JPEG is none of it. */
  byteLength: number;
}

/**
 * What image these bytes are, by their content alone, or null. The file is walked from its first byte to its last: one
 * that ends early, or goes on after its image (a page or an archive behind a picture), is none. JPEGs are taken as cameras
 * write them: bytes behind the image are left out of `byteLength`, and the mark of the end may be missing.
 */
export function inspectImage(bytes: Uint8Array): Image | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const image = readPng(view) ?? readJpeg(view) ?? readWebp(view);
    return image !== null && image.width > 0 && image.height > 0 ? image : null;
  } catch (error) {
    // A length that points past the end of the file.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const ascii = (view: DataView, at: number, length: number) =>
  Array.from({ length }, (_, index) => String.fromCharCode(view.getUint8(at + index))).join('');

/** PNG 3.0, 5: a signature and chunks, from IHDR to IEND. */
function readPng(view: DataView): Image | null {
  if (view.byteLength < 8 || view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return null;
  if (view.getUint32(8) !== 13 || ascii(view, 12, 4) !== 'IHDR') return null;
  const size = { width: view.getUint32(16), height: view.getUint32(20) };
  let hasData = false;
  for (let at = 8; ;) {
    const length = view.getUint32(at);
    const type = ascii(view, at + 4, 4);
    hasData ||= type === 'IDAT' && length > 0;
    // Length, type and checksum around the content.
    at += 12 + length;
    if (type === 'IEND') return hasData && at === view.byteLength ? { format: 'png', ...size, byteLength: at } : null;
  }
}

// Markers without a segment behind them: TEM and RST0 to RST7.
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
// SOF0 to SOF15 carry the size; DHT, JPG and DAC lie among them.
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** ITU T.81, B: segments that each begin with a marker, from SOI to EOI or to an end amid the data of a scan. */
function readJpeg(view: DataView): Image | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null;
  let size = { width: 0, height: 0 };
  let hasScan = false;
  const imageUntil = (end: number): Image | null => (hasScan ? { format: 'jpeg', ...size, byteLength: end } : null);
  for (let at = 2; ;) {
    if (hasScan && at === view.byteLength) return imageUntil(at);
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
    } else if (marker === 0xd9) {
      return imageUntil(at + 2);
    } else if (isBare(marker)) {
      at += 2;
    } else {
      if (isFrame(marker)) {
        size = {
          width: Math.max(size.width, view.getUint16(at + 7)),
          height: Math.max(size.height, view.getUint16(at + 5)),
        };
      }
      const length = view.getUint16(at + 2);
      if (marker === 0x00 || marker === 0xd8 || length < 2) return null;
      at += 2 + length;
      if (marker === 0xda) {
        const end = endOfScan(view, at);
        hasScan ||= end > at;
        at = end;
      }
    }
  }
}

/** The next marker after compressed data, in which FF is followed by 00 and restart markers may stand, or the file's end. */
function endOfScan(view: DataView, from: number): number {
  for (let at = from; at + 1 < view.byteLength; at += 1) {
    const next = view.getUint8(at + 1);
    if (view.getUint8(at) === 0xff && next !== 0x00 && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return view.byteLength;
}

/** RFC 9649: a RIFF container of chunks; each picture, and the canvas around them, states its size. */
function readWebp(view: DataView): Image | null {
  if (view.byteLength < 20 || ascii(view, 0, 4) !== 'RIFF' || ascii(view, 8, 4) !== 'WEBP') return null;
  const length = view.getUint32(4, true);
  if (8 + length + (length % 2) !== view.byteLength && 8 + length !== view.byteLength) return null;
  const pictures = readWebpChunks(view, 12, view.byteLength, 'file');
  if (pictures === null || !pictures.hasPicture) return null;
  return { format: 'webp', width: pictures.width, height: pictures.height, byteLength: view.byteLength };
}

interface WebpPictures {
  hasPicture: boolean;
  width: number;
  height: number;
}

function readWebpChunks(view: DataView, from: number, to: number, inside: 'file' | 'frame'): WebpPictures | null {
  let all: WebpPictures = { hasPicture: false, width: 0, height: 0 };
  let at = from;
  while (at < to) {
    const type = ascii(view, at, 4);
    const length = view.getUint32(at + 4, true);
    const start = at + 8;
    if (start + length > to) return null;
    const isNestedFrame = type === 'ANMF' && inside === 'frame';
    const found = isNestedFrame ? null : readWebpChunk(view, type, start, start + length);
    if (found === null) return null;
    all = {
      hasPicture: all.hasPicture || found.hasPicture,
      width: Math.max(all.width, found.width),
      height: Math.max(all.height, found.height),
    };
    at = start + length + (length % 2);
  }
  return at === to || at === to + 1 ? all : null;
}

const nothing: WebpPictures = { hasPicture: false, width: 0, height: 0 };
const uint24 = (view: DataView, at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_0000;

function readWebpChunk(view: DataView, type: string, start: number, end: number): WebpPictures | null {
  switch (type) {
    case 'VP8X':
      return { hasPicture: false, width: 1 + uint24(view, start + 4), height: 1 + uint24(view, start + 7) };
    case 'VP8 ':
      // RFC 6386, 9.1: a key frame, its start code, then 14 bits for each side.
      if (end - start < 10 || (view.getUint8(start) & 1) !== 0 || uint24(view, start + 3) !== 0x2a019d) return null;
      return {
        hasPicture: true,
        width: view.getUint16(start + 6, true) & 0x3fff,
        height: view.getUint16(start + 8, true) & 0x3fff,
      };
    case 'VP8L': {
      if (end - start < 5 || view.getUint8(start) !== 0x2f) return null;
      const sides = view.getUint32(start + 1, true);
      return { hasPicture: true, width: 1 + (sides & 0x3fff), height: 1 + ((sides >>> 14) & 0x3fff) };
    }
    case 'ANMF':
      // A frame of an animation: 16 bytes of its own, then chunks.
      return readWebpChunks(view, start + 16, end, 'frame');
    default:
      return nothing;
  }
}
