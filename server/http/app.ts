import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { DomainError } from '../domain/errors.ts';
import { refuseCrossSite } from './cross-site.ts';
import { answerError } from './errors.ts';
import { answerMalformedRequests } from './malformed-requests.ts';
import { type Answer, logAnswer, observeAnswers } from './request-log.ts';
import { drainUnreadBody } from './unread-body.ts';

/** A Fastify instance whose routes take their types from zod schemas. */
export type App = FastifyInstance<
  import('node:http').Server,
  import('node:http').IncomingMessage,
  import('node:http').ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export interface AppOptions {
  log: FastifyBaseLogger;
  publicUrl: string;
  trustedProxies: readonly string[];
  /** Told of each request when its answer is over, whichever hook or route gave it. */
  onAnswer: (answer: Answer) => void;
}

/** A gateway on a slow line may need minutes for 32 MiB; nobody needs more than seconds for headers. */
const timeouts = { headersMs: 20_000, requestMs: 300_000, idleConnectionMs: 75_000, silentSocketMs: 300_000 };

/** A question about thousands of devices names each of them in its address. */
const maxHeaderBytes = 128 * 1024;

/** The bare application: security headers, the rule against cross-site writes, errors, logs, request ids. Routes come from compose.ts. */
export async function createApp({ log, publicUrl, trustedProxies, onAnswer }: AppOptions): Promise<App> {
  const isHttps = publicUrl.startsWith('https:');
  const malformedRequests = answerMalformedRequests(log);
  const app: App = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: () => randomUUID(),
    bodyLimit: 1024 * 1024,
    // Fields that nobody asked for are ignored, also those that would poison a prototype.
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    requestTimeout: timeouts.requestMs,
    connectionTimeout: timeouts.silentSocketMs,
    keepAliveTimeout: timeouts.idleConnectionMs,
    // A request without Host is refused below, with a body.
    http: {
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: 5_000,
      requireHostHeader: false,
      maxHeaderSize: maxHeaderBytes,
    },
    forceCloseConnections: 'idle',
    // While stopping, requests on open connections are still answered, each as the last of its connection.
    return503OnClosing: false,
    clientErrorHandler: malformedRequests.onClientError,
    frameworkErrors: (error, request, reply) => {
      request.log.info({ code: error.code }, 'refused a malformed request');
      void reply.header('x-content-type-options', 'nosniff');
      answerError(error, request, reply);
    },
  }).withTypeProvider<ZodTypeProvider>();
  malformedRequests.watch(app.server);

  // Bodies are JSON unless a route says otherwise; anything else is 415.
  app.removeContentTypeParser('text/plain');
  // An empty body that is called JSON is none; where one is needed, the schema says so.
  const parseJson = app.getDefaultJsonParser('remove', 'remove');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding.trim().toLowerCase() !== 'identity') {
      done(new DomainError('unsupportedMediaType', 'This address takes no Content-Encoding; send the JSON as it is.'));
    } else if (body === '') {
      done(null, undefined);
    } else {
      void parseJson(request, body, done);
    }
  });
  app.setValidatorCompiler(validatorCompiler);
  // Answers are built field by field and typed by their schemas; checking each again would cost more than the query did.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setErrorHandler(answerError);

  // Before all other hooks, which may refuse a request.
  observeAnswers(app, (answer) => {
    logAnswer(answer);
    onAnswer(answer);
  });
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // Mantine and ECharts set style attributes; scripts come from files alone.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', 'https:', ...(isHttps ? [] : ['http:'])],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
        ...(isHttps ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    // Other names under this one are not ours to decide for.
    strictTransportSecurity: isHttps ? { includeSubDomains: false } : false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
  });
  await app.register(cookie);
  app.addHook('onRequest', async (request) => {
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      throw new DomainError('invalid', 'The header Host is missing.');
    }
  });
  app.addHook('onRequest', refuseCrossSite(publicUrl));
  app.addHook('onSend', drainUnreadBody);
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onSend', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    if (isStopping) void reply.header('connection', 'close');
    // Files say how long they may be kept; nothing else may be.
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store');
  });
  return app;
}
