import { isDeepStrictEqual } from 'node:util';
import type { SwaggerTransformObject } from '@fastify/swagger';
import { z } from 'zod';

type Document = ReturnType<SwaggerTransformObject>;

const ofAny = z.record(z.string(), z.unknown());
const media = z.looseObject({ schema: z.unknown() });
const operation = z.looseObject({
  parameters: z.array(z.looseObject({ in: z.string(), schema: z.unknown() })).optional(),
  requestBody: z.looseObject({ required: z.boolean(), content: z.record(z.string(), media) }).optional(),
  security: z.array(ofAny).optional(),
});
const described = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: ofAny, securitySchemes: ofAny }),
});

/** Removes unused schemas from a document, and adds what its library cannot express. */
export function tidyDocument(document: Document): Document {
  const { paths: given, components, ...rest } = described.parse(document);
  const operations = Object.values(given).flatMap((methods) => Object.values(methods));
  const schemes = new Set(operations.flatMap(({ security = [] }) => security.flatMap((one) => Object.keys(one))));
  const completed = Object.entries(given).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, one]) => [method, complete(one)])),
  ]);
  const { paths, schemas } = tidySchemas({
    paths: withoutSafeBounds(Object.fromEntries(completed)),
    schemas: withoutSafeBounds(components.schemas),
  });
  const securitySchemes = Object.entries(components.securitySchemes).filter(([name]) => schemes.has(name));
  const tidied = {
    ...rest,
    paths,
    components: { ...components, schemas, securitySchemes: Object.fromEntries(securitySchemes) },
  };
  if (!isDocument(tidied)) throw new Error('The API document has lost its paths.');
  return tidied;
}

const isDocument = (value: object): value is Document => 'paths' in value;

function complete({ parameters, requestBody, ...rest }: z.infer<typeof operation>) {
  return {
    ...rest,
    ...(parameters && { parameters: parameters.map(asList) }),
    ...(requestBody && { requestBody: optionalIfNullable(requestBody) }),
  };
}

const listSchema = z.looseObject({ type: z.literal('array') });

/** A list in a query is separated by commas. */
const asList = (parameter: { in: string; schema: unknown }) =>
  parameter.in === 'query' && listSchema.safeParse(parameter.schema).success
    ? { ...parameter, style: 'form', explode: false }
    : parameter;

const nullable = z.object({ anyOf: z.tuple([z.unknown(), z.object({ type: z.literal('null') })]) });

/** A body that may be null may be left out. */
function optionalIfNullable(body: NonNullable<z.infer<typeof operation>['requestBody']>) {
  const json = body.content['application/json'];
  const { data } = nullable.safeParse(json?.schema);
  if (data === undefined) return body;
  return { ...body, required: false, content: { 'application/json': { ...json, schema: data.anyOf[0] } } };
}

/** Removes the bounds that whole numbers have only in JavaScript. */
const withoutSafeBounds = (given: Schemas): Schemas =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      mapObjects(value, ({ minimum, maximum, ...rest }) => ({
        ...rest,
        ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
        ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
      })),
    ]),
  );

type Schemas = Readonly<Record<string, unknown>>;

const schemaPath = '#/components/schemas/';
/** The suffix of schemas for requests; those for answers have plain names. */
const inputSuffix = 'Input';

interface Parts {
  paths: unknown;
  schemas: Schemas;
}

/**
 * Keeps the schemas that a document uses, ordered by name. A schema for requests keeps its suffix only if it differs from the
 * one for answers.
 */
function tidySchemas({ paths, schemas }: Parts): Parts {
  const isEqualPair = findEqualPairs(schemas);
  const merged = (name: string) => (isEqualPair(plainName(name)) ? plainName(name) : name);
  const used = findUsed(mapNames(paths, merged), (name) =>
    mapNames(schemas[isEqualPair(name) ? `${name}${inputSuffix}` : name], merged),
  );
  const short = (name: string) => {
    const plain = plainName(merged(name));
    return used.has(plain) ? merged(name) : plain;
  };
  const entries = [...used].map(([name, schema]) => [short(name), mapNames(schema, short)] as const);
  return {
    paths: mapNames(paths, short),
    schemas: Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

const plainName = (name: string) => (name.endsWith(inputSuffix) ? name.slice(0, -inputSuffix.length) : name);

/**
 * Returns whether, for a plain name, the schemas for requests and answers are equal. They count as equal if no difference is
 * visible.
 */
function findEqualPairs(schemas: Schemas): (name: string) => boolean {
  const equal = new Set(Object.keys(schemas).filter((name) => `${name}${inputSuffix}` in schemas));
  const comparable = (name: string) =>
    withoutClosing(mapNames(schemas[name], (other) => (equal.has(plainName(other)) ? plainName(other) : other)));
  for (let before = Infinity; equal.size < before;) {
    before = equal.size;
    const unequal = [...equal].filter(
      (name) => !isDeepStrictEqual(comparable(name), comparable(`${name}${inputSuffix}`)),
    );
    for (const name of unequal) equal.delete(name);
  }
  return (name) => equal.has(name);
}

/** Objects in requests may have other fields, which are ignored. Objects in answers have none. */
const withoutClosing = (value: unknown): unknown =>
  mapObjects(value, (object) =>
    Object.fromEntries(Object.entries(object).filter(([key, of]) => key !== 'additionalProperties' || of !== false)),
  );

function findUsed(paths: unknown, schemaOf: (name: string) => unknown): Map<string, unknown> {
  const used = new Map<string, unknown>();
  const add = (value: unknown) => {
    mapNames(value, (name) => {
      if (!used.has(name)) {
        const schema = schemaOf(name);
        used.set(name, schema);
        add(schema);
      }
      return name;
    });
  };
  add(paths);
  return used;
}

/** A copy with other names of schemas. */
const mapNames = (value: unknown, rename: (name: string) => string): unknown =>
  mapObjects(value, (object) =>
    typeof object.$ref === 'string' && object.$ref.startsWith(schemaPath)
      ? { ...object, $ref: `${schemaPath}${rename(object.$ref.slice(schemaPath.length))}` }
      : object,
  );

type JsonObject = Readonly<Record<string, unknown>>;

/** A copy in which each object has been replaced, the inner ones first. */
function mapObjects(value: unknown, replace: (object: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((entry) => mapObjects(entry, replace));
  if (typeof value !== 'object' || value === null) return value;
  return replace(Object.fromEntries(Object.entries(value).map(([key, of]) => [key, mapObjects(of, replace)])));
}
