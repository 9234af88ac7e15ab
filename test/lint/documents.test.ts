import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const documents = files.filter((file) => file.endsWith('.md'));
const records = documents.filter((file) => file.startsWith('docs/adr/'));
const numberOf = (record: string) => Number(basename(record).slice(0, 4));

/** The relative links of a document that lead nowhere. */
const deadLinks = (file: string, text: string) =>
  [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)(?:#[^)]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !existsSync(join(root, dirname(file), target)));

/** The numbers of the ADRs that a text mentions, such as "ADR 3", "ADRs 3, 4" or "docs/adr/0003". */
const mentions = (text: string) =>
  [...text.matchAll(/\bADRs? (\d+(?:(?:, | and )\d+)*)|\badr\/(\d{4}(?:, \d{4})*)/g)].flatMap(
    ([, plain = '', paths = '']) => (plain + paths).match(/\d+/g)?.map(Number) ?? [],
  );

test('every relative link of a document leads to a file', () => {
  expect(documents.flatMap((file) => deadLinks(file, read(file)).map((target) => `${file}: ${target}`))).toEqual([]);
});

/** Names of source files in a document, such as `energy/clip-days.ts`, that no file ends with. */
const lostFiles = (text: string, known: readonly string[]) =>
  [...text.matchAll(/`([\w.][\w./-]*\.(?:m?[jt]sx?|sql|ya?ml))`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !known.some((file) => `/${file}`.endsWith(`/${path}`)));

test('every source file that a document names exists', () => {
  const lost = documents.flatMap((file) => lostFiles(read(file), files).map((path) => `${file}: ${path}`));
  expect(lost).toEqual([]);
  expect(lostFiles('`energy/clip-days.ts`, `days.ts` and `gone.sql.ts`', ['server/energy/clip-days.ts'])).toEqual([
    'days.ts',
    'gone.sql.ts',
  ]);
});

test('every ADR that a file mentions exists', () => {
  const known = new Set(records.map(numberOf));
  const texts = files.filter(
    (file) => /\.(md|[cm]?[jt]sx?|json|sql|ya?ml|sh|css|html)$/.test(file) && file !== 'package-lock.json',
  );
  const own = 'test/lint/documents.test.ts';
  const dead = texts
    .filter((file) => file !== own)
    .flatMap((file) =>
      mentions(read(file))
        .filter((number) => !known.has(number))
        .map((number) => `${file}: ADR ${number}`),
    );
  expect(dead).toEqual([]);
});

test('dead links and mentions are found', () => {
  expect(deadLinks('docs/api.md', '[a](adr/0000-none.md) [b](../README.md) [c](https://example.com) [d](#e)')).toEqual([
    'adr/0000-none.md',
  ]);
  expect(mentions('ADR 7, ADRs 8, 9 and 10 (docs/adr/0011, 0012)')).toEqual([7, 8, 9, 10, 11, 12]);
});

test('an entry of the changelog is one line of at most 120 characters', () => {
  const lines = read('CHANGELOG.md').split('\n');
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
  expect(lines.filter((line) => !/^$|^#+ |^- .*\.$|^The first release\.$/.test(line))).toEqual([]);
});

test.each(records)('%s is named after its title, and has context, decision and consequences on a page', (record) => {
  const text = read(record);
  const title = /^# (\d+)\. (.+)\n/.exec(text);
  const slug = title?.[2]?.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  expect(basename(record)).toBe(`${String(title?.[1]).padStart(4, '0')}-${slug}.md`);
  expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
    'Context',
    'Decision',
    'Consequences',
  ]);
  expect(text.split('\n').length).toBeLessThanOrEqual(50);
});
