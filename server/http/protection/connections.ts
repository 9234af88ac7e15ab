import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { statusOfKind } from '../../../shared/messages.ts';
import { connectionLimits } from '../../base/budgets.ts';
import { type DomainError, refuse } from '../../base/errors.ts';
import { sourceOf } from '../../base/source-address.ts';
import { noteConnection } from '../../database/turns.ts';
import { whenClosed } from '../client-gone.ts';
import { errorBodyOf } from '../errors.ts';
import { seldom } from '../request-log.ts';

type Connections = Map<string, Set<Socket>>;
const connectionsOf = new WeakMap<Server, Connections>();

/** The open connections of a server by their source. */
function openConnections(server: Server): Connections {
  const known = connectionsOf.get(server);
  if (known !== undefined) return known;
  const open: Connections = new Map();
  server.on('connection', (socket: Socket) => {
    const source = sourceOf(socket.remoteAddress ?? '');
    open.getOrInsertComputed(source, () => new Set()).add(socket);
    socket.once('close', () => {
      open.get(source)?.delete(socket);
      if (open.get(source)?.size === 0) open.delete(source);
    });
  });
  connectionsOf.set(server, open);
  return open;
}

/**
 * Limits all connections, and those of each source, so that nobody fills the process with half-sent requests. A trusted proxy
 * carries the connections of many clients, so only the total limit applies to it. Rejected connections are closed and counted
 * in the log.
 */
export function limitConnections(
  server: Server,
  { log, isProxy, answer }: { log: FastifyBaseLogger; isProxy: (address: string) => boolean; answer: string },
): void {
  const open = openConnections(server);
  const note = seldom((refused, source: string, limit: string) =>
    log.warn({ source, refused }, `refused connections: ${limit}`),
  );

  server.maxConnections = connectionLimits.all;
  server.on('drop', (dropped) =>
    note(sourceOf(dropped?.remoteAddress ?? ''), `no more than ${connectionLimits.all} are open at once`),
  );
  server.on('connection', (socket: Socket) => {
    noteConnection();
    const { remoteAddress = '' } = socket;
    if (isProxy(remoteAddress)) return;
    const source = sourceOf(remoteAddress);
    if ((open.get(source)?.size ?? 0) <= connectionLimits.ofSource) return;
    note(source, `no more than ${connectionLimits.ofSource} are open from one source`);
    socket.end(answer, () => socket.destroy());
  });
}

/**
 * Closes connections on which more than `max` requests wait for an answer. Returns how many wait on a connection. It runs
 * before all other request listeners: one read of 64 KiB may contain thousands of requests. Node parses all of them, and
 * Fastify would use 10 MB for them.
 */
export function closeFloods(server: Server, max: number, note: (source: string) => void): (socket: Socket) => number {
  const waiting = new WeakMap<Socket, number>();
  const readInTurn = takeTurns(server);
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > max) {
      const source = sourceOf(socket.remoteAddress ?? '');
      note(source);
      readInTurn(source);
      socket.destroy();
      return;
    }
    waiting.set(socket, count);
    whenClosed(response, () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    for (const listener of listeners) Reflect.apply(listener, server, [request, response]);
  });
  return (socket) => waiting.get(socket) ?? 0;
}

/**
 * Returns a function that makes the connections of a source take turns: only one of them is read in each turn of the event
 * loop. Parsing the last read of a closed connection takes 20 ms. If all 300 connections of a source were read in one turn,
 * they would block everybody for 10 s and hold 1.5 GB.
 */
function takeTurns(server: Server): (source: string) => void {
  const openOf = openConnections(server);
  const paused = new Set<Socket>();
  let isReading = false;
  const readNext = () => {
    const [next] = paused;
    isReading = next !== undefined;
    if (next === undefined) return;
    paused.delete(next);
    if (!next.destroyed) next.resume();
    setImmediate(readNext);
  };
  return (source) => {
    for (const socket of openOf.get(source) ?? []) paused.add(socket.pause());
    if (!isReading) setImmediate(readNext);
    isReading = true;
  };
}

const refusals = new Map<unknown, DomainError>([
  ['HPE_HEADER_OVERFLOW', refuse('manyHeaders')],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', refuse('longChunkExtensions')],
  ['ERR_HTTP_REQUEST_TIMEOUT', refuse('requestTooSlow')],
]);

/** Responds with `{ error }` when Node refuses a request before it reaches a route. */
export function answerMalformedRequests(log: FastifyBaseLogger, headers: Readonly<Record<string, string>>) {
  // The latest response of each connection. A second response in the middle of it would be garbage.
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
        // A connection that waits for its next request would keep the headers of the last one, up to 128 KiB.
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
