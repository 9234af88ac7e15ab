import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifySchema, RouteOptions } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorBody } from '../../shared/primitives.ts';
import { tidyDocument } from './api-components.ts';
import { nameSchemas } from './api-schemas.ts';
import { readingMethods } from './browser-security.ts';
import type { Guard, App } from './guard.ts';
import { retryAfter, ifMatchHeaders } from './resources.ts';

export interface ApiDocsParts {
  guard: Guard;
  version: string;
  sessionCookieName: string;
  /** Whether anybody may read the documentation (not in Production). */
  isOpen: boolean;
}

const documentPath = '/api/openapi.json';
const pagePath = '/api/docs';

/**
 * Builds one OpenAPI 3.1 document from the schemas of every route registered after it, and serves it with a page to
 * read it (decisions.md 1). The guard of a route provides its roles and errors.
 */
export async function documentApi(
  app: App,
  { guard, version, sessionCookieName, isOpen }: ApiDocsParts,
): Promise<void> {
  nameSchemas();
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Power monitoring portal',
        version,
        description:
          'Every error has the body `Error`. Instants are ISO 8601 in UTC; ranges are half-open: `from <= t < to`.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      // The address is relative, so that the document is right under any host name.
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: sessionCookieName,
            description: 'The session started by POST /api/auth/login.',
          },
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key, created by an administrator in Settings.',
          },
          pushToken: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Customer-Token',
            description: 'The push token of a customer, shown once when the customer is created or its token rotated.',
          },
          metricsToken: { type: 'http', scheme: 'bearer', description: 'The setting Metrics__Token.' },
        },
      },
    },
    transform: (route) => {
      const schema = documented(route.schema, {
        url: route.url,
        access: accessOf(route.route, guard),
        isWriting: [route.route.method].flat().some((method) => !readingMethods.has(method)),
      });
      return withHeaders(jsonSchemaTransform({ ...route, schema }), schema.response);
    },
    transformObject: (document) => tidyDocument(jsonSchemaTransformObject(document)),
  });

  const onRequest = isOpen ? [] : [guard.signedIn];
  app.get(documentPath, { onRequest, schema: { hide: true } }, async () => app.swagger());
  // Every file comes from this server, and the page has no inline script. So it gets the same policy as all other pages.
  await app.register(swaggerUi, {
    routePrefix: pagePath,
    theme: { title: 'API' },
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', tryItOutEnabled: false, validatorUrl: null },
    ...(isOpen ? {} : { uiHooks: { onRequest: guard.signedIn } }),
  });
}

const accesses = {
  everybody: { text: 'Anyone.', security: [] },
  signedIn: { text: 'Needs a session.', security: [{ session: [] }] },
  admin: { text: 'Needs the session of an administrator.', security: [{ session: [] }] },
  fleetReader: {
    text: 'Needs the session of an Admin or RestrictedAdmin. The latter sees the assigned customers only.',
    security: [{ session: [] }],
  },
  ingest: {
    text: 'Needs an API key (`Authorization: Bearer <key>`), or the session of an administrator.',
    security: [{ apiKey: [] }, { session: [] }],
  },
  customer: { text: 'Needs the push token of a customer.', security: [{ pushToken: [] }] },
} as const;
type Access = keyof typeof accesses;

function accessOf({ onRequest }: RouteOptions, guard: Guard): Access {
  const hooks: unknown[] = [onRequest].flat();
  if (hooks.includes(guard.ingestOrRecall)) return 'ingest';
  return (
    (['admin', 'fleetReader', 'ingest', 'customer', 'signedIn'] as const).find((name) => hooks.includes(guard[name])) ??
    'everybody'
  );
}

const statusTexts = new Map([
  ['400', 'The request is not valid; the error names the field.'],
  ['401', 'No valid session, key or token.'],
  ['403', 'The user may not do this, or the request came from another website.'],
  ['404', 'Not found.'],
  ['409', 'Conflict with existing data; the error names it.'],
  ['413', 'The body is too large.'],
  ['415', 'The content type or encoding of the body is not accepted.'],
  ['429', 'Too many attempts; Retry-After says when to try again.'],
  ['503', 'The database cannot be reached or the portal is busy; Retry-After says when to try again.'],
]);

interface RouteFacts {
  url: string;
  access: Access;
  /** Whether the method may change something; such requests are rejected from other websites. */
  isWriting: boolean;
}

/** The error responses that follow from the method, guard and input of a route. */
function commonRefusals({ headers, params }: FastifySchema, { url, access, isWriting }: RouteFacts): string[] {
  return [
    // Any request may get these responses, because its URL may be broken or its Host missing.
    '400',
    ...(access === 'everybody' ? [] : ['401']),
    ...(isWriting || access === 'admin' || access === 'fleetReader' ? ['403'] : []),
    ...(params === undefined ? [] : ['404']),
    ...(headers === ifMatchHeaders ? ['412'] : []),
    ...(isWriting ? ['413', '415'] : []),
    ...(url.startsWith('/api/') ? ['503'] : []),
  ];
}

function documented(schema: FastifySchema, facts: RouteFacts): FastifySchema {
  if (schema.hide === true) return schema;
  const { text, security } = accesses[facts.access];
  const declared = Object.entries(schema.response ?? {});
  const refusals = commonRefusals(schema, facts).map((status): [string, unknown] => [status, errorBody]);
  const responses = new Map([...refusals, ...declared]);
  return {
    ...schema,
    // A route without a guard checks its callers itself.
    ...(schema.security === undefined && { description: `${text} ${schema.description ?? ''}`.trim(), security }),
    response: Object.fromEntries([...responses].map(([status, response]) => [status, describe(status, response)])),
  };
}

function describe(status: string, response: unknown): object {
  const description = statusTexts.get(status) ?? STATUS_CODES[status] ?? status;
  if (typeof response === 'object' && response !== null && 'content' in response) return { description, ...response };
  if (response instanceof z.ZodNull) return z.null().describe(description);
  const headers = status === '429' || status === '503' ? { headers: retryAfter } : {};
  return { description, ...headers, content: { 'application/json': { schema: response } } };
}

/** Restores the headers of responses, which are lost when schemas are transformed. */
function withHeaders(made: ReturnType<typeof jsonSchemaTransform>, declared: unknown): typeof made {
  const headersOf = new Map(
    Object.entries(declared ?? {}).flatMap(([status, response]: [string, unknown]) =>
      typeof response === 'object' && response !== null && 'headers' in response ? [[status, response.headers]] : [],
    ),
  );
  const entries = Object.entries(made.schema.response ?? {}).map(([status, response]: [string, unknown]) => {
    const headers = headersOf.get(status);
    return [status, headers === undefined ? response : Object.assign({ headers }, response)];
  });
  return { ...made, schema: { ...made.schema, response: Object.fromEntries(entries) } };
}
