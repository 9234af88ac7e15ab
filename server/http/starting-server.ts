import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { message } from '../base/errors.ts';
import { namesHtml, preferredLanguage } from './accept.ts';
import { connectionLimits } from '../base/budgets.ts';
import { errorBodyOf } from './errors.ts';
import { pathOf } from './request-log.ts';
import { securityHeaders } from './security-headers.ts';
import { scriptPolicy, startingPage, type StartingStep } from './starting-page.ts';

const retryAfterSeconds = 5;
/** A start that waits for something longer than this says so in the log. */
const patienceMs = 2_000;

export interface StartingServerOptions {
  publicUrl: string;
  /** The brand of the settings; the database may have another one. */
  branding: Parameters<typeof startingPage>[0]['branding'];
  onLongWait: (waitingFor: string) => void;
}

const steps: Record<StartingStep, string> = {
  database: 'the database',
  otherPortal: 'another portal that is preparing the database',
  preparation: 'the preparation of the database',
};

/** Says beside `Unhealthy` what the portal waits for; a header holds no other characters. */
export const waitingForHeader = (waitingFor: string): Record<string, string> => ({
  'x-waiting-for': waitingFor.replace(/[^\x20-\x7e]/g, '?'),
});

/**
 * Answers instead of the portal while it starts: `/health`, so that no supervisor kills a working process; `/health/ready`, with
 * what is being waited for in a header; a page that reloads itself to browsers; anything else gets 503 with `Retry-After`.
 * Nothing of the application runs yet.
 */
export class StartingServer {
  readonly #server: Server;
  readonly #options: StartingServerOptions;
  #step: StartingStep = 'database';
  #detail = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #successor: Server | undefined;

  constructor(options: StartingServerOptions) {
    this.#options = options;
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

  /** What the start waits for from now on, in detail if there is more to say. */
  say(step: StartingStep, detail = ''): void {
    this.#step = step;
    this.#detail = detail;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#options.onLongWait(this.#waitingFor()), patienceMs).unref();
  }

  /**
   * The listening socket, for `server.listen({ handle })`: the successor takes it over, so no connection is refused in between. It
   * also gets later requests on connections that are open already.
   */
  handOver(successor: Server): unknown {
    clearTimeout(this.#timer);
    this.#successor = successor;
    // https://nodejs.org/api/net.html#serverlistenhandle-backlog-callback takes any object with a member _handle.
    return Reflect.get(this.#server, '_handle');
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #waitingFor(): string {
    return steps[this.#step] + (this.#detail === '' ? '' : ` (${this.#detail})`);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.#successor !== undefined) {
      this.#successor.emit('request', request, response);
      return;
    }
    request.resume();
    const { status, type, body } = this.#contentFor(request);
    const headers = securityHeaders(this.#options.publicUrl);
    response
      .writeHead(status, {
        ...headers,
        'content-security-policy': `${headers['content-security-policy']};${scriptPolicy}`,
        'content-type': `${type}; charset=utf-8`,
        'content-length': Buffer.byteLength(body),
        'cache-control': 'no-store',
        vary: 'accept, accept-language',
        // The next request is for the portal itself.
        connection: 'close',
        ...(status === 200
          ? {}
          : { 'retry-after': String(retryAfterSeconds), ...waitingForHeader(this.#waitingFor()) }),
      })
      .end(request.method === 'HEAD' ? undefined : body);
  }

  #contentFor({ url = '/', headers }: IncomingMessage): { status: number; type: string; body: string } {
    const path = pathOf(url);
    if (path === '/health') return { status: 200, type: 'text/plain', body: 'Healthy' };
    if (path === '/health/ready') return { status: 503, type: 'text/plain', body: 'Unhealthy' };
    if (namesHtml(headers.accept)) {
      const { branding } = this.#options;
      const language = preferredLanguage(headers['accept-language']);
      const body = startingPage({ branding, language, step: this.#step, detail: this.#detail });
      return { status: 503, type: 'text/html', body };
    }
    const error = errorBodyOf(message('starting', { waitingFor: this.#waitingFor() }));
    return { status: 503, type: 'application/json', body: JSON.stringify(error) };
  }
}
