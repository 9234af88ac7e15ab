import { z } from 'zod';
import type { Uploads } from './uploads.ts';
import { notFound } from '../base/errors.ts';
import type { App } from '../http/typed-app.ts';

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
