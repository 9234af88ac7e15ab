import { limiterOf } from '../base/budgets.ts';
import { refuse } from '../base/errors.ts';

export interface Logo {
  bytes: Uint8Array;
  extension: 'png' | 'jpg' | 'webp';
}

const maxSeconds = 10;
// An image of few colors may grow when it is written again, by far less than this.
const maxWrittenBytes = 8 * 1024 * 1024;
const extensionOf = new Map<string, Logo['extension']>([
  ['png', 'png'],
  ['jpeg', 'jpg'],
  ['webp', 'webp'],
]);

/** Loaded with the first logo, because few portals ever need it, and it takes 10 MiB. */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  // Only the three decoders may run, whatever format a file claims to have.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
  });
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

const logos = limiterOf('logos');

/**
 * Decodes an image and writes it again in its format: its first frame, turned as its metadata says, and nothing else that was in
 * the file. Throws `invalid` if it is not a complete PNG, JPEG or WebP image, or is more than `maxPixels` wide or high.
 */
export async function rewriteLogo(bytes: Uint8Array, maxPixels: number): Promise<Logo> {
  return logos.run(async () => {
    if (bytes.length === 0) return refuseImage();
    const sharp = await loadSharp();
    // This reads only the header.
    const { format, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata().catch(refuseImage);
    const extension = extensionOf.get(format);
    if (extension === undefined) return refuseImage();
    if (width > maxPixels || height > maxPixels) {
      throw refuse('logoPixels', { width, height, maxWidth: maxPixels, maxHeight: maxPixels });
    }
    const written = await sharp(bytes, { limitInputPixels: maxPixels ** 2, failOn: 'error' })
      .autoOrient()
      .timeout({ seconds: maxSeconds })
      .png({ compressionLevel: 9 })
      .jpeg({ quality: 92 })
      .webp({ quality: 92, lossless: Buffer.from(bytes).includes('VP8L') })
      .toFormat(format)
      .toBuffer()
      .catch(refuseImage);
    if (written.length > maxWrittenBytes) {
      throw refuse('logoUnpacked');
    }
    return { bytes: written, extension };
  });
}

function refuseImage(): never {
  throw refuse('notAnImage');
}
