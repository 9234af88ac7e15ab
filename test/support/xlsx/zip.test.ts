import { expect, test } from 'vitest';
import { type TinyEntry, tinyZip } from './tiny-zip.ts';
import { checkZip } from './zip.ts';

const entries: readonly TinyEntry[] = [
  { name: 'a.xml', content: '<a/>'.repeat(50) },
  { name: 'größe/b.xml', content: '<b/>'.repeat(50), hasDescriptor: true },
  { name: 'c.bin', content: 'stored', isStored: true },
];
const archive = tinyZip(entries);
const directoryAt = archive.readUInt32LE(archive.length - 6);
const secondAt = archive.indexOf('größe') - 30;

/** The archive with some of its bytes replaced, or with others put between. */
function change(at: number, bytes: readonly number[], removed = bytes.length): Buffer {
  return Buffer.concat([archive.subarray(0, at), Buffer.from(bytes), archive.subarray(at + removed)]);
}

test('an archive gives its entries in order, deflated, stored and with descriptors', () => {
  const contents = [...checkZip(archive)].map(([name, bytes]) => ({ name, content: bytes.toString() }));
  expect(contents).toEqual(entries.map(({ name, content }) => ({ name, content })));
});

test('an empty archive and an empty entry are allowed', () => {
  expect(checkZip(tinyZip([])).size).toBe(0);
  expect(checkZip(tinyZip([{ name: 'empty', content: '' }])).get('empty')).toHaveLength(0);
});

test.each<[string, Buffer, RegExp]>([
  ['that is cut', archive.subarray(0, -1), /does not end with/u],
  ['with a byte after its end', Buffer.concat([archive, Buffer.alloc(1)]), /does not end with/u],
  ['with a byte before its directory', change(directoryAt, [0], 0), /the archive's end is at/u],
  ['with another checksum in header and directory', change(14, [1, 2, 3, 4]), /a\.xml has checksum and sizes/u],
  ['with a changed byte of data', change(directoryAt - 1, [0x21]), /c\.bin has the checksum/u],
  ['with another size in the directory', change(directoryAt + 24, [199]), /a\.xml has checksum and sizes/u],
  ['with another time in a header', change(10, [1]), /a\.xml has another time/u],
  ['with another method in a header', change(8, [0]), /a\.xml has another method/u],
  ['with an encrypted entry', change(directoryAt + 8, [1]), /flags 0x801/u],
  ['with another name in a header', change(30, [0x62]), /a\.xml of the directory is called b\.xml/u],
  ['with another descriptor', change(archive.indexOf('c.bin') - 30 - 4, [0]), /größe\/b\.xml has checksum and sizes/u],
  ['with one entry less than it says', change(archive.length - 14, [4, 0, 4, 0]), /3 entries, its end says 4/u],
  ['with one entry more than it says', change(archive.length - 14, [2, 0, 2, 0]), /belong to nobody/u],
  [
    'with an entry inside another',
    change(directoryAt + 46 + 5 + 42, [secondAt - 1]),
    /a\.xml reaches into what comes after it/u,
  ],
  ['with the same name twice', tinyZip([...entries, { name: 'A.XML', content: '' }]), /A\.XML is there twice/u],
  ['with an absolute name', tinyZip([{ name: '/a', content: '' }]), /absolute/u],
  ['with a name that leads out', tinyZip([{ name: 'x/../../a', content: '' }]), /ends with a dot/u],
  ['with a folder', tinyZip([{ name: 'x/', content: '' }]), /empty/u],
  [
    'with an entry that no stream can find the end of',
    tinyZip([{ name: 'a', content: 'a', isStored: true, hasDescriptor: true }]),
    /cannot find its end/u,
  ],
])('an archive %s is rejected', (_, bytes, message) => {
  expect(() => checkZip(bytes)).toThrow(message);
});

test('rejects bytes between two entries, and after the last block of one', () => {
  const [first] = entries;
  if (first === undefined) throw new Error('There is no entry.');
  const alone = tinyZip([first]);
  const at = alone.readUInt32LE(alone.length - 6);
  const longer = Buffer.concat([alone.subarray(0, at), Buffer.alloc(1), alone.subarray(at)]);
  longer.writeUInt32LE(at + 1, longer.length - 6);
  expect(() => checkZip(longer)).toThrow('1 bytes before the directory belong to nobody.');
  const size = alone.readUInt32LE(18) + 1;
  longer.writeUInt32LE(size, 18);
  longer.writeUInt32LE(size, at + 1 + 20);
  expect(() => checkZip(longer)).toThrow(/a\.xml cannot be inflated .* the data end after/u);
});
