import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runProgram } from '../../test/support/xlsx/run-program.ts';
import { directly, exportFormats, exportParts, rowsPart } from '../../test/support/xlsx/export-parts.ts';
import { properties } from '../../test/support/xlsx/written-file.ts';
import { ExportFile } from './export-file.ts';

const nobodyReads = 'The client no longer reads the file.';

/** What a reader of a file sees: its bytes until the end, or why it did not end. */
async function take(file: ExportFile): Promise<{ bytes: number; isWhole: boolean; error: unknown }> {
  let bytes = 0;
  let isWhole = false;
  file.output.once('end', () => {
    isWhole = true;
  });
  file.output.on('data', (piece: Buffer) => {
    bytes += piece.length;
  });
  const error = await new Promise((resolve) => {
    file.output.once('error', resolve);
    file.output.once('close', () => resolve(undefined));
  });
  return { bytes, isWhole, error };
}

/** Sends rows until they are rejected, and returns the reason. */
async function sendUntilRefused(file: ExportFile): Promise<unknown> {
  try {
    for (const part of exportParts('csv', 0, 0)) await file.send(part);
    for (let seed = 0; seed < 1000; seed += 1) await file.send(rowsPart(seed, 5000));
  } catch (error) {
    return error;
  }
  return undefined;
}

async function expectNextFile(): Promise<void> {
  for (const format of exportFormats) {
    const file = new ExportFile({ format, properties });
    const sending = (async () => {
      for (const part of [...exportParts(format, 9, 3), { kind: 'end' } as const]) await file.send(part);
    })();
    const [bytes] = await Promise.all([buffer(file.output), sending]);
    expect(bytes.equals(await directly(format, exportParts(format, 9, 3)))).toBe(true);
  }
}

test.each(exportFormats)(
  '%s: a reader that disconnects ends the sending, and the next file is complete',
  async (format) => {
    const file = new ExportFile({ format, properties });
    file.output.once('data', () => file.output.destroy());
    expect(await sendUntilRefused(file)).toEqual(new Error(nobodyReads));
    await expect(file.send({ kind: 'end' })).rejects.toThrow(nobodyReads);
    await expectNextFile();
  },
);

test.each([false, true])(
  'a reader that disconnects without having read frees a waiting sender (gzip %s)',
  async (isGzip) => {
    const file = new ExportFile({ format: 'csv', isGzip, properties });
    const sending = sendUntilRefused(file);
    await sleep(300);
    file.output.destroy();
    expect(await sending).toEqual(new Error(nobodyReads));
    await expectNextFile();
  },
);

test('a reader may disconnect before anything was sent', async () => {
  const file = new ExportFile({ format: 'xlsx', properties });
  file.output.destroy();
  await expect(file.send({ kind: 'end' })).rejects.toThrow(nobodyReads);
  await expectNextFile();
});

test("the sender gets the error that broke the reader's connection", async () => {
  const file = new ExportFile({ format: 'csv', properties });
  const sending = sendUntilRefused(file);
  file.output.destroy(new Error('The line is cut.'));
  expect(await sending).toEqual(new Error('The line is cut.'));
});

test.each(exportFormats)('%s: an error in the middle breaks the stream with it, and never ends it', async (format) => {
  const file = new ExportFile({ format, properties });
  const taking = take(file);
  for (const part of exportParts(format, 1, 8).slice(0, 9)) await file.send(part);
  file.fail(new Error('The database is gone.'));
  const taken = await taking;
  expect(taken).toMatchObject({ isWhole: false, error: new Error('The database is gone.') });
  expect(taken.bytes).toBeGreaterThan(0);
  await expect(file.send({ kind: 'end' })).rejects.toThrow('The database is gone.');
  // Parts that the thread still had in transit do not end it either.
  await sleep(100);
  expect(file.output.readableEnded).toBe(false);
  await expectNextFile();
});

test('an error frees a sender that waits for its reader', async () => {
  const file = new ExportFile({ format: 'csv', properties });
  const sending = sendUntilRefused(file);
  await sleep(300);
  file.fail(new Error('It took too long.'));
  expect(await sending).toEqual(new Error('It took too long.'));
});

test.each([
  ['xlsx', false, rowsPart(1, 10), 'No sheet of the workbook is open.'],
  ['csv', false, { kind: 'rows', rows: [['x']] }, 'A plain format cannot hold a rows.'],
  ['ndjson', true, { kind: 'rows', rows: [['x']] }, 'A plain format cannot hold a rows.'],
] as const)(
  '%s (gzip %s): a row that the thread cannot write breaks the file',
  async (format, isGzip, part, message) => {
    const file = new ExportFile({ format, isGzip, properties });
    const taking = take(file);
    const sending = (async () => {
      await file.send(part);
      await file.send({ kind: 'end' });
    })();
    // The sender may already have finished; the reader never takes the file for complete.
    const [taken, sent] = await Promise.all([taking, Promise.allSettled([sending])]);
    expect(taken).toMatchObject({
      isWhole: false,
      error: expect.objectContaining({ message: expect.stringContaining(message) }),
    });
    expect(sent[0]).toMatchObject({ status: 'rejected', reason: taken.error });
    await expect(file.send({ kind: 'end' })).rejects.toThrow(message);
    await expectNextFile();
  },
);

test('a complete file stays complete, whatever its sender reports afterwards', async () => {
  const file = new ExportFile({ format: 'csv', properties });
  for (const part of [...exportParts('csv', 1, 1, 10), { kind: 'end' } as const]) await file.send(part);
  const plain = await directly('csv', exportParts('csv', 1, 1, 10));
  while (file.output.readableLength < plain.length) await sleep(10);
  // The message that everything is written comes after the bytes.
  await sleep(200);
  file.fail(new Error('Too late.'));
  expect((await buffer(file.output)).equals(plain)).toBe(true);
});

async function inOtherProcess(script: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-export-'));
  try {
    const path = join(folder, 'script.mjs');
    const head = `import { ExportFile } from ${JSON.stringify(new URL('export-file.ts', import.meta.url).href)};
      const properties = { title: '', creator: '', madeAtMs: 0 };
      const column = { header: 'Text', field: 'text', format: { kind: 'text' } };`;
    await writeFile(path, head + script);
    return await runProgram(process.execPath, [path], 50_000);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('a process stays until its file is written, but not for the thread that waits for the next', async () => {
  const started = performance.now();
  const printed = await inOtherProcess(`
    const file = new ExportFile({ format: 'csv', properties });
    const sheet = { name: 'S', columns: [{ ...column, texts: ['x'.repeat(1000)] }] };
    const send = async () => {
      await file.send({ kind: 'sheet', sheet, rowCount: 5000 });
      for (let part = 0; part < 5; part += 1) await file.send({ kind: 'columns', columns: [new Float64Array(1000)] });
      await file.send({ kind: 'end' });
    };
    let bytes = 0;
    file.output.on('data', (piece) => { bytes += piece.length; });
    file.output.on('end', () => process.stdout.write(String(bytes)));
    void send();`);
  expect(printed).toBe(String('text\r\n'.length + 5000 * 1002));
  // The thread is kept for half a minute.
  expect(performance.now() - started).toBeLessThan(25_000);
});

test('a thread that runs out of memory breaks its file; the next one is written by another', async () => {
  const printed = await inOtherProcess(`
    const read = async (file, parts) => {
      const sending = (async () => { for await (const part of parts) await file.send(part); })();
      sending.catch(() => undefined);
      let bytes = 0;
      for await (const piece of file.output) bytes += piece.length;
      return sending.then(() => bytes);
    };
    const sheet = { kind: 'sheet', sheet: { name: 'S', columns: [{ ...column, texts: ['x'] }] }, rowCount: 3 };
    const texts = async function* () {
      yield sheet;
      for (let at = 0; ; at += 1) yield { kind: 'rows', rows: Array.from({ length: 300 }, (_, row) => [at + '-' + row + 'x'.repeat(15000)]) };
    };
    const first = await read(new ExportFile({ format: 'xlsx', properties }), texts()).catch((error) => error.message);
    const rows = { kind: 'columns', columns: [new Float64Array(3)] };
    const next = await read(new ExportFile({ format: 'csv', properties }), [sheet, rows, { kind: 'end' }]);
    process.stdout.write(JSON.stringify([first, next]));`);
  expect(JSON.parse(printed)).toEqual(['The export thread has ended.', 'text\r\nx\r\nx\r\nx\r\n'.length]);
});
