import { randomUUIDv7 } from 'node:crypto';
import { openStep, sealStep } from '../accounts/sealed.ts';
import type { SessionKeys } from '../accounts/session-keys.ts';
import { findActiveAccount, getUser, resetForgottenPassword } from '../accounts/users.ts';
import { type Changing, makeChange } from '../accounts/audit.ts';
import { attempt, type AccountParts } from '../accounts/sign-in-attempts.ts';
import { dayMs } from '../base/instants.ts';
import { refuse } from '../base/errors.ts';
import type { AnonymousActor, Author } from '../base/scopes.ts';
import { isPlainAddress } from '../settings/kinds.ts';
import { languageOf, type MailParts, sendMail } from './mails.ts';
import { type Channel, targetOf } from './messages.ts';
import { addMessages, countMessagesSince, countWaitingMessages } from './messages.sql.ts';

export interface AccountMailParts extends MailParts {
  accounts: AccountParts;
  keys: SessionKeys;
  /** Epoch milliseconds. */
  now: () => number;
}

const hourMs = 3_600_000;
/** The maximum number of mails per address or account and hour, so that strangers cannot fill anyone's mailbox. */
const maxAnHour = 3;
/** Above this many waiting mails no more are accepted: the mail server is down, or very many people ask. */
const maxWaiting = 500;

/** A link of either kind becomes invalid when the password, the email, the roles or the state of the account change. */
const links = {
  reset: { purpose: 'reset-password', validMs: hourMs },
  invite: { purpose: 'invitation', validMs: 7 * dayMs },
} as const;
type LinkKind = keyof typeof links;

/**
 * Sends a link to the account with that email. The worker finds out later whether it exists, so neither the answer nor its
 * duration reveals it.
 */
export async function askForReset({ database, mailer, now }: AccountMailParts, given: string): Promise<void> {
  const email = given.trim().toLowerCase();
  if (mailer === null || email.length > 254 || !isPlainAddress(email)) return;
  const recipient = `reset:${email}`;
  const nowMs = now();
  if ((await countWaitingMessages(database, 'reset')) >= maxWaiting) return;
  if ((await countMessagesSince(database, recipient, new Date(nowMs - hourMs))) >= maxAnHour) return;
  await database.transaction((tx) => addMessages(tx, [{ id: randomUUIDv7(), recipient }], new Date(nowMs)));
}

/** Sends a link for the first password. Throws `notFound`, and `conflict` without a mail server or for an inactive account. */
export const inviteUser = (
  { database, mailer, now }: AccountMailParts,
  by: Changing['by'],
  id: string,
): Promise<void> =>
  makeChange({ database, by }, async (tx, recordChange) => {
    const user = await getUser(tx, id, now());
    if (mailer === null) throw refuse('mailNotSet');
    if (!user.isActive) throw refuse('inviteInactive');
    const recipient = `invite:${id}`;
    if ((await countMessagesSince(tx, recipient, new Date(now() - hourMs))) >= maxAnHour) {
      throw refuse('manyInvitations', {}, { retryAfterSeconds: hourMs / 1000 });
    }
    await addMessages(tx, [{ id: randomUUIDv7(), recipient }], new Date(now()));
    await recordChange('user.invite', { id, name: user.email });
  });

/**
 * Sets the password of a link, once. Throws `invalid` for an expired link or a weak password; a wrong link counts as a failed
 * sign-in.
 */
export async function resetByLink(
  { accounts, keys, now }: AccountMailParts,
  by: Author<AnonymousActor>,
  { token, newPassword }: { token: string; newPassword: string },
): Promise<void> {
  await attempt(
    accounts,
    { email: null, by },
    async () => {
      for (const { purpose, validMs } of Object.values(links)) {
        const step = await openStep(keys, purpose, token).catch(() => null);
        if (step === null || now() - step.startedAt > validMs) continue;
        return (await resetForgottenPassword({ accounts }, { by, ...step, newPassword })) ? true : null;
      }
      return null;
    },
    () => refuse('linkIsOver', {}, { field: 'token' }),
  );
}

/** The sender of the links. */
export function accountChannels(parts: AccountMailParts): Readonly<Record<LinkKind, Channel>> {
  const { keys, publicUrl, accounts } = parts;
  const channelOf = (kind: LinkKind): Channel => ({
    async send(message, signal) {
      const target = targetOf(message.recipient);
      const account = await findActiveAccount(accounts, kind === 'reset' ? { email: target } : { id: target });
      if (account === null) return { as: 'dropped' };
      const { id: accountId, email, securityStamp } = account;
      // Counted from the request, so that a repeated mail is not valid for longer.
      const step = { accountId, securityStamp, email, startedAt: Math.floor(message.createdMs), newSecret: null };
      const token = await sealStep(keys, links[kind].purpose, step);
      // The token is in the fragment of the URL, which no server or proxy logs.
      const url = `${publicUrl}/reset-password#token=${encodeURIComponent(token)}`;
      const language = await languageOf(parts, accountId);
      return sendMail(
        parts,
        message,
        {
          to: email,
          language,
          compose: ({ say }, { applicationName: application }) => ({
            subject: kind === 'reset' ? say('resetSubject') : say('inviteSubject', { application }),
            heading: kind === 'reset' ? say('resetSubject') : say('inviteSubject', { application }),
            paragraphs:
              kind === 'reset' ? [say('resetText', { email }), say('resetIgnore')] : [say('inviteText', { email })],
            items: [],
            action: { label: say(`${kind}Action`), url },
            reason: say('accountReason'),
          }),
        },
        signal,
      );
    },
  });
  return { reset: channelOf('reset'), invite: channelOf('invite') };
}
