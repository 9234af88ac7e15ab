import { hash, randomUUID } from 'node:crypto';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { maxLogoPixels } from '../../shared/app.ts';
import { makeFolder, writeWhole } from '../settings/storage-files.ts';
import { limiterOf } from '../base/budgets.ts';
import { refuse } from '../base/errors.ts';

/** The files under `Storage__UploadsPath` (startup rule 12). */
export type Uploads = Awaited<ReturnType<typeof openUploads>>;

// Only files with such names are served or deleted.
const uploadName = /^logo-[0-9a-f]{32}\.(?:png|jpg|webp)$/;

/** Opens the folder, or creates it. Throws if it cannot be written. */
export async function openUploads(folder: string) {
  try {
    await makeFolder(folder);
    const probe = join(folder, `.draft-${randomUUID()}`);
    await (await open(probe, 'wx')).close();
    await rm(probe);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Storage__UploadsPath: logos cannot be kept in ${folder}: ${reason}`, { cause: error });
  }

  return {
    /** The bytes of an uploaded file, or null if there is none of that name. */
    async find(name: string): Promise<Uint8Array | null> {
      if (!uploadName.test(name)) return null;
      return readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
    },
    /** Stores the bytes under a name derived from their content, and returns it. */
    async keep({ bytes, extension }: Logo): Promise<string> {
      const name = `logo-${hash('sha256', bytes).slice(0, 32)}.${extension}`;
      await writeWhole(folder, name, bytes, 0o644);
      return name;
    },
    /** Deletes every uploaded file except these. */
    async deleteAllBut(names: readonly string[]): Promise<void> {
      for (const name of await readdir(folder)) {
        if (uploadName.test(name) && !names.includes(name)) await rm(join(folder, name), { force: true });
      }
    },
  };
}

interface Logo {
  bytes: Uint8Array;
  extension: 'png' | 'jpg' | 'webp';
}

const maxSeconds = 10;
// An image with few colors may grow when it is rewritten, but by far less than this.
const maxWrittenBytes = 8 * 1024 * 1024;
const extensionOf = new Map<string, Logo['extension']>([
  ['png', 'png'],
  ['jpeg', 'jpg'],
  ['webp', 'webp'],
]);

/** Loaded with the first logo, because few portals ever need it, and it takes 10 MiB. */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  // Only these three decoders may run, whatever format a file claims to have.
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
 * Decodes an image and rewrites it in its own format. Only the first frame is kept, turned as its metadata says, and nothing
 * else of the file. Throws `invalid` if the file is not a complete PNG, JPEG or WebP image, or if the image is too wide or
 * high.
 */
export async function rewriteLogo(bytes: Uint8Array): Promise<Logo> {
  return logos.run(async () => {
    if (bytes.length === 0) return refuseImage();
    const sharp = await loadSharp();
    // This reads only the header.
    const { format, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata().catch(refuseImage);
    const extension = extensionOf.get(format);
    if (extension === undefined) return refuseImage();
    if (width > maxLogoPixels || height > maxLogoPixels) {
      throw refuse('logoPixels', { width, height, maxWidth: maxLogoPixels, maxHeight: maxLogoPixels });
    }
    const written = await sharp(bytes, { limitInputPixels: maxLogoPixels ** 2, failOn: 'error' })
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
