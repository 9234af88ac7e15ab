import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { onSendHookHandler, FastifyBaseLogger, FastifyRequest } from 'fastify';
import { whenClosed } from '../client-gone.ts';
import type { App } from '../guard.ts';
import { heldBytes } from '../../base/budgets.ts';
import { seldom, whoOf } from '../request-log.ts';

const graceMs = 15_000;
const slowestBytesPerMs = 32;

/**
 * Ends a request if its body does not arrive within 15 s, plus 1 s for each 32 kB that its route accepts. Node does the same
 * with requests that exceed `requestTimeout`.
 */
export function endSlowBodies(app: Pick<App, 'addHook' | 'server'>, graceMilliseconds = graceMs): void {
  // The time begins only when the body is to be read. Bodies of requests that were rejected earlier are drained.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    done();
    const { raw, headers, routeOptions } = request;
    if (raw.complete || raw.readableEnded) return;
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
    const allowedMs = graceMilliseconds + (routeOptions.bodyLimit ?? 0) / slowestBytesPerMs;
    const timer = setTimeout(() => {
      if (raw.complete || raw.readableEnded) return;
      const error = Object.assign(new Error('The body is too slow.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      app.server.emit('clientError', error, raw.socket);
    }, allowedMs);
    whenClosed(reply.raw, () => clearTimeout(timer));
  });
}

const maxDrainBytes = 64 * 1024 * 1024;
const maxDrainMs = 10_000;

/**
 * Lets a client that is still sending receive an early response (413, 401). The response is sent at once, the rest of the body
 * is read and discarded, and only then the response ends. If a connection with unread bytes were closed, it would be reset and
 * the client would lose the response. Bodies above 64 MiB or 10 s are cut off.
 */
export const drainUnreadBody: onSendHookHandler = (request, reply, payload, done) => {
  if (reply.statusCode < 400 || isRead(request.raw) || typeof payload !== 'string') {
    done(null, payload);
    return;
  }
  void reply.header('content-length', Buffer.byteLength(payload));
  // Fastify would close the connection. After a complete body the connection can serve the next request.
  void reply.removeHeader('connection');
  async function* answerThenDrain() {
    yield payload;
    const isDrained = await drain(request.raw);
    if (!isDrained) reply.raw.once('finish', () => request.raw.socket.destroySoon());
  }
  done(null, Readable.from(answerThenDrain(), { objectMode: false }));
};

/** Whether the body ended within the limits. */
function drain(body: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    let bytes = 0;
    const finish = () => {
      clearTimeout(timer);
      body.off('data', onData).off('end', finish).off('close', finish);
      resolve(isRead(body));
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxDrainBytes) finish();
    };
    const timer = setTimeout(finish, maxDrainMs);
    if (isRead(body) || body.destroyed) {
      finish();
      return;
    }
    body.unpipe();
    body.on('data', onData).on('end', finish).on('close', finish).resume();
  });
}

const isRead = (body: IncomingMessage) => body.complete || body.readableEnded;

/** Smaller bodies do not count: even one on each connection takes little memory. */
const smallBody = 16 * 1024;
/** Larger bodies are lists. They are read piece by piece and counted as they arrive (list-upload.ts). */
const largestWhole = 4 * 1024 * 1024;

/**
 * Limits the memory held by request bodies, from before they arrive until the response is sent. Any user can send many
 * bodies of a megabyte.
 */
export function limitHeldBodies(app: App, log: FastifyBaseLogger, maxBytes: number = heldBytes.bodies): void {
  const note = seldom((closed, source: string) =>
    log.warn({ source, closed }, 'closed connections: request bodies hold too much memory'),
  );
  const held = new HeldBytes(maxBytes, ({ ip }) => note(ip));
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { raw, headers, routeOptions } = request;
    const { bodyLimit } = routeOptions;
    const declared = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : bodyLimit;
    const bytes = Math.min(declared, bodyLimit);
    if (bytes > smallBody && bodyLimit <= largestWhole && !raw.socket.destroyed)
      whenClosed(reply.raw, held.hold(request, bytes));
    done();
  });
}

interface Held {
  request: FastifyRequest;
  who: string;
  bytes: number;
}

/**
 * Bytes held for requests. Above the limit, the client that holds most loses its connections, the longest-waiting one
 * first.
 */
export class HeldBytes {
  readonly #max: number;
  readonly #note: (request: FastifyRequest) => void;
  readonly #held = new Set<Held>();
  #total = 0;

  constructor(max: number, note: (request: FastifyRequest) => void) {
    this.#max = max;
    this.#note = note;
  }

  /** Counts the bytes until the returned function is called. */
  hold(request: FastifyRequest, bytes: number): () => void {
    const own: Held = { request, who: whoOf(request), bytes };
    this.#held.add(own);
    this.#total += bytes;
    while (this.#total > this.#max && this.#held.size > 1) {
      const oldest = this.#oldestOfWhoHoldsMost();
      this.#release(oldest);
      this.#note(oldest.request);
      oldest.request.socket.destroy();
    }
    return () => this.#release(own);
  }

  #release(one: Held): void {
    if (this.#held.delete(one)) this.#total -= one.bytes;
  }

  #oldestOfWhoHoldsMost(): Held {
    const held = new Map<string, { bytes: number; oldest: Held }>();
    for (const one of this.#held) {
      const own = held.get(one.who);
      if (own === undefined) held.set(one.who, { bytes: one.bytes, oldest: one });
      else own.bytes += one.bytes;
    }
    return [...held.values()].reduce((most, one) => (one.bytes > most.bytes ? one : most)).oldest;
  }
}
