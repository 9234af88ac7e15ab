import type { App } from './app.ts';

const quietPaths = /^\/(?:health(?:\/|$)|metrics$|assets\/)/;

/** One line an answer: what was asked, how it ended and how long it took. Paths come without their query. */
export function logRequests(app: App): void {
  app.addHook('onResponse', async (request, reply) => {
    const path = pathOf(request.url);
    const line = {
      method: request.method,
      route: request.routeOptions.url,
      path,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    };
    if (quietPaths.test(path) && reply.statusCode < 400) request.log.debug(line, 'answered');
    else request.log.info(line, 'answered');
  });
  app.addHook('onRequestAbort', async (request) => {
    request.log.info(
      { method: request.method, route: request.routeOptions.url, path: pathOf(request.url) },
      'the client went away before the answer',
    );
  });
}

/** A query may carry what is nobody's business. */
export const pathOf = (url: string) => url.split('?', 1)[0] ?? '';
