import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { branding, brandingUpdate, maxLogoBytes, maxLogoPixels } from '../../shared/app.ts';
import { brandingVersion } from '../../shared/versions.ts';
import { refuse, notFound } from '../base/errors.ts';
import { type Guard, guarded, type App } from '../http/guard.ts';
import { ifMatch, ifMatchHeaders, withVersion, versioned } from '../http/resources.ts';
import { changeBranding, getBranding, removeLogo, replaceLogo, type BrandingParts } from './branding.ts';
import type { Uploads } from './uploads.ts';

const tags = ['Branding'];

// Only for the documentation: the form is read part by part.
const logoForm = z.unknown().meta({
  type: 'object',
  properties: { file: { type: 'string', contentMediaType: 'image/png' } },
  required: ['file'],
});

/** `/api/branding` and its logo: decisions.md 3. Register it in a scope of its own, so that only its routes accept uploads. */
export async function brandingRoutes(app: App, parts: BrandingParts, guard: Guard): Promise<void> {
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: { fileSize: maxLogoBytes, files: 1, fields: 100, fieldSize: 1_000, parts: 101, headerPairs: 20 },
  });

  app.get(
    '/api/branding',
    {
      schema: {
        tags,
        operationId: 'getBranding',
        summary: 'Get the branding of the portal',
        response: { 200: versioned(branding) },
      },
    },
    async (_request, reply) => withVersion(reply, await getBranding(parts), brandingVersion),
  );

  app.put(
    '/api/branding',
    guarded(guard.admin, {
      tags,
      operationId: 'updateBranding',
      summary: 'Change the branding; a field that is left out stays, a blank one falls back to the WhiteLabel setting',
      headers: ifMatchHeaders,
      body: brandingUpdate,
      response: { 200: versioned(branding) },
    }),
    async (request, reply) => {
      const by = guard.author(request);
      const changed = await changeBranding(parts, by, request.body, ifMatch(request, brandingVersion));
      return withVersion(reply, changed, brandingVersion);
    },
  );

  app.post(
    '/api/branding/logo',
    {
      onRequest: guard.admin,
      bodyLimit: 2 * maxLogoBytes,
      schema: {
        tags,
        operationId: 'uploadLogo',
        summary: 'Upload the logo',
        description: `The first file of a multipart form: PNG, JPEG or WebP by its content, at most 1 MiB and ${maxLogoPixels} × ${maxLogoPixels} pixels.`,
        consumes: ['multipart/form-data'],
        body: logoForm,
        response: { 201: branding },
      },
    },
    async (request, reply) => {
      if (!request.isMultipart()) {
        throw refuse('notMultipart');
      }
      return reply.code(201).send(await replaceLogo(parts, guard.author(request), await readFile(request)));
    },
  );

  app.delete(
    '/api/branding/logo',
    guarded(guard.admin, {
      tags,
      operationId: 'deleteLogo',
      summary: 'Remove the logo; the one from the WhiteLabel settings applies again',
      response: { 204: z.null() },
    }),
    async (request, reply) => {
      await removeLogo(parts, guard.author(request));
      return reply.code(204).send(null);
    },
  );
}

/** The one file of a multipart form, at most `maxLogoBytes`. The whole form is read, so the error does not depend on the order of its parts. */
async function readFile(request: FastifyRequest): Promise<Uint8Array> {
  let bytes: Uint8Array | null = null;
  let isTooLarge = false;
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue;
      const chunks: Buffer[] = [];
      for await (const chunk of part.file) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
      isTooLarge ||= part.file.truncated;
      bytes ??= Buffer.concat(chunks);
    }
  } catch (error) {
    refuseForm(error);
  }
  if (isTooLarge) throw refuse('logoTooLarge');
  if (bytes === null) throw refuse('noFileInForm');
  return bytes;
}

const limitReached = /^FST_(?:PARTS|FILES|FIELDS)_LIMIT$/;

function refuseForm(error: unknown): never {
  if (error instanceof Error && 'code' in error && limitReached.test(String(error.code))) {
    throw refuse('severalFormParts');
  }
  const reason = error instanceof Error ? error.message : String(error);
  throw refuse('unreadableForm', { reason });
}

const types = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['webp', 'image/webp'],
]);

/**
 * Serves uploaded logos under `/uploads/` to everybody, because the sign-in page shows them. The name of a file changes with its
 * content, so it may be cached forever; the headers keep browsers from guessing another type or running anything.
 */
export async function uploadRoutes(app: App, { uploads }: { uploads: Uploads }): Promise<void> {
  app.get(
    '/uploads/:name',
    { schema: { hide: true, params: z.object({ name: z.string() }) } },
    async (request, reply) => {
      const { name } = request.params;
      const bytes = await uploads.find(name);
      const type = types.get(name.slice(name.lastIndexOf('.') + 1));
      if (bytes === null || type === undefined) throw notFound('file');
      return reply
        .headers({
          'content-type': type,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
          'cache-control': 'public, max-age=31536000, immutable',
        })
        .send(bytes);
    },
  );
}
