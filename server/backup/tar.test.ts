import { execFileSync } from 'node:child_process';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTar, tarBlocks, tarEnd, type TarFile } from './tar.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-tar-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const files: TarFile[] = [0, 1, 511, 512, 513, 100_000].map((size) => ({
  name: `tables/monitoring.devices/${String(size).padStart(6, '0')}.copy.gz`,
  bytes: Buffer.alloc(size, 'x'),
}));

async function read(path: string): Promise<TarFile[]> {
  await using handle = await open(path);
  const found: TarFile[] = [];
  for await (const file of readTar(handle)) found.push(file);
  return found;
}

test('files of any length come out unchanged', async () => {
  const path = join(folder, 'ours.tar');
  await writeFile(path, Buffer.concat([...files.flatMap((file) => tarBlocks(file, 1_800_000_000)), tarEnd]));
  expect(await read(path)).toEqual(files);
  expect(execFileSync('tar', ['tf', path], { encoding: 'utf8' }).trim().split('\n')).toEqual(
    files.map(({ name }) => name),
  );
});

test('archives of other tar programs are readable', async () => {
  await writeFile(join(folder, 'one.txt'), 'one');
  const path = join(folder, 'theirs.tar');
  execFileSync('tar', ['cf', path, '-C', folder, 'one.txt']);
  expect(await read(path)).toEqual([{ name: 'one.txt', bytes: Buffer.from('one') }]);
});

test('a name that does not fit is rejected on writing', () => {
  expect(() => tarBlocks({ name: 'x'.repeat(101), bytes: Buffer.alloc(0) }, 0)).toThrow('too long');
});

test.each(['-0000002000', '77777777777', 'nonsense   '])(
  'a size of %s is rejected without reading further',
  async (size) => {
    const [header = Buffer.alloc(0)] = tarBlocks({ name: 'a', bytes: Buffer.alloc(0) }, 0);
    header.write(size, 124);
    header.write('5', 156);
    header.fill(0x20, 148, 156);
    const sum = header.reduce((all, byte) => all + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148);
    const path = join(folder, 'hostile.tar');
    await writeFile(path, Buffer.concat([header, header, tarEnd]));
    await expect(read(path)).rejects.toThrow('has a size that none of a backup has');
  },
);
