import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';

// Far more than any secret, yet harmless if a wrong file is named.
const maxBytes = 64 * 1024;

export type SecretFile = { value: string } | { problem: string };

/** The secret in a file, without the newline that editors and `echo` append; or what is wrong with the file. */
export function readSecretFile(path: string, workingFolder: string): SecretFile {
  // Somebody may have written the secret itself in place of the path.
  const named = isAbsolute(path) ? ` ${path}` : ' a file';
  try {
    // Opening a pipe would wait for somebody who writes into it.
    const file = openSync(resolve(workingFolder, path), constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return readOpened(file, named);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT' || code === 'ENOTDIR') return { problem: `names${named}, which does not exist.` };
    return { problem: `names${named}, which the portal cannot read (${code}).` };
  }
}

function readOpened(file: number, named: string): SecretFile {
  if (!fstatSync(file).isFile()) {
    return { problem: `names${named}, which is a folder or a device; it takes a file that holds the secret.` };
  }
  const bytes = Buffer.alloc(maxBytes + 1);
  const length = readSync(file, bytes);
  if (length > maxBytes) return { problem: `names${named}, which holds more than ${maxBytes} bytes.` };
  const value = bytes.toString('utf8', 0, length).replace(/\r?\n$/, '');
  if (value.trim() === '') return { problem: `names${named}, which is empty.` };
  if (/[\0\uFFFD]/.test(value)) return { problem: `names${named}, which is not a text in UTF-8.` };
  return { value };
}
