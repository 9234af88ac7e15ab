import type { Queryable, Transaction } from '../database/pool.ts';
import { execute, findRow, findValue } from '../database/rows.ts';

// Primary key of accounts; portal.display has at most one row.
const FIND_OWN = `SELECT a.time_zone AS own, (SELECT time_zone FROM portal.display) AS portal
  FROM portal.accounts a WHERE a.id = $1`;
const FIND_PORTAL = `SELECT time_zone FROM portal.display`;
const SET_PORTAL = `INSERT INTO portal.display (time_zone) VALUES ($1) ON CONFLICT (is_only) DO UPDATE SET time_zone = $1`;
const DELETE_PORTAL = `DELETE FROM portal.display`;
const SET_OWN = `UPDATE portal.accounts SET time_zone = $2 WHERE id = $1`;

/** The zones that the account and the portal have chosen; null if there is none. */
export const findChosenZones = async (database: Queryable, accountId: string) =>
  (await findRow<{ own: string | null; portal: string | null }>(database, FIND_OWN, accountId)) ?? {
    own: null,
    portal: null,
  };

export const findPortalZone = (database: Queryable) => findValue<string>(database, FIND_PORTAL);

/** Null clears the choice. */
export const updatePortalZone = (tx: Transaction, timeZone: string | null) =>
  timeZone === null ? execute(tx, DELETE_PORTAL) : execute(tx, SET_PORTAL, timeZone);

export const updateOwnZone = (tx: Transaction, accountId: string, timeZone: string | null) =>
  execute(tx, SET_OWN, accountId, timeZone);
