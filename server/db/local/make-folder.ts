import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory();

/**
 * Makes a folder and the parents that it lacks, and answers the first that was made. Throws the system's own error where
 * that is not possible; Node's recursive mkdir goes round forever in folders that hold what nobody can make, such as /proc.
 * `mode` is the folder's own, before the umask; its parents may hold what others need.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<string | undefined> {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const folder of missing) {
    await mkdir(folder, folder === path ? mode : 0o777).catch((error: unknown) => {
      // Another portal may have made it at this moment.
      if (!isFolder(folder)) throw error;
    });
  }
  if (!isFolder(path)) throw new Error('this is not a folder');
  return missing[0];
}
