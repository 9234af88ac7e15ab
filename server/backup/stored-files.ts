import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, writeWhole } from '../settings/storage-files.ts';

/** The folders of files beside the database. */
export interface StorageFolders {
  /** `Storage__KeysPath`. */
  keys: string;
  /** `Storage__UploadsPath`. */
  uploads: string;
}

/** Bytes by name, such as `keys/session-2026-03-01.key`. */
export type StoredFiles = Map<string, Buffer>;

const kinds = [
  { kind: 'keys', setting: 'Storage__KeysPath', folderMode: 0o700, fileMode: 0o600 },
  { kind: 'uploads', setting: 'Storage__UploadsPath', folderMode: 0o755, fileMode: 0o644 },
] as const;
export const storedFileName = /^(?:keys|uploads)\/[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/;

/** All files of the portal in the folders, without drafts and foreign files. */
export async function readStoredFiles(folders: StorageFolders): Promise<StoredFiles> {
  const files: StoredFiles = new Map();
  for (const { kind } of kinds) {
    const entries = await readdir(folders[kind], { withFileTypes: true }).catch(onlyMissing);
    for (const entry of entries ?? []) {
      const name = `${kind}/${entry.name}`;
      if (!entry.isFile() || !storedFileName.test(name)) continue;
      const bytes = await readFile(join(folders[kind], entry.name)).catch(onlyMissing);
      if (bytes !== undefined) files.set(name, bytes);
    }
  }
  return files;
}

/** Throws if a file of that name exists with other content. Changes nothing. */
export async function refuseOtherFiles(folders: StorageFolders, files: StoredFiles): Promise<void> {
  for (const { kind, setting } of kinds) {
    for (const [name, bytes] of filesOf(kind, files)) {
      const present = await readFile(join(folders[kind], name)).catch(onlyMissing);
      if (present === undefined || present.equals(bytes)) continue;
      throw new Error(
        `${setting} (${folders[kind]}) has a file ${name} that differs from the one in the backup. Move it away, then restore again.`,
      );
    }
  }
}

/** Writes the files into the folders, which are created if needed; each file appears complete or not at all. */
export async function putStoredFiles(folders: StorageFolders, files: StoredFiles): Promise<void> {
  for (const { kind, folderMode, fileMode } of kinds) {
    const wanted = filesOf(kind, files);
    if (wanted.length > 0) await makeFolder(folders[kind], folderMode);
    for (const [name, bytes] of wanted) await writeWhole(folders[kind], name, bytes, fileMode);
  }
}

function filesOf(kind: string, files: StoredFiles): [string, Buffer][] {
  return [...files]
    .filter(([name]) => name.startsWith(`${kind}/`))
    .map(([name, bytes]) => [name.slice(kind.length + 1), bytes]);
}

function onlyMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
