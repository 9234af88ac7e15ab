import type { Message } from '../../shared/messages.ts';
import type { FastifyRequest, onRequestAsyncHookHandler, FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Role } from '../../shared/accounts.ts';
import type { AccountActor, Author, FleetScope } from '../base/scopes.ts';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';

/** The account of a request with a valid session. */
export interface SignedIn {
  accountId: string;
  sessionId: string;
  /** Epoch milliseconds. */
  signedInAt: number;
  email: string;
  displayName: string;
  roles: Role[];
}

/** An API key that was valid a moment ago. */
export interface RecalledKey {
  readonly id: string;
  /** Throws `unauthenticated` if it is no longer valid. */
  readonly confirm: () => Promise<unknown>;
}

/** `onRequest` hooks. They run before the body is read, so the body of an anonymous request is never read. */
export interface Guard {
  /** 401 without a valid session. */
  signedIn: onRequestAsyncHookHandler;
  /** AdminOnly: 401 without a valid session, 403 without the role Admin. */
  admin: onRequestAsyncHookHandler;
  /** Admin or RestrictedAdmin: 401 without a valid session, 403 without one of the roles. */
  fleetReader: onRequestAsyncHookHandler;
  /** An API key with the scope `ingest`, or AdminOnly. */
  ingest: onRequestAsyncHookHandler;
  /**
   * Like `ingest`, but without a query for a key that was valid a moment ago. The route asks later. It stores rows only in a
   * transaction that sees {@link recalledKey}, and confirms the key before any other answer.
   */
  ingestOrRecall: onRequestAsyncHookHandler;
  /** The key that passed `ingestOrRecall` without a query; undefined if no key has to be confirmed. */
  recalledKey: (request: FastifyRequest) => RecalledKey | undefined;
  /** A customer's push token in `X-Customer-Token`: 401 without one of an active customer. */
  customer: onRequestAsyncHookHandler;
  /** The id of the customer that passed `customer`. */
  pushingCustomer: (request: FastifyRequest) => string;
  /** The customer whose token `customer` rejected, and the reason. Undefined if the token belongs to no customer. */
  refusedCustomer: (request: FastifyRequest) => { customerId: string; refusal: Message } | undefined;
  /** The customers that the account may see, once `fleetReader` has passed it. A request for another customer gets 404. */
  fleetScope: (request: FastifyRequest) => FleetScope;
  /** The account, once `signedIn` or `admin` has passed it. Throws if neither of them ran. */
  current: (request: FastifyRequest) => SignedIn;
  /** The same account as the author of a change. */
  author: (request: FastifyRequest) => Author<AccountActor>;
}

/**
 * The name of an operation in the API document and in generated clients: verb and noun, such as `listSites`. It never changes.
 */
export interface Named {
  operationId: string;
}

/** A route behind a guard, as the API document describes it. */
export const guarded = <Schema extends Named>(onRequest: onRequestAsyncHookHandler, schema: Schema) => ({
  onRequest,
  schema,
});

/** A Fastify instance whose routes take their types from zod schemas. */
export type App = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>;
