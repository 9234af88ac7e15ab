import { expect, it } from 'vitest';
import { loadedWith } from '../../scripts/first-load.mjs';

const chunk = (fileName: string, ...imports: string[]) => ({ fileName, imports, code: '' });

it('a page begins with its own files and all that these need, each once; what is not imported or not ours does not count', () => {
  const [page, shared, first, other] = [
    chunk('page.js', 'shared.js', 'first.js'),
    chunk('shared.js', 'first.js', 'https://elsewhere.test/lib.js'),
    chunk('first.js', 'page.js'),
    chunk('other.js', 'first.js'),
  ];
  const names = loadedWith([page, shared, first, other], [page]).map(({ fileName }) => fileName);
  expect(names.toSorted()).toEqual(['first.js', 'page.js', 'shared.js']);
});
