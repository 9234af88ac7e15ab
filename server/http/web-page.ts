import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join, sep } from 'node:path';
import staticFiles from '@fastify/static';
import { z } from 'zod';
import { namesHtml, takesHtml } from './accept.ts';
import type { App } from './guard.ts';
import { errorBodyOf, nothingAt } from './errors.ts';
import { pathOf } from './request-log.ts';

const notBuilt = 'The page has not been built; run npm run build in the folder of the portal, then start it again.\n';
// Paths that are never pages. An unknown path below them is a mistake in a program, not a bookmark.
const neverPages = /^\/+(?:api|health|metrics|uploads|assets)(?:\/|$)/i;

/**
 * Serves the built page from `folder`: hashed assets cached forever, everything else revalidated. Unknown paths get the index
 * page if the request accepts HTML (the page routes them itself), otherwise a JSON 404. Without a folder only the API is served.
 */
export async function serveWebPage(app: App, folder: string | undefined): Promise<void> {
  const isBuilt = folder !== undefined && existsSync(join(folder, 'index.html'));
  if (isBuilt) {
    await app.register(staticFiles, {
      root: folder,
      index: 'index.html',
      // Each file has a route. Any other path, including folders, reaches the handler below.
      wildcard: false,
      globIgnore: ['assets/**'],
      cacheControl: false,
      preCompressed: true,
      setHeaders: (reply, path) => void reply.header('cache-control', cachingOf(path)),
    });
    // There are hundreds of files. A route for each would take 14 MiB (ADR 28).
    const assets = new Set(await readdir(join(folder, 'assets')));
    app.get('/assets/*', { schema: { hide: true, params: z.object({ '*': z.string() }) } }, (request, reply) => {
      const name = request.params['*'];
      return assets.has(name) ? reply.sendFile(join('assets', name)) : reply.callNotFound();
    });
  } else if (folder !== undefined) {
    app.log.warn(notBuilt.trim());
  }

  app.setNotFoundHandler(async (request, reply) => {
    const path = plainPath(request.url);
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    const mayBePage = folder !== undefined && isReading && !neverPages.test(path);
    if (mayBePage) void reply.header('vary', 'accept');
    if (!mayBePage || !isPageWanted(path, request.headers.accept)) {
      return reply.code(404).send(errorBodyOf(nothingAt(request).refusal));
    }
    return isBuilt
      ? reply.code(200).sendFile('index.html')
      : reply.code(503).type('text/plain; charset=utf-8').send(notBuilt);
  });
}

/**
 * Repairs the URL of a page with a broken escape: each `%` in the path is taken literally. So the browser gets the page, which
 * says that the address does not exist, and not JSON. Other URLs stay the same.
 */
export function readablePageUrl({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const path = pathOf(url);
  if (!path.includes('%') || !namesHtml(headers.accept) || neverPages.test(path)) return url;
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

/** A program that requests a file such as `/robots.txt`, and accepts any type, gets a 404. */
function isPageWanted(path: string, accept: string | undefined): boolean {
  const isFile = /\.[^/]*$/.test(path);
  return path === '/' || (isFile ? namesHtml(accept) : takesHtml(accept));
}

/** The path normalised: without the origin of an absolute address, and with `%2f` as a slash. */
function plainPath(url: string): string {
  const path = pathOf(url).replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const cachingOf = (path: string) =>
  path.includes(`${sep}assets${sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache';
