import { createECDH, ECDH } from 'node:crypto';
import { buildPushPayload } from '@block65/webcrypto-web-push';
import type { SessionKeys } from '../accounts/session-keys.ts';
import type { Queryable } from '../database/pool.ts';
import { deleteBrowser, type StoredBrowser } from './browsers.sql.ts';
import type { Sent } from './messages.ts';
import type { postPublicly } from './webhook-client.ts';

/** As long as a message is repeated. */
const keptByServiceSeconds = 86_400;
const curve = 'prime256v1';
/** How push services say that a browser no longer wants notifications (RFC 8030). */
const goneStatuses: readonly (number | null)[] = [404, 410];

/** What a browser shows (web/src/offline/worker.ts). */
export interface Notice {
  /** One with the same id replaces an earlier one. */
  id: string;
  title: string;
  body: string;
  /** Path of the page that it opens. */
  path: string;
  language: string;
  isUrgent: boolean;
}

export interface PushParts {
  database: Queryable;
  keys: Pick<SessionKeys, 'lasting'>;
  publicUrl: string;
  /** Any user chooses the endpoint, and push services are public: only a test posts to other addresses. */
  post: typeof postPublicly;
}

/** The keys by which push services know the portal (VAPID, RFC 8292), in base64url. */
export async function pushKeys(keys: PushParts['keys']): Promise<{ publicKey: string; privateKey: string }> {
  const { secret } = await keys.lasting('push.key');
  const pair = createECDH(curve);
  pair.setPrivateKey(secret);
  return {
    publicKey: pair.getPublicKey('base64url'),
    privateKey: Buffer.from(secret).toString('base64url'),
  };
}

/** Whether a key in base64url is a point of the curve, so that something can be encrypted for it. */
export function isBrowserKey(key: string): boolean {
  try {
    ECDH.convertKey(key, curve, 'base64url');
    return Buffer.from(key, 'base64url')[0] === 4;
  } catch {
    return false;
  }
}

/**
 * Shows a notice in a browser: encrypted for it (RFC 8291) and posted to its push service, at public addresses only.
 * A browser that is gone is forgotten.
 */
export async function pushTo(
  { database, keys, publicUrl, post }: PushParts,
  browser: StoredBrowser,
  { id, isUrgent, ...shown }: Notice,
  signal: AbortSignal,
): Promise<Sent> {
  const { endpoint, publicKey, authSecret } = browser;
  const options = {
    ttl: keptByServiceSeconds,
    topic: id.replaceAll('-', ''),
    urgency: isUrgent ? ('high' as const) : ('normal' as const),
  };
  const subscription = { endpoint, expirationTime: null, keys: { p256dh: publicKey, auth: authSecret } };
  const vapid = { ...(await pushKeys(keys)), subject: publicUrl };
  const { headers, body } = await buildPushPayload({ data: { id, ...shown }, options }, subscription, vapid);
  const { status, error } = await post({ url: endpoint, headers, body }, signal);
  if (error === null) return { as: 'sent' };
  if (!goneStatuses.includes(status)) return { as: 'retry', error };
  await deleteBrowser(database, browser);
  return { as: 'dropped' };
}
