import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Precondition, refuse } from '../base/errors.ts';

const etagOf = (version: string) => `"${version}"`;

/** The headers of a PUT or DELETE with the version that it replaces or deletes. */
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
