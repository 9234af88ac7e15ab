import { backoffSeconds } from '../base/backoff.ts';
import { dayMs } from '../base/instants.ts';
import type { Database, Transaction } from '../database/pool.ts';
import { oneLine } from './mail.rules.ts';
import {
  addMessages,
  type ClaimedMessage,
  claimMessages,
  deleteMessage,
  deleteOldMessages,
  listBusyRecipients,
  setMessageFailed,
  setMessageRetried,
  setMessageSent,
} from './messages.sql.ts';

const messagesAtOnce = 8;
/** How long a portal has a message to itself; longer than any attempt takes. */
const leaseMs = 60_000;
const givenUpAfterMs = dayMs;
const keptMs = 7 * dayMs;
const maxErrorLength = 300;
const backoff = { minSeconds: 30, maxSeconds: 1_800 };

/** How an attempt ended. A `dropped` message is deleted, because it had nothing to report. */
export type Sent = { as: 'sent' } | { as: 'dropped' } | { as: 'retry' | 'failed'; error: string };

/** The sender of messages of one purpose. */
export interface Channel {
  send: (message: ClaimedMessage, signal: AbortSignal) => Promise<Sent>;
  /** More work in the transaction that finishes a message. */
  settle?: (tx: Transaction, id: string) => Promise<void>;
}

export interface SendingParts {
  database: Database;
  /** By the purpose in a recipient, such as `webhook`. */
  channels: Readonly<Record<string, Channel>>;
  /** Epoch milliseconds. */
  now: () => number;
  /** A random number from 0 to 1. */
  random: () => number;
}

export const purposeOf = (recipient: string): string => recipient.slice(0, recipient.indexOf(':'));
/** The id or address in a recipient. */
export const targetOf = (recipient: string): string => recipient.slice(recipient.indexOf(':') + 1);

/** Adds messages, to be sent now. */
export const addNewMessages = addMessages;

/** Nobody gets more messages than this within ten minutes. */
const maxLately = 3;
const latelyMs = 600_000;

/** The people who may get a message now: none of theirs is in transit, and they got fewer than three in ten minutes. */
export async function listReachable(
  tx: Transaction,
  recipients: readonly string[],
  nowMs: number,
): Promise<Set<string>> {
  const busy = await listBusyRecipients(tx, recipients, new Date(nowMs - latelyMs), maxLately);
  return new Set(recipients).difference(new Set(busy));
}

/** Sends due messages: each at least once, with the same id when it is repeated, for a day. Returns how many were tried. */
export async function sendMessages(parts: SendingParts, signal: AbortSignal): Promise<number> {
  const { database, now } = parts;
  await deleteOldMessages(database, new Date(now() - keptMs));
  const claimed = await claimMessages(database, new Date(now()), new Date(now() + leaseMs), messagesAtOnce);
  await Promise.all(claimed.map((message) => sendOne(parts, message, signal)));
  return claimed.length;
}

async function sendOne(
  { database, channels, now, random }: SendingParts,
  message: ClaimedMessage,
  signal: AbortSignal,
): Promise<void> {
  const { id, recipient, attempts, createdMs } = message;
  const channel = channels[purposeOf(recipient)];
  const sent: Sent =
    channel === undefined ? { as: 'failed', error: 'Nothing sends it.' } : await attemptOf(channel, message, signal);
  const at = new Date(now());
  const end = (write: (tx: Transaction) => Promise<void>) =>
    database.transaction(async (tx) => {
      await channel?.settle?.(tx, id);
      await write(tx);
    });
  if (sent.as === 'sent') await end((tx) => setMessageSent(tx, id, at));
  else if (sent.as === 'dropped') await end((tx) => deleteMessage(tx, id));
  else if (sent.as === 'failed' || now() - createdMs >= givenUpAfterMs) {
    await end((tx) => setMessageFailed(tx, id, at, sent.error));
  } else {
    const next = new Date(now() + backoffSeconds(attempts, backoff, random()) * 1000);
    await setMessageRetried(database, id, next, sent.error);
  }
}

/** A message that cannot be made is repeated, and shown to administrators, like one that is not accepted. */
const attemptOf = (channel: Channel, message: ClaimedMessage, signal: AbortSignal): Promise<Sent> =>
  channel.send(message, signal).catch((error: unknown): Sent => {
    signal.throwIfAborted();
    return { as: 'retry', error: oneLine(String(error)).slice(0, maxErrorLength) };
  });
