import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Role } from '../../shared/accounts.ts';
import { gateHeaders, type GateRole } from './gate-proof.ts';
import { answerWith, type ResponseHeaders } from '../http/resources.ts';
import { type Guard, guarded, type App } from '../http/guard.ts';

export interface GateParts {
  guard: Guard;
  /** `Dashboard__GateSecret`. */
  secret: string;
  /** Epoch milliseconds. */
  now: () => number;
}

const identityHeaders: ResponseHeaders = {
  'X-Portal-User': { type: 'string', description: 'The id of the account.' },
  'X-Portal-Email': { type: 'string', description: 'Percent-encoded UTF-8.' },
  'X-Portal-Name': { type: 'string', description: 'Percent-encoded UTF-8.' },
  'X-Portal-Role': { type: 'string', description: 'The highest role: Admin, RestrictedAdmin or User.' },
  'X-Portal-Proof': { type: 'string', description: 'Proves the other headers to the dashboard tool for 60 seconds.' },
};

/** `GET /api/auth/check`, the gate of the dashboard tool. */
export function gateRoutes(app: App, parts: GateParts): void {
  app.get(
    '/api/auth/check',
    guarded(parts.guard.signedIn, {
      tags: ['Accounts'],
      operationId: 'checkSession',
      summary: 'Check the session cookie for a reverse proxy',
      description:
        'For forward-auth requests. Accepts the cookie only, never an API key. The headers of a 200 identify the user.',
      response: { 200: answerWith(identityHeaders, z.object({})) },
    }),
    async (request, reply) => {
      void reply.headers(identityOf(request, parts));
      return {};
    },
  );
}

/** The headers that tell the dashboard tool who the user is. */
export function identityOf(request: FastifyRequest, { guard, secret, now }: GateParts): Record<string, string> {
  const { accountId: user, email, displayName: name, roles } = guard.current(request);
  return gateHeaders({ user, email, name, role: highestOf(roles) }, { secret, nowMs: now() });
}

const highestOf = (roles: readonly Role[]): GateRole =>
  (['Admin', 'RestrictedAdmin'] as const).find((role) => roles.includes(role)) ?? 'User';
