import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { DomainError } from '../domain/errors.ts';
import { headSizeOf } from './held-headers.ts';
import { seldom, whoOf } from './request-log.ts';
import { whenClosed } from './response-end.ts';
import type { App } from './typed-app.ts';

export const unreadLimits = {
  /** Requests of one connection that wait for the end of an answer. Browsers and proxies send one after the other. */
  requestsOfConnection: 4,
  /** Characters or bytes of all answers that nobody has taken yet, and of the headers that asked for them. */
  all: 128 * 1024 * 1024,
};
/** What is smaller is not counted. */
const smallAnswer = 16 * 1024;
/** What a stream holds at once: a part that waits for the socket, and the next one read ahead. */
const partsOfStream = 128 * 1024;

interface Unread {
  request: FastifyRequest;
  who: string;
  length: number;
}

/**
 * Limits what the process holds for those who ask and do not read: the requests of one connection, and the answers of all, with open
 * files and streams. Above that
 * the connections of whoever holds most are closed, the one whose answer has waited longest first; the others get theirs. Before all
 * hooks that change an answer.
 */
export function limitUnread(app: App, log: FastifyBaseLogger, limits = unreadLimits): void {
  const waiting = new WeakMap<Socket, number>();
  const unread = new Set<Unread>();
  let total = 0;
  const note = seldom((_count, { ip }: FastifyRequest, reason: string) =>
    log.warn({ source: ip }, `closed a connection: ${reason}`),
  );

  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    whenClosed(reply.raw, () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    if (count <= limits.requestsOfConnection) return done();
    // The connection ends with this answer, so those behind it get none.
    if (count > limits.requestsOfConnection + 1) return;
    void reply.header('connection', 'close');
    note(request, 'it sent request after request without waiting for an answer');
    const limit = `At most ${limits.requestsOfConnection} requests of a connection may wait for an answer`;
    done(new DomainError('tooManyRequests', `${limit}; send these again, one after the other.`, 1));
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const answer = heldBy(payload, Number(reply.getHeader('content-length') ?? Infinity));
    const length = answer + headSizeOf(request.raw);
    if (length >= smallAnswer && !request.raw.socket.destroyed) {
      const own: Unread = { request, who: whoOf(request), length };
      unread.add(own);
      total += length;
      whenClosed(reply.raw, () => {
        if (unread.delete(own)) total -= length;
      });
      while (total > limits.all && unread.size > 1) {
        const oldest = oldestOfWhoHoldsMost(unread);
        unread.delete(oldest);
        total -= oldest.length;
        note(oldest.request, 'too much of what it asked for was not read');
        oldest.request.socket.destroy();
      }
    }
    done();
  });
}

function heldBy(payload: unknown, contentLength: number): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length;
  return payload instanceof Readable ? Math.min(partsOfStream, contentLength) : 0;
}

function oldestOfWhoHoldsMost(unread: ReadonlySet<Unread>): Unread {
  const held = new Map<string, { length: number; oldest: Unread }>();
  for (const one of unread) {
    const own = held.get(one.who);
    if (own === undefined) held.set(one.who, { length: one.length, oldest: one });
    else own.length += one.length;
  }
  return [...held.values()].reduce((most, one) => (one.length > most.length ? one : most)).oldest;
}
