import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../db/local/make-folder.ts';
import { DomainError } from '../domain/errors.ts';
import { writeWhole } from './write-whole.ts';

/** Where the portal keeps files beside its database. */
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

/** Every file of the folders; drafts that are being written and what the portal cannot have put there are left out. */
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

/** Throws where a file of that name, but with other content, is there already. Changes nothing. */
export async function refuseOtherFiles(folders: StorageFolders, files: StoredFiles): Promise<void> {
  for (const { kind, setting } of kinds) {
    for (const [name, bytes] of filesOf(kind, files)) {
      const present = await readFile(join(folders[kind], name)).catch(onlyMissing);
      if (present === undefined || present.equals(bytes)) continue;
      throw new DomainError(
        'conflict',
        `${setting} (${folders[kind]}) has a file ${name} that is not the one of the backup. Move it away, then restore again.`,
      );
    }
  }
}

/** Puts the files into the folders, which are made if need be; each is there whole or not at all. */
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
