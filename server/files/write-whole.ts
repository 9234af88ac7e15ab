import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a file that appears complete or not at all, even after a crash. */
export async function writeWhole(folder: string, name: string, bytes: Uint8Array, mode: number): Promise<void> {
  const draft = join(folder, `.draft-${randomUUID()}`);
  try {
    {
      await using handle = await open(draft, 'wx', mode);
      await handle.writeFile(bytes);
      await handle.sync();
    }
    await rename(draft, join(folder, name));
  } finally {
    await rm(draft, { force: true });
  }
}
