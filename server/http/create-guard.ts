import type { Message } from '../../shared/messages.ts';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { AccountActor, AnonymousActor, Author, FleetScope } from '../base/scopes.ts';
import { refuse } from '../base/errors.ts';
import { withoutPort } from '../base/source-address.ts';
import { type ApiKeyName, logOf, logWho } from './request-log.ts';
import type { Guard, RecalledKey, SignedIn } from './guard.ts';

/** A user with a session as the author of a change. */
export function authorOf(
  request: FastifyRequest,
  { accountId, sessionId }: { accountId: string; sessionId: string },
): Author<AccountActor> {
  return {
    actor: { kind: 'account', accountId, sessionId, sourceAddress: withoutPort(request.ip) },
    log: logOf(request),
  };
}

/** A client without a session as the author of a change. */
export const strangerOf = ({ ip, log }: FastifyRequest): Author<AnonymousActor> => ({
  actor: { kind: 'anonymous', sourceAddress: withoutPort(ip) },
  log,
});

export interface GuardParts {
  findSession: (request: FastifyRequest, reply: Parameters<onRequestAsyncHookHandler>[1]) => Promise<SignedIn | null>;
  findIngestKey: (key: string) => Promise<ApiKeyName | null>;
  /** A key that was found recently; undefined if it must be looked up. */
  recallIngestKey: (key: string) => ApiKeyName | undefined;
  /** Null if a token is not valid. Then `onRefused` gets the reason and the customer that the token belongs to, if any. */
  findCustomer: (
    token: string,
    onRefused?: (refused: { customerId: string; refusal: Message }) => void,
  ) => Promise<string | null>;
  /** Null without a role that reads the fleet. */
  findFleetScope: (account: SignedIn) => Promise<FleetScope | null>;
}

export function createGuard(parts: GuardParts): Guard {
  const { findSession, findIngestKey, recallIngestKey, findCustomer, findFleetScope } = parts;
  const sessions = rememberOr<SignedIn>('guard.current() on a route without guard.signedIn or guard.admin');
  const scopes = rememberOr<FleetScope>('guard.fleetScope() on a route without guard.fleetReader');
  const customers = rememberOr<string>('guard.pushingCustomer() on a route without guard.customer');
  const refused = new WeakMap<FastifyRequest, { customerId: string; refusal: Message }>();
  const recalled = new WeakMap<FastifyRequest, RecalledKey>();

  const signedIn: onRequestAsyncHookHandler = async (request, reply) => {
    const session = await findSession(request, reply);
    if (session === null) throw refuse('signInFirst');
    sessions.set(request, session);
    logWho(request, { account: session.accountId });
  };

  const admin: onRequestAsyncHookHandler = async function (this, request, reply) {
    await signedIn.call(this, request, reply);
    if (!sessions.get(request).roles.includes('Admin')) {
      throw refuse('onlyAdministrator');
    }
  };

  const fleetReader: onRequestAsyncHookHandler = async function (this, request, reply) {
    await signedIn.call(this, request, reply);
    const scope = await findFleetScope(sessions.get(request));
    if (scope === null) throw refuse('onlyFleetAdministrator');
    scopes.set(request, scope);
  };

  const findKey = async (key: string | undefined): Promise<ApiKeyName> => {
    const apiKey = key === undefined ? null : await findIngestKey(key);
    if (apiKey === null) throw refuse('unknownApiKey');
    return apiKey;
  };

  const ingest: onRequestAsyncHookHandler = async function (this, request, reply) {
    const authorization = request.headers.authorization;
    // Other authorization schemes may be intended for a proxy in front of the portal.
    if (authorization === undefined || !/^Bearer\b/i.test(authorization)) {
      await admin.call(this, request, reply);
      return;
    }
    logWho(request, { apiKey: await findKey(bearerOf(authorization)) });
  };

  const ingestOrRecall: onRequestAsyncHookHandler = async function (this, request, reply) {
    const key = bearerOf(request.headers.authorization);
    const apiKey = key && recallIngestKey(key);
    if (!apiKey) {
      await ingest.call(this, request, reply);
      return;
    }
    recalled.set(request, { id: apiKey.id, confirm: () => findKey(key) });
    logWho(request, { apiKey });
  };

  const customer: onRequestAsyncHookHandler = async (request) => {
    const token = request.headers['x-customer-token'];
    const customerId = await findCustomer(typeof token === 'string' ? token : '', (owner) =>
      refused.set(request, owner),
    );
    if (customerId === null) {
      throw refuse(token === undefined ? 'noCustomerToken' : 'unknownCustomerToken');
    }
    customers.set(request, customerId);
    logWho(request, { customer: customerId });
  };

  return {
    signedIn,
    admin,
    fleetReader,
    fleetScope: scopes.get,
    ingest,
    ingestOrRecall,
    recalledKey: (request) => recalled.get(request),
    customer,
    pushingCustomer: customers.get,
    refusedCustomer: (request) => refused.get(request),
    current: sessions.get,
    author: (request) => authorOf(request, sessions.get(request)),
  };
}

const bearerOf = (authorization = '') => /^Bearer +(\S+) *$/i.exec(authorization)?.[1];

/** What a guard found out about a request. A route that reads this although the guard did not run has a bug. */
function rememberOr<Value>(mistake: string) {
  const values = new WeakMap<FastifyRequest, Value>();
  return {
    set: (request: FastifyRequest, value: Value) => values.set(request, value),
    get(this: void, request: FastifyRequest): Value {
      const value = values.get(request);
      if (value === undefined) throw new Error(mistake);
      return value;
    },
  };
}
