import type { Webhook } from '../../shared/alarms.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { execute, findRow, listRows, lockAndCount } from '../database/rows.ts';

const columns = `id, name, url, is_active AS "isActive"`;
const LIST = `SELECT ${columns} FROM portal.webhooks`;
const FIND = `SELECT ${columns}, sealed_secret AS "sealedSecret" FROM portal.webhooks WHERE id = $1`;
const INSERT = `INSERT INTO portal.webhooks (id, name, url, is_active, sealed_secret) VALUES ($1, $2, $3, $4, $5)`;
const UPDATE = `UPDATE portal.webhooks SET name = $2, url = $3, is_active = $4 WHERE id = $1`;
const DELETE = `DELETE FROM portal.webhooks WHERE id = $1`;

export interface StoredWebhook extends Webhook {
  sealedSecret: string;
}

/** All webhooks, in no order. */
export const listWebhooks = (db: Queryable) => listRows<Webhook>(db, LIST);

export const findWebhook = (db: Queryable, id: string) => findRow<StoredWebhook>(db, FIND, id);

/** Locked until the transaction ends. */
export const lockWebhook = (tx: Transaction, id: string) => findRow<StoredWebhook>(tx, `${FIND} FOR UPDATE`, id);

/** Counts the webhooks, and prevents changes of their number until the transaction ends. */
export const lockWebhooks = (tx: Transaction) => lockAndCount(tx, 'portal.webhooks');

export const insertWebhook = (tx: Transaction, { id, name, url, isActive, sealedSecret }: StoredWebhook) =>
  execute(tx, INSERT, id, name, url, isActive, sealedSecret);

export const updateWebhook = (tx: Transaction, { id, name, url, isActive }: Webhook) =>
  execute(tx, UPDATE, id, name, url, isActive);

export const deleteWebhook = (tx: Transaction, id: string) => execute(tx, DELETE, id);
