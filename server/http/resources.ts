import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorBody, idParams } from '../../shared/primitives.ts';
import type { Database } from '../database/pool.ts';
import type { AccountActor, Author } from '../base/scopes.ts';
import { type Precondition, refuse } from '../base/errors.ts';
import type { ClientParts } from './client-parts.ts';
import { guarded, type Named, type App } from './guard.ts';

/** The parts of a write that the API document describes. */
interface Texts extends Named {
  summary: string;
  description?: string;
}

/** The context of a change. */
interface Changing {
  database: Database;
  by: Author;
}

interface Resource<Stored, Answer, Values, Change> {
  path: string;
  tags: readonly string[];
  /** The maximum size of the body in bytes; by default that of the application. */
  bodyLimit?: number;
  answer: z.ZodType;
  present: (stored: Stored) => Answer;
  versionOf: (answer: Answer) => string;
  create: Texts & { body: z.ZodType<Values>; run: (changing: Changing, values: Values) => Promise<Stored> };
  change: Texts & {
    body: z.ZodType<Change>;
    run: (changing: Changing, id: string, change: Change, checkVersion: Precondition<Stored>) => Promise<Stored>;
  };
}

/** `POST` and `PUT` of a resource for administrators: the answer has its version, which the `If-Match` of a PUT may name. */
export function writeRoutes<Stored, Answer, Values, Change>(
  app: App,
  { database, guard }: Pick<ClientParts, 'database' | 'guard'>,
  resource: Resource<Stored, Answer, Values, Change>,
): void {
  const { path, answer, present, versionOf, bodyLimit } = resource;
  const tags = [...resource.tags];
  const options = { onRequest: guard.admin, ...(bodyLimit !== undefined && { bodyLimit }) };
  const send = (reply: FastifyReply, stored: Stored) => withVersion(reply, present(stored), versionOf);

  // Bodies are parsed a second time, because the type of a route cannot depend on a schema that is a parameter.
  const { body, run: create, ...texts } = resource.create;
  app.post(
    path,
    {
      ...options,
      schema: { ...texts, tags, body: asSchema(body), response: { 201: versioned(answer), 409: errorBody } },
    },
    async (request, reply) => {
      const created = await create({ database, by: guard.author(request) }, body.parse(request.body));
      return reply.code(201).send(send(reply, created));
    },
  );

  const { body: changeBody, run: change, ...changeTexts } = resource.change;
  const schema = { ...changeTexts, tags, params: idParams, headers: ifMatchHeaders, body: asSchema(changeBody) };
  app.put(
    `${path}/:id`,
    { ...options, schema: { ...schema, response: { 200: versioned(answer), 409: errorBody } } },
    async (request, reply) => {
      const checkVersion = ifMatch<Stored>(request, (stored) => versionOf(present(stored)));
      const by = guard.author(request);
      return send(
        reply,
        await change({ database, by }, request.params.id, changeBody.parse(request.body), checkVersion),
      );
    },
  );
}

export const asSchema = (schema: z.ZodType): z.ZodType => schema;

/** `DELETE` of a resource for administrators. If the resource has versions, `If-Match` may name the version to delete. */
export function removeRoute<Stored>(
  app: App,
  { database, guard }: Pick<ClientParts, 'database' | 'guard'>,
  {
    path,
    tags,
    versionOf,
    run,
    refusals = {},
    ...texts
  }: Texts & {
    path: string;
    tags: readonly string[];
    refusals?: { 409?: typeof errorBody };
    versionOf?: (stored: Stored) => string;
    run: (
      changing: Changing & { by: Author<AccountActor> },
      id: string,
      checkVersion: Precondition<Stored>,
    ) => Promise<void>;
  },
): void {
  const headers = versionOf && { headers: ifMatchHeaders };
  app.delete(
    `${path}/:id`,
    guarded(guard.admin, {
      ...texts,
      ...headers,
      tags: [...tags],
      params: idParams,
      response: { 204: z.null(), ...refusals },
    }),
    async (request, reply) => {
      const checkVersion = versionOf === undefined ? () => undefined : ifMatch(request, versionOf);
      await run({ database, by: guard.author(request) }, request.params.id, checkVersion);
      return reply.code(204).send(null);
    },
  );
}

const etagOf = (version: string) => `"${version}"`;

/** The headers of a PUT or DELETE, with the version that it may replace or delete. */
export const ifMatchHeaders = z.looseObject({
  'if-match': z.string().optional().meta({
    description:
      'The ETag that was read: 412 if the resource has changed since, and nothing happens. Without it, the last write wins.',
  }),
});

/** Sends a resource with its version as ETag. */
export function withVersion<Resource>(
  reply: FastifyReply,
  resource: Resource,
  versionOf: (resource: Resource) => string,
): Resource {
  void reply.header('etag', etagOf(versionOf(resource)));
  return resource;
}

/** The version in `If-Match`; a compressing proxy may have made the ETag weak. */
export function ifMatch<Stored>(request: FastifyRequest, versionOf: (stored: Stored) => string): Precondition<Stored> {
  const given = request.headers['if-match']?.trim();
  if (given === undefined || given === '*') return () => undefined;
  const tags = new Set(given.split(',').map((tag) => tag.trim().replace(/^W\//, '')));
  return (stored) => {
    if (tags.has(etagOf(versionOf(stored)))) return;
    throw refuse('stale');
  };
}

/** Headers of an answer by name, as the API document describes them. */
export type ResponseHeaders = Readonly<
  Record<string, { type: 'string' | 'integer'; minimum?: number; description: string }>
>;

/** A body of JSON with headers that a client reads. */
export const answerWith = <Schema extends z.ZodType>(headers: ResponseHeaders, schema: Schema) => ({
  headers,
  content: { 'application/json': { schema } },
});

export const retryAfter: ResponseHeaders = {
  'Retry-After': { type: 'integer', minimum: 1, description: 'Seconds to wait before the next attempt.' },
};

const etag: ResponseHeaders = {
  ETag: { type: 'string', description: 'The version of the resource, for If-Match.' },
};

/** The headers of a file. */
export const fileHeaders: ResponseHeaders = {
  'Content-Disposition': { type: 'string', description: 'attachment, with the name of the file.' },
};

/** A resource with its version. */
export const versioned = <Schema extends z.ZodType>(schema: Schema) => answerWith(etag, schema);
