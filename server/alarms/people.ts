import type { Language } from '../../shared/messages.ts';
import { createFormat } from '../../shared/format.ts';
import { findAccountId, findActiveAccount } from '../accounts/users.ts';
import { allCustomers, type FleetScope } from '../base/scopes.ts';
import type { Database } from '../database/pool.ts';
import { findFleetScope } from '../fleet/customer-access.ts';
import { isAtLeast } from '../notifications/choices.rules.ts';
import { findBrowserOf, findChoicesOf, type MailParts, sendMail } from '../notifications/mails.ts';
import { type MailWords, mailWordsIn } from '../notifications/mail-texts.ts';
import { type Channel, purposeOf, targetOf } from '../notifications/messages.ts';
import { type Notice, type PushParts, pushTo } from '../notifications/push-client.ts';
import { oneLine } from '../notifications/mail.rules.ts';
import { describeAlarm } from './alarm-text.rules.ts';
import { deleteMessageEvents, listMessageEvents, listSitesOfDevices, type MessageEvent } from './outbox.sql.ts';

export interface PeopleParts {
  database: Database;
  mail: MailParts;
  push: PushParts;
  runMode: 'Client' | 'Admin';
  /** For times in mails. */
  timeZone: string;
}

interface Person {
  to: string;
  /**
   * The account of the recipient; null if an administrator entered a mail address. That administrator decided what the address
   * may see.
   */
  accountId: string | null;
  scope: FleetScope;
  /** Null: by mail. */
  browser: Browser | null;
}

type Browser = NonNullable<Awaited<ReturnType<typeof findBrowserOf>>>;

/**
 * The recipient as a person. Null if nobody may be notified: the account or the browser no longer exists, is inactive, or may see no customer.
 */
async function findPerson({ database, runMode }: PeopleParts, recipient: string): Promise<Person | null> {
  const target = targetOf(recipient);
  const isAddress = purposeOf(recipient) === 'email';
  const browser = purposeOf(recipient) === 'browser' ? await findBrowserOf(database, target) : null;
  if (purposeOf(recipient) === 'browser' && browser === null) return null;
  const id = browser?.accountId ?? target;
  const account = await findActiveAccount({ database }, isAddress ? { email: target } : { id });
  if (account === null) {
    if (!isAddress || (await findAccountId(database, target)) !== null) return null;
    return { to: target, accountId: null, scope: allCustomers, browser };
  }
  const { id: accountId, email: to, roles } = account;
  const scope = runMode === 'Client' ? allCustomers : await findFleetScope(database, { accountId, roles });
  return scope === null ? null : { to, accountId, scope, browser };
}

/** The event with the site of its device; null for other subjects and deleted devices. */
type PlacedEvent = MessageEvent & { siteId: string | null };

async function listPlacedEvents({ database, runMode }: PeopleParts, messageId: string): Promise<PlacedEvent[]> {
  const events = await listMessageEvents(database, messageId);
  const ids = events.flatMap(({ subjectKind, subjectId }) =>
    subjectKind === 'device' && subjectId !== null ? [subjectId] : [],
  );
  const sites =
    runMode === 'Client' && ids.length > 0 ? await listSitesOfDevices(database, ids) : new Map<string, string>();
  return events.map((event) => ({ ...event, siteId: sites.get(event.subjectId ?? '') ?? null }));
}

/**
 * Sends people the events that they want and may see. Both are checked when the message is sent. If no event remains, no
 * message is sent.
 */
export const peopleChannel = (parts: PeopleParts): Channel => ({
  async send(message, signal) {
    const { database, mail, push, timeZone } = parts;
    const person = await findPerson(parts, message.recipient);
    if (person === null) return { as: 'dropped' };
    const { to, accountId, scope, browser } = person;
    const choices = accountId === null ? null : await findChoicesOf(database, accountId);
    const channel = browser === null ? 'mail' : 'push';
    if (choices?.channels.includes(channel) === false) return { as: 'dropped' };
    const [kinds, subjects] = [new Set(choices?.kinds), new Set(choices?.subjectIds)];
    const events = (await listPlacedEvents(parts, message.id)).filter(
      ({ severity, kind, subjectKind, subjectId, siteId }) => {
        if (!isAtLeast(severity, choices?.minimumSeverity ?? 'info')) return false;
        if (kinds.size > 0 && !kinds.has(kind)) return false;
        const isSeen =
          scope.customers === 'all' || (subjectKind === 'customer' && scope.customers.includes(subjectId ?? ''));
        const place = subjectKind === 'device' ? siteId : subjectId;
        // Events without a site or customer, such as those about the push, concern everyone.
        return isSeen && (subjects.size === 0 || place === null || subjects.has(place));
      },
    );
    if (events.length === 0) return { as: 'dropped' };
    const language = choices?.language ?? mail.language;
    if (browser !== null)
      return pushTo(push, browser, composeNotice(message.id, events, { language, timeZone }), signal);
    const compose = (words: MailWords) => composeAlarmMail(events, { words, language, timeZone, url: mail.publicUrl });
    return sendMail(mail, message, { to, language, compose }, signal);
  },
  settle: deleteMessageEvents,
});

const maxSubjectLength = 150;
const maxNoticeLines = 5;
const maxNoticeLineLength = 120;

function composeAlarmMail(
  events: readonly PlacedEvent[],
  { words, language, timeZone, url }: { words: MailWords; language: Language; timeZone: string; url: string },
) {
  const { say, alarmTexts } = words;
  const format = createFormat(language);
  const items = events.map((event) => ({
    text: describeAlarm(event, { language, texts: alarmTexts }),
    detail: [
      say(event.event),
      say(event.severity),
      `${format.dateTime(event.occurredAt, timeZone)} (${format.timeZoneName(timeZone)})`,
      ...(event.event === 'acknowledged' && event.acknowledgedBy !== null ? [event.acknowledgedBy] : []),
    ].join(' · '),
    url: `${url}${pathOf(event)}`,
  }));
  const counts = (['firing', 'escalated', 'acknowledged', 'resolved'] as const).flatMap((kind) => {
    const count = events.filter(({ event }) => event === kind).length;
    return count === 0 ? [] : [`${say(kind)} ${count}`];
  });
  const [first] = events;
  const [only] = items;
  const subject =
    items.length === 1 && first !== undefined && only !== undefined
      ? `${say(first.event)}: ${only.text}`
      : `${say('alarms')}: ${counts.join(', ')}`;
  const cut = subject.length > maxSubjectLength ? `${subject.slice(0, maxSubjectLength).toWellFormed()}…` : subject;
  const action = { label: say('openPortal'), url: items.length === 1 && only !== undefined ? only.url : `${url}/` };
  return { subject: cut, heading: cut, paragraphs: [], items, action, reason: say('alarmReason') };
}

/** A notice of few lines: a push service takes 4,096 bytes at most. */
function composeNotice(
  id: string,
  events: readonly PlacedEvent[],
  { language, timeZone }: { language: Language; timeZone: string },
): Notice {
  const words = mailWordsIn(language);
  const { subject, items, action } = composeAlarmMail(events, { words, language, timeZone, url: '' });
  const lines = items.length === 1 ? items.map(({ detail }) => detail) : items.map(({ text }) => text);
  const more = lines.length > maxNoticeLines ? [words.say('reportMore', { count: lines.length - maxNoticeLines })] : [];
  const shown = lines.slice(0, maxNoticeLines).map((line) => line.slice(0, maxNoticeLineLength).toWellFormed());
  const isUrgent = events.some(({ event, severity }) => severity === 'critical' && event !== 'resolved');
  const body = [...shown, ...more].map(oneLine).join('\n');
  return { id, title: oneLine(subject), body, path: action.url, language, isUrgent };
}

/** The path of the page about the subject of an alarm. */
function pathOf({ subjectKind, subjectId, siteId }: PlacedEvent): string {
  if (subjectKind === 'device' && siteId !== null) return `/sites/${siteId}/devices/${subjectId}`;
  if (subjectKind === 'site') return `/sites/${subjectId}`;
  if (subjectKind === 'customer') return `/customers/${subjectId}`;
  return subjectKind === 'portal' ? '/settings/fleet-push' : '/';
}
