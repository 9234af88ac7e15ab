import type { Branding } from '../../shared/app.ts';
import type { Language } from '../../shared/messages.ts';
import type { Database, Queryable } from '../database/pool.ts';
import { findBrowser, listOwners } from './browsers.sql.ts';
import { findChoices, listChoices, type StoredChoices } from './choices.sql.ts';
import type { MailAttachment, Mailer } from './mail-client.ts';
import { type MailContent, renderMail } from './mail.rules.ts';
import { mailWordsIn, type MailWords } from './mail-texts.ts';
import { purposeOf, type Sent, targetOf } from './messages.ts';
import type { ClaimedMessage } from './messages.sql.ts';

export interface MailParts {
  database: Database;
  /** Null without a mail server. */
  mailer: Mailer | null;
  branding: () => Promise<Branding>;
  publicUrl: string;
  /** The language of mails to people who have not chosen one. */
  language: Language;
}

/** The language that the account has chosen; or else the given one, by default that of the portal. */
export async function languageOf(
  { database, language }: MailParts,
  accountId: string,
  otherwise: Language | null = null,
): Promise<Language> {
  return (await findChoices(database, accountId))?.language ?? otherwise ?? language;
}

/** The choices of an account; null if it has made none. */
export const findChoicesOf = findChoices;

/** Null if the browser no longer takes notifications. */
export const findBrowserOf = findBrowser;

/** The choices of those recipients that are accounts, or browsers of accounts, and have made choices. */
export async function listPeopleChoices(
  db: Queryable,
  recipients: readonly string[],
): Promise<Map<string, StoredChoices>> {
  const of = (purpose: string) => recipients.flatMap((one) => (purposeOf(one) === purpose ? [targetOf(one)] : []));
  const browsers = of('browser');
  const owners = browsers.length === 0 ? [] : await listOwners(db, browsers);
  const ids = [...of('user'), ...owners.map(({ accountId }) => accountId)];
  const chosen = ids.length === 0 ? [] : await listChoices(db, ids);
  const byAccount = new Map(chosen.map((one) => [one.accountId, one]));
  const ofBrowsers = owners.flatMap(({ id, accountId }) => {
    const one = byAccount.get(accountId);
    return one === undefined ? [] : [[`browser:${id}`, one] as const];
  });
  return new Map([...chosen.map((one) => [`user:${one.accountId}`, one] as const), ...ofBrowsers]);
}

/** Sends a mail with the look of the portal, in the language of its reader. */
export async function sendMail(
  { mailer, branding }: MailParts,
  { id, createdMs }: Pick<ClaimedMessage, 'id' | 'createdMs'>,
  {
    to,
    language,
    compose,
    attachments,
  }: { to: string; language: Language; compose: ComposeMail; attachments?: readonly MailAttachment[] },
  signal: AbortSignal,
): Promise<Sent> {
  if (mailer === null) return { as: 'failed', error: 'Mail__Host is not set.' };
  const brand = await branding();
  const content = compose(mailWordsIn(language), brand);
  const mail = renderMail({ ...content, language }, brand);
  const files = attachments === undefined ? {} : { attachments };
  const error = await mailer({ id, to, createdMs, fromName: brand.applicationName, ...mail, ...files }, signal);
  return error === null ? { as: 'sent' } : { as: 'retry', error };
}

type ComposeMail = (words: MailWords, brand: Branding) => Omit<MailContent, 'language'>;
