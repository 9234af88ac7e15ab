import { randomUUIDv7 } from 'node:crypto';
import type { Alarm } from '../../shared/alarms.ts';
import type { SecretBox } from '../accounts/sealed.ts';
import { backoffSeconds } from '../base/backoff.ts';
import { dayMs } from '../base/instants.ts';
import type { Database } from '../database/pool.ts';
import { presentAlarm } from './alarms.ts';
import {
  type ClaimedMessage,
  claimMessages,
  deleteOldMessages,
  listMessageEvents,
  makeMessages,
  setMessageFailed,
  setMessageRetried,
  setMessageSent,
} from './outbox.sql.ts';
import { type Delivered, deliver } from './webhook-client.ts';
import { findWebhook, type StoredWebhook } from './webhooks.sql.ts';

const maxEvents = 500;
const messagesAtOnce = 8;
/** Longer than the longest attempt. */
const leaseMs = 60_000;
const givenUpAfterMs = dayMs;
const keptMs = 7 * dayMs;
const backoff = { minSeconds: 30, maxSeconds: 1_800 };

export interface NotificationParts {
  database: Database;
  box: SecretBox;
  allowPrivate: boolean;
  /** Epoch milliseconds. */
  now: () => number;
  /** From 0 to 1. */
  random: () => number;
}

interface WebhookEvent {
  event: 'firing' | 'acknowledged' | 'resolved' | 'test';
  occurredAt: string;
  alarm: Alarm | null;
}

/** Posts events to a webhook: one as it is, several as a list. */
export async function postEvents(
  { box, allowPrivate, now }: Pick<NotificationParts, 'box' | 'allowPrivate' | 'now'>,
  { id: webhookId, url, sealedSecret }: StoredWebhook,
  { id, events }: { id: string; events: readonly WebhookEvent[] },
  signal: AbortSignal,
): Promise<Delivered> {
  const secret = await box.open(webhookId, sealedSecret);
  if (secret === null)
    return { status: null, error: 'The portal has lost the key of its secrets. Create the webhook again.' };
  const [first] = events;
  const body = JSON.stringify(events.length === 1 ? { id, ...first } : { id, events });
  return deliver({ id, url, secret, body, nowMs: now() }, { allowPrivate, signal });
}

/**
 * Sends what waits in the outbox: each message at least once, with the same id when it is repeated, for a day. Returns how many were
 * tried.
 */
export async function sendNotifications(parts: NotificationParts, signal: AbortSignal): Promise<number> {
  const { database, now } = parts;
  const at = new Date(now());
  await database.transaction((tx) => makeMessages(tx, maxEvents, randomUUIDv7, at));
  await deleteOldMessages(database, new Date(now() - keptMs));
  const claimed = await claimMessages(database, at, new Date(now() + leaseMs), messagesAtOnce);
  await Promise.all(claimed.map((message) => send(parts, message, signal)));
  return claimed.length;
}

async function send(parts: NotificationParts, message: ClaimedMessage, signal: AbortSignal): Promise<void> {
  const { database, now, random } = parts;
  const { id, recipient, attempts, createdMs } = message;
  const webhook = await findWebhook(database, recipient.slice(recipient.indexOf(':') + 1));
  const events = (await listMessageEvents(database, id)).map(({ event, occurredAt, ...alarm }) => ({
    event,
    occurredAt,
    alarm: presentAlarm(alarm),
  }));
  if (webhook === null || !webhook.isActive || events.length === 0) {
    await database.transaction((tx) =>
      setMessageFailed(tx, id, new Date(now()), 'The webhook is inactive or deleted.'),
    );
    return;
  }
  const { error } = await postEvents(parts, webhook, { id, events }, signal);
  if (error === null) await database.transaction((tx) => setMessageSent(tx, id, new Date(now())));
  else if (now() - createdMs >= givenUpAfterMs) {
    await database.transaction((tx) => setMessageFailed(tx, id, new Date(now()), error));
  } else {
    await setMessageRetried(database, id, new Date(now() + backoffSeconds(attempts, backoff, random()) * 1000), error);
  }
}
