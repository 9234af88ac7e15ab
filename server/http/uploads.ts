import staticFiles from '@fastify/static';
import { uploadName, type Uploads } from '../commands/uploads.ts';
import type { App } from './app.ts';

/**
 * Serves uploaded logos under `/uploads/` to everybody, as the sign-in page shows them. The name of a file changes with its
 * content, so it may be kept for ever; whatever is in it, a browser neither guesses another type nor runs anything.
 */
export async function uploadRoutes(app: App, { uploads }: { uploads: Uploads }): Promise<void> {
  await app.register(staticFiles, {
    root: uploads.folder,
    prefix: '/uploads/',
    decorateReply: false,
    index: false,
    redirect: false,
    immutable: true,
    maxAge: '365d',
    allowedPath: (path) => uploadName.test(path.replace(/^\//, '')),
    setHeaders: (reply) => {
      void reply.header('content-security-policy', "default-src 'none'; sandbox");
      void reply.header('x-content-type-options', 'nosniff');
    },
  });
}
