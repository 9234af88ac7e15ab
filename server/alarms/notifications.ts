import { randomUUIDv7 } from 'node:crypto';
import type { Alarm } from '../../shared/alarms.ts';
import type { SecretBox } from '../accounts/sealed.ts';
import type { Database } from '../database/pool.ts';
import { isQuiet } from '../notifications/choices.rules.ts';
import { listPeopleChoices } from '../notifications/mails.ts';
import { addNewMessages, type Channel, listReachable, purposeOf, targetOf } from '../notifications/messages.ts';
import { presentAlarm } from './alarms.ts';
import {
  assignEvents,
  deleteMailedEvents,
  deleteMessageEvents,
  listMessageEvents,
  lockWaitingEvents,
} from './outbox.sql.ts';
import { type Delivered, deliver } from '../notifications/webhook-client.ts';
import { findWebhook, type StoredWebhook } from './webhooks.sql.ts';

const maxEventsOfWebhook = 500;
/**
 * The maximum number of events in a mail: large enough that three mails hold all events even if thousands of devices go
 * offline.
 */
const maxEventsOfPerson = 10_000;

interface WebhookParts {
  database: Database;
  box: SecretBox;
  allowPrivate: boolean;
  /** Epoch milliseconds. */
  now: () => number;
}

interface WebhookEvent {
  event: 'firing' | 'escalated' | 'acknowledged' | 'resolved' | 'test';
  occurredAt: string;
  alarm: Alarm | null;
}

/** Posts events to a webhook: a single event as an object, several events as a list. */
export async function postEvents(
  { box, allowPrivate, now }: Omit<WebhookParts, 'database'>,
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
 * Turns waiting events into messages, one for each recipient with all events for them. Events for a person wait while the
 * person has an unsent message, got three messages within ten minutes, or has quiet hours and no event is critical. Without a
 * mail server, events for mails are dropped; the page shows them anyway.
 */
export async function makeMessages(
  database: Database,
  { nowMs, timeZone, sendsMail }: { nowMs: number; timeZone: string; sendsMail: boolean },
): Promise<void> {
  await database.transaction(async (tx) => {
    if (!sendsMail) await deleteMailedEvents(tx);
    const waiting = await lockWaitingEvents(tx, maxEventsOfWebhook, maxEventsOfPerson);
    if (waiting.length === 0) return;
    const people = waiting.map(({ recipient }) => recipient).filter((one) => purposeOf(one) !== 'webhook');
    const reachable = await listReachable(tx, people, nowMs);
    const choices = await listPeopleChoices(tx, people);
    const due = waiting.filter(({ recipient, isCritical }) => {
      if (purposeOf(recipient) === 'webhook') return true;
      const isHeldBack = !isCritical && isQuiet(choices.get(recipient)?.quietHours ?? null, nowMs, timeZone);
      return reachable.has(recipient) && !isHeldBack;
    });
    const made = due.map((one) => ({ ...one, id: randomUUIDv7() }));
    await addNewMessages(tx, made, new Date(nowMs));
    for (const one of made) await assignEvents(tx, one.id, one);
  });
}

/** Sends alarm events to webhooks. */
export const webhookChannel = (parts: WebhookParts): Channel => ({
  async send({ id, recipient }, signal) {
    const { database } = parts;
    const webhook = await findWebhook(database, targetOf(recipient));
    const events = (await listMessageEvents(database, id)).map(({ event, occurredAt, ...alarm }) => ({
      event,
      occurredAt,
      alarm: presentAlarm(alarm),
    }));
    if (webhook === null || !webhook.isActive || events.length === 0) {
      return { as: 'failed', error: 'The webhook is inactive or deleted.' };
    }
    const { error } = await postEvents(parts, webhook, { id, events }, signal);
    return error === null ? { as: 'sent' } : { as: 'retry', error };
  },
  settle: deleteMessageEvents,
});
