import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countRows, cutAtRows } from './archive.ts';

const row = fc.string({ unit: fc.constantFrom('a', '\t', '\\n', 'ä', '2026-03-01'), maxLength: 20 });

async function* chunksOf(text: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield text.subarray(at, at + size);
    at += size;
  }
}

test('COPY text in any chunks becomes parts of whole rows, in order and complete', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 60 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
      fc.integer({ min: 1, max: 200 }),
      async (rows, sizes, partBytes) => {
        const text = Buffer.from(rows.map((line) => `${line}\n`).join(''));
        const parts: Buffer[] = [];
        for await (const part of cutAtRows(chunksOf(text, sizes), partBytes)) parts.push(part);
        expect(Buffer.concat(parts).equals(text)).toBe(true);
        for (const part of parts) expect(part.at(-1)).toBe(0x0a);
        expect(parts.reduce((sum, part) => sum + countRows(part), 0)).toBe(rows.length);
      },
    ),
  ));

test('the months of the first column are collected, each once', () => {
  const months = new Set<string>();
  const times = [
    '2026-03-31 23:59:59.9+00',
    '2026-04-01 00:00:00+00',
    '2026-03-01 00:00:00+00',
    '2025-03-01 00:00:00+00',
  ];
  expect(countRows(Buffer.from(times.map((time) => `${time}\t1\t2026-12\n`).join('')), months)).toBe(4);
  expect([...months]).toEqual(['2026-03', '2026-04', '2025-03']);
});
