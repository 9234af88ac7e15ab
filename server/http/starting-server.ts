import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ErrorBody } from '../../shared/primitives.ts';
import { connectionLimits } from './connection-limits.ts';
import { pathOf } from './request-log.ts';

const retryAfterSeconds = 5;

/**
 * Answers instead of the portal while it starts: `/health`, so that no supervisor kills a working process, and `/health/ready`
 * with what is being done; anything else gets 503 with `Retry-After`. Nothing of the application runs yet.
 */
export class StartingServer {
  readonly #server: Server;
  #doing = 'starting';
  #successor: Server | undefined;

  constructor() {
    this.#server = createServer({ headersTimeout: 20_000, requestTimeout: 20_000 }, (request, response) =>
      this.#answer(request, response),
    );
    this.#server.maxConnections = connectionLimits.ofSource;
  }

  /** Listens; 0 takes a free port. Throws the system's error. */
  async listen(host: string, port: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject).listen(port, host, resolve);
    await promise;
  }

  /** What is being done, in a few words. */
  say(doing: string): void {
    this.#doing = doing;
  }

  /**
   * The listening socket, for `server.listen({ handle })`: the successor takes it over, so no connection is refused in between. It
   * also gets later requests on connections that are open already.
   */
  handOver(successor: Server): unknown {
    this.#successor = successor;
    // https://nodejs.org/api/net.html#serverlistenhandle-backlog-callback takes any object with a member _handle.
    return Reflect.get(this.#server, '_handle');
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.#successor !== undefined) {
      this.#successor.emit('request', request, response);
      return;
    }
    const path = pathOf(request.url ?? '');
    const isHealth = path === '/health';
    const isText = isHealth || path === '/health/ready';
    const error = `The portal is starting (${this.#doing}); try again shortly.`;
    const body = isHealth
      ? 'Healthy'
      : isText
        ? `Unhealthy: ${this.#doing}`
        : JSON.stringify({ error } satisfies ErrorBody);
    request.resume();
    response
      .writeHead(isHealth ? 200 : 503, {
        'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        // The next request is for the portal itself.
        connection: 'close',
        ...(isHealth ? {} : { 'retry-after': String(retryAfterSeconds) }),
      })
      .end(request.method === 'HEAD' ? undefined : body);
  }
}
