import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ApiDocument, readApiDocuments } from '../support/api-documents.ts';

const media = z.record(z.string(), z.looseObject({ schema: z.unknown() }));
const operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string(), schema: z.unknown() })).default([]),
  requestBody: z.looseObject({ required: z.boolean(), content: media }).optional(),
  responses: z.record(
    z.string(),
    z.looseObject({ headers: z.record(z.string(), z.unknown()).default({}), content: media.default({}) }),
  ),
});
const openApi = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    securitySchemes: z.record(z.string(), z.looseObject({ type: z.string() })),
  }),
});

interface Operation extends z.infer<typeof operation> {
  mode: string;
  route: string;
}

let documents: (ApiDocument & z.infer<typeof openApi>)[];
let operations: Operation[];
beforeAll(async () => {
  const read = await readApiDocuments();
  documents = read.map((one) => ({ ...one, ...openApi.parse(JSON.parse(one.text)) }));
  operations = documents.flatMap(({ mode, paths }) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, found]) => ({
        ...found,
        mode,
        route: `${method.toUpperCase()} ${path}`,
      })),
    ),
  );
});

const ofId = (id: string) => {
  const found = operations.find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`There is no operation ${id}.`);
  return found;
};

describe('ids of operations', () => {
  it('are unique, verb first, and the same in both run modes', () => {
    expect(operations.length).toBeGreaterThan(150);
    for (const { operationId: id, route } of operations) {
      expect(id, route).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
      const same = operations.filter((other) => other.operationId === id || other.route === route);
      expect(new Set(same.map((other) => `${other.operationId} ${other.route}`)), id).toEqual(
        new Set([`${id} ${route}`]),
      );
    }
  });

  // Generated clients call operations by their ids, so a listed one is never renamed. Add new ones with `npm test test/lint/api
  // -- -u`.
  it('are never renamed', async () => {
    const modesOf = Map.groupBy(operations, ({ operationId, route }) => `${operationId} ${route}`);
    const lines = [...modesOf].map(([line, found]) => `${line} (${found.map(({ mode }) => mode).join(', ')})`);
    await expect(`${lines.toSorted().join('\n')}\n`).toMatchFileSnapshot('api-operations.snap.txt');
  });
});

describe('schemas', () => {
  it('every body of JSON is a named schema or a list of one', () => {
    const reference = z.object({ $ref: z.string().startsWith('#/components/schemas/') });
    const named = z.union([reference, z.looseObject({ type: z.literal('array'), items: reference })]);
    // It answers with its headers.
    for (const { route, requestBody, responses } of operations.filter((one) => one.operationId !== 'checkSession')) {
      for (const [status, { content }] of Object.entries(responses)) {
        const json = content['application/json'];
        if (json !== undefined) expect(named.safeParse(json.schema).success, `${route} ${status}`).toBe(true);
      }
      const json = requestBody?.content['application/json'];
      if (json !== undefined) expect(named.safeParse(json.schema).success, `${route} body`).toBe(true);
    }
  });

  it('the entries of every list of objects are named', () => {
    for (const { mode, components } of documents) {
      const unnamed: string[] = [];
      walk(components.schemas, '', (value, path) => {
        if (path.endsWith('/items') && 'type' in value && value.type === 'object') unnamed.push(path);
      });
      // Any cell of a table, so that each bad one is reported.
      expect(unnamed, mode).toEqual(mode === 'Client' ? ['/SiteTable/properties/rows/items'] : []);
    }
  });

  it('every schema is used, and none exists twice for both directions', () => {
    for (const { mode, text, components } of documents) {
      const referred = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
      expect(referred, mode).toEqual(new Set(Object.keys(components.schemas)));
      expect(Object.keys(components.schemas).filter((name) => name.endsWith('Input'))).toEqual([]);
    }
  });

  it('a schema is the same in both run modes', () => {
    const [client, fleet] = documents.map(({ components }) => components.schemas);
    const shared = Object.keys(client ?? {}).filter((name) => name in (fleet ?? {}));
    expect(shared.length).toBeGreaterThan(30);
    for (const name of shared) expect(client?.[name], name).toEqual(fleet?.[name]);
  });

  it('a whole number has only the portal’s bounds', () => {
    for (const { mode, text } of documents) {
      expect(text.match(/"minimum":1,"maximum":127\b/) !== null, mode).toBe(true);
      expect(text, mode).not.toMatch(/9007199254740991/);
    }
  });

  it('every error is the schema Error', () => {
    for (const { route, responses } of operations) {
      for (const [status, { content }] of Object.entries(responses)) {
        if (status < '400' || !('application/json' in content)) continue;
        expect(content['application/json']?.schema, `${route} ${status}`).toEqual({
          $ref: '#/components/schemas/Error',
        });
      }
    }
  });
});

describe('requests', () => {
  it('a parameter with fixed values lists them', () => {
    for (const { route, parameters } of operations) {
      for (const { name, schema } of parameters) {
        if (!['bucket', 'groupBy', 'align', 'group', 'language', 'x-batch-type'].includes(name)) continue;
        expect(JSON.stringify(schema), `${route} ${name}`).toMatch(/"enum":\[|"\$ref":/);
      }
    }
    expect(parameterOf('getCostBreakdown', 'group')).toMatchObject({
      required: true,
      schema: { enum: ['day', 'month', 'period'] },
    });
    expect(parameterOf('getLoadCurve', 'groupBy')).toMatchObject({ required: true });
    expect(parameterOf('getComparison', 'align')).toMatchObject({
      required: false,
      schema: { enum: ['weekday', 'day'] },
    });
  });

  it('ids in a query are a list separated by commas', () => {
    expect(parameterOf('getDashboardSummary', 'deviceIds')).toMatchObject({
      required: false,
      style: 'form',
      explode: false,
      schema: { type: 'array', items: { type: 'string', format: 'uuid' } },
    });
  });

  it('a body that may be left out is not required', () => {
    expect(ofId('rotateCustomerToken').requestBody).toEqual({
      required: false,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/TokenRotation' } } },
    });
    expect(ofId('createUser').requestBody?.required).toBe(true);
  });

  it('the credentials of a route are a security scheme, not a header parameter', () => {
    expect(ofId('ingestBatch')).toMatchObject({ security: [{ pushToken: [] }] });
    expect(ofId('getMetrics')).toMatchObject({ security: [{ metricsToken: [] }, {}] });
    const names = ofId('ingestBatch').parameters.map(({ name }) => name);
    expect(names).toEqual(['x-batch-type', 'x-push-cursor', 'x-batch-part', 'x-client-report', 'x-batch-mode']);
    expect(documents.map(({ components }) => Object.keys(components.securitySchemes))).toEqual([
      ['session', 'apiKey', 'metricsToken'],
      ['session', 'pushToken', 'metricsToken'],
    ]);
  });
});

describe('headers of answers', () => {
  const headersOf = (id: string, status: string) => Object.keys(ofId(id).responses[status]?.headers ?? {});

  it('every operation that accepts If-Match answers with an ETag', () => {
    const changing = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'if-match'));
    expect(changing.length).toBeGreaterThan(15);
    for (const { route, responses } of changing) {
      if ('200' in responses) expect(Object.keys(responses['200']?.headers ?? {}), route).toContain('ETag');
    }
    expect(headersOf('getSite', '200')).toEqual(['ETag']);
  });

  it('every 429 and 503 has Retry-After', () => {
    for (const { route, responses } of operations.filter((one) => one.operationId !== 'checkReadiness')) {
      for (const status of ['429', '503']) {
        if (status in responses) expect(Object.keys(responses[status]?.headers ?? {}), route).toEqual(['Retry-After']);
      }
    }
  });

  it('every file has a name, and an export of rows their number', () => {
    const rows = ['Content-Disposition', 'x-export-row-count', 'x-export-total-count'];
    expect(headersOf('exportRawMeasurementsCsv', '200')).toEqual(rows);
    expect(headersOf('exportLoadProfileXlsxOfCustomer', '200')).toEqual(rows);
    expect(headersOf('exportDashboardSummary', '200')).toEqual(['Content-Disposition']);
    expect(headersOf('ingestBatch', '200')).toEqual(['X-Customer-Id']);
  });
});

const parameterOf = (id: string, name: string) => ofId(id).parameters.find((parameter) => parameter.name === name);

function walk(value: unknown, path: string, visit: (object: object, path: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  visit(value, path);
  for (const [key, of] of Object.entries(value)) walk(of, `${path}/${key}`, visit);
}
