import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifySchema, RouteOptions } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { errorBody } from '../../shared/primitives.ts';
import type { App } from './app.ts';
import type { Guard } from './guard.ts';

export interface ApiDocsParts {
  guard: Guard;
  version: string;
  sessionCookieName: string;
  /** Whether strangers may read the documentation (not in Production). */
  isOpen: boolean;
}

const documentPath = '/api/openapi.json';
const pagePath = '/api/docs';

/**
 * Collects every route that is registered after it into one OpenAPI 3.1 document, from the schemas that validate, and
 * serves it with a page to read it (decisions.md 1). Who may call a route and how it refuses come from its guard.
 */
export async function documentApi(
  app: App,
  { guard, version, sessionCookieName, isOpen }: ApiDocsParts,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Power monitoring portal',
        version,
        description:
          'Every error has the body `{ "error": "<one sentence>" }`. Instants are ISO 8601 in UTC; ranges are half-open: `from <= t < to`.',
      },
      // Relative, so that the document is right under whatever name the portal was reached.
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: sessionCookieName,
            description: 'The session that POST /api/auth/login begins.',
          },
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, made by an administrator in Settings.' },
        },
      },
    },
    transform: (route) =>
      jsonSchemaTransform({ ...route, schema: withAccess(route.schema, accessOf(route.route, guard)) }),
  });

  const onRequest = isOpen ? [] : [guard.signedIn];
  app.get(documentPath, { onRequest, schema: { hide: true } }, async () => app.swagger());
  await app.register(swaggerUi, {
    routePrefix: pagePath,
    uiConfig: { url: documentPath, docExpansion: 'list', deepLinking: true, validatorUrl: null },
    uiHooks: isOpen ? {} : { onRequest: guard.signedIn },
    theme: { title: 'API · Power monitoring portal' },
  });
}

type Access = 'everybody' | 'signedIn' | 'admin' | 'ingest';

function accessOf({ onRequest }: RouteOptions, guard: Guard): Access {
  const hooks: unknown[] = [onRequest].flat();
  return (['admin', 'ingest', 'signedIn'] as const).find((name) => hooks.includes(guard[name])) ?? 'everybody';
}

const securityOf = {
  everybody: [],
  signedIn: [{ session: [] }],
  admin: [{ session: [] }],
  ingest: [{ apiKey: [] }, { session: [] }],
} as const satisfies Record<Access, object>;

/** The refusals of the guard, so that no route has to repeat them. */
const refusalsOf = {
  everybody: {},
  signedIn: { 401: errorBody },
  admin: { 401: errorBody, 403: errorBody },
  ingest: { 401: errorBody, 403: errorBody },
} as const satisfies Record<Access, object>;

function withAccess(schema: FastifySchema, access: Access): FastifySchema {
  if (schema.hide === true) return schema;
  const declared = typeof schema.response === 'object' ? schema.response : {};
  return { ...schema, security: securityOf[access], response: { ...refusalsOf[access], ...declared } };
}
