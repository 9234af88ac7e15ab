import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkZip } from '../../test/support/xlsx/zip.ts';
import { ZipWriter } from './zip-writer.ts';

const tooLarge = 'too large for a zip without Zip64';
const madeAtMs = Date.UTC(2026, 2, 10, 10, 20, 31);

/** The compressed bytes, and the most that came out at once. */
async function zipped(fill: (zip: ZipWriter) => Promise<void>, maxBytes?: number): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  const zip = new ZipWriter(async (bytes) => void pieces.push(Buffer.from(bytes)), madeAtMs, maxBytes);
  await fill(zip);
  return pieces;
}
const zip = async (entries: readonly (readonly [name: string, pieces: readonly string[]])[], maxBytes?: number) =>
  Buffer.concat(
    await zipped(async (writer) => {
      for (const [name, pieces] of entries) {
        await writer.begin(name);
        for (const piece of pieces) await writer.write(piece);
        await writer.end();
      }
      await writer.finish();
    }, maxBytes),
  );
const contents = (file: Buffer) => [...checkZip(file)].map(([name, bytes]) => [name, bytes.toString()]);

test('entries come out in order, each with its name in UTF-8 and its whole text', async () => {
  const entries = [
    ['[Content_Types].xml', ['<a/>']],
    ['empty.xml', []],
    ['nothing written.xml', ['', '']],
    ['xl/größe 漢字 😀.xml', ['ä', '', '😀', '\u0000']],
  ] as const;
  expect(contents(await zip(entries))).toEqual([
    ['[Content_Types].xml', '<a/>'],
    ['empty.xml', ''],
    ['nothing written.xml', ''],
    ['xl/größe 漢字 😀.xml', 'ä😀\u0000'],
  ]);
});

test('an archive without entries is valid', async () => {
  expect(contents(await zip([]))).toEqual([]);
});

test('a text of many blocks is one entry, in pieces no larger than a block', async () => {
  const line = (at: number) => `<row r="${at}"><c r="A${at}"><v>${Math.sin(at)}</v></c></row>`;
  const texts = Array.from({ length: 40_000 }, (_, at) => line(at));
  const pieces = await zipped(async (writer) => {
    await writer.begin('sheet.xml');
    for (const text of texts) await writer.write(text);
    await writer.end();
    await writer.finish();
  });
  expect(checkZip(Buffer.concat(pieces)).get('sheet.xml')?.toString()).toBe(texts.join(''));
  expect(pieces.length).toBeGreaterThan(10);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(128 * 1024);
});

test('data of an entry is sent when a block of it is full, not at its end', async () => {
  const left: Buffer[] = [];
  const writer = new ZipWriter(async (bytes) => void left.push(Buffer.from(bytes)), madeAtMs);
  await writer.begin('sheet.xml');
  const header = left.length;
  const leaving: number[] = [];
  for (let block = 0; block < 5; block += 1) {
    await writer.write('x'.repeat(128 * 1024));
    leaving.push(left.length - header);
  }
  expect(leaving).toEqual([1, 2, 3, 4, 5]);
});

test('it writes no faster than its bytes are read', async () => {
  let [waiting, isDone] = [0, false];
  let take = (): void => undefined;
  const writer = new ZipWriter(() => {
    waiting += 1;
    return new Promise((resolve) => {
      take = resolve;
    });
  }, madeAtMs);
  const writing = writer.add('a', 'text').then(() => {
    isDone = true;
  });
  // The local header, the bytes, the data descriptor and the central directory entry.
  for (const piece of [1, 2, 3, 4]) {
    await new Promise((resolve) => setImmediate(resolve));
    expect([waiting, isDone]).toEqual([piece, false]);
    take();
  }
  await writing;
});

test('any text in any pieces inflates to the same bytes', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 50 }),
    // Ends blocks, before and within a piece.
    fc.tuple(fc.constantFrom('a', 'ä', '漢', '😀'), fc.nat(70_000)).map(([unit, times]) => unit.repeat(times)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(text, { maxLength: 6 }), { maxLength: 3 }), async (texts) => {
      const packed = checkZip(await zip(texts.map((pieces, at) => [`part ${at}`, pieces])));
      expect([...packed.keys()]).toEqual(texts.map((_, at) => `part ${at}`));
      expect(
        [...packed.values()].map((bytes, at) => bytes.equals(Buffer.from(texts[at]?.join('') ?? ''))),
      ).not.toContain(false);
    }),
    { numRuns: 25 },
  );
});

test('every entry has the time of creation, in UTC, to two seconds', async () => {
  const file = await zip([['a', ['b']]]);
  const [time, date] = [file.readUInt16LE(10), file.readUInt16LE(12)];
  expect([date >> 9, (date >> 5) & 15, date & 31]).toEqual([2026 - 1980, 3, 10]);
  expect([time >> 11, (time >> 5) & 63, (time & 31) * 2]).toEqual([10, 20, 30]);
});

test('a zip without extensions holds 65,535 entries: one more is rejected', async () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, at) => [String(at), []] as const);
  const file = await zip(numbered(65_535));
  expect(file.readUInt16LE(file.length - 12)).toBe(65_535);
  await expect(zip(numbered(65_536))).rejects.toThrow('at most 65535 entries');
});

test.each([
  ['how long a text is', 1000, 'x'.repeat(1000), 'x'.repeat(1001)],
  ['how long it is packed', 100, 'x', Array.from({ length: 96 }, (_, at) => String.fromCharCode(33 + at)).join('')],
])('a value too large for a field is rejected as the entry ends: %s', async (_, maxBytes, fits, tooLong) => {
  expect(contents(await zip([['a', [fits]]], maxBytes))).toEqual([['a', fits]]);
  await expect(zipped((writer) => writer.add('a', tooLong), maxBytes)).rejects.toThrow(tooLarge);
});

test('a value too large for a field is rejected: where the directory begins', async () => {
  const one = [['a', ['y']]] as const;
  const file = await zip(one);
  const start = file.readUInt32LE(file.length - 6);
  expect(contents(await zip(one, start))).toEqual([['a', 'y']]);
  await expect(zip(one, start - 1)).rejects.toThrow(tooLarge);
});

test('a text without an entry is rejected', async () => {
  await expect(zipped((writer) => writer.write('x'.repeat(128 * 1024)))).rejects.toThrow('No entry');
  await expect(zipped((writer) => writer.end())).rejects.toThrow('No entry');
});
