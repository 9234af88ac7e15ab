import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { connectionLimits, heldBytes } from '../../base/budgets.ts';
import { refuse } from '../../base/errors.ts';
import { sourceOf } from '../../base/source-address.ts';
import { HeldBytes } from './held-bodies.ts';
import { headSizeOf } from './held-headers.ts';
import { LargeAnswer } from './large-answers.ts';
import { seldom } from '../request-log.ts';
import { whenClosed } from '../client-gone.ts';
import type { App } from '../typed-app.ts';

/** What is smaller is not counted. */
const smallAnswer = 16 * 1024;
/** What a stream holds at once: a part that waits for the socket, and the next one read ahead. */
const partsOfStream = 128 * 1024;

/**
 * Limits what the process holds for those who ask and do not read: the requests of one connection, and the answers of all, with open
 * files and streams. Above that
 * the connections of whoever holds most are closed, the one whose answer has waited longest first; the others get theirs. Before all
 * hooks that change an answer.
 */
export function limitUnread(app: App, log: FastifyBaseLogger, maxBytes: number = heldBytes.answers): void {
  const { requestsOfOne, openRequestsOfOne } = connectionLimits;
  const note = seldom((_count, source: string, reason: string) =>
    log.warn({ source }, `closed a connection: ${reason}`),
  );
  const noteFlood = (source: string) => note(source, 'it sent request after request without waiting for an answer');
  const unread = new HeldBytes(maxBytes, ({ ip }) => note(ip, 'too much of what it asked for was not read'));
  const waitingOn = closeFloods(app.server, openRequestsOfOne, noteFlood);

  app.addHook('onRequest', (request, reply, done) => {
    const count = waitingOn(request.raw.socket);
    if (count <= requestsOfOne) return done();
    // The connection ends with this answer, so those behind it get none.
    if (count > requestsOfOne + 1) return;
    void reply.header('connection', 'close');
    noteFlood(request.ip);
    done(refuse('manyUnanswered', { max: requestsOfOne }));
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const answer = heldBy(payload, Number(reply.getHeader('content-length') ?? Infinity));
    const length = answer + headSizeOf(request.raw);
    if (length >= smallAnswer && !request.raw.socket.destroyed) whenClosed(reply.raw, unread.hold(request, length));
    done();
  });
}

/**
 * Closes connections on which more than `max` requests wait for an answer, and returns how many wait on one. Runs before all other
 * listeners to requests: one read of 64 KiB may hold thousands, which Node parses to the end, and as many requests of Fastify take 10 MB.
 */
function closeFloods(server: Server, max: number, note: (source: string) => void): (socket: Socket) => number {
  const waiting = new WeakMap<Socket, number>();
  const readInTurn = trackReads(server);
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
 * Returns a function that makes the connections of a source take turns: each event loop turn reads one of them. Parsing the last read of
 * a closed connection takes 20 ms; all 300 connections of a source in one turn block everybody for 10 s and hold 1.5 GB.
 */
function trackReads(server: Server): (source: string) => void {
  const socketsOf = new Map<string, Set<Socket>>();
  const paused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    const source = sourceOf(socket.remoteAddress ?? '');
    const sockets = socketsOf.get(source) ?? new Set();
    socketsOf.set(source, sockets.add(socket));
    socket.once('close', () => {
      paused.delete(socket);
      sockets.delete(socket);
      if (sockets.size === 0 && socketsOf.get(source) === sockets) socketsOf.delete(source);
    });
  });
  let isReading = false;
  const readNext = () => {
    const [next] = paused;
    isReading = next !== undefined;
    if (next === undefined) return;
    paused.delete(next);
    next.resume();
    setImmediate(readNext);
  };
  return (source) => {
    for (const socket of socketsOf.get(source) ?? []) paused.add(socket.pause());
    if (!isReading) setImmediate(readNext);
    isReading = true;
  };
}

function heldBy(payload: unknown, contentLength: number): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length;
  if (payload instanceof LargeAnswer) return payload.heldBytes;
  return payload instanceof Readable ? Math.min(partsOfStream, contentLength) : 0;
}
