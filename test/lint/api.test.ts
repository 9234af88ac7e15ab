import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type ApiDocument, readApiDocuments } from '../support/api-documents.ts';

const operation = z.looseObject({ operationId: z.string() });
const document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operation)) });

interface Operation {
  mode: string;
  route: string;
  id: string;
}

let documents: ApiDocument[];
let operations: Operation[];
beforeAll(async () => {
  documents = await readApiDocuments();
  operations = documents.flatMap(({ mode, text }) =>
    Object.entries(document.parse(JSON.parse(text)).paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId: id }]) => ({
        mode,
        route: `${method.toUpperCase()} ${path}`,
        id,
      })),
    ),
  );
});

it('each operation has an id of its own, verb first, and the same one in both run modes', () => {
  expect(operations.length).toBeGreaterThan(150);
  for (const { id, route } of operations) {
    expect(id, route).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
    expect(new Set(operations.filter((other) => other.id === id).map((other) => other.route)), id).toEqual(
      new Set([route]),
    );
    expect(new Set(operations.filter((other) => other.route === route).map((other) => other.id)), route).toEqual(
      new Set([id]),
    );
  }
});

// Generated clients call operations by their ids: one that is here is never renamed. Add new ones with `npm test test/lint/api -- -u`.
it('no id of an operation is renamed', async () => {
  const modesOf = Map.groupBy(operations, ({ id, route }) => `${id} ${route}`);
  const lines = [...modesOf].map(([line, found]) => `${line} (${found.map(({ mode }) => mode).join(', ')})`);
  await expect(`${lines.toSorted().join('\n')}\n`).toMatchFileSnapshot('api-operations.snap.txt');
});
