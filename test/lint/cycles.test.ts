import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { importsOf } from '../../scripts/imports.mjs';
import { listFiles } from '../../scripts/web-page.mjs';

const root = join(import.meta.dirname, '../..');
const folders = ['server', 'shared', 'messages', 'web', 'dashboards', 'scripts', 'bench', 'test', 'deploy'];

/** Files that import each other in a circle, each circle once; oxlint's import/no-cycle does not follow dynamic imports. */
function findCircles(place: string, below: readonly string[]): string[][] {
  const files = below
    .flatMap((folder) => listFiles(join(place, folder)))
    .filter((file) => /\.(?:m?js|tsx?)$/.test(file));
  const graph = new Map(files.map((file) => [file, importsOf(file, readFileSync(file, 'utf8'))]));
  return stronglyConnected(graph)
    .filter((part) => part.length > 1 || graph.get(part[0] ?? '')?.includes(part[0] ?? ''))
    .map((part) => part.map((file) => relative(place, file)).toSorted());
}

/** The parts of a graph whose members reach each other (Tarjan). */
function stronglyConnected(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const stack: string[] = [];
  const numbers = new Map<string, number>();
  const done = new Set<string>();
  const visit = (node: string): number => {
    const number = numbers.size;
    numbers.set(node, number);
    stack.push(node);
    let lowest = number;
    for (const next of graph.get(node) ?? []) {
      if (done.has(next) || !graph.has(next)) continue;
      lowest = Math.min(lowest, numbers.get(next) ?? visit(next));
    }
    if (lowest === number) {
      const part = stack.splice(stack.lastIndexOf(node));
      for (const member of part) done.add(member);
      found.push(part);
    }
    return lowest;
  };
  for (const node of graph.keys()) if (!numbers.has(node)) visit(node);
  return found;
}

it('no files import each other in a circle, dynamic imports and types included', () => {
  expect(findCircles(root, folders)).toEqual([]);
});

it.each([
  ['imports', `import { b } from './b.ts';\nexport const a = b;\n`],
  ['types', `import type { B } from './b.ts';\nexport type A = B;\n`],
  ['a dynamic import', `export const a = async () => (await import('./b.ts')).b;\n`],
  ['a dynamic import over several lines', `export const a = () =>\n  import(\n    './b.ts'\n  );\n`],
  ['the type of a module', `export type A = typeof import('./b.ts');\n`],
  ['an export of another file', `export { b } from './b.ts';\n`],
])('a circle is found: %s', async (_, text) => {
  const place = await mkdtemp(join(tmpdir(), 'circles-'));
  try {
    await writeFile(join(place, 'a.ts'), text);
    await writeFile(join(place, 'b.ts'), `import type { C } from './c.ts';\nexport type B = C;\n`);
    await writeFile(join(place, 'c.ts'), `export type C = string;\n`);
    expect(findCircles(place, ['.'])).toEqual([]);
    await writeFile(join(place, 'c.ts'), `import type { A } from './a.ts';\nexport type C = A;\n`);
    expect(findCircles(place, ['.'])).toEqual([['a.ts', 'b.ts', 'c.ts']]);
  } finally {
    await rm(place, { recursive: true });
  }
});
