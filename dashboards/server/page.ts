import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import staticFiles from '@fastify/static';
import { errorBodyOf, nothingAt } from '../../server/http/errors.ts';
import { pathOf } from '../../server/http/request-log.ts';
import { framedBySelf } from '../../server/http/browser-security.ts';
import type { App } from '../../server/http/guard.ts';

/**
 * The policy for all answers of the tool. Scripts come only from the tool's own files, only a logo may come from elsewhere, and
 * only the portal may show the tool in a frame. The libraries of the page insert style elements.
 */
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: https:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-src 'none'",
  "frame-ancestors 'self'",
].join(';');

const notBuilt =
  'The page of the dashboard tool has not been built; run node scripts/dashboards-page.mjs in the folder of the portal.\n';

/**
 * Serves the built page below the prefix. Files with a hash in their name may be cached forever. Every path that a browser
 * opens gets the index page.
 */
export async function servePage(app: App, { folder, prefix }: { folder: string; prefix: string }): Promise<void> {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    void reply.headers({ ...framedBySelf, 'content-security-policy': contentSecurityPolicy });
    done();
  });
  const indexFile = join(folder, 'index.html');
  // Read again for each request, because a build may replace the files that the index names.
  const readIndex = async () => (await readFile(indexFile, 'utf8').catch(() => null))?.replaceAll('%PREFIX%', prefix);
  if ((await readIndex()) === undefined) app.log.warn(notBuilt.trim());
  await app.register(staticFiles, {
    root: folder,
    prefix: `${prefix}/`,
    index: false,
    cacheControl: false,
    preCompressed: true,
    allowedPath: (path) => path !== '/index.html',
    // Only the browser of a signed-in user may cache it.
    setHeaders: (reply, path) =>
      void reply.header(
        'cache-control',
        path.includes(`${sep}assets${sep}`) ? 'private, max-age=31536000, immutable' : 'no-cache',
      ),
  });
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request.url);
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') &&
      (path === prefix || path.startsWith(`${prefix}/`)) &&
      !path.startsWith(`${prefix}/api/`) &&
      !/\.\w+$/.test(path);
    if (!isPage) return reply.code(404).send(errorBodyOf(nothingAt(request).refusal));
    const index = await readIndex();
    if (index === undefined) return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt);
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(index);
  });
}
