import type { z } from 'zod';

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

/** Of a file. */
export const fileHeaders: ResponseHeaders = {
  'Content-Disposition': { type: 'string', description: 'attachment, with the name of the file.' },
};

/** A resource with its version. */
export const versioned = <Schema extends z.ZodType>(schema: Schema) => answerWith(etag, schema);
