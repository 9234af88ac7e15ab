import type { FastifyRequest } from 'fastify';
import { whoOf } from '../request-log.ts';

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
