import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from './app.ts';

/** How a request ended. */
export interface Answer {
  request: FastifyRequest;
  method: string;
  /** The pattern of the route, or `unmatched`. */
  route: string;
  /** Without the query, which may carry what is nobody's business. */
  path: string;
  /** What was sent; null when the client went away before anything was. */
  status: number | null;
  /** False when the client went away in the middle of the answer. */
  isComplete: boolean;
  milliseconds: number;
}

/** Calls `onAnswer` once for each request, when its answer is over, however that came about. */
export function observeAnswers(app: App, onAnswer: (answer: Answer) => void): void {
  app.addHook('onRequest', async (request, reply) => {
    let isComplete = false;
    reply.raw.once('finish', () => {
      isComplete = true;
    });
    reply.raw.once('close', () => onAnswer(describe(request, reply, isComplete)));
  });
}

function describe(request: FastifyRequest, reply: FastifyReply, isComplete: boolean): Answer {
  const { headersSent, statusCode } = reply.raw;
  return {
    request,
    method: request.method,
    route: request.is404 ? 'unmatched' : (request.routeOptions.url ?? 'unmatched'),
    path: pathOf(request.url),
    status: headersSent ? statusCode : null,
    isComplete,
    milliseconds: reply.elapsedTime,
  };
}

const quietPaths = /^\/(?:health(?:\/|$)|metrics$|assets\/)/;

/** One line an answer: what was asked, how it ended and how long it took. */
export function logAnswer({ request, milliseconds, status, isComplete, ...asked }: Answer): void {
  const line = { ...asked, status, ms: Math.round(milliseconds * 10) / 10 };
  if (!isComplete) request.log.info(line, 'the client went away before the end of the answer');
  else if (quietPaths.test(asked.path) && (status ?? 500) < 400) request.log.debug(line, 'answered');
  else request.log.info(line, 'answered');
}

export const pathOf = (url: string) => url.split('?', 1)[0] ?? '';
