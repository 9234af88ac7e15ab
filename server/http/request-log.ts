import type { FastifyRequest } from 'fastify';
import type { App } from './typed-app.ts';

/** How a request ended. */
export interface Answer {
  request: FastifyRequest;
  method: string;
  /** The pattern of the route, or `unmatched`. */
  route: string;
  /** Without the query, which may carry what is nobody's business. */
  path: string;
  /** What was sent; null when the client went away before the end of it. */
  status: number | null;
  milliseconds: number;
}

/** Calls `onAnswer` once for each request, when its answer is over, however that came about. */
export function observeAnswers(app: App, onAnswer: (answer: Answer) => void): void {
  const startedAt = new WeakMap<FastifyRequest, number>();
  const ended = new WeakSet<FastifyRequest>();
  const end = (request: FastifyRequest, status: number | null) => {
    if (ended.has(request)) return;
    ended.add(request);
    onAnswer({
      request,
      method: request.method,
      route: request.is404 ? 'unmatched' : (request.routeOptions.url ?? 'unmatched'),
      path: pathOf(request.url),
      status,
      milliseconds: performance.now() - (startedAt.get(request) ?? performance.now()),
    });
  };
  app.addHook('onRequest', async (request, reply) => {
    startedAt.set(request, performance.now());
    // Fastify tells of a client that went away only while its body was not read to the end.
    reply.raw.once('close', () => end(request, null));
  });
  app.addHook('onResponse', async (request, reply) => end(request, reply.statusCode));
}

const quietPaths = /^\/(?:health(?:\/|$)|metrics$|assets\/)/;

/** Whoever is behind a request stands in all its later lines. */
export function logWho(
  request: FastifyRequest,
  who: { account: string } | { apiKey: { id: string; name: string } },
): void {
  request.log = request.log.child(who);
}

/** One line an answer: what was asked, by whom and from where, how it ended and how long it took. */
export function logAnswer({ request, milliseconds, ...answer }: Answer): void {
  const line = { ...answer, ms: Math.round(milliseconds * 10) / 10, source: request.ip };
  if (answer.status === null) request.log.info(line, 'the client went away before the end of the answer');
  else if (quietPaths.test(answer.path) && answer.status < 400) request.log.debug(line, 'answered');
  else request.log.info(line, 'answered');
}

export const pathOf = (url: string) => url.split('?', 1)[0] ?? '';
