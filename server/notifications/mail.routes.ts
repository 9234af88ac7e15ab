import { randomUUIDv7 } from 'node:crypto';
import { mailState, mailTest, maxFailedMessages } from '../../shared/notifications.ts';
import { errorBody } from '../../shared/primitives.ts';
import { bucketsOf } from '../base/budgets.ts';
import { refuse } from '../base/errors.ts';
import { clientGone } from '../http/client-gone.ts';
import { guarded, type App, type Guard } from '../http/guard.ts';
import { languageOf, type MailParts, sendMail } from './mails.ts';
import { listFailedMessages } from './messages.sql.ts';

interface MailRouteParts {
  mail: MailParts;
  guard: Guard;
  /** Mail__From. */
  from: string | undefined;
  /** Epoch milliseconds. */
  now: () => number;
}

/** `/api/admin/mail`: whether mail works, and which messages failed. */
export function mailRoutes(app: App, { mail, guard, from, now }: MailRouteParts): void {
  const tags = ['Application'];
  app.get(
    '/api/admin/mail',
    guarded(guard.admin, {
      tags,
      operationId: 'getMail',
      summary: 'Get the sender of mails, and the messages whose last attempt failed',
      response: { 200: mailState },
    }),
    async () => ({
      from: mail.mailer === null ? null : (from ?? null),
      failedMessages: await listFailedMessages(mail.database, maxFailedMessages),
    }),
  );

  const sent = bucketsOf('mailTests');
  app.post(
    '/api/admin/mail/test',
    guarded(guard.admin, {
      tags,
      operationId: 'testMail',
      summary: 'Send yourself a test mail and wait for the answer of the mail server',
      description: '409 without a mail server; at most ten in ten minutes.',
      response: { 200: mailTest, 409: errorBody, 429: errorBody },
    }),
    async (request, reply) => {
      if (mail.mailer === null) throw refuse('mailNotSet');
      const { accountId, email: to } = guard.current(request);
      const retryAfterSeconds = sent.take(accountId, now());
      if (retryAfterSeconds !== null) throw refuse('manyMailTests', {}, { retryAfterSeconds });
      const answer = await sendMail(
        mail,
        { id: randomUUIDv7(), createdMs: now() },
        {
          to,
          language: await languageOf(mail, accountId),
          compose: ({ say }, { applicationName: application }) => ({
            subject: say('testSubject', { application }),
            heading: say('testSubject', { application }),
            paragraphs: [say('testText')],
            items: [],
            action: { label: say('openPortal'), url: mail.publicUrl },
            reason: say('testReason'),
          }),
        },
        clientGone(reply),
      );
      return { isSent: answer.as === 'sent', to, error: 'error' in answer ? answer.error : null };
    },
  );
}
