import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { heldBytes } from '../../base/budgets.ts';
import { seldom, whoOf } from '../request-log.ts';
import { whenClosed } from '../client-gone.ts';
import type { App } from '../typed-app.ts';

/** What is smaller is not counted: so much on each connection is as much in all. */
const smallBody = 16 * 1024;
/** Larger ones are lists, which are read piece by piece and counted as they come (list-upload.ts). */
const largestWhole = 4 * 1024 * 1024;

/** Limits what bodies hold from before they come in until their requests are answered: a user needs no role to send many of a megabyte. */
export function limitHeldBodies(app: App, log: FastifyBaseLogger, maxBytes: number = heldBytes.bodies): void {
  const note = seldom((closed, source: string) =>
    log.warn({ source, closed }, 'closed connections: too much of bodies under way'),
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
 * Bytes that are held for requests. Above the limit the connections of whoever holds most are closed, the one that has waited longest
 * first; the others go on.
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

  /** Counts the bytes until the function that is returned is called. */
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
