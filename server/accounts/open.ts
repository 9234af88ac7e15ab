import type { FastifyRequest } from 'fastify';
import { shares } from '../base/budgets.ts';
import { warns } from '../base/log.ts';
import type { Context } from '../http/context.ts';
import { createGuard, type GuardParts } from '../http/create-guard.ts';
import type { App } from '../http/guard.ts';
import { accountRoutes } from './accounts.routes.ts';
import { createIngestKeys } from './api-keys.ts';
import { auditRoutes } from './audit.routes.ts';
import { createPartyOf, secondFactorRoutes } from './second-factor.routes.ts';
import { passkeyRoutes } from './passkeys.routes.ts';
import { createPasswords, type HashCost } from './passwords.ts';
import { createSecretBox } from './sealed.ts';
import { openSessionKeys } from './session-keys.ts';
import { createSessions, sessionCookieName } from './sessions.ts';
import { type AccountParts, createAccountParts } from './sign-in-attempts.ts';
import { findZones, type ZoneParts } from './time-zones.ts';
import { userRoutes } from './users.routes.ts';

export type AccountContext = Pick<Context, 'config' | 'database' | 'now'> & {
  /** The cost of hashing a password. Tests with many passwords lower it. */
  hashCost?: HashCost | undefined;
};

export const accountPartsOf = ({ config, database, now, hashCost }: AccountContext): AccountParts => {
  const refuseCommon = config.authentication.refuseCommonPasswords;
  const passwords = createPasswords({ refuseCommon, hashCost });
  return createAccountParts(database, passwords, now);
};

/**
 * Opens the guard of all routes, and the routes of accounts. `fleet` finds whom an Admin admits besides accounts; null at a
 * Client.
 */
export async function openAccounts(
  context: Context & AccountContext,
  fleet: Pick<GuardParts, 'findCustomer' | 'findFleetScope'> | null,
  findFirstSiteZone: ZoneParts['findFirstSiteZone'],
) {
  const { config, database, log, now } = context;
  const { publicUrl, runMode } = config;
  const keys = await openSessionKeys({
    folder: config.storage.keysPath,
    now,
    onProblem: warns(log, 'could not read or replace the session keys'),
  });
  const accounts = accountPartsOf(context);
  const zonesOf = (accountId: string) =>
    findZones({ database, findFirstSiteZone, fallback: config.timeZone }, accountId);
  const sessions = createSessions({ database, keys, publicUrl, now, zonesOf });
  const nobody = async () => null;
  const ofIngest = database.within(shares.ingest);
  const onProblem = warns(log, 'could not store the last use of an API key');
  const ingestKeys = fleet === null ? createIngestKeys({ database: ofIngest, now, onProblem }) : undefined;
  const guard = createGuard({
    findSession: sessions.find,
    findIngestKey: ingestKeys?.find ?? nobody,
    recallIngestKey: ingestKeys?.recall ?? (() => undefined),
    findCustomer: fleet?.findCustomer ?? nobody,
    findFleetScope: fleet?.findFleetScope ?? nobody,
  });
  return {
    guard,
    sessionCookieName: sessionCookieName(publicUrl),
    keys,
    accounts,
    /** The time zone in which the account of a request sees times. */
    displayZoneOf: async (request: FastifyRequest) => (await zonesOf(guard.current(request).accountId)).displayTimeZone,
    /** Seals secrets of other rooms. */
    box: createSecretBox(keys),
    async routes(app: App, applicationName: () => Promise<string>): Promise<void> {
      const secondFactor = { accounts, box: createSecretBox(keys) };
      const partyOf = createPartyOf(publicUrl, config.environment === 'Development');
      const signIn = { secondFactor, guard, sessions, keys, partyOf, applicationName };
      await accountRoutes(app, signIn);
      await secondFactorRoutes(app, signIn);
      await passkeyRoutes(app, signIn);
      await auditRoutes(app, { database, guard });
      await userRoutes(app, { users: { accounts, runMode }, guard, sessions });
    },
  };
}
