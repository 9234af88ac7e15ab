import { expect, test } from 'vitest';
import { columnList, inOrderOfReferences } from './backup.sql.ts';

const table = (name: string, ...references: string[]) => ({ name, references });

test('each table comes after those that it refers to', () => {
  const tables = [table('periods', 'tariffs'), table('sites', 'towns'), table('tariffs', 'towns'), table('towns')];
  const names = inOrderOfReferences(tables).map(({ name }) => name);
  expect(names).toEqual(['towns', 'sites', 'tariffs', 'periods']);
});

test('tables that refer to each other in a circle are named in the error', () => {
  expect(() => inOrderOfReferences([table('towns'), table('a', 'b'), table('b', 'a')])).toThrow('in a circle: a, b.');
});

test('a column may have a reserved word as its name', () => {
  expect(columnList(['time', 'a"b'])).toBe('"time", "a""b"');
});
