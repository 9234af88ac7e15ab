import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { z } from 'zod';
import type { TestApp } from './app.ts';

const reference = z.object({ $ref: z.string() });
const parameter = z.object({
  name: z.string(),
  in: z.enum(['query', 'path', 'header', 'cookie']),
  required: z.boolean().default(false),
  schema: z.record(z.string(), z.unknown()),
});
const operation = z.object({
  parameters: z.array(z.unknown()).default([]),
  responses: z.record(z.string(), z.unknown()),
});
const response = z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })).default({}) });

export type Parameter = z.infer<typeof parameter>;
export interface Operation {
  method: string;
  /** As in the document, with `{id}`. */
  path: string;
  parameters: Parameter[];
  responses: ReadonlyMap<string, readonly DocumentedBody[]>;
}
interface DocumentedBody {
  type: string;
  /** Of JSON only. */
  validate: ValidateFunction | null;
}

/** An answer of the portal. */
interface Answer {
  statusCode: number;
  headers: Record<string, unknown>;
  body: string;
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];

/** The operations of the API document that a portal serves, with `$ref`s resolved. */
export async function readApiOperations(portal: TestApp, headers: { cookie: string }): Promise<Operation[]> {
  const answer = await portal.app.inject({ url: '/api/openapi.json', headers });
  const document: unknown = closed(answer.json());
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(z.record(z.string(), z.unknown()).parse(document), 'api');
  const resolve = (value: unknown): unknown => {
    const { data } = reference.safeParse(value);
    return data === undefined ? value : resolve(at(document, data.$ref));
  };

  function bodiesOf(pointer: string, value: unknown): DocumentedBody[] {
    const { data } = reference.safeParse(value);
    const place = data === undefined ? pointer : data.$ref;
    return Object.keys(response.parse(resolve(value)).content).map((type) => ({
      type: mediaType(type),
      validate: isJson(type) ? ajv.compile({ $ref: `api${place}/content/${escaped(type)}/schema` }) : null,
    }));
  }

  const { paths } = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) }).parse(document);
  return Object.entries(paths).flatMap(([path, item]) => {
    const shared = z.array(z.unknown()).parse(item['parameters'] ?? []);
    return Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, described]) => {
        const { parameters, responses } = operation.parse(resolve(described));
        const pointer = `#/paths/${escaped(path)}/${method}/responses`;
        return {
          method: method.toUpperCase(),
          path,
          parameters: [...shared, ...parameters].map((one) => {
            const { schema, ...rest } = parameter.parse(resolve(one));
            return { ...rest, schema: z.record(z.string(), z.unknown()).parse(resolve(schema)) };
          }),
          responses: new Map(
            Object.entries(responses).map(([status, one]) => [status, bodiesOf(`${pointer}/${status}`, one)]),
          ),
        };
      });
  });
}

/** What an answer has that the document does not say, or null. */
export function undocumentedIn({ responses }: Operation, { statusCode, headers, body }: Answer): string | null {
  const bodies = responses.get(String(statusCode));
  if (bodies === undefined) return `status ${statusCode} is not documented: ${body.slice(0, 300)}`;
  const isEmpty = statusCode === 204 || statusCode === 304;
  if (bodies.length === 0 || isEmpty) return body === '' ? null : `a body with ${statusCode}, where none is documented`;
  const type = mediaType(String(headers['content-type'] ?? ''));
  const documented = bodies.find((one) => one.type === type);
  if (documented === undefined) return `content type ${type}, documented are ${bodies.map((one) => one.type).join()}`;
  if (documented.validate === null || documented.validate(JSON.parse(body))) return null;
  const [first] = documented.validate.errors ?? [];
  return `${statusCode}: body${first?.instancePath} ${first?.message} ${JSON.stringify(first?.params)}`;
}

const mediaType = (type: string) => type.split(';')[0]?.trim().toLowerCase() ?? '';
const isJson = (type: string) => mediaType(type) === 'application/json';
/** Of a JSON pointer in a URI fragment (RFC 6901). */
const escaped = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

const at = (document: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, key) => z.record(z.string(), z.unknown()).parse(value)[key], document);

/** The document with objects that hold nothing but their properties: a field that it does not name is a mistake, too. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  const { data } = z.record(z.string(), z.unknown()).safeParse(value);
  if (data === undefined) return value;
  const parts = Object.fromEntries(Object.entries(data).map(([key, part]) => [key, closed(part)]));
  return data['type'] === 'object' && 'properties' in data ? { unevaluatedProperties: false, ...parts } : parts;
}
