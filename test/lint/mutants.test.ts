import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mutants } from '../mutants/list.ts';
import { listVectors } from '../mutants/vectors.ts';

const root = join(import.meta.dirname, '../..');
const documents = [
  'specification',
  'decisions',
  'energy-and-cost',
  'docs/energy.md',
  'docs/adr/0028-startup.md',
  'CONTRIBUTING.md',
];

it('finds the text of each mutant exactly once in its file, so that the list stays valid', () => {
  const texts = new Map(mutants.map(({ file }) => [file, existsSync(join(root, file)) ? read(file) : '']));
  const lost = mutants.filter(({ file, from }) => texts.get(file)?.split(from).length !== 2);
  expect(lost.map(({ id, file }) => `${id} in ${file}`)).toEqual([]);
});

it('names each mutant once, and each changes something', () => {
  expect(mutants.map(({ id }) => id).toSorted()).toEqual([...new Set(mutants.map(({ id }) => id))].toSorted());
  expect(mutants.filter(({ from, to }) => from === to)).toEqual([]);
});

it('names the document of each rule and a test file that exists', () => {
  const isDocumented = (rule: string) => documents.some((name) => rule.startsWith(`${name}, `));
  expect(mutants.filter(({ rule }) => !isDocumented(rule)).map(({ id, rule }) => `${id}: ${rule}`)).toEqual([]);
  expect(mutants.filter(({ test }) => !existsSync(join(root, test))).map(({ test }) => test)).toEqual([]);
});

it('names for each test vector the rule that it proves and a mutant that it kills', () => {
  const vectors = listVectors();
  const known = new Set(mutants.map(({ id }) => id));
  expect(vectors.filter(({ kills }) => !known.has(kills)).map(({ id, kills }) => `${id}: ${kills}`)).toEqual([]);
  expect(vectors.filter(({ rule }) => rule === '')).toEqual([]);
  expect(vectors.map(({ id }) => id).toSorted()).toEqual([...new Set(vectors.map(({ id }) => id))].toSorted());
});

const read = (file: string) => readFileSync(join(root, file), 'utf8');
