import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory();

/**
 * Creates a folder and missing parents, and returns the first one created. Throws the system's error if that fails; Node's
 * recursive mkdir loops forever in folders in which nothing can be created, such as /proc. `mode` (before the umask) applies only
 * to the folder itself, because others may need its parents.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<string | undefined> {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const folder of missing) {
    await mkdir(folder, folder === path ? mode : 0o777).catch((error: unknown) => {
      // Another portal may have created it at the same time.
      if (!isFolder(folder)) throw error;
    });
  }
  if (!isFolder(path)) throw new Error('this is not a folder');
  return missing[0];
}

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
