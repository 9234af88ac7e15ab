import type { Browser } from '../../shared/notifications.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { affectsRows, findRow, findValue, listRows } from '../database/rows.ts';

const columns = `id, account_id AS "accountId", endpoint, public_key AS "publicKey", auth_secret AS "authSecret"`;
const FIND = `SELECT ${columns} FROM portal.browser_subscriptions WHERE id = $1`;
// Index browser_subscriptions_account_id.
const LIST = `SELECT id, endpoint, user_agent AS "userAgent", created_at AS "createdAt" FROM portal.browser_subscriptions
  WHERE account_id = $1 ORDER BY created_at DESC, id`;
const LIST_OWNERS = `SELECT id, account_id AS "accountId" FROM portal.browser_subscriptions WHERE id = ANY ($1::uuid[])`;
const COUNT_OTHERS = `SELECT count(*)::integer FROM portal.browser_subscriptions WHERE account_id = $1 AND endpoint <> $2`;
// A browser has one subscription. It belongs to the account that requested it last.
const PUT = `INSERT INTO portal.browser_subscriptions
    (id, account_id, session_id, endpoint, public_key, auth_secret, user_agent, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (endpoint) DO UPDATE SET account_id = $2, session_id = $3, public_key = $5, auth_secret = $6, user_agent = $7,
    id = CASE WHEN browser_subscriptions.account_id = $2 THEN browser_subscriptions.id ELSE $1 END,
    created_at = CASE WHEN browser_subscriptions.account_id = $2 THEN browser_subscriptions.created_at ELSE $8 END
  RETURNING id, endpoint, user_agent AS "userAgent", created_at AS "createdAt"`;
const DELETE = `DELETE FROM portal.browser_subscriptions WHERE id = $1 AND account_id = $2`;

/** Where and for whom a browser gets notifications. */
export interface StoredBrowser {
  id: string;
  accountId: string;
  endpoint: string;
  /** P-256 key in base64url. */
  publicKey: string;
  /** In base64url. */
  authSecret: string;
}

export interface ListedBrowser extends Pick<Browser, 'id' | 'endpoint' | 'createdAt'> {
  userAgent: string;
}

export const findBrowser = (db: Queryable, id: string) => findRow<StoredBrowser>(db, FIND, id);

/** Newest first. */
export const listBrowsers = (db: Queryable, accountId: string) => listRows<ListedBrowser>(db, LIST, accountId);

/** Whose browsers they are. */
export const listOwners = (db: Queryable, ids: readonly string[]) =>
  listRows<Pick<StoredBrowser, 'id' | 'accountId'>>(db, LIST_OWNERS, ids);

/** How many browsers an account has besides the one with an endpoint. */
export const countOtherBrowsers = async (tx: Transaction, accountId: string, endpoint: string) =>
  (await findValue<number>(tx, COUNT_OTHERS, accountId, endpoint)) ?? 0;

export const putBrowser = (
  tx: Transaction,
  browser: StoredBrowser & { sessionId: string; userAgent: string; createdAt: Date },
) => {
  const { id, accountId, sessionId, endpoint, publicKey, authSecret, userAgent, createdAt } = browser;
  return findRow<ListedBrowser>(
    tx,
    PUT,
    id,
    accountId,
    sessionId,
    endpoint,
    publicKey,
    authSecret,
    userAgent,
    createdAt,
  );
};

/** False if the account has no such browser. */
export const deleteBrowser = (db: Queryable, { id, accountId }: Pick<StoredBrowser, 'id' | 'accountId'>) =>
  affectsRows(db, DELETE, id, accountId);
