import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refuse } from '../base/errors.ts';
import { readJsonList } from './json-list.ts';

/** Reads a body that arrives in chunks of this size, a few bytes at a time. */
async function read(body: string | Buffer, { chunkBytes = 7, maxEntries = 1_000, bytesAtOnce = 16 } = {}) {
  const bytes = Buffer.from(body);
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  };
  const entries: unknown[] = [];
  for await (const part of readJsonList(chunks(), maxEntries, bytesAtOnce)) entries.push(...part.entries);
  return entries;
}

const isJson = (text: string) => {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
};

/** Entries that contain what looks like the end of an entry. */
const misleading = fc.constantFrom({ a: { b: {} }, c: 1 }, { a: '"},{', b: '\\"},' }, [{}, {}], {
  a: [{}, { b: '},{' }, 1],
});

test('a list is read as JSON.parse reads it, wherever it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.jsonValue(), misleading), { maxLength: 12 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(0, 1, 2),
      async (list, chunkBytes, bytesAtOnce, indent) => {
        const text = JSON.stringify(list, null, indent);
        expect(await read(text, { chunkBytes, bytesAtOnce })).toEqual(JSON.parse(text));
      },
    ),
    { numRuns: 300 },
  );
});

test('a body that is not a JSON list is rejected, wherever it is cut, and no other body', async () => {
  const alphabet = fc.constantFrom('[', ']', '{', '}', ',', '"', '\\', ':', '1', 'a', ' ', '{}', '"b"');
  await fc.assert(
    fc.asyncProperty(
      fc.array(alphabet, { maxLength: 10 }),
      fc.integer({ min: 1, max: 5 }),
      async (parts, bytesAtOnce) => {
        for (const text of [parts.join(''), `[${parts.join('')}]`]) {
          const outcome = await read(text, { bytesAtOnce }).catch((error: unknown) => error);
          if (isJson(text)) expect(outcome).toEqual(JSON.parse(text));
          else expect(outcome).toMatchObject({ kind: 'invalid' });
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

test('a byte order mark and white space around the list are harmless', async () => {
  expect(await read('\ufeff \n[1, 2] \r\n')).toEqual([1, 2]);
});

test('bytes that are not UTF-8 are rejected', async () => {
  const body = Buffer.concat([Buffer.from('["'), Buffer.from([0xff]), Buffer.from('"]')]);
  await expect(read(body)).rejects.toThrow('not UTF-8');
});

test('more entries than accepted are counted to the end, and reported with the limit', async () => {
  const refusal = refuse('manyRowsAtOnce', { count: 5, max: 3 });
  await expect(read('[{},{},{},{},{}]', { maxEntries: 3 })).rejects.toThrow(refusal);
  expect(await read('[{},{},{}]', { maxEntries: 3 })).toHaveLength(3);
});

test('one entry may have 256 KiB', async () => {
  const options = { chunkBytes: 65_536, bytesAtOnce: 65_536 };
  expect(await read(`[1,{"a":"${'x'.repeat(200_000)}"}]`, options)).toHaveLength(2);
  await expect(read(`[1,{"a":[${'{},'.repeat(200_000)}{}]}]`, options)).rejects.toThrow(
    /^Entry 1 of the body is larger than 262144 bytes/,
  );
});
