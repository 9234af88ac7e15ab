import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import httpProxy from '@fastify/http-proxy';
import { Agent, type Dispatcher } from 'undici';
import type { DashboardToolStatus } from '../../shared/embedded-dashboards.ts';
import { heldBytes, limiterOf } from '../base/budgets.ts';
import { pathBelow } from './dashboard-paths.rules.ts';
import { DomainError, refuse } from '../base/errors.ts';
import { clientGone } from '../http/client-gone.ts';
import { type GateParts, identityOf } from './gate.routes.ts';
import { pathOf } from '../http/request-log.ts';
import { framedBySelf } from '../http/browser-security.ts';
import type { App } from '../http/guard.ts';

/** How the portal reaches the dashboard tool. */
export interface DashboardTool {
  status: () => Promise<Omit<DashboardToolStatus, 'path'>>;
  /** Scheme, host and port, such as `http://127.0.0.1:40123`; null while it is not running. */
  origin: () => string | null;
}

export interface ProxyParts {
  gate: GateParts;
  /** `Dashboard__EmbedPathPrefix`. */
  prefix: string;
  tool: DashboardTool;
}

/** The maximum size of a body. A dashboard has half a megabyte at most. */
const maxBodyBytes = 1024 * 1024;
const retrySeconds = 5;
/** The maximum duration of an answer. A query of the tool may take half a minute. */
const answerWithin = { headersTimeout: 60_000, bodyTimeout: 60_000 };
/**
 * The maximum number of requests to the tool at a time. The tool queues only a hundred or so queries. With a lower maximum,
 * these would hold up its page and all other users.
 */
const maxRequests = 256;
/**
 * The lifetime of a socket. A longer one would outlive a sign-out for longer. A socket that is opened again passes the gate
 * again.
 */
const longestSocketMs = 10 * 60_000;

/** The headers that are passed on to the tool; all others, in any spelling, are dropped. */
const passedOn: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-encoding',
  'content-length',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'range',
  'host',
  'user-agent',
]);

/** Whether a request may become a web socket; all other upgrade offers are ignored, such as the `h2c` of Java clients. */
export const mayBecomeSocket = (prefix: string) => (request: IncomingMessage) =>
  request.headers.upgrade?.toLowerCase() === 'websocket' && (request.url ?? '').startsWith(`${prefix}/`);

/**
 * Proxies everything under the prefix to the dashboard tool for users who are signed in; the tool learns only from the portal who
 * they are. In a stack the reverse proxy does this instead.
 */
export async function dashboardProxy(app: App, { gate, prefix, tool }: ProxyParts): Promise<void> {
  const sockets = new Set<{ terminate: () => void }>();
  const isSocket = mayBecomeSocket(prefix);
  const webSockets = limiterOf('webSockets');
  const early = new WeakMap<object, number>();
  const identities = new WeakMap<object, Record<string, string>>();
  const clients = new WeakMap<object, AbortSignal>();
  const upstream = new CancellingAgent({ connections: maxRequests, connectTimeout: 5_000, ...answerWithin });
  const origin = async (): Promise<string> => {
    const found = tool.origin();
    if (found !== null) return found;
    const { state, reason } = await tool.status();
    throw refuse('toolNotThere', { reason: reason ?? state }, { retryAfterSeconds: retrySeconds });
  };

  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.schema = { hide: true };
      route.bodyLimit = maxBodyBytes;
    });
    scope.addHook('onRequest', (_request, reply, done) => {
      void reply.headers(framedBySelf);
      done();
    });
    scope.addHook('onRequest', gate.guard.signedIn);
    scope.addHook('onRequest', async (request) => {
      pathBelow(prefix, pathOf(request.url));
      await origin();
    });
    // Made once the body has arrived, so that the proof is fresh.
    scope.addHook('preHandler', async (request, reply) => {
      const { socket } = request.raw;
      if (isSocket(request.raw))
        await webSockets.hold(async () => socket.destroyed || once(socket, 'close'), {
          key: gate.guard.current(request).accountId,
        });
      identities.set(request, identityOf(request, gate));
      clients.set(request, clientGone(reply));
    });
    scope.addHook('onClose', () => upstream.destroy());
    // Only errors are logged. Warnings would be about errors that are answered and logged anyway, or about clients that
    // disconnect.
    const quiet = scope.log.child({}, { level: 'error' });
    scope.setChildLoggerFactory(() => quiet);
    scope.addHook('preClose', async () => {
      for (const socket of sockets) socket.terminate();
    });
    // The body is read as a whole, so that a body that is too large is rejected here.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, body, done) =>
      done(null, body.length === 0 ? undefined : Readable.from([body])),
    );
    await scope.register(httpProxy, {
      prefix,
      rewritePrefix: prefix,
      upstream: '',
      httpMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      proxyPayloads: false,
      disableRequestLogging: true,
      undici: upstream,
      replyOptions: {
        getUpstream: () => tool.origin() ?? '',
        rewriteRequestHeaders: (request, headers) => ({
          ...Object.fromEntries(Object.entries(headers).filter(([name]) => passedOn.has(name))),
          ...identities.get(request),
          ...upstream.mark(clients.get(request) ?? AbortSignal.abort()),
        }),
        rewriteHeaders: ({ 'set-cookie': _cookie, ...headers }) => headers,
        // Not retried here: the client decides about that.
        retryDelay: () => null,
        onError: (reply, { error }) => {
          if (error.cause instanceof DomainError) return void reply.send(error.cause);
          void reply.send(refuse('toolSilent', {}, { retryAfterSeconds: retrySeconds, cause: error }));
        },
      },
      websocket: true,
      wsServerOptions: { maxPayload: maxBodyBytes },
      wsClientOptions: {
        maxPayload: maxBodyBytes,
        handshakeTimeout: 5_000,
        rewriteRequestHeaders: (_headers: unknown, request: object) => ({ ...identities.get(request) }),
      },
      wsHooks: {
        // Without this check, the proxy would buffer all data that it cannot forward, without a limit.
        onIncomingMessage: (_context, source, target, { data }) => {
          if (target.readyState !== target.CONNECTING) {
            if (target.bufferedAmount > heldBytes.unsentOfSocket) source.terminate();
            return;
          }
          const bytes = (early.get(source) ?? 0) + bytesOf(data);
          early.set(source, bytes);
          if (bytes > heldBytes.earlyOfSocket) source.terminate();
        },
        onOutgoingMessage: (_context, source) => {
          if (source.bufferedAmount > heldBytes.unsentOfSocket) source.terminate();
        },
        onConnect: (_context, source, target) => {
          // The client may have disconnected before the tool has answered.
          if (source.readyState !== source.OPEN) {
            target.terminate();
            return;
          }
          sockets.add(source);
          const end = setTimeout(() => source.close(1001), longestSocketMs);
          source.once('close', () => {
            clearTimeout(end);
            target.terminate();
            sockets.delete(source);
          });
        },
      },
    });
  });
}

const bytesOf = (data: Buffer | ArrayBuffer | readonly Buffer[]): number =>
  'byteLength' in data ? data.byteLength : data.reduce((sum, { length }) => sum + length, 0);

/** Marks for which client a request is made. The mark is not sent. */
const mark = 'x-portal-request';

/** Aborts requests whose client has disconnected, so that the tool does not compute for nothing. */
class CancellingAgent extends Agent {
  readonly #clients = new Map<string, AbortSignal>();
  #last = 0;

  /** A header by which the signal aborts the request that carries it. */
  mark(client: AbortSignal): Record<string, string> {
    const key = String((this.#last += 1));
    this.#clients.set(key, client);
    return { [mark]: key };
  }

  override request<O = null>(options: Dispatcher.RequestOptions<O>): Promise<Dispatcher.ResponseData<O>>;
  override request<O = null>(options: Dispatcher.RequestOptions<O>, done: Done<O>): void;
  override request<O = null>(options: Dispatcher.RequestOptions<O>, done?: Done<O>) {
    const { [mark]: key, ...headers } = Object.fromEntries(Object.entries(options.headers ?? {}));
    const marked = { ...options, headers, signal: this.#clients.get(String(key)) ?? null };
    this.#clients.delete(String(key));
    return done === undefined ? super.request(marked) : super.request(marked, done);
  }
}

type Done<O> = (error: Error | null, data: Dispatcher.ResponseData<O>) => void;
