import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DomainError } from '../domain/errors.ts';
import type { Precondition } from '../domain/preconditions.ts';

const etagOf = (version: string) => `"${version}"`;

/** The headers of a PUT that may name the version which it changes. */
export const ifMatchHeaders = z.looseObject({
  'if-match': z.string().optional().meta({
    description: 'The ETag that was read: 412 where the resource is another by now. Without it the last one wins.',
  }),
});

/** Answers a resource with its version as ETag. */
export function withVersion<Resource>(
  reply: FastifyReply,
  resource: Resource,
  versionOf: (resource: Resource) => string,
): Resource {
  void reply.header('etag', etagOf(versionOf(resource)));
  return resource;
}

/** What `If-Match` asks for; a proxy that compresses answers may have made the ETag a weak one. */
export function ifMatch<Stored>(request: FastifyRequest, versionOf: (stored: Stored) => string): Precondition<Stored> {
  const given = request.headers['if-match']?.trim();
  if (given === undefined || given === '*') return () => undefined;
  const tags = new Set(given.split(',').map((tag) => tag.trim().replace(/^W\//, '')));
  return (stored) => {
    if (tags.has(etagOf(versionOf(stored)))) return;
    throw new DomainError(
      'stale',
      'This was changed by somebody else after you read it; read it again and decide which version is to stay.',
    );
  };
}
