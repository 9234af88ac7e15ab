import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { connectionLimits, heldBytes } from '../../base/budgets.ts';
import { sourceOf } from '../../base/source-address.ts';
import { seldom } from '../request-log.ts';
import { whenClosed } from '../client-gone.ts';

/**
 * How often connections are checked. Bytes between two checks are not counted. Checking 4,000 connections takes a millisecond.
 */
const lookEveryMs = 50;

interface Counted {
  socket: Socket;
  source: string;
  /**
   * The bytes of the connection that belong to requests. While a body of known length arrives, they are more than the
   * connection has sent.
   */
  understood: number;
  /** The request whose body, of unknown length, is arriving. */
  chunked: IncomingMessage | undefined;
  /** Requests in progress, each with the size of its headers and the time of their arrival. */
  readonly open: Map<ServerResponse, { size: number; sinceMs: number }>;
  /** When the incomplete headers began; undefined if there are none. */
  sinceMs: number | undefined;
  /** The bytes of incomplete headers and of requests without an answer; and for how long these have waited, added up. */
  held: number;
  waited: number;
}

/**
 * Limits the memory of headers that are incomplete, or that wait for their body or their turn; once there is an answer,
 * `limitUnread` counts them. Above the limit, the source whose bytes have waited longest in total loses its longest-waiting
 * connection. An honest request is complete within a moment, however long its URL.
 */
export class HeldHeaders {
  readonly #maxBytes: number;
  readonly #uncountedLimit: number;
  readonly #counted = new Map<Socket, Counted>();
  #uncounted = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #note: (source: string) => void;

  constructor(
    log: FastifyBaseLogger,
    maxBytes: number = heldBytes.headers,
    uncounted: number = connectionLimits.uncountedHeaders,
  ) {
    this.#note = seldom((closed, source) =>
      log.warn({ source, closed }, 'closed connections: unanswered requests hold too many headers'),
    );
    this.#maxBytes = maxBytes;
    this.#uncountedLimit = uncounted;
  }

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      if (this.#uncounted < this.#uncountedLimit) {
        this.#uncounted += 1;
        socket.once('close', () => (this.#uncounted -= 1));
        return;
      }
      const source = sourceOf(socket.remoteAddress ?? '');
      this.#counted.set(socket, {
        socket,
        source,
        understood: 0,
        chunked: undefined,
        open: new Map(),
        sinceMs: undefined,
        held: 0,
        waited: 0,
      });
      socket.once('close', () => this.forget(socket));
      this.#timer ??= setInterval(() => this.#look(), lookEveryMs).unref();
    });
    // Read before the application changes the address.
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      const own = this.#counted.get(request.socket);
      if (own === undefined) return;
      const head = headSizeOf(request);
      own.open.set(response, { size: head, sinceMs: performance.now() });
      own.sinceMs = undefined;
      whenClosed(response, () => own.open.delete(response));
      if (request.headers['transfer-encoding'] !== undefined) {
        // The end of such a body is unknown. So everything after it is discarded and gets no answer.
        own.chunked = request;
        response.setHeader('connection', 'close');
        return;
      }
      const { bytesRead } = request.socket;
      const bodyLength = Number(request.headers['content-length'] ?? 0);
      const end = Math.min(own.understood, bytesRead - head) + head + bodyLength;
      // Each header adds at least two bytes, because clients write no fewer. The remaining bytes belong to the next request.
      const spaces = request.rawHeaders.length;
      own.understood = bytesRead > end && bytesRead <= end + spaces ? bytesRead : end;
    });
  }

  /** Stops counting a connection, for example after it has changed its protocol. */
  forget(socket: Socket): void {
    this.#counted.delete(socket);
    if (this.#counted.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const nowMs = performance.now();
    let total = 0;
    for (const own of this.#counted.values()) {
      const { bytesRead } = own.socket;
      if (own.chunked !== undefined) own.understood = bytesRead;
      if (own.chunked?.complete === true) own.chunked = undefined;
      const unfinished = Math.max(0, bytesRead - own.understood);
      own.sinceMs = unfinished === 0 ? undefined : (own.sinceMs ?? nowMs);
      own.held = unfinished;
      own.waited = unfinished * (nowMs - (own.sinceMs ?? nowMs) + lookEveryMs);
      for (const [{ headersSent }, { size, sinceMs }] of own.open) {
        if (headersSent) continue;
        own.held += size;
        own.waited += size * (nowMs - sinceMs + lookEveryMs);
      }
      total += own.held;
    }
    if (total > this.#maxBytes) this.#closeLongest(total - this.#maxBytes);
  }

  #closeLongest(excess: number): void {
    const sources = [...Map.groupBy(this.#counted.values(), ({ source }) => source).values()].map((connections) => ({
      waited: connections.reduce((sum, { waited }) => sum + waited, 0),
      connections: connections.toSorted((a, b) => a.waited - b.waited),
    }));
    for (let left = excess; left > 0;) {
      const longest = sources.reduce((most, one) => (one.waited > most.waited ? one : most));
      const own = longest.connections.pop();
      if (own === undefined) return;
      longest.waited -= own.waited;
      left -= own.held;
      this.forget(own.socket);
      own.socket.destroy();
      this.#note(own.source);
    }
  }
}

/** The least size of the first line and the headers, without white space around values. */
export const headSizeOf = ({ method = '', url = '', rawHeaders }: IncomingMessage): number =>
  rawHeaders.reduce((size, { length }) => size + length, 1.5 * rawHeaders.length) +
  method.length +
  url.length +
  '  HTTP/1.1\r\n\r\n'.length;
