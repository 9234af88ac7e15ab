import { randomUUIDv7 } from 'node:crypto';
import type { Language } from '../../shared/messages.ts';
import {
  keptReportsOfSubscription,
  maxKeptReports,
  type ReportRecipient,
  type ReportSubscription,
} from '../../shared/report-subscriptions.ts';
import { findAccountId, findActiveAccount } from '../accounts/users.ts';
import { startOfDay } from '../base/ranges.ts';
import { allCustomers, type FleetScope } from '../base/scopes.ts';
import type { Database, Queryable } from '../database/pool.ts';
import { findFleetScope } from '../fleet/customer-access.ts';
import type { MailAttachment } from '../notifications/mail-client.ts';
import type { MailSection } from '../notifications/mail.rules.ts';
import { languageOf, type MailParts, sendMail } from '../notifications/mails.ts';
import { mailWordsIn, type MailWords } from '../notifications/mail-texts.ts';
import { addNewMessages, type Channel, type Sent, targetOf } from '../notifications/messages.ts';
import type { ClaimedMessage } from '../notifications/messages.sql.ts';
import { sayIn } from '../reports/say.ts';
import { figuresOf, type FullReport, openReport, visibleTo } from './contents.ts';
import { type ReportDocument, writeDocument } from './document.ts';
import { deleteOldReports, findReport, hasReport, keepReport } from './kept-reports.sql.ts';
import { lastFinished } from './periods.rules.ts';
import { readReport, type ReportParts } from './read-report.ts';
import { renderReport } from './render.ts';
import { listSubscriptions } from './subscriptions.sql.ts';
import { writeWorkbook } from './workbook.ts';

/**
 * Identifies a recipient in messages: the id of the account, or the mail address if no account has it. So a person gets a report
 * once, and nothing after the account was deleted.
 */
const whoOf = async (db: Queryable, recipient: ReportRecipient): Promise<string> =>
  'userId' in recipient ? recipient.userId : ((await findAccountId(db, recipient.email)) ?? recipient.email);

/**
 * Makes the reports whose period is over. One transaction keeps a report and writes its mails. After a downtime only the last
 * period gets a report. The key of kept reports ensures that only one of several portals makes a report.
 */
export async function makeDueReports(parts: ReportParts, signal: AbortSignal): Promise<number> {
  const { database, now, timeZone } = parts;
  let made = 0;
  const problems: unknown[] = [];
  for (const subscription of await listSubscriptions(database)) {
    signal.throwIfAborted();
    const { period, isActive, createdAt } = subscription;
    const dates = lastFinished(period, now(), timeZone);
    const isNew = startOfDay(dates.toDate, timeZone) / 1000 <= Date.parse(createdAt);
    if (!isActive || isNew || (await hasReport(database, subscription.id, period, dates.fromDate))) continue;
    try {
      if (await makeAndKeep(parts, subscription, dates)) made += 1;
    } catch (error) {
      // The other reports do not wait for it.
      problems.push(error);
    }
  }
  if (made > 0) await deleteOldReports(database, keptReportsOfSubscription, maxKeptReports);
  if (problems.length > 0) throw problems[0];
  return made;
}

async function makeAndKeep(
  parts: ReportParts,
  subscription: ReportSubscription,
  dates: FullReport['contents']['dates'],
): Promise<boolean> {
  const { database, now } = parts;
  const report = await makeReport(parts, subscription, dates);
  if (report === null) return false;
  return database.transaction(async (tx) => {
    if (!(await keepReport(tx, report))) return false;
    const recipients = new Set<string>();
    for (const one of subscription.recipients) recipients.add(await whoOf(tx, one));
    const messages = [...recipients].map((who) => ({ id: randomUUIDv7(), recipient: `report:${report.id}/${who}` }));
    await addNewMessages(tx, messages, new Date(now()));
    return true;
  });
}

/** The report of a subscription about some dates, with the data of now; null while readings may be on their way. */
export async function makeReport(
  parts: ReportParts,
  subscription: ReportSubscription,
  dates: FullReport['contents']['dates'],
): Promise<FullReport | null> {
  const { id: subscriptionId, name, period, subjectIds, recipients, hasWorkbook } = subscription;
  const firstIds = parts.runMode === 'Client' ? [] : await listSeenCustomers(parts.database, recipients);
  const contents = await readReport(parts, { period, dates, subjectIds, firstIds });
  return (
    contents && {
      id: randomUUIDv7(),
      subscriptionId,
      name,
      period,
      ...dates,
      subjectIds,
      recipients,
      hasWorkbook,
      readAt: contents.readAt,
      figures: figuresOf(contents),
      contents,
    }
  );
}

/** The customers that restricted recipients see. */
async function listSeenCustomers(database: Database, recipients: readonly ReportRecipient[]): Promise<string[]> {
  const seen: string[] = [];
  for (const one of recipients) {
    const account = await findActiveAccount({ database }, 'userId' in one ? { id: one.userId } : one);
    const scope = account && (await findFleetScope(database, { accountId: account.id, roles: account.roles }));
    if (scope !== null && scope.customers !== 'all') seen.push(...scope.customers);
  }
  return seen;
}

interface Reader {
  to: string;
  language: Language;
  scope: FleetScope;
}

/** The reader of a report. Null if nobody may get it: the account no longer exists, is inactive, or sees no customer. */
async function findReader(
  mail: MailParts,
  { runMode }: Pick<ReportParts, 'runMode'>,
  { recipients }: FullReport,
  who: string,
): Promise<Reader | null> {
  const { database } = mail;
  const languageAs = (email: string): Language | null =>
    recipients.flatMap((one) =>
      'email' in one && one.email.toLowerCase() === email.toLowerCase() ? [one.language] : [],
    )[0] ?? null;
  const isAddress = who.includes('@');
  const account = await findActiveAccount({ database }, isAddress ? { email: who } : { id: who });
  if (account === null) {
    const language = isAddress && (await findAccountId(database, who)) === null ? languageAs(who) : null;
    return language && { to: who, language, scope: allCustomers };
  }
  const { id: accountId, email: to, roles } = account;
  const scope = runMode === 'Client' ? allCustomers : await findFleetScope(database, { accountId, roles });
  const language = await languageOf(mail, accountId, languageAs(to));
  return scope && { to, language, scope };
}

/** Sends kept reports to their recipients, as far as they may see them, judged now. */
export const reportChannel = (mail: MailParts, { runMode }: Pick<ReportParts, 'runMode'>): Channel => ({
  async send(message, signal) {
    const { database } = mail;
    const [reportId = '', who = ''] = splitOnce(targetOf(message.recipient));
    const stored = await findReport(database, reportId);
    const report = stored && openReport(stored);
    const reader = report && (await findReader(mail, { runMode }, report, who));
    if (report === null || reader === null) return { as: 'dropped' };
    const contents = visibleTo(report.contents, reader.scope);
    if (contents === null) return { as: 'dropped' };
    return mailReport(mail, message, { report: { ...report, contents }, ...reader }, signal);
  },
});

const splitOnce = (text: string): string[] => [text.slice(0, text.indexOf('/')), text.slice(text.indexOf('/') + 1)];

/** The maximum number of rows of a table in the text of a mail. The PDF has all rows. */
const maxMailRows = 40;
/** Many mail servers accept at most 10 MB, and the encoding of attachments adds a third. */
const maxAttachedBytes = 7_000_000;

/** Sends a report with its charts, as PDF, and with its workbook if it has one. */
export async function mailReport(
  mail: MailParts,
  message: Pick<ClaimedMessage, 'id' | 'createdMs'>,
  { report, to, language }: { report: FullReport; to: string; language: Language },
  signal: AbortSignal,
): Promise<Sent> {
  if (mail.mailer === null) return { as: 'failed', error: 'Mail__Host is not set.' };
  const { document, words, files } = await writeFiles(report, language, signal);
  const pictures = files.pictures.map((content, at) => {
    const cid = `chart-${at + 1}.${message.id}@report`;
    return { filename: `chart-${at + 1}.png`, contentType: 'image/png', content, cid };
  });
  const pdf = { filename: fileNameOf(report, 'pdf'), contentType: 'application/pdf', content: files.pdf };
  const attached: MailAttachment[] = [...pictures, pdf];
  const workbook = report.hasWorkbook ? await writeWorkbook(report.contents, report.subjectIds, words.say) : null;
  const size = attached.reduce((sum, { content }) => sum + content.length, workbook?.length ?? 0);
  const isTooLarge = size > maxAttachedBytes;
  if (workbook !== null && !isTooLarge) {
    attached.push({ filename: fileNameOf(report, 'xlsx'), contentType: xlsxType, content: workbook });
  }
  const compose = ({ say }: MailWords) => ({
    subject: document.title,
    heading: document.title,
    paragraphs: [document.subtitle, ...(workbook !== null && isTooLarge ? [say('reportTooLarge')] : [])],
    sections: sectionsOf(document, pictures, say),
    items: [],
    action: { label: say('reportOpen'), url: `${mail.publicUrl}/reports` },
    reason: say('reportReason', { name: report.name }),
  });
  return sendMail(mail, message, { to, language, compose, attachments: attached }, signal);
}

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const fileNameOf = ({ period, fromDate }: Pick<FullReport, 'period' | 'fromDate'>, format: 'pdf' | 'xlsx') =>
  `report-${period}-${fromDate}.${format}`;

/** The report in words, its charts and its PDF. */
export async function writeFiles(
  { contents, name }: Pick<FullReport, 'contents' | 'name'>,
  language: Language,
  signal: AbortSignal,
  key?: string,
) {
  const words = { language, say: sayIn(language), mail: mailWordsIn(language) };
  const document = writeDocument(contents, name, words);
  return { document, words, files: await renderReport(document, signal, key) };
}

function sectionsOf(
  { sections, notes, title }: ReportDocument,
  pictures: readonly { cid: string }[],
  say: MailWords['say'],
): MailSection[] {
  let shown = 0;
  const all = sections.map(({ heading, paragraphs, table, chart }): MailSection => {
    const picture = chart === undefined ? undefined : pictures[shown];
    if (chart !== undefined) shown += 1;
    const more = (table?.rows.length ?? 0) - maxMailRows;
    return {
      heading,
      paragraphs: more > 0 ? [...paragraphs, say('reportMoreInPdf', { count: more })] : paragraphs,
      table:
        table === undefined ? null : { head: table.head, rows: [...table.rows.slice(0, maxMailRows), ...table.totals] },
      picture: picture === undefined ? null : { cid: picture.cid, alt: `${heading}, ${title}` },
    };
  });
  return [...all, { heading: '', paragraphs: notes, table: null, picture: null }];
}
