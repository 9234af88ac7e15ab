import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { directly, exportFormats, exportParts, type Format } from '../../test/support/xlsx/export-parts.ts';
import { properties } from '../../test/support/xlsx/written-file.ts';
import { ExportFile } from './export-file.ts';
import type { Part } from './sheet.ts';

async function sendAll(file: ExportFile, parts: readonly Part[], onSent: () => void = () => undefined): Promise<void> {
  for (const part of [...parts, { kind: 'end' } as const]) {
    await file.send(part);
    onSent();
  }
}

/** Resolves once a file that nobody reads has as many bytes in transit as allowed, and `sent` stays the same. */
async function standStill(file: ExportFile, sent: () => number): Promise<number> {
  while (file.output.readableLength <= 256 * 1024) await sleep(20);
  for (let before = -1; before !== sent();) {
    before = sent();
    await sleep(200);
  }
  return sent();
}

test.each(exportFormats)('%s: the thread produces what the writer does, byte by byte', async (format) => {
  const file = new ExportFile({ format, properties });
  const [bytes] = await Promise.all([buffer(file.output), sendAll(file, exportParts(format, 1, 12))]);
  expect(bytes.equals(await directly(format, exportParts(format, 1, 12)))).toBe(true);
  expect(file.output.errored).toBeNull();
});

test.each(exportFormats)('%s: a file of a few rows is complete too', async (format) => {
  const file = new ExportFile({ format, properties });
  const [bytes] = await Promise.all([buffer(file.output), sendAll(file, exportParts(format, 1, 1, 1))]);
  expect(bytes.equals(await directly(format, exportParts(format, 1, 1, 1)))).toBe(true);
});

test.each<[Format, number]>([
  ['csv', 0],
  ['csv', 12],
  ['ndjson', 0],
  ['ndjson', 12],
])('%s with gzip on the wire, %i parts: inflates to the plain file', async (format, parts) => {
  const file = new ExportFile({ format, isGzip: true, properties });
  const [bytes] = await Promise.all([buffer(file.output), sendAll(file, exportParts(format, 2, parts))]);
  const plain = await directly(format, exportParts(format, 2, parts));
  expect(gunzipSync(bytes).equals(plain)).toBe(true);
  if (parts > 0) expect(bytes.length).toBeLessThan(plain.length);
});

test('the first bytes of a workbook are sent before its first rows are known', async () => {
  const file = new ExportFile({ format: 'xlsx', properties });
  const first = await new Promise<Buffer>((resolve) => file.output.once('data', resolve));
  expect(first.length).toBeGreaterThan(500);
  expect(first.equals((await directly('xlsx', [])).subarray(0, first.length))).toBe(true);
  file.output.destroy();
});

const manyParts = 40;
test.each<[Format, boolean]>([
  ['xlsx', false],
  ['csv', false],
  ['csv', true],
  ['ndjson', false],
])('%s (gzip %s): rows are read no faster than the file is', async (format, isGzip) => {
  const file = new ExportFile({ format, isGzip, properties });
  let sent = 0;
  const sending = sendAll(file, exportParts(format, 3, manyParts, 2000), () => {
    sent += 1;
  });
  // Nobody reads: a few parts and a few hundred kilobytes are in transit, then it stops.
  const atFirst = await standStill(file, () => sent);
  expect(atFirst).toBeGreaterThan(0);
  expect(atFirst).toBeLessThan(manyParts / 2);
  expect(file.output.readableLength).toBeLessThan(512 * 1024);
  // Someone reads the available bytes once: it continues, and stops again.
  const pieces: unknown[] = [];
  for (let left = file.output.readableLength; left > 0; left = file.output.readableLength)
    pieces.push(file.output.read());
  const later = await standStill(file, () => sent);
  expect(later).toBeGreaterThan(atFirst);
  expect(later).toBeLessThan(manyParts);
  expect(file.output.readableLength).toBeLessThan(512 * 1024);
  const [rest] = await Promise.all([buffer(file.output), sending]);
  const bytes = Buffer.concat([...pieces.filter((piece) => Buffer.isBuffer(piece)), rest]);
  const plain = await directly(format, exportParts(format, 3, manyParts, 2000));
  expect((isGzip ? gunzipSync(bytes) : bytes).equals(plain)).toBe(true);
});

test('several files at once: each is independent, at the speed of its reader', async () => {
  const wanted = [...exportFormats, ...exportFormats, ...exportFormats];
  const files = await Promise.all(
    wanted.map(async (format, seed) => {
      const file = new ExportFile({ format, properties });
      const sending = sendAll(file, exportParts(format, seed, 4 + seed, 2000));
      const pieces: Buffer[] = [];
      for await (const piece of file.output) {
        if (Buffer.isBuffer(piece)) pieces.push(piece);
        if (seed % 3 === 0) await sleep(5);
      }
      await sending;
      return Buffer.concat(pieces);
    }),
  );
  for (const [seed, format] of wanted.entries()) {
    expect(files[seed]?.equals(await directly(format, exportParts(format, seed, 4 + seed, 2000)))).toBe(true);
  }
});

test('a file that nobody reads does not hold up the others', async () => {
  const unread = new ExportFile({ format: 'xlsx', properties });
  let sent = 0;
  const sending = sendAll(unread, exportParts('xlsx', 4, manyParts, 2000), () => {
    sent += 1;
  });
  const stopped = await standStill(unread, () => sent);
  const file = new ExportFile({ format: 'csv', properties });
  const [bytes] = await Promise.all([buffer(file.output), sendAll(file, exportParts('csv', 5, 8))]);
  expect(bytes.equals(await directly('csv', exportParts('csv', 5, 8)))).toBe(true);
  expect(sent).toBe(stopped);
  unread.output.destroy();
  await expect(sending).rejects.toThrow('The client no longer reads the file.');
});

test('a column of the sent rows is empty: it was transferred, not copied', async () => {
  const file = new ExportFile({ format: 'csv', properties });
  const parts = exportParts('csv', 6, 1);
  const [bytes] = await Promise.all([buffer(file.output), sendAll(file, parts)]);
  expect(bytes.length).toBeGreaterThan(0);
  expect(parts.flatMap((part) => (part.kind === 'columns' ? part.columns.map(({ length }) => length) : []))).toEqual([
    0, 0, 0,
  ]);
});
