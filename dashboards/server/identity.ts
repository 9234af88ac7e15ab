import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { findZones } from '../../server/accounts/time-zones.ts';
import { findFirstSiteZone } from '../../server/sites/sites.sql.ts';
import { findFleetScope } from '../../server/fleet/customer-access.ts';
import { findGateIdentity, type GateIdentity } from '../../server/dashboards/gate-proof.ts';
import { refuse } from '../../server/base/errors.ts';
import type { FleetScope } from '../../server/base/scopes.ts';
import { pathOf } from '../../server/http/request-log.ts';
import type { App } from '../../server/http/guard.ts';
import type { ToolParts } from './tool-parts.ts';

const identities = new WeakMap<FastifyRequest, GateIdentity>();

interface Demand {
  secret: string;
  now: () => number;
  /** Whether a path is open to everybody. */
  isOpen: (path: string) => boolean;
}

/** Rejects every request with 401, whatever its path, unless it has a fresh proof by the portal of who sends it. */
export function demandIdentity(app: App, { secret, now, isOpen }: Demand): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const identity = findGateIdentity(request.headers, { secret, nowMs: now() });
    if (identity !== null) identities.set(request, identity);
    else if (!isOpen(pathOf(request.url))) throw refuse('signInToPortal');
    done();
  });
}

/** The user of a request; throws on a route without `demandIdentity`. */
export function identityOf(request: FastifyRequest): GateIdentity {
  const identity = identities.get(request);
  if (identity === undefined) throw new Error('identityOf() on a route that needs no identity');
  return identity;
}

/** The zone in which the user of a request sees times, as in the portal. */
export async function displayZoneOf(
  request: FastifyRequest,
  { settings, database }: Pick<ToolParts, 'settings' | 'database'>,
): Promise<string> {
  const isClient = settings.runMode === 'Client';
  const parts = {
    database,
    findFirstSiteZone: isClient ? findFirstSiteZone : async () => null,
    fallback: settings.timeZone,
  };
  return (await findZones(parts, identityOf(request).user)).displayTimeZone;
}

/** 403 without the role Admin, before the body is read. */
export const onlyAdmin: onRequestHookHandler = (request, _reply, done) => {
  if (identityOf(request).role !== 'Admin') {
    throw refuse('onlyAdministratorSaves');
  }
  done();
};

/**
 * The customers whose data a user may see, read again for each request. Null in a Client. 403 if the user may see nothing of
 * the fleet.
 */
export async function findScope(
  { settings, database }: Pick<ToolParts, 'settings' | 'database'>,
  { user, role }: GateIdentity,
): Promise<FleetScope | null> {
  if (settings.runMode === 'Client') return null;
  const scope = await findFleetScope(database, { accountId: user, roles: role === 'User' ? [] : [role] });
  if (scope === null) {
    throw refuse('noRoleInFleet');
  }
  return scope;
}
