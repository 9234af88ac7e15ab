import { hash, randomUUID } from 'node:crypto';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, writeWhole } from '../settings/storage-files.ts';

/** The files under `Storage__UploadsPath` (startup rule 12). */
export interface Uploads {
  /** The bytes of an uploaded file, or null if there is none of that name. */
  find(name: string): Promise<Uint8Array | null>;
  /** Stores the bytes under a name derived from their content, and returns it. */
  keep(bytes: Uint8Array, extension: 'png' | 'jpg' | 'webp'): Promise<string>;
  /** Deletes every uploaded file except these. */
  deleteAllBut(names: readonly string[]): Promise<void>;
}

// Only files with such names are served or deleted.
const uploadName = /^logo-[0-9a-f]{32}\.(?:png|jpg|webp)$/;

/** Opens the folder, or creates it. Throws if it cannot be written. */
export async function openUploads(folder: string): Promise<Uploads> {
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
    async find(name) {
      if (!uploadName.test(name)) return null;
      return readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
    },
    async keep(bytes, extension) {
      const name = `logo-${hash('sha256', bytes).slice(0, 32)}.${extension}`;
      await writeWhole(folder, name, bytes, 0o644);
      return name;
    },
    async deleteAllBut(names) {
      for (const name of await readdir(folder)) {
        if (uploadName.test(name) && !names.includes(name)) await rm(join(folder, name), { force: true });
      }
    },
  };
}
