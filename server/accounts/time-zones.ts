import type { CurrentUser } from '../../shared/accounts.ts';
import type { AccountActor, Author } from '../base/scopes.ts';
import { canonicalTimeZone } from '../base/instants.ts';
import type { Database, Queryable } from '../database/pool.ts';
import { makeChange } from './audit.ts';
import { findChosenZones, findPortalZone, updatePortalZone } from './time-zones.sql.ts';

export interface ZoneParts {
  database: Queryable;
  /** The zone of the site that was created first; null without sites, and in Admin mode. Adding a site never changes it. */
  findFirstSiteZone: (database: Queryable) => Promise<string | null>;
  /** `Application__TimeZone`. */
  fallback: string;
}

/** The zone in which an account sees times. Only this decides it, for page, exports and the dashboard tool. */
export async function findZones(
  { database, findFirstSiteZone, fallback }: ZoneParts,
  accountId: string,
): Promise<Pick<CurrentUser, 'timeZone' | 'displayTimeZone'>> {
  const { own, portal } = await findChosenZones(database, accountId);
  return { timeZone: own, displayTimeZone: own ?? portal ?? (await findFirstSiteZone(database)) ?? fallback };
}

/** Sets the zone of users without a choice of their own; null: that of the first site. */
export async function changePortalZone(
  database: Database,
  by: Author<AccountActor>,
  given: string | null,
): Promise<{ timeZone: string | null }> {
  const timeZone = given && canonicalTimeZone(given);
  return makeChange({ database, by }, async (tx, recordChange) => {
    const before = { timeZone: await findPortalZone(tx) };
    await updatePortalZone(tx, timeZone);
    await recordChange('branding.change-time-zone', { id: null, before, after: { timeZone } });
    return { timeZone };
  });
}
