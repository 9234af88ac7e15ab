import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { statusOfKind } from '../../../shared/messages.ts';
import { type DomainError, refuse } from '../../base/errors.ts';
import { errorBodyOf } from '../errors.ts';
import { whenClosed } from '../client-gone.ts';

const refusals = new Map<unknown, DomainError>([
  ['HPE_HEADER_OVERFLOW', refuse('manyHeaders')],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', refuse('longChunkExtensions')],
  ['ERR_HTTP_REQUEST_TIMEOUT', refuse('requestTooSlow')],
]);

/** Responds with `{ error }` when Node refuses a request before it reaches a route. */
export function answerMalformedRequests(log: FastifyBaseLogger, headers: Readonly<Record<string, string>>) {
  // The latest response of each connection: a second one in the middle of it would be garbage.
  const answering = new WeakMap<Socket, ServerResponse>();
  return {
    onClientError(error: Error, socket: Socket) {
      const code = 'code' in error ? error.code : undefined;
      const answer = answering.get(socket);
      const isInTheMiddle = answer !== undefined && answer.headersSent && !answer.writableFinished;
      if (code === 'ECONNRESET' || !socket.writable || isInTheMiddle) {
        socket.destroy();
        return;
      }
      const refusal = refusals.get(code) ?? refuse('malformedRequest');
      // Browsers open connections in advance and may never use them.
      const level = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'debug' : 'info';
      log[level]({ code, status: statusOfKind[refusal.kind] }, 'refused a malformed request');
      socket.end(rawAnswer(refusal, headers), () => socket.destroy());
    },
    watch(server: Server) {
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        answering.set(request.socket, response);
        // A connection that waits for its next request would keep the headers of this one, up to 128 KiB.
        whenClosed(response, () => {
          if (answering.get(request.socket) === response) answering.delete(request.socket);
        });
      });
      server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
        const body = JSON.stringify(errorBodyOf(refuse('onlyContinue').refusal));
        response.writeHead(417, {
          ...headers,
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
        });
        response.end(body);
      });
    },
    /** A complete response for a connection that is not served. */
    answerOf: (refusal: DomainError) => rawAnswer(refusal, headers),
  };
}

function rawAnswer({ kind, refusal }: DomainError, headers: Readonly<Record<string, string>>): string {
  const body = JSON.stringify(errorBodyOf(refusal));
  const status = statusOfKind[kind];
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
