import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findPostmaster, isAlive, parsePostmaster } from './data-folder.ts';

const contents = (pid: number | string) => `${pid}\n/data/database\n1700000000\n41234\n\n127.0.0.1\n  9 8\nready   \n`;

describe('postmaster.pid', () => {
  it('contains the process and the port', () => {
    expect(parsePostmaster(contents(4711))).toEqual({ pid: 4711, port: 41_234, isStopping: false });
  });

  it('shows whether the server is shutting down', () => {
    const stopping = contents(4711).replace('ready   ', 'stopping');
    expect(parsePostmaster(stopping)).toEqual({ pid: 4711, port: 41_234, isStopping: true });
  });

  it('has no port in the first moments of a start', () => {
    expect(parsePostmaster('4711\n/data/database\n')).toEqual({ pid: 4711, port: undefined, isStopping: false });
  });

  it.each(['', '\n', '-4711\n', 'nonsense\n'])('does not count if its first line is not a process id: %j', (text) => {
    expect(parsePostmaster(text)).toBeUndefined();
  });
});

describe('the living server of a cluster', () => {
  let folder: string;
  const file = () => join(folder, 'postmaster.pid');
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portal-postmaster-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('does not exist without the file', async () => {
    expect(await findPostmaster(folder)).toBeUndefined();
  });

  it('does not exist if its process has ended; the file is left to PostgreSQL', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => child.once('exit', resolve));
    await writeFile(file(), contents(String(child.pid)));
    expect(await findPostmaster(folder)).toBeUndefined();
    expect(await readFile(file(), 'utf8')).toContain('ready');
  });

  it('does not exist if another program has its process id; the file, which would stop PostgreSQL, is deleted', async () => {
    await writeFile(file(), contents(process.pid));
    expect(isAlive(process.pid)).toBe(true);
    expect(await findPostmaster(folder)).toBeUndefined();
    await expect(readFile(file(), 'utf8')).rejects.toThrow('ENOENT');
  });
});
