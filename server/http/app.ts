import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import { compile } from '@fastify/proxy-addr';
import fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { refuse } from '../base/errors.ts';
import { readingMethods, refuseCrossSite, securityHeaders } from './browser-security.ts';
import { DeliveryLog, type Answer, logAnswer, logOf, observeAnswers } from './request-log.ts';
import { answerError } from './errors.ts';
import { readablePageUrl } from './web-page.ts';
import { answerMalformedRequests, limitConnections } from './protection/connections.ts';
import { endSlowBodies, drainUnreadBody, limitHeldBodies } from './protection/bodies.ts';
import type { App } from './guard.ts';
import { HeldHeaders } from './protection/held-headers.ts';
import { writeLargeAnswers, limitUnread } from './protection/answers.ts';

export interface AppOptions {
  log: FastifyBaseLogger;
  publicUrl: string;
  /** Whether pages under other loopback names may write too. */
  isDevelopment: boolean;
  trustedProxies: readonly string[];
  /** Whether a request may change the protocol of its connection. */
  mayUpgrade: (request: IncomingMessage) => boolean;
  /** Called for each request when its response has ended, whichever hook or route sent it. */
  onAnswer: (answer: Answer) => void;
}

/** A gateway on a slow line may need minutes for 32 MiB. Headers never need more than seconds. */
const timeouts = { headersMs: 10_000, requestMs: 300_000, idleConnectionMs: 75_000, silentSocketMs: 300_000 };

/**
 * The default limit of a body. A route that needs more sets a limit of its own. Each anonymous client may hold this much
 * memory.
 */
const smallBodyBytes = 16 * 1024;

/**
 * A query about thousands of devices names each of them in its URL. Browsers and proxies together send about thirty headers; each
 * line takes many times its bytes in memory.
 */
const maxHeaders = { bytes: 128 * 1024, lines: 100 };

/**
 * The bare application: security headers, protection against cross-site writes, errors, logs, request ids. compose.ts
 * adds the routes.
 */
export async function createApp(options: AppOptions): Promise<App> {
  const { log, publicUrl, isDevelopment, trustedProxies, mayUpgrade, onAnswer } = options;
  const headers = securityHeaders(publicUrl);
  const refusalHeaders = { ...headers, 'cache-control': 'no-store' };
  const malformedRequests = answerMalformedRequests(log, refusalHeaders);
  const heldHeaders = new HeldHeaders(log);
  const isTrusted = trustedProxies.length > 0 ? compile([...trustedProxies]) : undefined;
  const app: App = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: isTrusted ?? false,
    // The logger of a request is created with its first line, by logOf.
    childLoggerFactory: (parent) => parent,
    genReqId: () => randomUUID(),
    bodyLimit: smallBodyBytes,
    // Unknown fields are ignored, even those with which a prototype could be poisoned.
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    requestTimeout: timeouts.requestMs,
    connectionTimeout: timeouts.silentSocketMs,
    keepAliveTimeout: timeouts.idleConnectionMs,
    // A request without Host is rejected below; that answer has a body.
    http: {
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: 5_000,
      requireHostHeader: false,
      maxHeaderSize: maxHeaders.bytes,
      shouldUpgradeCallback: (request) => {
        const isUpgrade = mayUpgrade(request);
        if (isUpgrade) heldHeaders.forget(request.socket);
        return isUpgrade;
      },
    },
    forceCloseConnections: 'idle',
    // During a stop, requests on open connections still get an answer. Then each connection is closed.
    return503OnClosing: false,
    clientErrorHandler: malformedRequests.onClientError,
    rewriteUrl: readablePageUrl,
    frameworkErrors: (error, request, reply) => {
      logOf(request).info({ code: error.code }, 'refused a malformed request');
      void reply.headers(refusalHeaders);
      answerError(error, request, reply);
    },
  }).withTypeProvider<ZodTypeProvider>();
  app.server.maxHeadersCount = maxHeaders.lines;
  malformedRequests.watch(app.server);
  heldHeaders.watch(app.server);
  limitConnections(app.server, {
    log,
    isProxy: (address) => isTrusted?.(address, 0) ?? false,
    answer: malformedRequests.answerOf(refuse('manyConnections')),
  });

  // Bodies are JSON unless a route says otherwise; anything else is 415.
  app.removeContentTypeParser('text/plain');
  // An empty body counts as no body. If a body is required, the schema rejects it.
  const parseJson = app.getDefaultJsonParser('remove', 'remove');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding.trim().toLowerCase() !== 'identity') {
      done(refuse('noContentEncoding'));
    } else if (body === '') {
      done(null, undefined);
    } else {
      void parseJson(request, body, done);
    }
  });
  app.setValidatorCompiler(validatorCompiler);
  // Schemas give responses their types. Validating responses at run time would cost more than the query.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setErrorHandler(answerError);

  writeLargeAnswers(app);
  limitUnread(app, log);
  limitHeldBodies(app, log);
  // Registered first, because later hooks may reject a request.
  const deliveries = new DeliveryLog(log);
  app.server.once('close', () => deliveries.write());
  observeAnswers(app, (answer) => {
    if (!deliveries.take(answer)) logAnswer(answer);
    onAnswer(answer);
  });
  endSlowBodies(app);
  // The hooks use callbacks, because a promise for each would cost more than most hooks do.
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
  // Added before the compression plugin sees a route. The answer to a write may contain a new secret next to text that others
  // wrote, so it must not be compressed (BREACH).
  app.addHook('onRoute', (route) => {
    if (![route.method].flat().every((method) => readingMethods.has(method))) route.compress = false;
  });
  await app.register(compress, { encodings: ['zstd', 'gzip'], threshold: 1_024, globalDecompression: false });
  await app.register(cookie);
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      throw refuse('hostMissing');
    }
    done();
  });
  let hasWarned = false;
  app.addHook('onRequest', (request, _reply, done) => {
    const { remoteAddress = '' } = request.socket;
    if (!hasWarned && request.headers['x-forwarded-for'] !== undefined && !isTrusted?.(remoteAddress, 0)) {
      hasWarned = true;
      log.warn(
        { address: remoteAddress },
        'X-Forwarded-For from an address that is not in Application__TrustedProxies; all clients behind it count as one source',
      );
    }
    done();
  });
  app.addHook('onRequest', refuseCrossSite(publicUrl, isDevelopment));
  app.addHook('onSend', drainUnreadBody);
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    void reply.header('x-request-id', request.id);
    if (isStopping) void reply.header('connection', 'close');
    // Files set their own cache headers; nothing else may be cached.
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store');
    done();
  });
  return app;
}
