import type { FastifyRequest } from 'fastify';
import type { App } from './typed-app.ts';

/** How a request ended. */
export interface Answer {
  request: FastifyRequest;
  method: string;
  /** The pattern of the route, or `unmatched`. */
  route: string;
  /** Without the query, which may contain personal data. */
  path: string;
  /** The status that was sent; null if the client went away before the end of the response. */
  status: number | null;
  milliseconds: number;
}

/** Calls `onAnswer` once for each request when its response has ended, for whatever reason. */
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
    // Fastify reports a client that went away only until its body has been read.
    reply.raw.once('close', () => end(request, null));
  });
  app.addHook('onResponse', async (request, reply) => end(request, reply.statusCode));
}

const quietPaths = /^\/(?:health(?:\/|$)|metrics$|assets\/)/;

/** Adds the account or key of a request to all its later log lines. */
export function logWho(
  request: FastifyRequest,
  who: { account: string } | { apiKey: { id: string; name: string } },
): void {
  request.log = request.log.child(who);
}

/** One log line per response: the request, by whom and from where, how it ended and how long it took. */
export function logAnswer({ request, milliseconds, ...answer }: Answer): void {
  const line = { ...answer, ms: Math.round(milliseconds * 10) / 10, source: request.ip };
  if (answer.status === null) request.log.info(line, 'the client went away before the end of the answer');
  else if (quietPaths.test(answer.path) && answer.status < 400) request.log.debug(line, 'answered');
  else request.log.info(line, 'answered');
}

export const pathOf = (url: string) => url.split('?', 1)[0] ?? '';
