import type { CurrentUser } from '../../shared/accounts.ts';
import type { AccountActor, Author } from '../base/scopes.ts';
import { canonicalTimeZone } from '../base/instants.ts';
import type { Database, Queryable } from '../database/pool.ts';
import { makeChange } from './audit.ts';
import { findChosenZones, findPortalZone, updatePortalZone } from './time-zones.sql.ts';

export interface ZoneParts {
  database: Queryable;
  /**
   * The time zone of the site that was created first. Null without sites, and in Admin mode. It does not change when sites are
   * added.
   */
  findFirstSiteZone: (database: Queryable) => Promise<string | null>;
  /** `Application__TimeZone`. */
  fallback: string;
}

/** The time zone in which an account sees times. Page, exports and the dashboard tool all ask here. */
export async function findZones(
  { database, findFirstSiteZone, fallback }: ZoneParts,
  accountId: string,
): Promise<Pick<CurrentUser, 'timeZone' | 'displayTimeZone'>> {
  const { own, portal } = await findChosenZones(database, accountId);
  return { timeZone: own, displayTimeZone: own ?? portal ?? (await findFirstSiteZone(database)) ?? fallback };
}

/** Sets the time zone of users who have not chosen one; null means that of the first site. */
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
